import { DAY } from '../runtime/units.ts';

/** A rate is of so many days. */
export const RATE_DAYS = 28;

/**
 * Cards a day in the 28 days before `until`, or since the first card where that is later.
 * @param until epoch milliseconds UTC
 */
export function cardsPerDay(cards: readonly { readonly at: number }[], until: number): number {
  const recent = cards.filter(({ at }) => at > until - RATE_DAYS * DAY);
  const first = cards.reduce((least, { at }) => Math.min(least, at), until);
  return recent.length / Math.max(1, Math.min(RATE_DAYS, (until - first) / DAY));
}
