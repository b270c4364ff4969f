/** What became of cards: their moves, their differences to BTC and to other cards, and which outcomes are lost. */

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
import { type HistoryCard, isMeasured, stateOf } from './history-card.ts';

/**
 * A card and its `value` after a horizon: mostly the difference of its move to BTC's or to other cards', in percentage points;
 * also the move itself, in percent. NaN if the outcome is lost: the value may then have been anything.
 */
export interface Difference extends Clustered {
  readonly card: HistoryCard;
}

/**
 * @returns undefined if the outcome is not bought, is pending, or has no state; NaN if it is lost: bought, not pending, and
 *   without a move
 */
type OutcomeOf = (card: HistoryCard, horizon: HorizonName) => number | undefined;

/** A card's move, percent. */
const moveOf: OutcomeOf = ({ outcomes, isBought }, horizon) => {
  if (outcomes === undefined) return isBought ? Number.NaN : undefined;
  const outcome = outcomes[horizon];
  if (outcome.state === undefined || outcome.state === 'pending') return undefined;
  return isMeasured(outcome) ? outcome.move : Number.NaN;
};

/** The size of a card's move, percent: 2 for a rise of 2 %, and for a fall of 2 %. */
const sizeOf: OutcomeOf = (card, horizon) => {
  const move = moveOf(card, horizon);
  return move === undefined ? undefined : Math.abs(move);
};

/** A card's move minus BTC's, percentage points. */
export const differenceOf: OutcomeOf = (card, horizon) => {
  const move = moveOf(card, horizon);
  if (move === undefined) return undefined;
  const moveOfBtc = card.outcomes?.[horizon].btc ?? Number.NaN;
  return cleanDifference(move, moveOfBtc);
};

/** `value` minus `other`, rounded to 10 decimals: 0.3 − 0.1 and 0.2 differ in their 16th digit, and must rank alike. */
function cleanDifference(value: number, other: number): number {
  const difference = value - other;
  // NaN, or too large for a double to have ten decimals.
  if (!(Math.abs(difference) < 1e5)) return difference;
  // Adding 0 turns -0 into 0.
  return Math.round(difference * 1e10) / 1e10 + 0;
}

/** The values of the cards whose outcome is measured or lost. */
export function outcomeValues(
  rows: readonly HistoryCard[],
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

const valueOfCard = (card: HistoryCard, value: number): Difference => ({
  card,
  value,
  day: dayNumber(card.at),
  symbol: card.symbol,
});

export function movesOf(rows: readonly HistoryCard[], horizon: HorizonName): Difference[] {
  return outcomeValues(rows, horizon, moveOf).filter(isKnown);
}

/**
 * The measured differences to BTC.
 * @param btcSymbols the symbols that are BTC itself: they are left out
 */
export function differencesOf(
  rows: readonly HistoryCard[],
  horizon: HorizonName,
  btcSymbols: ReadonlySet<string>,
): Difference[] {
  return outcomeValues(rows, horizon, differenceOf).filter(
    (difference) => isKnown(difference) && !btcSymbols.has(difference.symbol),
  );
}

/** The differences to BTC, minus the part that the slope of each card's symbol explains (`Betas`). */
export function withoutBeta(differences: readonly Difference[], betas: Betas): Difference[] {
  return differences.map(({ card, value }) =>
    valueOfCard(card, cleanDifference(value, betas.explained(card))),
  );
}

/** The symbols that are BTC itself: all their measured differences to BTC are 0, and say nothing of a screener. */
export function symbolsOfBtc(rows: readonly HistoryCard[]): ReadonlySet<string> {
  const btcSymbols = new Set<string>();
  const otherSymbols = new Set<string>();
  for (const card of rows) {
    if (otherSymbols.has(card.symbol)) continue;
    for (const name of HORIZON_NAMES) {
      const difference = differenceOf(card, name);
      const isMeasuredHere = difference !== undefined && !Number.isNaN(difference);
      if (difference === 0) btcSymbols.add(card.symbol);
      else if (isMeasuredHere) otherSymbols.add(card.symbol);
    }
  }
  for (const symbol of otherSymbols) btcSymbols.delete(symbol);
  return btcSymbols;
}

/** A card is compared with the other groups only if they have at least 3 cards on its UTC day. */
export const LEAST_OTHERS = 3;

/**
 * Each difference minus the median of the other groups' differences on its UTC day, so that what the market did on that day
 * cancels. A card with 2.5 beside three others with 0, 1 and 4 gets 1.5.
 */
export function differencesToOthers(
  differences: readonly Difference[],
  groupOf: (card: HistoryCard) => string | number | null,
): Difference[] {
  const toOthers: Difference[] = [];
  for (const ofDay of groupBy(differences, ({ day }) => day).values()) {
    const inOrder = ofDay.filter(isKnown).sort((a, b) => a.value - b.value);
    const groups = inOrder.map(({ card }) => groupOf(card));
    for (const [group, ofGroup] of groupBy(ofDay, ({ card }) => groupOf(card))) {
      const others = inOrder.filter((_, i) => groups[i] !== group).map(({ value }) => value);
      if (others.length < LEAST_OTHERS) continue;
      // The others are in order: `medianOf` would sort them once more.
      const median = quantile(others, 0.5);
      for (const { card, value } of ofGroup)
        toOthers.push(valueOfCard(card, cleanDifference(value, median)));
    }
  }
  return toOthers;
}

/**
 * The differences of the picked cards, each minus the median difference of the unpicked cards of its screener type and UTC day.
 * A picked card without such an unpicked card is left out.
 */
export function differencesToUnpicked(
  differences: readonly Difference[],
  isPicked: (card: HistoryCard) => boolean,
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

/** A key that cards of the same screener type and UTC day share. */
export function typeAndDay({ type, at }: Pick<HistoryCard, 'type' | 'at'>): string {
  return `${dayNumber(at)} ${type}`;
}

/**
 * How many cards are in each state after a horizon. Each card is in one of the first five states; `lost` and `ofBtc` count
 * some of them again.
 */
export interface StateCounts {
  readonly measured: number;
  readonly pending: number;
  /** The service calls them missing, or they are available without a move. */
  readonly missing: number;
  /** The document does not list their state. */
  readonly other: number;
  /** Not bought, or bought without an outcome. */
  readonly without: number;
  /** Bought, not pending, and without a move, whatever other state they have. */
  readonly lost: number;
  /** Cards of BTC itself whose difference to BTC is measured: it is 0. */
  readonly ofBtc: number;
}

/** What became of some cards after a horizon. Each part is computed when it is first read. */
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
 * @param differences of the rows to BTC; NaN for a lost outcome
 * @param sampleOfAll the sample of all groups together. Its blocks of days are used for each group, too, because a single group
 *   has too few cards to show whether its days go together. Undefined if the rows are the cards of all groups.
 */
export function sampleOf(
  rows: readonly HistoryCard[],
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
  rows: readonly HistoryCard[],
  horizon: HorizonName,
  btcSymbols: ReadonlySet<string>,
): StateCounts {
  const counts = { measured: 0, pending: 0, missing: 0, other: 0, without: 0, lost: 0, ofBtc: 0 };
  for (const card of rows) {
    counts[stateOf(card.outcomes?.[horizon])] += 1;
    if (Number.isNaN(moveOf(card, horizon))) counts.lost += 1;
    if (btcSymbols.has(card.symbol) && differenceOf(card, horizon) === 0) counts.ofBtc += 1;
  }
  return counts;
}
