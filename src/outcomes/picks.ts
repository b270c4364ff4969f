/**
 * "Did I pick well?" Compares the cards that the user acted on (the picked cards) with the cards of the same screener type
 * and UTC day that were let pass (the unpicked ones).
 *
 * For each card, x is its difference to BTC, minus the part that the slope of its symbol explains (`Betas`). For each picked
 * card, y is its x minus the median x of the unpicked cards of the same type and day. Both need bought outcomes. A pick with
 * x = 2.1, beside unpicked cards with 0.4, 0.9 and 3.0, has y = 1.2 percentage points. What the type is worth, and what the
 * market did on that day, is in both, so that it is not in y.
 *
 * Median, intervals and verdict of y are made as in every comparison: the clusters are blocks of days, and the rule decides
 * without memory.
 */
import { least as leastBy, min, sort } from 'd3-array';
import { blockLengthsOf, HORIZON_NAMES, type HorizonName } from '../api/contract/horizons.ts';
import { groupBy, matches } from '../base/collections.ts';
import { hashOfId } from '../base/id-hash.ts';
import { DAY, dayNumber } from '../base/units.ts';
import { type ClusteredMedian, clusteredMedian } from '../statistics/clustered-median.ts';
import { isKnown } from '../statistics/clusters.ts';
import type { Estimate } from '../statistics/estimate.ts';
import { isSide, type Rule, type Verdict, verdictByRule } from '../statistics/rule.ts';
import { type Betas, betasOf } from './beta.ts';
import {
  type Difference,
  differenceOf,
  differencesToUnpicked,
  outcomeValues,
  type Sample,
  sampleOf,
  symbolsOfBtc,
  typeAndDay,
  withoutBeta,
} from './differences.ts';
import { eachHorizon } from './figure.ts';
import { type HistoryCard, stateOf } from './history-card.ts';
import { isChosen, leastOf, type PicksQuestion } from './question.ts';
import { PROSPECT_DAYS } from './standing.ts';

export const PICKS_GROUPS = ['picked', 'not_picked'] as const;

export type PicksGroupName = (typeof PICKS_GROUPS)[number];

/** What the cards of a group did after one horizon. Only types and UTC days count on which both groups have an outcome. */
export interface PicksData {
  readonly rule: Rule;
  readonly sample: Sample;
  /** The median difference to BTC, percentage points. */
  readonly vsBtc: Estimate;
  /** The verdict on `vsBtc`; null if nothing is measured. */
  readonly verdictVsBtc: Verdict | null;
  /** The median of y (see above), percentage points; undefined for the unpicked group. */
  readonly vsUnpicked: ClusteredMedian | undefined;
  /** The verdict on `vsUnpicked`; null if nothing is compared. */
  readonly verdict: Verdict | null;
  /** What was subtracted from `vsUnpicked` because slopes explain it, percentage points; undefined if nothing is compared. */
  readonly explainedByBeta: number | undefined;
}

/** The picked cards, or the unpicked ones, of all types or of one. */
export interface PicksGroup {
  readonly group: PicksGroupName;
  /** Undefined for all types together. */
  readonly type: string | undefined;
  /** Oldest first. Unpicked cards are only those that have a picked card of their type and day. */
  readonly cards: readonly HistoryCard[];
  readonly horizons: Readonly<Record<HorizonName, PicksData>>;
}

/** The two groups that are compared. */
export interface PicksPair {
  /** Undefined for all types together. */
  readonly type: string | undefined;
  readonly picked: PicksGroup;
  readonly notPicked: PicksGroup;
}

/** How many different ids of the user's file are in each place. Each id is in exactly one place. */
export interface PickCounts {
  /** They are compared with unpicked cards of their type and day. */
  readonly compared: number;
  /** They could be compared if outcomes were bought: their own, or that of an unpicked card of their type and day. */
  readonly not_bought: number;
  /** Their 24 hours are not over. */
  readonly not_due: number;
  /** No unpicked card of their type and day has an outcome, or can be bought. */
  readonly no_match: number;
  /** Their outcome is missing or given up, or they are of BTC itself. */
  readonly no_figure: number;
  /** The other options leave them out. */
  readonly left_out: number;
  /** The history does not have them. */
  readonly unknown: number;
}

/** The place of a picked card that the history has. */
type PickPlace = Exclude<keyof PickCounts, 'unknown'>;

const COMPARED: ReadonlySet<PickPlace | undefined> = new Set(['compared'] as const);

/** The places of picks that are compared, or can be once outcomes are bought. */
const COMPARABLE: ReadonlySet<PickPlace | undefined> = new Set(['compared', 'not_bought'] as const);

/** What became of the ids in the user's file. */
export interface PickedCards {
  /** How many different ids there are. */
  readonly ids: number;
  /** The place of each card of `inHistory`. */
  readonly placeOf: ReadonlyMap<HistoryCard, PickPlace>;
  /** The cards of the history with such an id. */
  readonly inHistory: readonly HistoryCard[];
  /** The ids that no card of the history has, as digits, in the order of the file. */
  readonly unknownIds: readonly string[];
  /** The cards of `inHistory` that the question chooses, --where ignored. */
  readonly chosen: readonly HistoryCard[];
  /** Those of `chosen` whose outcome is bought, and final at every horizon; and those that exports no longer buy. */
  readonly settled: readonly HistoryCard[];
  /**
   * Those of `chosen` whose 24 hours are over, but of which no final outcome is bought. Those of `comparable` come first.
   */
  readonly toBuy: readonly HistoryCard[];
  /** Those of `toBuy` whose purchase brings a comparison: an unpicked card of their type and day is measured. */
  readonly comparable: readonly HistoryCard[];
  /** For each type and day with picks, but without a measured unpicked card: one unpicked card that can be bought. */
  readonly partners: readonly Partner[];
}

/**
 * An unpicked card to buy, because no card of its type and day is measured. It is drawn at random, by a hash of its id: what a
 * card did has no part in the choice, so that the comparison is fair with one card, too.
 */
export interface Partner {
  readonly card: HistoryCard;
  /** The picks of its type and day that can be compared once it is bought. */
  readonly picks: readonly HistoryCard[];
}

/** What is answered to "Did I pick well?" */
export interface PicksAnswer {
  readonly question: PicksQuestion;
  /** The 24 hours of the cards up to this time are over, epoch milliseconds UTC. */
  readonly dueUntil: number;
  readonly picked: PickedCards;
  readonly all: PicksPair;
  /** One pair for each type of which a card is picked, in the order of their names. */
  readonly types: readonly PicksPair[];
}

/** What the question is answered from. */
export interface PicksEvidence {
  /** All cards of the history, in any order. */
  readonly cards: readonly HistoryCard[];
  /** The 24 hours of the cards up to this time are over, epoch milliseconds UTC. */
  readonly dueUntil: number;
  /**
   * The ids of cards that exports no longer buy: no purchase brought a figure, or the service does not have the card any more.
   */
  readonly idsNoLongerBought: ReadonlySet<number>;
}

export function picksOf(evidence: PicksEvidence, question: PicksQuestion): PicksAnswer {
  const { ids } = question;
  const cards = evidence.cards.toSorted((one, other) => one.at - other.at);
  const isPicked = (card: HistoryCard) => ids.has(String(card.id));
  const chosen = cards.filter((card) => isChosen(card, question));
  const picks = chosen.filter(isPicked);
  const daysOfPicks = new Set(picks.map(typeAndDay));
  const cardsOfDays = chosen.filter((card) => daysOfPicks.has(typeAndDay(card)));
  const comparisons = eachHorizon((name) => new PicksComparison(cards, chosen, name, question));
  const groupNameOf = (card: HistoryCard): PicksGroupName =>
    isPicked(card) ? 'picked' : 'not_picked';
  const groupOf = (group: PicksGroupName, type: string | undefined): PicksGroup => ({
    group,
    type,
    cards: cardsOfDays.filter((card) => groupNameOf(card) === group && matches(card.type, type)),
    horizons: eachHorizon((name) => comparisons[name].dataOf(group, type)),
  });
  const pairOf = (type: string | undefined): PicksPair => ({
    type,
    picked: groupOf('picked', type),
    notPicked: groupOf('not_picked', type),
  });
  const types = [...new Set(picks.map(({ type }) => type))].sort();
  return {
    question,
    dueUntil: evidence.dueUntil,
    picked: pickedCards(evidence, question, comparisons[question.horizon]),
    all: pairOf(undefined),
    types: types.map(pairOf),
  };
}

/** Whether it is known how the picks of all types did: better, worse, or different by less than what matters. */
export function isAnswered({ all, question }: PicksAnswer): boolean {
  const { verdict } = all.picked.horizons[question.horizon];
  return isSide(verdict) || verdict === 'small';
}

/** With fewer compared picks there is hardly ever an answer: in most histories 200 to 700 picks show a difference of 2 pp. */
const PICKS_OF_ANSWER = 200;

/**
 * If the picks are of fewer blocks of days, there is hardly ever an answer, however many picks there are. 15 blocks are a
 * month.
 */
const BLOCKS_OF_ANSWER = 15;

/**
 * How many compared picks the next answer may take: 200, and then four times as many, which halve the interval. Fewer more would
 * hardly make the answer surer, and a credit or two would be spent each day. While the compared picks are of too few days, more
 * days are needed and not more picks.
 *
 * Simulated (60 accounts of four kinds with 20 or 30 cards a day, of which 3 or 6 are picked and 10 to 50 % bought): if it were
 * twice as many, accounts would spend up to twice the credits in 150 days, and few of them would get an answer sooner.
 */
export function picksNeeded({ picked, question }: PicksAnswer): number {
  const compared = picksIn(picked, COMPARED);
  let needed = PICKS_OF_ANSWER;
  if (blocksOf(compared, question).size < BLOCKS_OF_ANSWER) return needed;
  while (needed <= compared.length) needed *= 4;
  return needed;
}

/** Whether there is no answer yet, and one may come if all is bought: the picks are then as many as needed, and of days enough. */
export function canBeAnswered(answer: PicksAnswer): boolean {
  if (isAnswered(answer)) return false;
  const { picked, question } = answer;
  const picks = picksIn(picked, COMPARABLE);
  return picks.length >= picksNeeded(answer) && blocksOf(picks, question).size >= BLOCKS_OF_ANSWER;
}

/**
 * How many picks that are compared, or can be once outcomes are bought, `PROSPECT_DAYS` bring, if they are too few for the first
 * answer. It is known a month after the first such pick.
 * @returns undefined if they are not too few, or if that is not known yet
 */
export function slowPicksOf({ picked, question, dueUntil }: PicksAnswer): number | undefined {
  const picks = picksIn(picked, COMPARABLE);
  if (picks.length >= PICKS_OF_ANSWER) return undefined;
  const firstAt = min(picks, ({ at }) => at) ?? dueUntil;
  const days = (dueUntil - firstAt) / DAY;
  if (days < BLOCKS_OF_ANSWER * blockLengthsOf(question.horizon).ofFewDays) return undefined;
  const later = (picks.length / days) * PROSPECT_DAYS;
  return later < PICKS_OF_ANSWER ? later : undefined;
}

/** The picks in one of these places. */
function picksIn({ placeOf, inHistory }: PickedCards, places: ReadonlySet<PickPlace | undefined>) {
  return inHistory.filter((card) => places.has(placeOf.get(card)));
}

/** The blocks of days that have a pick. */
function blocksOf(picks: readonly HistoryCard[], question: PicksQuestion): Set<number> {
  return new Set(picks.map((pick) => blockOf(pick, question)));
}

function blockOf({ at }: HistoryCard, { horizon }: PicksQuestion): number {
  return Math.floor(dayNumber(at) / blockLengthsOf(horizon).ofFewDays);
}

/** What to buy so that more picks are compared. */
export interface PicksPurchase {
  /** The cards whose outcomes are bought, for a credit each. Those that make a pick comparable by themselves come first. */
  readonly ids: readonly number[];
  /** How many of these cards were let pass. */
  readonly partners: number;
  /** How many more picks are compared then. */
  readonly picks: number;
}

/**
 * What to buy for an answer: as many picks as are needed, of days enough. If a part of it is bought on one
 * day, the rest is what this says on the next. If no answer can come, it is all that can be compared.
 *
 * Picks are taken in random order, so that they are of all days.
 */
export function purchaseOf(answer: PicksAnswer): PicksPurchase {
  const { picked, question } = answer;
  const needed = canBeAnswered(answer) ? picksNeeded(answer) : Number.POSITIVE_INFINITY;
  const compared = picksIn(picked, COMPARED);
  const blocks = blocksOf(compared, question);
  const cardsToBuy = new Set(picked.toBuy);
  const bought = new Set<HistoryCard>();
  const boughtPartners = new Set<HistoryCard>();
  let picks = 0;
  for (const { pick, partner } of possiblePurchases(picked)) {
    const block = blockOf(pick, question);
    const isOfNewDays = blocks.size < BLOCKS_OF_ANSWER && !blocks.has(block);
    if (compared.length + picks >= needed && !isOfNewDays) continue;
    picks += 1;
    blocks.add(block);
    if (partner !== undefined) {
      bought.add(partner);
      boughtPartners.add(partner);
    }
    if (cardsToBuy.has(pick)) bought.add(pick);
  }
  return { ids: [...bought].map(({ id }) => id), partners: boughtPartners.size, picks };
}

/** A pick that can be compared once its outcome is bought, or that of its partner, or both. */
interface PossiblePurchase {
  readonly pick: HistoryCard;
  readonly partner?: HistoryCard;
}

/** Picks that need no partner come first, because they cost less. */
function possiblePurchases({ comparable, partners }: PickedCards): PossiblePurchase[] {
  const purchases: PossiblePurchase[] = [];
  for (const pick of sort(comparable, ({ id }) => hashOfId(id))) purchases.push({ pick });
  for (const { card, picks } of sort(partners, (partner) => hashOfId(partner.card.id)))
    for (const pick of picks) purchases.push({ pick, partner: card });
  return purchases;
}

function pickedCards(
  { cards, dueUntil, idsNoLongerBought }: PicksEvidence,
  question: PicksQuestion,
  comparison: PicksComparison,
): PickedCards {
  const { ids } = question;
  const isPicked = (card: HistoryCard) => ids.has(String(card.id));
  const inHistory = cards.filter(isPicked);
  const idsInHistory = new Set(inHistory.map(({ id }) => String(id)));
  // --where asks for numbers that only bought cards have: it would hide the cards that are still to buy.
  const questionWithoutWhere = { ...question, where: [] };
  const chosen = inHistory.filter((card) => isChosen(card, questionWithoutWhere));
  const isSettled = (card: HistoryCard) => areOutcomesFinal(card) || idsNoLongerBought.has(card.id);
  const isDue = ({ at }: HistoryCard) => at <= dueUntil;
  const toBuy = chosen.filter((card) => isDue(card) && !isSettled(card));
  const letPass = cardsLetPass(cards, question);
  const canBePartner = (card: HistoryCard) =>
    isDue(card) && !isSettled(card) && !comparison.isOfBtc(card);
  const possiblePartners = groupBy(letPass.filter(canBePartner), typeAndDay);
  const placeOfPick = (card: HistoryCard): PickPlace => {
    if (!isChosen(card, questionWithoutWhere)) return 'left_out';
    if (comparison.compares(card)) return 'compared';
    // --where left out the card by a number that it has.
    if (card.isBought && !isChosen(card, question)) return 'left_out';
    const isWithoutFigure = isSettled(card) && !comparison.isMeasured(card);
    if (comparison.isOfBtc(card) || isWithoutFigure) return 'no_figure';
    if (!isSettled(card) && !isDue(card)) return 'not_due';
    const hasMatch = comparison.hasMatch(card) || possiblePartners.has(typeAndDay(card));
    return hasMatch ? 'not_bought' : 'no_match';
  };
  const placeOf = new Map(inHistory.map((card) => [card, placeOfPick(card)]));
  const notBought = inHistory.filter((card) => placeOf.get(card) === 'not_bought');
  const comparable = notBought.filter((card) => comparison.hasMatch(card));
  const withoutMatch = notBought.filter((card) => !comparison.hasMatch(card));
  const comparableCards = new Set(comparable);
  return {
    ids: ids.size,
    placeOf,
    inHistory,
    unknownIds: [...ids].filter((id) => !idsInHistory.has(id)),
    chosen,
    settled: chosen.filter(isSettled),
    toBuy: [...comparable, ...toBuy.filter((card) => !comparableCards.has(card))],
    comparable,
    partners: partnersFor(withoutMatch, possiblePartners),
  };
}

/** The unpicked cards that the question chooses, bought or not. */
function cardsLetPass(cards: readonly HistoryCard[], question: PicksQuestion): HistoryCard[] {
  // --where asks for a number at the trigger. A card that is not bought has none yet, so no unpicked card could be chosen to
  // buy.
  if (question.where.length > 0) return [];
  return cards.filter((card) => !question.ids.has(String(card.id)) && isChosen(card, question));
}

/**
 * A partner for each type and day of these picks.
 * @param picks without a measured unpicked card of their type and day
 * @param possiblePartners unpicked cards that can be bought, by type and day
 */
function partnersFor(
  picks: readonly HistoryCard[],
  possiblePartners: ReadonlyMap<string, readonly HistoryCard[]>,
): Partner[] {
  const partners: Partner[] = [];
  for (const [ofTypeAndDay, picksOfDay] of groupBy(picks, typeAndDay)) {
    const card = leastBy(possiblePartners.get(ofTypeAndDay) ?? [], ({ id }) => hashOfId(id));
    if (card !== undefined) partners.push({ card, picks: picksOfDay });
  }
  return partners;
}

/** How many ids of the user's file are in each place. @param type undefined for all types together */
export function pickCounts(picked: PickedCards, type?: string): PickCounts {
  const places: PickPlace[] = [];
  for (const [card, place] of picked.placeOf) if (matches(card.type, type)) places.push(place);
  // If the history does not have an id, its type is not known.
  const unknown = type === undefined ? picked.unknownIds.length : 0;
  const countOf = (wanted: PickPlace) => places.filter((place) => place === wanted).length;
  return {
    compared: countOf('compared'),
    not_bought: countOf('not_bought'),
    not_due: countOf('not_due'),
    no_match: countOf('no_match'),
    no_figure: countOf('no_figure'),
    left_out: countOf('left_out'),
    unknown,
  };
}

/** Whether the outcome can no longer change, after any horizon. `signals show` buys a card again if this is not so. */
function areOutcomesFinal({ outcomes }: HistoryCard): boolean {
  return HORIZON_NAMES.every((name) => {
    const state = stateOf(outcomes?.[name]);
    return state === 'measured' || state === 'missing';
  });
}

/** Compares picked with unpicked cards after one horizon. */
class PicksComparison {
  readonly #horizon: HorizonName;
  readonly #rule: Rule;
  readonly #btcSymbols: ReadonlySet<string>;
  /** The cards whose difference to BTC is known, without those of BTC itself. */
  readonly #measured: ReadonlySet<HistoryCard>;
  /** The picked cards that are compared. */
  readonly #compared: ReadonlySet<HistoryCard>;
  /** The types and days on which an unpicked card is measured. */
  readonly #daysWithUnpicked: ReadonlySet<string>;
  /** The differences to BTC of each group's cards, on types and days on which both groups have an outcome. */
  readonly #toBtc: Readonly<Record<PicksGroupName, readonly Difference[]>>;
  /** y of the picked cards. */
  readonly #toUnpicked: readonly Difference[];
  /** As y, but nothing is subtracted for slopes. */
  readonly #toUnpickedWithBeta: readonly Difference[];
  /** The samples of all types together. The length of their blocks of days is used for each type, too. */
  readonly #samplesOfAllTypes: Readonly<Record<PicksGroupName, Sample>>;

  /**
   * @param cards all cards of the history: betas are estimated from them
   * @param chosen the cards that the question is about
   */
  constructor(
    cards: readonly HistoryCard[],
    chosen: readonly HistoryCard[],
    horizon: HorizonName,
    { ids, least }: PicksQuestion,
  ) {
    const isPicked = (card: HistoryCard) => ids.has(String(card.id));
    this.#horizon = horizon;
    this.#rule = { least: leastOf(horizon, least) };
    this.#btcSymbols = symbolsOfBtc(cards);
    const betas: Betas = betasOf(cards, horizon, this.#btcSymbols);
    const toBtc = outcomeValues(chosen, horizon, differenceOf).filter(
      ({ symbol }) => !this.#btcSymbols.has(symbol),
    );
    this.#measured = new Set(toBtc.filter(isKnown).map(({ card }) => card));
    const measuredUnpicked = [...this.#measured].filter((card) => !isPicked(card));
    this.#daysWithUnpicked = new Set(measuredUnpicked.map(typeAndDay));
    this.#toUnpicked = differencesToUnpicked(withoutBeta(toBtc, betas), isPicked);
    this.#compared = new Set(this.#toUnpicked.filter(isKnown).map(({ card }) => card));
    this.#toUnpickedWithBeta = differencesToUnpicked(toBtc, isPicked);
    const comparedDays = new Set(this.#toUnpicked.map(({ card }) => typeAndDay(card)));
    const compared = toBtc.filter(({ card }) => comparedDays.has(typeAndDay(card)));
    this.#toBtc = {
      picked: compared.filter(({ card }) => isPicked(card)),
      not_picked: compared.filter(({ card }) => !isPicked(card)),
    };
    this.#samplesOfAllTypes = {
      picked: this.#sampleOf(this.#toBtc.picked),
      not_picked: this.#sampleOf(this.#toBtc.not_picked),
    };
  }

  /** Whether a picked card is compared: it is measured, and so is an unpicked card of its type and day. */
  compares(card: HistoryCard): boolean {
    return this.#compared.has(card);
  }

  /** Whether the card is of BTC itself, as far as bought outcomes show. */
  isOfBtc(card: HistoryCard): boolean {
    return this.#btcSymbols.has(card.symbol);
  }

  /** Whether an unpicked card of the card's type and day is measured. */
  hasMatch(card: HistoryCard): boolean {
    return this.#daysWithUnpicked.has(typeAndDay(card));
  }

  /** Whether the card's difference to BTC is known. A card of BTC itself has none: it would always be 0. */
  isMeasured(card: HistoryCard): boolean {
    return this.#measured.has(card);
  }

  #sampleOf(differences: readonly Difference[], sampleOfAllTypes?: Sample): Sample {
    const cards = differences.map(({ card }) => card);
    return sampleOf(cards, this.#horizon, this.#btcSymbols, differences, sampleOfAllTypes);
  }

  /** @param type undefined for all types together */
  dataOf(group: PicksGroupName, type: string | undefined): PicksData {
    const sampleOfAllTypes = this.#samplesOfAllTypes[group];
    const sample =
      type === undefined
        ? sampleOfAllTypes
        : this.#sampleOf(ofType(this.#toBtc[group], type), sampleOfAllTypes);
    const vsBtcOnly = {
      rule: this.#rule,
      sample,
      vsBtc: sample.differences,
      verdictVsBtc: verdictByRule(sample.differences, this.#rule),
    };
    if (group === 'not_picked')
      return { ...vsBtcOnly, vsUnpicked: undefined, verdict: null, explainedByBeta: undefined };
    const lengths = blockLengthsOf(this.#horizon);
    const vsUnpicked = clusteredMedian(ofType(this.#toUnpicked, type), lengths);
    const withBeta = clusteredMedian(ofType(this.#toUnpickedWithBeta, type), lengths);
    return {
      ...vsBtcOnly,
      vsUnpicked,
      verdict: verdictByRule(vsUnpicked, this.#rule),
      explainedByBeta: vsUnpicked.size === 0 ? undefined : withBeta.value - vsUnpicked.value,
    };
  }
}

function ofType(differences: readonly Difference[], type: string | undefined): Difference[] {
  return differences.filter(({ card }) => matches(card.type, type));
}
