/** How long the month's credits last beside exports, which keep a pace of their own. Pure. */
import { DAY, dayNumber } from '../base/units.ts';
import { type DaySpending, monthLeft, resetOf, spentIn, type Usage, usualPerDay } from './usage.ts';

/** How the month's credits will go. All in credits, unless said otherwise. */
export interface CreditForecast {
  /** What is usually spent on a day: elsewhere, and here by commands other than exports. */
  readonly perDay: number;
  /** The most that could be spent on each day until the reset. */
  readonly affordable: number;
  /** Whether only the reserve is left. */
  readonly isGone: boolean;
  /** When only the reserve will be left, epoch milliseconds UTC; undefined if not before the reset. */
  readonly goneAt: number | undefined;
  /** The reserve (--keep). */
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
  // On the first day there is no whole day to tell a rate from.
  const perDay = usualPerDay(usage.days, today, besideExports);
  if (perDay === undefined) return undefined;
  const resetsAt = resetOf(usage.access.credits, now);
  const entryOfToday = usage.days.find(({ day }) => day === today);
  const spentToday = entryOfToday === undefined ? 0 : besideExports(entryOfToday);
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

/**
 * When so many credits will be spent. The hour is not known. The middle of that UTC day, or of what is left of it, is the
 * smallest error.
 * @returns epoch milliseconds UTC
 */
function middleOfLastDay(
  credits: number,
  { perDay, restOfToday, now }: Record<'perDay' | 'restOfToday' | 'now', number>,
): number {
  const daysAfterToday = Math.max(0, Math.ceil((credits - restOfToday) / perDay));
  const lastDay = dayNumber(now) + daysAfterToday;
  const begins = Math.max(now, lastDay * DAY);
  const ends = (lastDay + 1) * DAY;
  return (begins + ends) / 2;
}

function besideExports({ operations, elsewhere, exports }: DaySpending): number {
  return spentIn(operations).charged - exports + elsewhere;
}
