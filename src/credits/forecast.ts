/** How long the month's credits last beside exports, which keep a pace of their own. Pure. */
import { DAY, dayNumber } from '../runtime/units.ts';
import { type DaySpending, monthLeft, resetOf, spentIn, type Usage, usualPerDay } from './usage.ts';

export type CreditForecast = NonNullable<ReturnType<typeof forecastCredits>>;

/**
 * @returns `perDay`: credits usually spent elsewhere and here, but not by exports; `isGone`: only the reserve is left;
 * `goneAt`: when it will be, epoch milliseconds UTC; undefined on the first day, and if `/access` was not asked this
 * month
 */
export function forecastCredits(usage: Usage, keep: number, now: number) {
  const left = monthLeft(usage, now);
  if (left === undefined || usage.access === null) return undefined;
  const resetsAt = resetOf(usage.access.credits, now);
  const today = dayNumber(now);
  // A rate of a few hours would be none.
  const perDay = usualPerDay(usage.days, today, besideExports);
  if (perDay === undefined) return undefined;
  const day = usage.days.find((entry) => entry.day === today);
  const spentToday = day === undefined ? 0 : besideExports(day);
  const restOfToday = Math.max(0, perDay - spentToday);
  const days = Math.max(0, Math.ceil(resetsAt / DAY) - today - 1);
  const above = left - keep;
  const lastDay = above <= restOfToday ? today : today + Math.ceil((above - restOfToday) / perDay);
  const from = Math.max(now, lastDay * DAY);
  const goneAt = from + ((lastDay + 1) * DAY - from) / 2;
  return {
    perDay,
    affordable: Math.floor(Math.max(0, above) / Math.max(1, (resetsAt - now) / DAY)),
    isGone: above <= 0,
    goneAt:
      above > 0 && above <= restOfToday + days * perDay && goneAt < resetsAt ? goneAt : undefined,
    keep,
    leftAtReset: Math.max(0, left - restOfToday - days * perDay),
  };
}

function besideExports({ operations, elsewhere, exports }: DaySpending): number {
  return spentIn(operations).charged - exports + elsewhere;
}
