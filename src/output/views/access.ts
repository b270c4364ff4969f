import * as v from 'valibot';
import { count, described, time } from '../../api/contract/primitives.ts';
import { Access, Credits } from '../../api/contract/resources.ts';
import { byAllowance, LIMITS } from '../../api/limits.ts';
import { OPERATION_NAMES, OPERATIONS, type OperationName } from '../../api/operations.ts';
import type { ReadonlyDeep } from '../../base/readonly-deep.ts';
import { DAY, dayNumber, pluralize, utcDay } from '../../base/units.ts';
import type { CreditsKnown } from '../../credits/account.ts';
import type { CreditForecast } from '../../credits/forecast.ts';
import { atMost, type DaySpending, spentIn } from '../../credits/usage.ts';
import type { Outlook } from '../../history/export/outlook.ts';
import { fieldsOf } from '../described-fields.ts';
import { dayAndMonth, timeWithAge, zonedTime } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Column, Pair, RenderContext, Section, View } from '../types.ts';
import { figureColumn, textColumn } from './parts.ts';

/** What this machine itself knows of the account, beside what `/access` says. */
type MachineKnown = Pick<
  CreditsKnown,
  'today' | 'periods' | 'windows' | 'elsewhere' | 'forecast' | 'days'
> &
  Partial<Pick<CreditsKnown, 'daily'>> & { readonly outlook?: ExportSpending | undefined };

type ExportSpending = Pick<Outlook, 'credits_a_day'>;

export const accessFields = fieldsOf(Access);

export function accessView(known: MachineKnown): View<Access> {
  return {
    fields: accessFields,
    page: ({ beta, plan, expires_at, credits, operations }, render) => {
      const { bar, styles } = render;
      const share = credits.limit > 0 ? credits.used / credits.limit : 0;
      const tint = share >= 0.95 ? styles.bad : share >= 0.8 ? styles.warn : styles.good;
      const left = `${credits.used} of ${credits.limit} used, ${credits.remaining} left`;
      const pairs: Pair[] = [
        ['Credits', `${tint(bar(share))} ${left}`],
        ['Reset', timeWithAge(credits.resets_at, render)],
        ['Forecast', forecastSentence(known.forecast, known.outlook)],
        [
          'Plan',
          `${styles.bold(safeText(plan))} until ${timeWithAge(expires_at, render)}${beta ? '; the API is in beta' : ''}`,
        ],
        [
          'Operations',
          operations.length < Object.keys(OPERATIONS).length && operations.map(safeText).join(', '),
        ],
      ];
      return render.sections([{ body: render.pairs(pairs) }, ...machineSections(known, render)]);
    },
  };
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
  machine: MachineKnown & Pick<CreditsKnown, 'monthLeft'>,
  recheck: string,
): View<ReadonlyDeep<v.InferOutput<typeof blockedAccess>>> {
  return {
    fields: blockedAccessFields,
    page: (
      { blocked_until: until, blocked_status: status, credits, known_at, spent_since },
      render,
    ) => {
      const refused = `is refusing requests (${status}) until ${timeWithAge(until, render)}`;
      const spent = spent_since
        ? `, minus ${spent_since} spent or possibly charged here since`
        : '';
      const asOf = `left as of ${timeWithAge(known_at, render)}${spent}`;
      const isReset = machine.monthLeft === undefined;
      const before = isReset ? 'not known since the reset; before it ' : '';
      const pairs: Pair[] = [
        ['Service', render.styles.warn(refused)],
        [
          'Credits',
          credits === null
            ? 'not known yet'
            : `${before}${credits.remaining} of ${credits.limit} ${asOf}`,
        ],
        ['Reset', timeWithAge(credits?.resets_at ?? null, render)],
        ['Forecast', forecastSentence(machine.forecast, machine.outlook)],
      ];
      return render.sections([
        { body: render.pairs(pairs) },
        { body: `To ask anyway, once:\n  ${recheck}` },
        ...machineSections(machine, render),
      ]);
    },
  };
}

function machineSections(
  { today, daily, periods, windows, elsewhere, days }: MachineKnown,
  render: RenderContext,
): Section[] {
  const day = Math.min(daily ?? LIMITS.creditsPerDay, LIMITS.creditsPerDay);
  const isOfUser = daily !== undefined && daily <= LIMITS.creditsPerDay;
  const budget = isOfUser ? ' (SCREENER_DAILY)' : '';
  const uncertain = today.uncertain === 0 ? '' : `, and ${today.uncertain} possibly charged`;
  const spent =
    today.charged > day
      ? `${today.charged} credits used, above the ${day}`
      : `${today.charged} of ${day} used, ${day - today.charged} left`;
  const when = elsewhere && zonedTime(new Date(elsewhere.since).toISOString(), render.zone);
  const pairs: Pair[] = [
    ['Today', `${render.bar(today.charged / day)} ${spent}${budget}${uncertain}`],
    ...periods
      .filter((period) => period.days > 1)
      .map((period): Pair => {
        return [`Last ${period.days} days`, `${period.spent} of ${period.credits} credits`];
      }),
    ...windows.map(
      ({ name, used, allowance }): Pair => [`Last ${name}`, `${used} of ${allowance} requests`],
    ),
    [
      'Elsewhere',
      !!elsewhere?.credits &&
        `${elsewhere.credits} credits since ${when}, by other programs or machines`,
    ],
  ];
  return [
    { title: 'Recorded on this machine', body: render.pairs(pairs) },
    daySection(days, render),
  ];
}

/** Only what is spent beside exports can raise an alarm: an export's pace keeps within what is left. '' without habits. */
export function forecastSentence(
  forecast: CreditForecast | undefined,
  outlook?: ExportSpending,
): string {
  if (forecast === undefined) return '';
  const { perDay, isGone, goneAt, keep, affordable } = forecast;
  const others = Math.round(perDay);
  const exports = outlook?.credits_a_day ?? 0;
  const last = 'the credits last until the reset';
  const gone = keep > 0 ? `--keep ${keep} is reached` : 'the credits are gone';
  if (isGone) return `${gone} until the reset`;
  if (goneAt !== undefined) {
    const who =
      exports === 0 ? `at the usual ${others} a day` : `beside exports ${others} a day are spent:`;
    return `${who} ${gone} on ${dayAndMonth(goneAt)}; ${affordable} a day would last`;
  }
  if (exports === 0) return others === 0 ? '' : `at the usual ${others} a day ${last}`;
  const beside = others === 0 ? '' : ` beside ${others} of other commands and machines`;
  return `from today on exports use ${exports} a day${beside}; ${last}`;
}

const DAYS = 30;
const DAYS_ON_A_TERMINAL = 5;

/** What each operation is for, as prices are told elsewhere. */
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
  return elsewhere + atMost(spentIn(operations));
}

/** What spent the credits: a sum for each operation, then a line a day with any spending, the newest first. */
function daySection(
  days: readonly DaySpending[],
  { now, note, pairs, table, width }: RenderContext,
): Section {
  const today = dayNumber(now);
  const all = days.filter((day) => day.day > today - DAYS && creditsOf(day) > 0).reverse();
  const shown = width === undefined ? all : all.slice(0, DAYS_ON_A_TERMINAL);
  if (shown.length === 0) return { body: '' };
  const figure = (header: string, of: (day: DaySpending) => number): Column<DaySpending> =>
    figureColumn(header, 1, (day) => (of(day) === 0 ? '' : String(of(day))), {
      has: (day) => of(day) > 0,
    });
  const columns: Column<DaySpending>[] = [
    textColumn('DAY (UTC)', 0, ({ day }) => utcDay(day * DAY)),
    figure('CREDITS', creditsOf),
    figure('ELSEWHERE', ({ elsewhere }) => elsewhere),
    ...OPERATION_NAMES.map((name) =>
      figure(PURPOSES[name].toUpperCase(), ({ operations }) =>
        atMost(operations[OPERATIONS[name].path]),
      ),
    ),
  ];
  const sum = all.reduce((total, day) => total + creditsOf(day), 0);
  const count = today + 1 - (all.at(-1)?.day ?? today);
  const rate = count === 1 ? '' : `, ${Math.round(sum / count)} a day`;
  const isUncertain = all.some(({ operations }) => spentIn(operations).uncertain > 0);
  const uncertain = isUncertain ? ' (those possibly charged included)' : '';
  const isMoreThanShown = shown.length < all.length;
  return {
    title: `${count === 1 ? 'Today' : `The last ${count} days`}: ${pluralize(sum, 'credit')}${rate}${uncertain}`,
    body: [
      isMoreThanShown && pairs([['Spent on', purposesText(all)]]),
      table(columns, shown),
      isMoreThanShown &&
        note(`The newest ${shown.length} days: \`screener access | cat\` lists all ${all.length}.`),
    ],
  };
}

/** `outcomes 1218, list 42, settings 30`, the most first. */
function purposesText(days: readonly DaySpending[]): string {
  const sums = OPERATION_NAMES.map((name) => {
    const { path } = OPERATIONS[name];
    const credits = days.reduce((total, { operations }) => total + atMost(operations[path]), 0);
    return { purpose: PURPOSES[name], credits };
  });
  const elsewhere = days.reduce((total, day) => total + day.elsewhere, 0);
  return [...sums, { purpose: 'elsewhere', credits: elsewhere }]
    .filter(({ credits }) => credits > 0)
    .toSorted((one, other) => other.credits - one.credits)
    .map(({ purpose, credits }) => `${purpose} ${credits}`)
    .join(', ');
}
