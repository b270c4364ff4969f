/** How long the month's credits last beside exports, which keep a pace of their own. Pure. */
import { DAY, dayNumber } from '../base/units.ts';
import { type DaySpending, monthLeft, resetOf, spentIn, type Usage, usualPerDay } from './usage.ts';

/** Credits, unless said otherwise. */
export interface CreditForecast {
  /** Usually spent on a day elsewhere and here, but not by exports. */
  readonly perDay: number;
  /** What could be spent on each day until the reset. */
  readonly affordable: number;
  /** Whether only the reserve is left. */
  readonly isGone: boolean;
  /** When only the reserve will be left, epoch milliseconds UTC; undefined if not before the reset. */
  readonly goneAt: number | undefined;
  /** The reserve. */
  readonly keep: number;
  readonly leftAtReset: number;
}

/** @returns undefined on the first day, and if `/access` was not asked this month */
export function forecastCredits(
  usage: Usage,
  keep: number,
  now: number,
): CreditForecast | undefined {
  const left = monthLeft(usage, now);
  if (left === undefined || usage.access === null) return undefined;
  const today = dayNumber(now);
  // A rate of a few hours would be none.
  const perDay = usualPerDay(usage.days, today, besideExports);
  if (perDay === undefined) return undefined;
  const resetsAt = resetOf(usage.access.credits, now);
  const spentToday = usage.days.filter(({ day }) => day === today).map(besideExports)[0] ?? 0;
  const restOfToday = Math.max(0, perDay - spentToday);
  const wholeDays = Math.max(0, Math.ceil(resetsAt / DAY) - today - 1);
  const untilReset = restOfToday + wholeDays * perDay;
  const aboveReserve = left - keep;
  const goneAt = middleOfLastDay(aboveReserve, { perDay, restOfToday, now });
  const isGoneBefore = aboveReserve > 0 && aboveReserve <= untilReset && goneAt < resetsAt;
  return {
    perDay,
    affordable: Math.floor(Math.max(0, aboveReserve) / Math.max(1, (resetsAt - now) / DAY)),
    isGone: aboveReserve <= 0,
    goneAt: isGoneBefore ? goneAt : undefined,
    keep,
    leftAtReset: Math.max(0, left - untilReset),
  };
}

/** @returns the middle of what is left of the UTC day on which so many credits are spent, epoch milliseconds UTC */
function middleOfLastDay(
  credits: number,
  habit: { readonly perDay: number; readonly restOfToday: number; readonly now: number },
): number {
  const { perDay, restOfToday, now } = habit;
  const daysAfterToday = Math.max(0, Math.ceil((credits - restOfToday) / perDay));
  const lastDay = dayNumber(now) + daysAfterToday;
  const begins = Math.max(now, lastDay * DAY);
  const ends = (lastDay + 1) * DAY;
  return (begins + ends) / 2;
}

function besideExports({ operations, elsewhere, exports }: DaySpending): number {
  return spentIn(operations).charged - exports + elsewhere;
}
