import type { HorizonName } from '../api/contract/horizons.ts';
import { type ClusteredMedian, clusteredMedian, shareAbove } from '../statistics/clustered-median.ts';
import { type Estimate, LEVEL } from '../statistics/estimate.ts';
import { cleanOrNull } from '../statistics/quantile.ts';
import { type Difference, differenceOf, moveOf, valuesOf } from './differences.ts';
import { lazily, type SinceThen } from './figure.ts';
import { type Row, stateOf } from './row.ts';

/**
 * @param ofBtc the symbols that are BTC itself (`symbolsOfBtc`): left out of every difference to BTC
 * @param differences of these rows, lost ones, too
 * @param whole the sample of all groups, whose clusters are long enough; undefined if it is this one
 */
export function sampleOf(
  rows: readonly Row[],
  horizon: HorizonName,
  ofBtc: ReadonlySet<string>,
  differences: readonly Difference[],
  whole?: Readonly<Record<'moves' | 'differences', ClusteredMedian>>,
) {
  return lazily({
    states: () => countStates(rows, horizon, ofBtc),
    moves: () => clusteredMedian(valuesOf(rows, horizon, moveOf), horizon, whole?.moves.clusterDays),
    differences: () => clusteredMedian(differences, horizon, whole?.differences.clusterDays),
    shareAbove: () => shareAbove(differences, horizon, whole?.differences.clusterDays),
  });
}

function countStates(rows: readonly Row[], horizon: HorizonName, ofBtc: ReadonlySet<string>) {
  const counts = { measured: 0, pending: 0, missing: 0, other: 0, without: 0, lost: 0, ofBtc: 0 };
  for (const card of rows) {
    counts[stateOf(card.measured?.[horizon])] += 1;
    if (Number.isNaN(moveOf(card, horizon))) counts.lost += 1;
    if (ofBtc.has(card.symbol) && differenceOf(card, horizon) === 0) counts.ofBtc += 1;
  }
  return counts;
}

/** What came after a verdict. */
export function sinceThenOf({ size, value, interval }: Estimate): SinceThen {
  if (size === 0) return null;
  return { cards: size, difference_percentage_points: cleanOrNull(value), interval_95: interval(LEVEL) };
}
