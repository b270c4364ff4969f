/** How long the month's credits last beside exports, which keep a pace of their own. Pure. */
import { DAY, dayNumber } from '../runtime/units.ts';
import { type DaySpending, habit, monthLeft, resetOf, spentIn, type Usage } from './usage.ts';

export type CreditForecast = NonNullable<ReturnType<typeof forecastCredits>>;

/**
 * @returns credits a day, of up to 14 whole UTC days, spent elsewhere and here, but not by exports; `isGone`: only the
 * reserve is left; `goneAt`: when it will be, epoch milliseconds UTC; undefined on the first day, and if `/access` was
 * not asked this month
 */
export function forecastCredits(usage: Usage, keep: number, now: number) {
  const left = monthLeft(usage, now);
  if (left === undefined || usage.access === null) return undefined;
  const resetsAt = resetOf(usage.access.credits, now);
  const today = dayNumber(now);
  const { recent, count } = habit(usage.days, today);
  const before = recent.filter(({ day }) => day < today);
  // A rate of a few hours would be none.
  if (before.length === 0) return undefined;
  const spentToday = creditsOf(recent.filter(({ day }) => day === today));
  const perDay = creditsOf(before) / count;
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

function creditsOf(days: readonly DaySpending[]): number {
  return days.reduce((sum, { operations, elsewhere, exports }) => {
    return sum + spentIn(operations).charged - exports + elsewhere;
  }, 0);
}
