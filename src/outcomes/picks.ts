/**
 * "Did I pick well?": the cards that the user acted on, beside the cards of the same screener type and UTC day that were
 * let pass.
 *
 * y = x − the median x of those others, x the difference to BTC less what the symbol's beta explains, both of bought
 * outcomes. What a type is worth, and what the market did to its cards of that day, cancels. Median, intervals and word of
 * y are those of every comparison: blocks of days as clusters, the rule, one look.
 */
import { blocksOf, HORIZON_NAMES, type HorizonName } from '../api/contract/horizons.ts';
import { groupBy } from '../base/collections.ts';
import { type ClusteredMedian, clusteredMedian } from '../statistics/clustered-median.ts';
import type { Estimate } from '../statistics/estimate.ts';
import { type Rule, type Word, wordOf } from '../statistics/rule.ts';
import { type Betas, betasOf } from './beta.ts';
import {
  type Difference,
  differenceOf,
  differencesOf,
  differencesToUnpicked,
  type Sample,
  sampleOf,
  symbolsOfBtc,
  typeAndDay,
  valuesOf,
  withoutBeta,
} from './differences.ts';
import { eachHorizon } from './figure.ts';
import { isChosen, leastOf, type PicksQuestion } from './question.ts';
import { type Row, stateOf } from './row.ts';

export const PICKS_GROUPS = ['picked', 'not_picked'] as const;

export type PicksGroupName = (typeof PICKS_GROUPS)[number];

/** What a group of cards did after a horizon: cards of types and days on which both groups have an outcome. */
export interface PicksData {
  readonly rule: Rule;
  readonly sample: Sample;
  /** Percentage points. */
  readonly vsBtc: Estimate;
  readonly wordVsBtc: Word | null;
  /** Of y, percentage points; undefined for cards that were not picked. */
  readonly vsUnpicked: ClusteredMedian | undefined;
  readonly word: Word | null;
  /** What betas took off `vsUnpicked`, percentage points. */
  readonly beta: number | undefined;
}

/** The picked cards, or those that were not, of all types or of one. */
export interface PicksGroup {
  readonly group: PicksGroupName;
  /** Undefined: of all types. */
  readonly type: string | undefined;
  /** Those not picked are of the types and days of picked ones. */
  readonly cards: readonly Row[];
  readonly horizons: Readonly<Record<HorizonName, PicksData>>;
}

/** The two groups beside each other. */
export interface PicksPair {
  /** Undefined: of all types. */
  readonly type: string | undefined;
  readonly picked: PicksGroup;
  readonly notPicked: PicksGroup;
}

/** Where the ids of the user lead. */
export interface PickedCards {
  /** How many different ids there are. */
  readonly ids: number;
  /** Of the history. */
  readonly inHistory: readonly Row[];
  /** Ids that the history does not have, as digits, in the order of the file. */
  readonly unknownIds: readonly string[];
  /** Of the cards that the question chooses, as all that follow. */
  readonly chosen: readonly Row[];
  /** Bought, and settled. */
  readonly settled: readonly Row[];
  /** Due, and their outcome is not bought, or was pending. Those of `comparable` come first. */
  readonly toBuy: readonly Row[];
  /** Those of `toBuy` that could be compared then: a card of their type and day that was let pass has an outcome. */
  readonly comparable: readonly Row[];
  /** Not due yet. */
  readonly notDue: readonly Row[];
}

export interface PicksAnswer {
  readonly question: PicksQuestion;
  readonly picked: PickedCards;
  readonly all: PicksPair;
  /** In the order of their names: types of which a card is picked. */
  readonly types: readonly PicksPair[];
}

/** What the question is answered from. */
export interface PicksEvidence {
  /** All of the history, in any order. */
  readonly cards: readonly Row[];
  /** Outcomes of cards until then are over, epoch milliseconds UTC. */
  readonly overUntil: number;
}

export function picksOf(evidence: PicksEvidence, question: PicksQuestion): PicksAnswer {
  const { ids } = question;
  const cards = evidence.cards.toSorted((one, other) => one.at - other.at);
  const isPicked = (card: Row) => ids.has(String(card.id));
  const chosen = cards.filter((card) => isChosen(card, question));
  const picks = chosen.filter(isPicked);
  const besidePicks = new Set(picks.map(typeAndDay));
  const compared = chosen.filter((card) => besidePicks.has(typeAndDay(card)));
  const comparisons = eachHorizon((name) => new PicksComparison(cards, chosen, name, question));
  const groupOf = (group: PicksGroupName, type: string | undefined): PicksGroup => ({
    group,
    type,
    cards: compared.filter(
      (card) => isPicked(card) === (group === 'picked') && (type ?? card.type) === card.type,
    ),
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
    picked: pickedCards(evidence, question),
    all: pairOf(undefined),
    types: types.map(pairOf),
  };
}

function pickedCards({ cards, overUntil }: PicksEvidence, question: PicksQuestion): PickedCards {
  const { ids } = question;
  const inHistory = cards.filter((card) => ids.has(String(card.id)));
  const known = new Set(inHistory.map(({ id }) => String(id)));
  // A number at the trigger is known of bought cards alone.
  const choice = { ...question, where: [] };
  const chosen = inHistory.filter((card) => isChosen(card, choice));
  const open = chosen.filter((card) => !isSettled(card));
  const toBuy = open.filter(({ at }) => at <= overUntil);
  const btcSymbols = symbolsOfBtc(cards);
  const letPass = cards.filter((card) => !ids.has(String(card.id)) && isChosen(card, question));
  const measured = differencesOf(letPass, question.horizon, btcSymbols);
  const comparableDays = new Set(measured.map(({ card }) => typeAndDay(card)));
  const canBeCompared = (card: Row) =>
    !btcSymbols.has(card.symbol) && comparableDays.has(typeAndDay(card));
  const comparable = toBuy.filter(canBeCompared);
  return {
    ids: ids.size,
    inHistory,
    unknownIds: [...ids].filter((id) => !known.has(id)),
    chosen,
    settled: chosen.filter(isSettled),
    toBuy: [...comparable, ...toBuy.filter((card) => !canBeCompared(card))],
    comparable,
    notDue: open.filter(({ at }) => at > overUntil),
  };
}

/** As `signals show` has it: what is not settled is bought once more. */
function isSettled({ measured }: Row): boolean {
  return HORIZON_NAMES.every((name) => {
    const state = stateOf(measured?.[name]);
    return state === 'measured' || state === 'missing';
  });
}

/** Picked cards beside the others at a horizon. */
class PicksComparison {
  readonly #horizon: HorizonName;
  readonly #rule: Rule;
  readonly #ofBtc: ReadonlySet<string>;
  /** Differences to BTC of the cards of each group, on types and days that both have. */
  readonly #toBtc: Readonly<Record<PicksGroupName, readonly Difference[]>>;
  /** Of picked cards, to those that were not: less what betas explain, and as they are. */
  readonly #toUnpicked: readonly Difference[];
  readonly #plainToUnpicked: readonly Difference[];
  /** Of all types: their blocks of days are long enough for each type. */
  readonly #whole: Readonly<Record<PicksGroupName, Sample>>;

  /** @param cards of the history: betas are told from all @param chosen those that the question is of */
  constructor(
    cards: readonly Row[],
    chosen: readonly Row[],
    horizon: HorizonName,
    { ids, least }: PicksQuestion,
  ) {
    const isPicked = (card: Row) => ids.has(String(card.id));
    this.#horizon = horizon;
    this.#rule = { least: leastOf(horizon, least) };
    this.#ofBtc = symbolsOfBtc(cards);
    const betas: Betas = betasOf(cards, horizon, this.#ofBtc);
    const plain = valuesOf(chosen, horizon, differenceOf).filter(
      ({ symbol }) => !this.#ofBtc.has(symbol),
    );
    this.#toUnpicked = differencesToUnpicked(withoutBeta(plain, betas), isPicked);
    this.#plainToUnpicked = differencesToUnpicked(plain, isPicked);
    const comparedDays = new Set(this.#toUnpicked.map(({ card }) => typeAndDay(card)));
    const compared = plain.filter(({ card }) => comparedDays.has(typeAndDay(card)));
    const sides = groupBy(compared, ({ card }) => isPicked(card));
    this.#toBtc = { picked: sides.get(true) ?? [], not_picked: sides.get(false) ?? [] };
    this.#whole = {
      picked: this.#sampleOf(this.#toBtc.picked),
      not_picked: this.#sampleOf(this.#toBtc.not_picked),
    };
  }

  #sampleOf(differences: readonly Difference[], whole?: Sample): Sample {
    const cards = differences.map(({ card }) => card);
    return sampleOf(cards, this.#horizon, this.#ofBtc, differences, whole);
  }

  /** @param type undefined: of all types */
  dataOf(group: PicksGroupName, type: string | undefined): PicksData {
    const whole = this.#whole[group];
    const sample =
      type === undefined ? whole : this.#sampleOf(ofType(this.#toBtc[group], type), whole);
    const common = {
      rule: this.#rule,
      sample,
      vsBtc: sample.differences,
      wordVsBtc: wordOf(sample.differences, this.#rule),
    };
    if (group === 'not_picked')
      return { ...common, vsUnpicked: undefined, word: null, beta: undefined };
    const lengths = blocksOf(this.#horizon);
    const vsUnpicked = clusteredMedian(ofType(this.#toUnpicked, type), lengths);
    const plain = clusteredMedian(ofType(this.#plainToUnpicked, type), lengths);
    return {
      ...common,
      vsUnpicked,
      word: wordOf(vsUnpicked, this.#rule),
      beta: vsUnpicked.size === 0 ? undefined : plain.value - vsUnpicked.value,
    };
  }
}

function ofType(differences: readonly Difference[], type: string | undefined): Difference[] {
  return differences.filter(({ card }) => type === undefined || card.type === type);
}

/** Picked cards that have an outcome, and others beside them. */
export function comparedPicks({ all }: PicksAnswer, horizon: HorizonName): number {
  return all.picked.horizons[horizon].vsUnpicked?.size ?? 0;
}
