import type { HorizonName } from '../api/contract/horizons.ts';
import {
  boundsWithMissing,
  type ClusteredMedian,
  clusteredMedian,
  medianInterval,
  shareAbove,
} from '../statistics/clustered-median.ts';
import { columnsOf } from '../statistics/clusters.ts';
import { LEVEL } from '../statistics/holm.ts';
import { cleanOrNull, type Interval, medianOf } from '../statistics/quantile.ts';
import { type Estimate, estimateOf } from '../statistics/verdict.ts';
import { type Difference, valueOfCard } from './differences.ts';
import { lazily, type SinceThen } from './figure.ts';
import { isMeasured, movesOf, type Row } from './row.ts';

/** UTC days of a cluster of all cards together: a group of them is too small to tell. */
export interface ClusterDays {
  readonly moves: number;
  readonly differences: number;
}

export type HorizonSample = ReturnType<typeof sampleOf>;

/**
 * @param ofBtc the symbols that are BTC itself (`symbolsOfBtc`): left out of every difference to BTC
 * @param differences of these rows
 * @param whole undefined if these are all cards
 */
export function sampleOf(
  rows: readonly Row[],
  name: HorizonName,
  ofBtc: ReadonlySet<string>,
  differences: readonly Difference[],
  whole: ClusterDays | undefined,
) {
  const states = { pending: 0, missing: 0, other: 0, without: 0, ofBtc: 0 };
  const measured: Row[] = [];
  const missingMoves: Difference[] = [];
  const missingDifferences: Difference[] = [];
  const lose = (card: Row) => {
    missingMoves.push(valueOfCard(card, Number.NaN));
    if (!ofBtc.has(card.symbol)) missingDifferences.push(valueOfCard(card, Number.NaN));
  };
  for (const card of rows) {
    const one = card.measured?.[name];
    const isOfBtc = ofBtc.has(card.symbol);
    // A horizon that the service lacks has no state.
    if (one?.state === undefined) {
      states.without += 1;
      if (card.isBought && card.measured === undefined) lose(card);
    } else if (isMeasured(one)) {
      measured.push(card);
      if (isOfBtc && one.btc !== null) states.ofBtc += 1;
      if (!isOfBtc && one.btc === null) missingDifferences.push(valueOfCard(card, Number.NaN));
    } else if (one.state === 'pending') states.pending += 1;
    else {
      states[one.state === 'available' || one.state === 'missing' ? 'missing' : 'other'] += 1;
      lose(card);
    }
  }
  const size = measured.length;
  const series = lazily({
    moves: () => seriesOf(moveValues(measured, name), missingMoves, name, whole?.moves),
    differences: () => seriesOf(differences, missingDifferences, name, whole?.differences),
  });
  return lazily({
    size: () => size,
    states: () => states,
    missingShare: () => missingMoves.length / (size + missingMoves.length),
    missingDifferences: () => missingDifferences,
    series: () => series,
    medianSize: () => medianOf(series.moves.values.map(({ value }) => Math.abs(value))),
    shareAbove: () => shareAbove(differences, name, LEVEL, whole?.differences),
  });
}

/** The moves of those cards that are measured, percent. */
export function moveValues(cards: readonly Row[], horizon: HorizonName): Difference[] {
  return movesOf(cards, horizon).map(({ card, move }) => valueOfCard(card, move));
}

export interface Series {
  readonly values: readonly Difference[];
  readonly median: ClusteredMedian;
  readonly estimate: Estimate;
}

export function seriesOf(
  values: readonly Difference[],
  missing: readonly Difference[],
  horizon: HorizonName,
  whole = 1,
): Series {
  const median = clusteredMedian(values, horizon, whole);
  const bounds =
    missing.length === 0
      ? undefined
      : boundsWithMissing(columnsOf([...values, ...missing]), median.sorted, horizon, whole);
  return { values, median, estimate: estimateOf(median, bounds) };
}

/** What came after a verdict. @param since epoch milliseconds UTC */
export function sinceThenOf({ values }: Series, since: number, horizon: HorizonName): SinceThen {
  const after = values.filter(({ card }) => card.at >= since);
  const median = clusteredMedian(after, horizon);
  return sinceThen(after.length, median.median, medianInterval(median, LEVEL));
}

export function sinceThen(cards: number, difference: number, interval: Interval | null): SinceThen {
  if (cards === 0) return null;
  return { cards, difference_percentage_points: cleanOrNull(difference), interval_95: interval };
}
