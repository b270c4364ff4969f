import { type HorizonName, horizonOf } from '../api/contract/horizons.ts';
import { boundsWithMissing, type ClusteredMedian, medianInterval, medianOfColumns } from './clustered-median.ts';
import { columnsOf, untilDay } from './clusters.ts';
import { clean, type Difference } from './differences.ts';
import type { SinceThen } from './figure.ts';
import { LEVEL } from './holm.ts';
import { lastSettledDay } from './past.ts';
import { sortedWithout } from './quantile.ts';
import { type Estimate, estimateOf } from './verdict.ts';

export interface Series {
  readonly values: readonly Difference[];
  readonly median: ClusteredMedian;
  /** As settled at a time, epoch milliseconds UTC; undefined: now. */
  readonly estimateAt: (time: number | undefined) => Estimate;
}

export function seriesOf(
  values: readonly Difference[],
  missing: readonly Difference[],
  horizon: HorizonName,
  whole = 1,
): Series {
  const columns = columnsOf(values);
  const withMissing = missing.length === 0 ? undefined : columnsOf([...values, ...missing]);
  const estimate = (sample: ClusteredMedian, last: number) =>
    estimateOf(sample, withMissing && boundsWithMissing(untilDay(withMissing, last), sample.sorted, horizon, whole));
  const median = medianOfColumns(columns, horizon, whole);
  const now = estimate(median, Number.POSITIVE_INFINITY);
  const estimateAt = (time: number | undefined) => {
    if (time === undefined) return now;
    const last = lastSettledDay(time, horizonOf(horizon).millis);
    const then = untilDay(columns, last);
    const sorted = sortedWithout(median.sorted, columns.values.subarray(then.values.length));
    return estimate(medianOfColumns(then, horizon, whole, sorted), last);
  };
  return { values, median, estimateAt };
}

/** What came after a verdict. @param since epoch milliseconds UTC */
export function sinceThenOf({ values }: Series, since: number, horizon: HorizonName): SinceThen {
  const after = values.filter(({ card }) => card.at >= since);
  if (after.length === 0) return null;
  const median = medianOfColumns(columnsOf(after), horizon);
  return {
    cards: after.length,
    difference_percentage_points: clean(median.median),
    interval_95: medianInterval(median, LEVEL),
  };
}
