import { DAY } from '../runtime/units.ts';

/** A rate is of so many days. */
export const RATE_DAYS = 28;

interface Card {
  /** Epoch milliseconds UTC. */
  readonly at: number;
}

/**
 * Cards a day in the `days` before `until`; where the first card of all came later, since then, and at least of one day.
 * @param cards in any order
 * @param until epoch milliseconds UTC
 * @param isMeant of them only these are counted
 */
export function cardsPerDay<C extends Card>(
  cards: readonly C[],
  until: number,
  { days = RATE_DAYS, isMeant = () => true }: { days?: number; isMeant?: ((card: C) => boolean) | undefined } = {},
): number {
  let first = until;
  let count = 0;
  for (const card of cards) {
    if (card.at > until) continue;
    if (card.at > until - days * DAY && isMeant(card)) count += 1;
    if (card.at < first) first = card.at;
  }
  return count / Math.max(1, Math.min(days, (until - first) / DAY));
}

/** A rate as it is printed. */
export function twoDecimals(rate: number): number {
  return Number(rate.toFixed(2));
}
