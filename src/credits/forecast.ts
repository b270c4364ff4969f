/** How long the month's credits last. Exports are left out: they spend only what is left beside all else. Pure. */
import { DAY, dayNumber } from '../base/units.ts';
import { type DaySpending, monthLeft, resetOf, spentIn, type Usage, usualPerDay } from './usage.ts';

/** How the month's credits will go. The unit is credits, unless a field says otherwise. */
export interface CreditForecast {
  /** What is usually spent on a day, elsewhere and here, but not by exports. */
  readonly perDay: number;
  /** The most that could be spent on each day until the reset. */
  readonly affordable: number;
  /** Days until the reset, not rounded. */
  readonly daysToReset: number;
  /** The reserve (--keep). */
  readonly keep: number;
  /** Whether no more than the reserve is left now. */
  readonly isGone: boolean;
  /** When only the reserve will be left, epoch milliseconds UTC; undefined if that is now, or not before the reset. */
  readonly goneAt: number | undefined;
  /** Credits that are left when the month is reset. */
  readonly leftAtReset: number;
}

/** @returns undefined on the first day, and if `/access` was not asked this month */
export function forecastCredits(
  usage: Usage,
  keep: number,
  now: number,
): CreditForecast | undefined {
  const creditsLeft = monthLeft(usage, now);
  if (creditsLeft === undefined || usage.access === null) return undefined;
  const today = dayNumber(now);
  // On the first day no whole day has passed: there is no rate yet.
  const perDay = usualPerDay(usage.days, today, besideExports);
  if (perDay === undefined) return undefined;
  const resetsAt = resetOf(usage.access.credits, now);
  const entryOfToday = usage.days.find(({ day }) => day === today);
  const spentToday = entryOfToday === undefined ? 0 : besideExports(entryOfToday);
  const restOfToday = Math.max(0, perDay - spentToday);
  const wholeDays = Math.max(0, Math.ceil(resetsAt / DAY) - today - 1);
  const spendingUntilReset = restOfToday + wholeDays * perDay;
  const aboveReserve = creditsLeft - keep;
  const daysToReset = (resetsAt - now) / DAY;
  const goneAt = timeOfLastCredit(aboveReserve, { perDay, restOfToday, now });
  const isGoneBeforeReset =
    aboveReserve > 0 && aboveReserve <= spendingUntilReset && goneAt < resetsAt;
  return {
    perDay,
    affordable: Math.floor(Math.max(0, aboveReserve) / Math.max(1, daysToReset)),
    daysToReset,
    isGone: aboveReserve <= 0,
    goneAt: isGoneBeforeReset ? goneAt : undefined,
    keep,
    leftAtReset: Math.max(0, creditsLeft - spendingUntilReset),
  };
}

interface ExpectedSpending {
  /** Credits that are spent on each whole day. */
  readonly perDay: number;
  /** Credits that are still spent today. */
  readonly restOfToday: number;
  /** Epoch milliseconds UTC. */
  readonly now: number;
}

/**
 * When these credits will be spent. If 4 of 27 credits go today, and 10 on each day after it, the last ones go on the third
 * day after today. The hour is not known. The middle of that UTC day, or of what is left of today, is wrong by the least.
 * @returns epoch milliseconds UTC
 */
function timeOfLastCredit(credits: number, { perDay, restOfToday, now }: ExpectedSpending): number {
  const daysAfterToday = Math.max(0, Math.ceil((credits - restOfToday) / perDay));
  const lastDay = dayNumber(now) + daysAfterToday;
  const begins = Math.max(now, lastDay * DAY);
  const ends = (lastDay + 1) * DAY;
  return (begins + ends) / 2;
}

/** What was spent on a day, elsewhere and here, but not by exports. */
function besideExports({ operations, elsewhere, exports }: DaySpending): number {
  return spentIn(operations).charged - exports + elsewhere;
}
