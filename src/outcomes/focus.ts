/**
 * Whether it helps to buy the outcomes of one screener type first, so that a test of a number has enough of them; and
 * when.
 */
import { min } from 'd3-array';
import { groupBy } from '../base/collections.ts';
import { DAY } from '../base/units.ts';
import { LEAST } from '../statistics/rank-test.ts';
import { SILENT_AFTER } from './horizon.ts';
import { cardsPerDay } from './rate.ts';
import type { Row } from './row.ts';

/** Days. If the random sample of all types brings the outcomes within them, buying a type first is not proposed. */
const PATIENCE = 60;

/** Days. If buying a type first takes longer, it is not proposed: the first cards would be too old to be judged. */
const LONGEST = 180;

/**
 * The purchases of outcomes of a type's cards under its present settings. Rates are of the cards of the last 28 days.
 */
export interface TypePurchases {
  /** Cards whose outcome is bought. */
  readonly bought: number;
  /** Cards whose outcome is due, and not bought. */
  readonly unbought: number;
  /** Cards created a day of which the outcome was bought. */
  readonly boughtPerDay: number;
  /** The same of all types together: if this type is bought first, all these purchases can be of its cards. */
  readonly boughtPerDayOfAll: number;
  /** Cards created a day; 0 if the type has fallen silent. */
  readonly cardsPerDay: number;
}

/** What purchases are counted from. Times are epoch milliseconds UTC. */
interface PurchasesEvidence {
  /** The cards of all types, bought or not. */
  readonly cards: readonly Row[];
  /** By type, since when its present settings hold. */
  readonly settingsSince: ReadonlyMap<string, number>;
  /** Outcomes of cards that were created until then are due. */
  readonly dueUntil: number;
}

/** By type, from the cards whose outcomes are due. */
export function purchasesByType({
  cards,
  settingsSince,
  dueUntil,
}: PurchasesEvidence): ReadonlyMap<string, TypePurchases> {
  const due = cards.filter(({ at }) => at <= dueUntil);
  const firstCardAt = min(due, ({ at }) => at) ?? dueUntil;
  const boughtOfAll = due.filter(({ isBought }) => isBought);
  const boughtPerDayOfAll = cardsPerDay(boughtOfAll, dueUntil, { since: firstCardAt });
  const purchases = new Map<string, TypePurchases>();
  for (const [type, ofType] of groupBy(due, (card) => card.type)) {
    const since = Math.max(firstCardAt, settingsSince.get(type) ?? firstCardAt);
    const present = ofType.filter(({ at }) => at >= since);
    const bought = present.filter(({ isBought }) => isBought);
    const isSilent = ofType.every(({ at }) => at <= dueUntil - SILENT_AFTER);
    purchases.set(type, {
      bought: bought.length,
      unbought: present.length - bought.length,
      boughtPerDay: cardsPerDay(bought, dueUntil, { since }),
      boughtPerDayOfAll,
      cardsPerDay: isSilent ? 0 : cardsPerDay(present, dueUntil, { since }),
    });
  }
  return purchases;
}

/**
 * When an export that buys this type's outcomes first has as many as a test of a number needs.
 * @param outcomes bought cards of the type that have the number, and a move beside BTC's
 * @param now epoch milliseconds UTC
 * @returns epoch milliseconds UTC; undefined if nothing is left to buy first, if the random sample brings them in two
 *   months, or if nothing brings them in half a year
 */
export function focusHasEnoughAt(
  outcomes: number,
  purchases: TypePurchases,
  now: number,
): number | undefined {
  const { bought, unbought, boughtPerDay, boughtPerDayOfAll, cardsPerDay } = purchases;
  // Exports buy all of its outcomes already.
  if (unbought === 0) return undefined;
  // Some bought cards lack the number, or a move beside BTC's.
  const usableShare = bought === 0 ? 1 : Math.min(1, outcomes / bought);
  // Infinite if no card was usable so far.
  const toBuy = (LEAST.cards - outcomes) / usableShare;
  if (boughtPerDay * PATIENCE >= toBuy) return undefined;
  const daysOfPurchases = toBuy / boughtPerDayOfAll;
  // An outcome is due a day after its card.
  const daysOfCards = toBuy <= unbought ? 0 : 1 + (toBuy - unbought) / cardsPerDay;
  const days = Math.ceil(Math.max(daysOfPurchases, daysOfCards));
  return days <= LONGEST ? now + days * DAY : undefined;
}
