/** The pages of `screener access`: what `/access` says, and what this machine has recorded. */
import { sum } from 'd3-array';
import * as v from 'valibot';
import { count, described, time } from '../../api/contract/primitives.ts';
import { Access, Credits } from '../../api/contract/resources.ts';
import { byAllowance } from '../../api/limits.ts';
import { OPERATION_NAMES, OPERATIONS, type OperationName } from '../../api/operations.ts';
import { formatApiTime } from '../../api/time.ts';
import type { ReadonlyDeep } from '../../base/readonly-deep.ts';
import { DAY, dayNumber, pluralize, utcDay } from '../../base/units.ts';
import type { CreditsKnown } from '../../credits/account.ts';
import type { CreditForecast } from '../../credits/forecast.ts';
import { type DaySpending, spentAtMost, spentIn } from '../../credits/usage.ts';
import type { Outlook } from '../../history/export/outlook.ts';
import { fieldsOf } from '../described-fields.ts';
import { dayAndMonth, dayAndTime, zonedTime } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Column, Pair, RenderContext, Section, View } from '../types.ts';
import { creditsOfDay } from './credits-words.ts';
import { figureColumn, textColumn } from './parts.ts';

/** What this machine knows itself of the account, besides what `/access` says. */
export interface KnownHere
  extends Pick<
    CreditsKnown,
    'today' | 'periods' | 'windows' | 'elsewhere' | 'forecast' | 'days' | 'monthLeft'
  > {
  /** SCREENER_DAILY; undefined if it is not set. */
  readonly dailyOfUser?: number | undefined;
  /** What exports will spend; undefined if none ran lately. */
  readonly outlook?: ExportSpending | undefined;
}

type ExportSpending = Pick<Outlook, 'credits_a_day'>;

export const accessFields = fieldsOf(Access);

export function accessView(known: KnownHere): View<Access> {
  return {
    fields: accessFields,
    page: ({ beta, plan, expires_at, credits, operations }, render) => {
      const { bar, styles } = render;
      const share = credits.limit > 0 ? credits.used / credits.limit : 0;
      const tintedBar = styles[tintOfShare(share)](bar(share));
      const planName = styles.bold(safeText(plan));
      const betaText = beta ? '; the API is in beta' : '';
      const pairs: Pair[] = [
        [
          'Credits',
          `${tintedBar} ${credits.used} of ${credits.limit} used, ${leftText(credits, known.monthLeft)}`,
        ],
        ['Reset', dayAndTime(credits.resets_at, render)],
        ['Forecast', forecastSentence(known.forecast, known.outlook)],
        ['Plan', `${planName}, expires on ${dayAndTime(expires_at, render)}${betaText}`],
        ['Operations', operationsText(operations)],
      ];
      return render.sections([{ body: render.pairs(pairs) }, ...machineSections(known, render)]);
    },
  };
}

/**
 * `855 left`; `855 left, or 850 if 5 spent here are not counted yet`: what `/access` says may be an hour old. Other screens say the
 * smaller number.
 * @param monthLeft what other screens say; undefined if it is not known
 */
function leftText({ remaining }: Access['credits'], monthLeft: number | undefined): string {
  const left = `${remaining} left`;
  if (monthLeft === undefined || monthLeft >= remaining) return left;
  return `${left}, or ${monthLeft} if ${remaining - monthLeft} spent here are not counted yet`;
}

/** @param share the share of the month's credits that is used */
function tintOfShare(share: number): 'good' | 'warn' | 'bad' {
  if (share >= 0.95) return 'bad';
  return share >= 0.8 ? 'warn' : 'good';
}

/** The operations that the account may use; empty if it may use all. */
function operationsText(operations: Access['operations']): string {
  if (operations.length === 0) return 'none';
  const areAll = operations.length >= OPERATION_NAMES.length;
  return areAll ? '' : operations.map(safeText).join(', ');
}

/** What this machine knows of the account while the service asks to stay away. Nothing was asked. */
const blockedAccess = v.object({
  blocked_until: described(time, 'until when the service refuses requests, UTC'),
  blocked_status: described(count, 'the status that said so, 429 or 503'),
  credits: described(v.nullable(Credits), 'as /access last said; null if it was never asked'),
  ...byAllowance((field) => described(v.nullable(count), `${field} of /access, as last said`)),
  known_at: described(v.nullable(time), 'when /access was last asked, UTC'),
  spent_since: described(
    v.nullable(count),
    'credits this machine has spent, or may have, since then',
  ),
});

export const blockedAccessFields = fieldsOf(blockedAccess);

/** @param recheck the command line that asks in spite of the refusal */
export function blockedAccessView(
  known: KnownHere,
  recheck: string,
): View<ReadonlyDeep<v.InferOutput<typeof blockedAccess>>> {
  return {
    fields: blockedAccessFields,
    page: (answer, render) => {
      const { blocked_until: until, blocked_status: status, credits } = answer;
      const refused = `is refusing requests (${status}) until ${dayAndTime(until, render)}`;
      // `/access` was asked once, but not since the month's credits were reset.
      const isReset = known.monthLeft === undefined;
      const pairs: Pair[] = [
        ['Service', render.styles.warn(refused)],
        ['Credits', creditsBefore(answer, isReset, render)],
        ['Reset', dayAndTime(credits?.resets_at ?? null, render)],
        ['Forecast', forecastSentence(known.forecast, known.outlook)],
      ];
      return render.sections([
        { body: render.pairs(pairs) },
        { body: `To ask anyway, once:\n  ${recheck}` },
        ...machineSections(known, render),
      ]);
    },
  };
}

/** The credits as `/access` said them last. @param isReset whether the month's credits were reset since */
function creditsBefore(
  { credits, known_at, spent_since }: v.InferOutput<typeof blockedAccess>,
  isReset: boolean,
  render: RenderContext,
): string {
  if (credits === null) return 'not known yet';
  const start = isReset ? 'not known since the reset; before it ' : '';
  const left = `${credits.remaining} of ${credits.limit} left as of ${dayAndTime(known_at, render)}`;
  const spent = spent_since ? `, minus ${spent_since} spent or possibly charged here since` : '';
  return `${start}${left}${spent}`;
}

/** What this machine has recorded itself. */
function machineSections(known: KnownHere, render: RenderContext): Section[] {
  const { periods, windows, elsewhere, days } = known;
  const pairs: Pair[] = [['Today', todayText(known, render)]];
  for (const period of periods) {
    // The day is the line above.
    if (period.days === 1) continue;
    pairs.push([`Last ${period.days} days`, `${period.spent} of ${period.credits} credits`]);
  }
  for (const { name, used, allowance } of windows) {
    const next = used < allowance ? '' : ': the next one waits';
    pairs.push([`Last ${name}`, `${used} of ${allowance} requests${next}`]);
  }
  if (elsewhere !== undefined && elsewhere.credits > 0) {
    const since = zonedTime(formatApiTime(elsewhere.since), render.zone);
    const credits = pluralize(elsewhere.credits, 'credit');
    pairs.push(['Elsewhere', `${credits} since ${since}, by other programs or machines`]);
  }
  return [
    { title: 'Recorded on this machine', body: render.pairs(pairs) },
    daySection(days, render),
  ];
}

/**
 * What was spent today, and how much of the day's limit is left, if that is known: the service's, or SCREENER_DAILY if lower. If the
 * month has less left than the day, only the line of the credits above says how much.
 */
function todayText({ today, dailyOfUser, monthLeft }: KnownHere, { bar }: RenderContext): string {
  const { limit, spent } = today;
  // For an account with more credits a month, the daily limit is not documented.
  if (limit === undefined) return creditsOfDay(today, null, 'used');
  const leftOfDay = limit - spent;
  const isMonthEnough = monthLeft === undefined || monthLeft >= leftOfDay;
  const left = spent <= limit && isMonthEnough ? `, ${leftOfDay} left` : '';
  const ofUser = limit === dailyOfUser ? ' (SCREENER_DAILY)' : '';
  const share = limit === 0 ? 1 : spent / limit;
  return `${bar(share)} ${creditsOfDay(today, limit, 'used')}${left}${ofUser}`;
}

/**
 * How long the month's credits last. Exports keep within what is left: only what is spent besides can use the credits up.
 * @returns empty if no habit is known yet, or if nothing is spent
 */
export function forecastSentence(
  forecast: CreditForecast | undefined,
  outlook?: ExportSpending,
): string {
  if (forecast === undefined) return '';
  const { perDay, isGone, goneAt, keep, affordable } = forecast;
  const exportsPerDay = outlook?.credits_a_day ?? 0;
  // Rounded: 0 stands for less than half a credit a day.
  const othersPerDay = Math.round(perDay);
  const goneText = keep > 0 ? `--keep ${keep} is reached` : 'the credits are gone';
  if (isGone) return `${goneText} until the reset`;
  if (goneAt === undefined) return lastingSentence(othersPerDay, exportsPerDay, forecast);
  const lasting = affordable === 0 ? '' : `; ${affordable} a day would last`;
  return `${habitText(othersPerDay, exportsPerDay)} ${goneText} on ${dayAndMonth(goneAt)}${lasting}`;
}

/**
 * The forecast if the credits last until the reset; empty if nothing is spent.
 * @param othersPerDay credits a day of other machines, and of other commands here
 */
function lastingSentence(
  othersPerDay: number,
  exportsPerDay: number,
  { affordable, daysToReset, leftAtReset }: CreditForecast,
): string {
  const lastText = 'the credits last until the reset';
  if (exportsPerDay === 0 && othersPerDay === 0) return '';
  if (exportsPerDay === 0) return `at the usual ${othersPerDay} a day ${lastText}`;
  const beside = othersPerDay === 0 ? '' : ` beside ${othersPerDay} of other commands and machines`;
  const leavesCredits = exportsPerDay < affordable;
  if (leavesCredits) {
    const exportsToCome = Math.floor(daysToReset);
    const isSoon = exportsToCome > 0 && exportsToCome < FEW_DAYS;
    if (!isSoon) return `exports use about ${exportsPerDay} a day${beside}; ${lastText}`;
    // A rate for so few days would have to be multiplied by the reader.
    const more = pluralize(exportsToCome, 'more daily export');
    const use = exportsToCome === 1 ? 'uses' : 'use';
    const credits = `${exportsToCome * exportsPerDay} of the ${Math.floor(leftAtReset)} left`;
    const besideText =
      othersPerDay === 0 ? '' : `, ${othersPerDay} a day go to other commands and machines`;
    return `until the reset ${more} ${use} about ${credits}${besideText}`;
  }
  // Exports are made to use all: that is no alarm.
  const planned = `exports use up what is left${beside} until the reset, as planned`;
  // On the last day the line of the credits already tells what is left.
  if (daysToReset <= 1) return planned;
  const perDay = affordable === 0 ? 'less than 1' : `about ${affordable}`;
  return `${planned}: ${perDay} a day`;
}

/** If the reset is nearer than this, the forecast says what exports use in all. */
const FEW_DAYS = 7;

/** `beside exports 40 a day are spent:`. @param othersPerDay credits a day of other machines, and of other commands here */
function habitText(othersPerDay: number, exportsPerDay: number): string {
  const isLittle = othersPerDay === 0;
  if (exportsPerDay === 0)
    return isLittle ? 'at less than 1 a day' : `at the usual ${othersPerDay} a day`;
  if (isLittle) return 'beside exports less than 1 a day is spent:';
  return `beside exports ${othersPerDay} a day are spent:`;
}

/** The table lists the spending of 30 days. A terminal shows 5, so that the page fits on a screen. */
const DAYS = 30;
const DAYS_ON_A_TERMINAL = 5;

/** What the credits of each operation are for, as `screener help credits` and the export call it. */
const PURPOSES: Readonly<Record<OperationName, string>> = {
  access: 'access',
  snapshot: 'snapshot',
  screeners: 'settings',
  signals: 'list',
  signal: 'outcomes',
  stats: 'medians',
};

/** Credits, those possibly charged included. */
function creditsOf({ elsewhere, operations }: DaySpending): number {
  return elsewhere + spentAtMost(spentIn(operations));
}

/** A line of the table: a day, or all days. */
interface SpendingLine {
  readonly name: string;
  readonly days: readonly DaySpending[];
}

/** A column of credits. */
interface CreditsColumn {
  readonly header: string;
  readonly creditsIn: (day: DaySpending) => number;
}

const CREDITS_COLUMNS: readonly CreditsColumn[] = [
  { header: 'CREDITS', creditsIn: creditsOf },
  { header: 'ELSEWHERE', creditsIn: ({ elsewhere }) => elsewhere },
  ...OPERATION_NAMES.map((name) => ({
    header: PURPOSES[name].toUpperCase(),
    creditsIn: ({ operations }: DaySpending) => spentAtMost(operations[OPERATIONS[name].path]),
  })),
];

/** @param days all days with spending, the hidden ones too: the last line has their sums */
function dayColumns(days: readonly DaySpending[]): Column<SpendingLine>[] {
  const spent = CREDITS_COLUMNS.filter(({ creditsIn }) => days.some((day) => creditsIn(day) > 0));
  return [
    textColumn('DAY (UTC)', 0, ({ name }) => name),
    ...spent.map(({ header, creditsIn }) =>
      figureColumn<SpendingLine>(header, 1, ({ days: daysOfLine }) => {
        const credits = sum(daysOfLine, creditsIn);
        return credits === 0 ? '' : String(credits);
      }),
    ),
  ];
}

/**
 * What the credits were spent on: a line for each day with any spending, the newest first, then one of all days. Today has a line of
 * its own further up: it is in the table only if no other day is. A terminal shows the newest days only, a pipe all of them.
 */
function daySection(
  days: readonly DaySpending[],
  { now, note, table, width }: RenderContext,
): Section {
  const today = dayNumber(now);
  const daysWithSpending = days
    .filter((day) => day.day > today - DAYS && creditsOf(day) > 0)
    .reverse();
  const oldest = daysWithSpending.at(-1);
  if (oldest === undefined) return { body: '' };
  // If the oldest day is today, there is no other.
  const isTodayAlone = oldest.day === today;
  const daysOfTable = isTodayAlone
    ? daysWithSpending
    : daysWithSpending.filter(({ day }) => day < today);
  const areManyDays = daysOfTable.length > DAYS_ON_A_TERMINAL;
  const isCut = areManyDays && width !== undefined;
  const shownDays = isCut ? daysOfTable.slice(0, DAYS_ON_A_TERMINAL) : daysOfTable;
  const lines: SpendingLine[] = shownDays.map((day) => ({
    name: utcDay(day.day * DAY),
    days: [day],
  }));
  const daysCovered = today - oldest.day + 1;
  // Its sums include those of today and of the days that are not shown.
  if (areManyDays) lines.push({ name: `${daysCovered} days`, days: daysWithSpending });
  const period = daysCovered === 1 ? 'Today' : `The last ${daysCovered} days`;
  const credits = sum(daysWithSpending, creditsOf);
  const rate = daysCovered === 1 ? '' : `, ${Math.round(credits / daysCovered)} a day`;
  const possiblySpent = sum(daysWithSpending, ({ operations }) => spentIn(operations).uncertain);
  const uncertainText = possiblySpent === 0 ? '' : ` (${possiblySpent} only possibly)`;
  return {
    title: `${period}: ${pluralize(credits, 'credit')}${rate}${uncertainText}`,
    body: [
      table(dayColumns(daysWithSpending), lines),
      isCut && note(`The newest ${shownDays.length} of ${daysOfTable.length} days before today.`),
    ],
  };
}
