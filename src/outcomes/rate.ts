import { DAY } from '../runtime/units.ts';

/** A rate is of so many days. */
export const RATE_DAYS = 28;

interface Card {
  /** Epoch milliseconds UTC. */
  readonly at: number;
}

/**
 * Cards a day in the `days` before `until`, silent days counted; where `since` came later, since then, and at least of one
 * day.
 * @param cards in any order
 * @param until epoch milliseconds UTC
 * @param since when they could first come: the history's first card, or a change of settings. Unless given, their first
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

/** A rate as it is printed. */
export function twoDecimals(rate: number): number {
  return Number(rate.toFixed(2));
}
