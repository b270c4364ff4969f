/** What became of cards: moves, differences to BTC and to other cards, and what is lost. */

import { blockLengthsOf, HORIZON_NAMES, type HorizonName } from '../api/contract/horizons.ts';
import { groupBy, lazily } from '../base/collections.ts';
import { dayNumber } from '../base/units.ts';
import {
  type ClusteredMedian,
  clusteredMedian,
  type ShareAbove,
  shareAbove,
} from '../statistics/clustered-median.ts';
import { type Clustered, isKnown } from '../statistics/clusters.ts';
import { medianOf, quantile } from '../statistics/quantile.ts';
import type { Betas } from './beta.ts';
import { isMeasured, type Row, stateOf } from './row.ts';

/**
 * A card's `value` at a horizon: its move in percent, or the difference of its move to another one in percentage
 * points. NaN if the outcome is lost: the value may have been anything.
 */
export interface Difference extends Clustered {
  readonly card: Row;
}

/** @returns undefined if the outcome is not bought, or pending; NaN if it is bought and lost */
type OutcomeOf = (card: Row, horizon: HorizonName) => number | undefined;

/** The move of a card, percent. */
const moveOf: OutcomeOf = ({ measured, isBought }, horizon) => {
  if (measured === undefined) return isBought ? Number.NaN : undefined;
  const outcome = measured[horizon];
  if (outcome.state === undefined || outcome.state === 'pending') return undefined;
  return isMeasured(outcome) ? outcome.move : Number.NaN;
};

/** The size of the move, percent, whether upwards or downwards. */
const sizeOf: OutcomeOf = (card, horizon) => {
  const move = moveOf(card, horizon);
  return move === undefined ? undefined : Math.abs(move);
};

/** The move less BTC's, percentage points. */
export const differenceOf: OutcomeOf = (card, horizon) => {
  const move = moveOf(card, horizon);
  if (move === undefined) return undefined;
  const moveOfBtc = card.measured?.[horizon].btc ?? Number.NaN;
  return cleanDifference(move, moveOfBtc);
};

/** Rounded to 10 decimals: 1.2 - 0.7 and 0.5 differ in their 16th digit, and must rank alike. */
function cleanDifference(value: number, other: number): number {
  const difference = value - other;
  // Too large for ten decimals to be told, or NaN.
  if (!(Math.abs(difference) < 1e5)) return difference;
  // Adding 0 turns -0 into 0.
  return Math.round(difference * 1e10) / 1e10 + 0;
}

/** The values of all cards whose outcome is measured or lost. */
export function outcomeValues(
  rows: readonly Row[],
  horizon: HorizonName,
  outcomeOf: OutcomeOf,
): Difference[] {
  const values: Difference[] = [];
  for (const card of rows) {
    const value = outcomeOf(card, horizon);
    if (value !== undefined) values.push(valueOfCard(card, value));
  }
  return values;
}

const valueOfCard = (card: Row, value: number): Difference => ({
  card,
  value,
  day: dayNumber(card.at),
  symbol: card.symbol,
});

export function movesOf(rows: readonly Row[], horizon: HorizonName): Difference[] {
  return outcomeValues(rows, horizon, moveOf).filter(isKnown);
}

/**
 * The measured differences to BTC.
 * @param btcSymbols the symbols that are BTC itself: they are left out
 */
export function differencesOf(
  rows: readonly Row[],
  horizon: HorizonName,
  btcSymbols: ReadonlySet<string>,
): Difference[] {
  return outcomeValues(rows, horizon, differenceOf).filter(
    (difference) => isKnown(difference) && !btcSymbols.has(difference.symbol),
  );
}

/** The differences to BTC, less the part that the beta of each symbol explains. */
export function withoutBeta(differences: readonly Difference[], betas: Betas): Difference[] {
  return differences.map(({ card, value }) =>
    valueOfCard(card, cleanDifference(value, betas.explained(card))),
  );
}

/** Symbols that are BTC itself: their differences are all zero and say nothing of a screener. */
export function symbolsOfBtc(rows: readonly Row[]): ReadonlySet<string> {
  const btcSymbols = new Set<string>();
  const others = new Set<string>();
  for (const card of rows) {
    if (others.has(card.symbol)) continue;
    for (const name of HORIZON_NAMES) {
      const difference = differenceOf(card, name);
      if (difference === 0) btcSymbols.add(card.symbol);
      else if (Math.abs(difference ?? 0) > 0) others.add(card.symbol);
    }
  }
  for (const symbol of others) btcSymbols.delete(symbol);
  return btcSymbols;
}

/** A card is compared with other groups if they have at least so many cards on its UTC day. */
export const LEAST_OTHERS = 3;

/**
 * Each difference less the median of the other groups' differences on its UTC day, so that the market's part cancels.
 */
export function differencesToOthers(
  differences: readonly Difference[],
  groupOf: (card: Row) => string | number | null,
): Difference[] {
  const toOthers: Difference[] = [];
  for (const ofDay of groupBy(differences, ({ day }) => day).values()) {
    const inOrder = ofDay.filter(isKnown).sort((a, b) => a.value - b.value);
    const groups = inOrder.map(({ card }) => groupOf(card));
    for (const [group, ofGroup] of groupBy(ofDay, ({ card }) => groupOf(card))) {
      const others = inOrder.filter((_, i) => groups[i] !== group).map(({ value }) => value);
      if (others.length < LEAST_OTHERS) continue;
      // `medianOf` would sort them once more.
      const median = quantile(others, 0.5);
      for (const { card, value } of ofGroup)
        toOthers.push(valueOfCard(card, cleanDifference(value, median)));
    }
  }
  return toOthers;
}

/**
 * Differences of picked cards, less the median difference of the cards of the same screener type and UTC day that were
 * not picked. A picked card is left out if there is no such card.
 */
export function differencesToUnpicked(
  differences: readonly Difference[],
  isPicked: (card: Row) => boolean,
): Difference[] {
  const toUnpicked: Difference[] = [];
  for (const ofTypeAndDay of groupBy(differences, ({ card }) => typeAndDay(card)).values()) {
    const unpicked = ofTypeAndDay.filter(
      (difference) => isKnown(difference) && !isPicked(difference.card),
    );
    if (unpicked.length === 0) continue;
    const median = medianOf(unpicked.map(({ value }) => value));
    for (const { card, value } of ofTypeAndDay)
      if (isPicked(card)) toUnpicked.push(valueOfCard(card, cleanDifference(value, median)));
  }
  return toUnpicked;
}

/**
 * Differences of cards, less the median difference of the other cards of the same screener type and UTC day. A card without
 * an outcome, or without such another card, is left out.
 */
export function differencesToSameTypeAndDay(differences: readonly Difference[]): Difference[] {
  const toOthers: Difference[] = [];
  const known = differences.filter(isKnown);
  for (const ofTypeAndDay of groupBy(known, ({ card }) => typeAndDay(card)).values()) {
    if (ofTypeAndDay.length < 2) continue;
    for (const { card, value } of ofTypeAndDay) {
      const others = ofTypeAndDay.filter((other) => other.card !== card);
      const median = medianOf(others.map((other) => other.value));
      toOthers.push(valueOfCard(card, cleanDifference(value, median)));
    }
  }
  return toOthers;
}

/** A key that cards of the same screener type and UTC day share. */
export function typeAndDay({ type, at }: Pick<Row, 'type' | 'at'>): string {
  return `${dayNumber(at)} ${type}`;
}

/**
 * How many cards there are of each state at a horizon. Each is in one of the first five; the last two count some again.
 */
export interface StateCounts {
  readonly measured: number;
  readonly pending: number;
  /** The service calls them missing, or they are available without a move. */
  readonly missing: number;
  /** Their state is one that the document does not list. */
  readonly other: number;
  /** Not bought, or bought without an outcome. */
  readonly without: number;
  /** Bought, not pending, and without a move. */
  readonly lost: number;
  /** Cards of BTC itself whose difference to BTC is measured: it is 0. */
  readonly ofBtc: number;
}

/** What became of some cards at a horizon. Each part is computed when it is first read. */
export interface Sample {
  readonly states: StateCounts;
  /** The median move, percent. */
  readonly moves: ClusteredMedian;
  /** The median size of the moves, percent. */
  readonly sizes: ClusteredMedian;
  /** The median difference to BTC's move, percentage points. */
  readonly differences: ClusteredMedian;
  /** The share of the differences that lie above 0. */
  readonly shareAbove: ShareAbove;
}

/**
 * @param btcSymbols the symbols that are BTC itself (`symbolsOfBtc`): left out of every difference to BTC
 * @param differences of the rows to BTC; NaN where the outcome is lost
 * @param sampleOfAll the sample of all groups together. The length of its clusters is used for each group. Undefined if
 *   the rows are that sample.
 */
export function sampleOf(
  rows: readonly Row[],
  horizon: HorizonName,
  btcSymbols: ReadonlySet<string>,
  differences: readonly Difference[],
  sampleOfAll?: Pick<Sample, 'moves' | 'sizes' | 'differences'>,
): Sample {
  const lengths = blockLengthsOf(horizon);
  return lazily<Sample>({
    states: () => countStates(rows, horizon, btcSymbols),
    moves: () =>
      clusteredMedian(
        outcomeValues(rows, horizon, moveOf),
        lengths,
        sampleOfAll?.moves.clusterDays,
      ),
    sizes: () =>
      clusteredMedian(
        outcomeValues(rows, horizon, sizeOf),
        lengths,
        sampleOfAll?.sizes.clusterDays,
      ),
    differences: () => clusteredMedian(differences, lengths, sampleOfAll?.differences.clusterDays),
    shareAbove: () => shareAbove(differences, lengths, sampleOfAll?.differences.clusterDays),
  });
}

function countStates(
  rows: readonly Row[],
  horizon: HorizonName,
  btcSymbols: ReadonlySet<string>,
): StateCounts {
  const counts = { measured: 0, pending: 0, missing: 0, other: 0, without: 0, lost: 0, ofBtc: 0 };
  for (const card of rows) {
    counts[stateOf(card.measured?.[horizon])] += 1;
    if (Number.isNaN(moveOf(card, horizon))) counts.lost += 1;
    if (btcSymbols.has(card.symbol) && differenceOf(card, horizon) === 0) counts.ofBtc += 1;
  }
  return counts;
}
