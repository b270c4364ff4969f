import { DAY } from '../runtime/units.ts';

export const RATE_DAYS = 28;

/**
 * Cards a day in the `days` before `until`, but not before `since`, silent days counted; at least of one day.
 * @param until epoch milliseconds UTC, as `since`
 */
export function cardsPerDay(
  cards: readonly { readonly at: number }[],
  until: number,
  { days = RATE_DAYS, since }: { days?: number; since: number },
): number {
  const within = cards.filter(({ at }) => at > until - days * DAY && at >= since && at <= until);
  return within.length / Math.max(1, Math.min(days, (until - since) / DAY));
}

export function twoDecimals(rate: number): number {
  return Number(rate.toFixed(2));
}
