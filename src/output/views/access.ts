import { Access } from '../../api/contract/resources.ts';
import { LIMITS, type Window } from '../../api/limits.ts';
import { OPERATIONS } from '../../api/operations.ts';
import type { CreditForecast } from '../../credits/forecast.ts';
import type { Elsewhere } from '../../credits/record-usage.ts';
import { atMost, type DaySpending, type Spending, spentIn } from '../../credits/usage.ts';
import { DAY, dayNumber, utcDay } from '../../runtime/units.ts';
import { fieldsOf } from '../described-fields.ts';
import { dayAndMonth, timeWithAge, zonedTime } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Column, Pair, RenderContext, Section, View } from '../types.ts';
import { figureColumn, textColumn } from './parts.ts';

type SpentToday = Pick<Spending, 'charged' | 'uncertain'>;

/** What this machine itself knows of the account, beside what `/access` says. */
export interface AccessExtra {
  readonly today: SpentToday;
  /** How many of each window's requests are used now. */
  readonly windows: readonly (Window & { readonly used: number })[];
  /** Credits spent by MCP or another machine since then; undefined where there is nothing to compare with. */
  readonly elsewhere?: Elsewhere | undefined;
  readonly forecast?: CreditForecast | undefined;
  /** The latest days with any spending, oldest first. */
  readonly days: readonly DaySpending[];
}

const BAR = 20;

export const accessFields = fieldsOf(Access);

/** Access, and what was spent as this machine knows it. */
export function accessView(extra: AccessExtra): View<Access> {
  return {
    fields: accessFields,
    page: (access, render) =>
      render.sections([{ body: render.pairs(accountPairs(access, render)) }, ...machineSections(extra, render)]),
  };
}

function accountPairs({ beta, plan, expires_at, credits, operations }: Access, render: RenderContext): Pair[] {
  const { bar, styles } = render;
  const share = credits.limit > 0 ? credits.used / credits.limit : 0;
  const words = `${credits.used} of ${credits.limit} used, ${credits.remaining} left`;
  const tint = share >= 0.95 ? styles.bad : share >= 0.8 ? styles.warn : styles.good;
  return [
    ['Credits', `${tint(bar(share, BAR))} ${words}`],
    ['Reset', timeWithAge(credits.resets_at, render)],
    ['Plan', `${styles.bold(safeText(plan))}${beta ? ' (the API is in beta)' : ''}`],
    ['Expires', timeWithAge(expires_at, render)],
    ['Operations', operations.map(safeText).join(', ')],
  ];
}

/** What this machine knows by itself. */
export function machineSections(extra: AccessExtra, render: RenderContext): Section[] {
  return [
    { title: 'Recorded on this machine', body: render.pairs(machinePairs(extra, render)) },
    daySection(extra.days, render),
  ];
}

function machinePairs({ today, windows, elsewhere, forecast }: AccessExtra, render: RenderContext): Pair[] {
  const { bar } = render;
  const day = LIMITS.creditsPerDay;
  const pairs: Pair[] = [
    ['Today', `${bar(today.charged / day, BAR)} ${today.charged} of ${day} credits${uncertain(today)}`],
    ...windows.map(({ name, used, allowance }): Pair => [`Last ${name}`, `${used} of ${allowance} requests`]),
  ];
  if (elsewhere !== undefined) {
    const when = zonedTime(new Date(elsewhere.since).toISOString(), render.zone);
    pairs.push(['Elsewhere', `${elsewhere.credits} credits since ${when}, by MCP or another machine`]);
  }
  if (forecast !== undefined && Math.round(forecast.perDay) > 0) pairs.push(['Forecast', forecastSentence(forecast)]);
  return pairs;
}

/** `at 31 a day the month's credits last until the reset`, or when they are gone and what would last. */
export function forecastSentence({ perDay, goneAt, keep, affordable }: CreditForecast): string {
  const rate = `at ${Math.round(perDay)} a day`;
  if (goneAt !== undefined) {
    const gone = keep > 0 ? `--keep ${keep} is reached` : 'gone';
    return `${rate} ${gone} on ${dayAndMonth(goneAt)}; ${affordable} a day would last`;
  }
  return `${rate} the month's credits last until the reset`;
}

const DAYS_SHOWN = 30;

/** Credits of the last 30 days by operation: one line a day with any spending, the newest first. */
function daySection(days: readonly DaySpending[], { now, table }: RenderContext): Section {
  const creditsOf = ({ elsewhere, operations }: DaySpending) => elsewhere + atMost(spentIn(operations));
  const shown = days.filter((day) => day.day > dayNumber(now) - DAYS_SHOWN && creditsOf(day) > 0).reverse();
  const number = (value: number) => (value === 0 ? '' : String(value));
  const ofOperations = Object.entries(OPERATIONS).flatMap(([name, { path }]): Column<DaySpending>[] => {
    if (shown.every(({ operations }) => atMost(operations[path]) === 0)) return [];
    // The API's signal_detail: beside SIGNALS, SIGNAL would be read as the same.
    const header = name === 'signal' ? 'DETAILS' : name.toUpperCase();
    return [figureColumn(header, 1, ({ operations }) => number(atMost(operations[path])))];
  });
  const columns: Column<DaySpending>[] = [
    textColumn('DAY (UTC)', 0, ({ day }) => utcDay(day * DAY)),
    figureColumn('CREDITS', 0, (day) => String(creditsOf(day))),
    figureColumn('ELSEWHERE', 0, ({ elsewhere }) => number(elsewhere)),
    ...ofOperations,
  ];
  const body = shown.length === 0 ? '' : table(columns, shown);
  return { title: 'The last 30 days, credits possibly charged included', body };
}

function uncertain({ uncertain }: SpentToday): string {
  return uncertain === 0 ? '' : `, and ${uncertain} possibly charged`;
}
