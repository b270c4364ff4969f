import { type HorizonName, horizonOf } from '../api/contract/horizons.ts';
import { boundsWithMissing, type ClusteredMedian, medianInterval, medianOfColumns } from './clustered-median.ts';
import { type Clustered, columnsOf, untilDay } from './clusters.ts';
import { clean, type Difference } from './differences.ts';
import type { SinceThen } from './figure.ts';
import { LEVEL } from './holm.ts';
import { lastSettledDay } from './past.ts';
import { type Estimate, estimateOf } from './verdict.ts';

export interface Series {
  readonly differences: readonly Difference[];
  readonly missing: readonly Clustered[];
  readonly median: ClusteredMedian;
  /** As settled at a time, epoch milliseconds UTC; undefined: now. */
  readonly estimateAt: (time: number | undefined) => Estimate;
}

export function seriesOf(
  differences: readonly Difference[],
  missing: readonly Clustered[],
  horizon: HorizonName,
  whole = 1,
): Series {
  const columns = columnsOf(differences);
  const { millis } = horizonOf(horizon);
  const median = medianOfColumns(columns, horizon, whole);
  const withMissing = missing.length === 0 ? undefined : columnsOf([...differences, ...missing]);
  const estimate = (sample: ClusteredMedian, last: number) =>
    estimateOf(sample, withMissing && boundsWithMissing(untilDay(withMissing, last), sample.sorted, horizon, whole));
  const now = estimate(median, Number.POSITIVE_INFINITY);
  const estimateAt = (time: number | undefined) => {
    if (time === undefined) return now;
    const last = lastSettledDay(time, millis);
    return estimate(medianOfColumns(untilDay(columns, last), horizon, whole), last);
  };
  return { differences, missing, median, estimateAt };
}

/** What came after a verdict. @param since epoch milliseconds UTC */
export function sinceThenOf({ differences }: Series, since: number, horizon: HorizonName): SinceThen {
  const after = differences.filter(({ card }) => card.at >= since);
  if (after.length === 0) return null;
  const median = medianOfColumns(columnsOf(after), horizon);
  return {
    cards: after.length,
    difference_percentage_points: clean(median.median),
    interval_95: medianInterval(median, LEVEL),
  };
}
