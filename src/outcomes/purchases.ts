/** What exports buy of each type, and which types wait while they buy others first. */
import { min, sum } from 'd3-array';
import { groupBy, once } from '../base/collections.ts';
import { DAY, dayNumber } from '../base/units.ts';
import type { HistoryCard } from './history-card.ts';
import { cardsPerDay, SILENT_AFTER } from './rate.ts';
import { isNearlyAllBought } from './scarcity.ts';

/**
 * Days. What exports buy is foreseen for these days. Pages name no later date, because it would be put off each month. Buying a
 * type first is not proposed if the credits cover the outcomes of all types within these days.
 */
export const PATIENCE = 60;

/** How the outcomes of a type's cards are bought, under its present settings. Rates of cards are of the last 28 days. */
export interface TypePurchases {
  /** Cards whose outcome is bought. */
  readonly bought: number;
  /** Cards whose outcome is due, and not bought. */
  readonly unbought: number;
  /** Days from the first card of the history, or from the change of its settings, until the last due outcome; at least 1. */
  readonly days: number;
  /** On how many UTC days it had a card, bought or not. */
  readonly daysWithCards: number;
  /** Its outcomes that exports buy a day; 0 while they buy other types first. */
  readonly boughtPerDay: number;
  /** The same if exports buy the type first; undefined if that would bring nothing, or if they buy it alone first already. */
  readonly boughtPerDayIfFirst: number | undefined;
}

/** What purchases are counted from. Times are epoch milliseconds UTC. */
interface PurchasesEvidence {
  /** The cards of all types, bought or not. */
  readonly cards: readonly HistoryCard[];
  /** When the present settings of each type began; a type whose settings never changed is not in it. */
  readonly settingsSince: ReadonlyMap<string, number>;
  /** The types whose outcomes exports buy before all others; undefined if there are none. */
  readonly inFocus?: ReadonlySet<string> | undefined;
  /**
   * When the credits will have covered all due outcomes, as exports foresee it; undefined if they will not, or if it is not
   * known.
   */
  readonly allBoughtBy?: number | undefined;
  /**
   * Outcomes that exports buy a day. Undefined if it is not known: then the bought outcomes of the last 28 days of cards are
   * counted instead. (Outcomes of older cards may have been bought on these days, too, but cards do not say when their outcomes
   * were bought.)
   */
  readonly boughtPerDay?: number | undefined;
  readonly now: number;
  /** Outcomes of cards that were created until then are due. */
  readonly dueUntil: number;
}

/**
 * Whether the credits soon cover all outcomes. Buying a type first then brings nothing that would not come anyway.
 * @param allBoughtBy when they do, epoch milliseconds UTC; undefined if they will not, or if it is not known
 */
export function isAllBoughtSoon(allBoughtBy: number | undefined, now: number): boolean {
  return allBoughtBy !== undefined && allBoughtBy - now <= PATIENCE * DAY;
}

/** What exports buy first, and until when. Times are epoch milliseconds UTC. */
type PurchaseOrder = Pick<
  PurchasesEvidence,
  'cards' | 'inFocus' | 'allBoughtBy' | 'now' | 'dueUntil'
>;

/**
 * Makes a function that says whether a type has to wait because exports buy the outcomes of other types before its own. Nobody
 * knows when the outcomes of such a type come. No type has to wait if nothing of the types that come first is left to buy, if nearly
 * all due outcomes are bought, or if the credits soon cover all.
 */
export function boughtAfterOthers(order: PurchaseOrder): (type: string) => boolean {
  const { cards, inFocus, allBoughtBy, now, dueUntil } = order;
  if (inFocus === undefined) return () => false;
  const isFocusBoughtFirst = once(() => {
    if (isAllBoughtSoon(allBoughtBy, now) || isNearlyAllBought(order)) return false;
    const cardsInFocus = cards.filter(({ type }) => inFocus.has(type));
    return cardsInFocus.some(({ at, isBought }) => at <= dueUntil && !isBought);
  });
  return (type) => !inFocus.has(type) && isFocusBoughtFirst();
}

/**
 * The purchases of each type that has cards whose outcomes are due. Each outcome that can be bought within `PATIENCE` has the
 * same chance: exports buy at random, old cards and new ones.
 */
export function purchasesByType(evidence: PurchasesEvidence): ReadonlyMap<string, TypePurchases> {
  const { cards, settingsSince, inFocus = new Set(), dueUntil } = evidence;
  const due = cards.filter(({ at }) => at <= dueUntil);
  const firstCardAt = min(due, ({ at }) => at) ?? dueUntil;
  const bought = due.filter(({ isBought }) => isBought);
  const boughtPerDayOfAllTypes =
    evidence.boughtPerDay ?? cardsPerDay(bought, dueUntil, { since: firstCardAt });
  const counts = new Map<string, CardCounts>();
  for (const [type, ofType] of groupBy(due, (card) => card.type)) {
    const since = Math.max(firstCardAt, settingsSince.get(type) ?? 0);
    counts.set(type, countCards(ofType, since, dueUntil));
  }
  const toBuyInFocus = sum([...counts], ([type, { toBuy }]) => (inFocus.has(type) ? toBuy : 0));
  const toBuyOfAllTypes = sum(counts.values(), ({ toBuy }) => toBuy);
  const isSoonAllBought = isAllBoughtSoon(evidence.allBoughtBy, evidence.now);
  const isBoughtAfterOthers = boughtAfterOthers(evidence);
  const purchases = new Map<string, TypePurchases>();
  for (const [type, { toBuy, ...ofType }] of counts) {
    const isInFocus = inFocus.has(type);
    const isInFocusAlone = isInFocus && inFocus.size === 1;
    const canBeFirst = !isInFocusAlone && !isSoonAllBought && ofType.unbought > 0;
    // Types in focus share the purchases among themselves. Any other type that does not have to wait shares them with all types.
    const toBuyInSameTurn = isInFocus ? toBuyInFocus : toBuyOfAllTypes;
    const isPassedOver = isBoughtAfterOthers(type);
    const share = isPassedOver || toBuy === 0 ? 0 : toBuy / toBuyInSameTurn;
    // No more can be bought than there is to buy.
    const mostPerDay = toBuy / PATIENCE;
    purchases.set(type, {
      ...ofType,
      boughtPerDay: Math.min(mostPerDay, share * boughtPerDayOfAllTypes),
      boughtPerDayIfFirst: canBeFirst ? Math.min(mostPerDay, boughtPerDayOfAllTypes) : undefined,
    });
  }
  return purchases;
}

/** What is counted of a type's cards. */
interface CardCounts extends Pick<TypePurchases, 'bought' | 'unbought' | 'days' | 'daysWithCards'> {
  /** Outcomes that can be bought within `PATIENCE`: those that are due, and those of the cards to come. */
  readonly toBuy: number;
}

/**
 * @param ofType the type's cards whose outcomes are due
 * @param since when its present settings began, or the first card of the history, epoch milliseconds UTC
 */
function countCards(ofType: readonly HistoryCard[], since: number, dueUntil: number): CardCounts {
  const present = ofType.filter(({ at }) => at >= since);
  const bought = present.filter(({ isBought }) => isBought).length;
  const unbought = present.length - bought;
  // A type may be silent since before its settings changed.
  const isSilent = ofType.every(({ at }) => at <= dueUntil - SILENT_AFTER);
  const perDay = isSilent ? 0 : cardsPerDay(present, dueUntil, { since });
  return {
    bought,
    unbought,
    days: Math.max(1, (dueUntil - since) / DAY),
    daysWithCards: new Set(present.map(({ at }) => dayNumber(at))).size,
    toBuy: unbought + PATIENCE * perDay,
  };
}
