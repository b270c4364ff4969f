/** When purchases bring the outcomes that a test of a number at the trigger needs. */
import { groupBy } from '../base/collections.ts';
import { DAY } from '../base/units.ts';
import { LEAST } from '../statistics/rank-test.ts';
import { SILENT_AFTER } from './horizon.ts';
import type { Row } from './row.ts';

/** Days in which the random sample may bring the outcomes, before it is proposed to buy a type first. */
const PATIENCE = 60;

/** Days within which buying a type first must bring them: older cards are judged no more. */
const LONGEST = 180;

/** Recent days of which the pace of purchases is told. */
const RECENT = 28;

/** Purchases of outcomes of a type's cards under present settings. */
export interface TypePurchases {
  readonly bought: number;
  /** Due, and not bought. */
  readonly unbought: number;
  readonly boughtPerDay: number;
  /** Of all types together: what buying this type first could bring. */
  readonly boughtPerDayOfAll: number;
  readonly cardsPerDay: number;
}

/** What purchases are told of. Times are epoch milliseconds UTC. */
interface PurchasesEvidence {
  /** Of all types, bought or not. */
  readonly cards: readonly Row[];
  /** Present settings of a type since then. */
  readonly settingsSince: ReadonlyMap<string, number>;
  /** Outcomes of cards until then are due. */
  readonly dueUntil: number;
}

/** By type, from the cards whose outcomes are due. */
export function purchasesByType({
  cards,
  settingsSince,
  dueUntil,
}: PurchasesEvidence): ReadonlyMap<string, TypePurchases> {
  const due = cards.filter(({ at }) => at <= dueUntil);
  const isRecent = ({ at }: Row) => at > dueUntil - RECENT * DAY;
  const boughtLately = due.filter((card) => card.isBought && isRecent(card));
  const purchases = new Map<string, TypePurchases>();
  for (const [type, ofType] of groupBy(due, (card) => card.type)) {
    const since = settingsSince.get(type);
    const present = ofType.filter(({ at }) => since === undefined || at >= since);
    const bought = present.filter(({ isBought }) => isBought);
    const stillComes = ofType.some(({ at }) => at > dueUntil - SILENT_AFTER);
    const begin = Math.max(dueUntil - RECENT * DAY, since ?? 0);
    const days = Math.max(1, (dueUntil - begin) / DAY);
    purchases.set(type, {
      bought: bought.length,
      unbought: present.length - bought.length,
      boughtPerDay: bought.filter(isRecent).length / days,
      boughtPerDayOfAll: boughtLately.length / RECENT,
      // Nothing more comes of a type that has fallen silent.
      cardsPerDay: stillComes ? present.filter(isRecent).length / days : 0,
    });
  }
  return purchases;
}

/**
 * When an export that buys this type's outcomes first has as many as a test needs, epoch milliseconds UTC.
 * @param cards outcomes that the number has now
 * @returns undefined if the sample brings them in two months, or if nothing does in half a year
 */
export function focusBringsBy(
  cards: number,
  purchases: TypePurchases,
  now: number,
): number | undefined {
  const { bought, unbought, boughtPerDay, boughtPerDayOfAll, cardsPerDay } = purchases;
  // Some outcomes have no number, or no move of BTC.
  const usable = bought === 0 || cards === 0 ? 1 : Math.min(1, cards / bought);
  const missing = (LEAST.cards - cards) / usable;
  if (boughtPerDay * PATIENCE >= missing) return undefined;
  const daysOfPurchases = missing / boughtPerDayOfAll;
  const daysOfCards = missing <= unbought ? 0 : 1 + (missing - unbought) / cardsPerDay;
  const days = Math.ceil(Math.max(daysOfPurchases, daysOfCards));
  return days <= LONGEST ? now + days * DAY : undefined;
}
