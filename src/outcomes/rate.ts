import { DAY } from '../runtime/units.ts';

export const RATE_DAYS = 28;

/**
 * Cards a day in the `days` before `until`, or since they could first come, silent days counted; at least of one day.
 * @param until epoch milliseconds UTC, as `since`
 */
export function cardsPerDay(
  cards: readonly { readonly at: number }[],
  until: number,
  { days = RATE_DAYS, since }: { days?: number; since?: number | undefined } = {},
): number {
  const begin = since ?? cards.reduce((first, { at }) => Math.min(first, at), until);
  const from = until - days * DAY;
  let count = 0;
  for (const card of cards) {
    if (card.at > from && card.at >= begin && card.at <= until) count += 1;
  }
  return count / Math.max(1, Math.min(days, (until - begin) / DAY));
}

export function twoDecimals(rate: number): number {
  return Number(rate.toFixed(2));
}
