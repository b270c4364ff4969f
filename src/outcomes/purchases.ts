/** What exports buy of each type, and which types wait while they buy others first. */
import { min } from 'd3-array';
import { groupBy } from '../base/collections.ts';
import { DAY, dayNumber } from '../base/units.ts';
import type { HistoryCard } from './history-card.ts';
import { cardsPerDay, SILENT_AFTER } from './rate.ts';

/**
 * Days. Pages name no later date, because it would be put off each month. Buying a type first is not proposed if the credits
 * cover the outcomes of all types within these days.
 */
export const PATIENCE = 60;

/** How the outcomes of a type's cards are bought, under its present settings. Rates of cards are of the last 28 days. */
export interface TypePurchases {
  /** Cards whose outcome is bought. */
  readonly bought: number;
  /** Cards whose outcome is due, and not bought. */
  readonly unbought: number;
  /** How many outcomes of all types exports buy a day: if this type is bought first, all of these can be of its cards. */
  readonly boughtPerDayOfAll: number;
  /** The sample that its outcomes are a part of. */
  readonly sample: SamplePurchases;
  /** Whether it is the only type that exports buy first now. */
  readonly isInFocusAlone: boolean;
  /** Days from now until no due outcome of any type is left to buy; undefined if that is not foreseen within `PATIENCE`. */
  readonly daysToAllBought: number | undefined;
  /** Its cards a day; 0 if the type has fallen silent. */
  readonly cardsPerDay: number;
  /** Days from the first card of the history, or from the change of its settings, until the last due outcome; at least 1. */
  readonly days: number;
  /** On how many UTC days it had how many cards, bought or not: 3 → 5 says that 5 days had 3 cards each. */
  readonly daysByCards: ReadonlyMap<number, number>;
}

/**
 * How exports buy a random sample of the outcomes of some types. They buy in the order of a hash of the card's id, so that old
 * cards and new cards have the same chance. If the share of bought outcomes rises, the purchases that new cards do not need go
 * to old cards.
 */
export interface SamplePurchases {
  /** Due outcomes of these types, bought or not. */
  readonly due: number;
  readonly bought: number;
  /** Cards that these types have a day. */
  readonly cardsPerDay: number;
  /** Outcomes of these types that are bought a day, of old and new cards, once `delayDays` are over. */
  readonly boughtPerDay: number;
  /** Days from now in which only outcomes of other types are bought. */
  readonly delayDays: number;
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
type PurchaseOrder = Pick<PurchasesEvidence, 'inFocus' | 'allBoughtBy' | 'now'>;

/**
 * Whether exports buy the outcomes of other types before those of this type. Then nobody knows when its outcomes come. If the
 * credits soon cover all outcomes, no type has to wait.
 */
export function isBoughtAfterOthers(
  type: string,
  { inFocus, allBoughtBy, now }: PurchaseOrder,
): boolean {
  const isAnyFirst = inFocus !== undefined && inFocus.size > 0;
  return isAnyFirst && !inFocus.has(type) && !isAllBoughtSoon(allBoughtBy, now);
}

/** The purchases of each type that has cards whose outcomes are due. */
export function purchasesByType({
  cards,
  settingsSince,
  inFocus,
  allBoughtBy,
  boughtPerDay,
  now,
  dueUntil,
}: PurchasesEvidence): ReadonlyMap<string, TypePurchases> {
  const due = cards.filter(({ at }) => at <= dueUntil);
  const firstCardAt = min(due, ({ at }) => at) ?? dueUntil;
  const boughtOfAll = due.filter(({ isBought }) => isBought);
  const boughtPerDayOfAll =
    boughtPerDay ?? cardsPerDay(boughtOfAll, dueUntil, { since: firstCardAt });
  const daysToAllBought =
    allBoughtBy !== undefined && isAllBoughtSoon(allBoughtBy, now)
      ? Math.max(0, (allBoughtBy - now) / DAY)
      : undefined;
  const purchases = new Map<string, CountedPurchases>();
  for (const [type, ofType] of groupBy(due, (card) => card.type)) {
    const since = Math.max(firstCardAt, settingsSince.get(type) ?? firstCardAt);
    const present = ofType.filter(({ at }) => at >= since);
    const bought = present.filter(({ isBought }) => isBought);
    const isSilent = ofType.every(({ at }) => at <= dueUntil - SILENT_AFTER);
    purchases.set(type, {
      bought: bought.length,
      unbought: present.length - bought.length,
      boughtPerDayOfAll,
      isInFocusAlone: inFocus?.size === 1 && inFocus.has(type),
      daysToAllBought,
      cardsPerDay: isSilent ? 0 : cardsPerDay(present, dueUntil, { since }),
      days: Math.max(1, (dueUntil - since) / DAY),
      daysByCards: daysByCardsOf(present),
    });
  }
  return withOtherTypes(purchases, inFocus ?? new Set());
}

/** What is counted for each type first. The sample needs the counts of the other types. */
type CountedPurchases = Omit<TypePurchases, 'sample'>;

/** Adds the sample of each type. */
function withOtherTypes(
  purchases: ReadonlyMap<string, CountedPurchases>,
  inFocus: ReadonlySet<string>,
): ReadonlyMap<string, TypePurchases> {
  const first = { bought: 0, due: 0, cardsPerDay: 0 };
  const others = { bought: 0, due: 0, cardsPerDay: 0 };
  for (const [type, { bought, unbought, cardsPerDay: perDay }] of purchases) {
    const sum = inFocus.has(type) ? first : others;
    sum.bought += bought;
    sum.due += bought + unbought;
    sum.cardsPerDay += perDay;
  }
  const unboughtOfFirst = first.due - first.bought;
  const isAnyFirst = unboughtOfFirst + first.cardsPerDay > 0;
  const withSamples = new Map<string, TypePurchases>();
  for (const [type, ofType] of purchases) {
    const { boughtPerDayOfAll, daysToAllBought } = ofType;
    const leftPerDay = boughtPerDayOfAll - first.cardsPerDay;
    const mustWait = isAnyFirst && !inFocus.has(type) && daysToAllBought === undefined;
    const daysOfFirst = leftPerDay > 0 ? unboughtOfFirst / leftPerDay : Number.POSITIVE_INFINITY;
    const sample: SamplePurchases = {
      ...(inFocus.has(type) ? first : others),
      boughtPerDay: mustWait ? Math.max(0, leftPerDay) : boughtPerDayOfAll,
      delayDays: mustWait ? daysOfFirst : 0,
    };
    withSamples.set(type, { ...ofType, sample });
  }
  return withSamples;
}

/** On how many UTC days there are how many of these cards. */
function daysByCardsOf(cards: readonly HistoryCard[]): ReadonlyMap<number, number> {
  const days = new Map<number, number>();
  for (const { length } of groupBy(cards, ({ at }) => dayNumber(at)).values())
    days.set(length, (days.get(length) ?? 0) + 1);
  return days;
}
