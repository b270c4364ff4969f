import { DAY } from '../runtime/units.ts';

/** A rate is of so many days. */
export const RATE_DAYS = 28;

/**
 * Cards a day in the `days` before `until`; where the first card of all came later, since then, and at least of one day.
 * @param times of cards, epoch milliseconds UTC, in any order
 * @param until epoch milliseconds UTC
 */
export function cardsPerDay(times: readonly number[], until: number, days = RATE_DAYS): number {
  let first = until;
  let count = 0;
  for (const at of times) {
    if (at > until) continue;
    if (at > until - days * DAY) count += 1;
    if (at < first) first = at;
  }
  return count / Math.max(1, Math.min(days, (until - first) / DAY));
}
