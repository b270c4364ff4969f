import { DAY } from '../runtime/units.ts';

export const RATE_DAYS = 28;

interface Card {
  /** Epoch milliseconds UTC. */
  readonly at: number;
}

/**
 * Cards a day in the `days` before `until`, or since `since` if later, silent days counted; at least of one day.
 * @param until epoch milliseconds UTC, as `since`
 * @param since when they could first come; unless given, the first of them
 */
export function cardsPerDay(
  cards: readonly Card[],
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
