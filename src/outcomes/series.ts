/** What a group is compared by, one value a card, and what was known of it at a time. */
import { type HorizonName, horizonOf } from '../api/contract/horizons.ts';
import { intervalWithMissing, medianInterval, medianOfColumns } from './clustered-median.ts';
import { type Clustered, columnsOf, untilDay } from './clusters.ts';
import { clean, type Difference } from './differences.ts';
import { LEVEL } from './holm.ts';
import { lastSettledDay } from './past.ts';
import type { Interval } from './types.ts';
import { type Estimate, estimateOf } from './verdict.ts';

export interface Series {
  readonly differences: readonly Difference[];
  /** Cards whose outcome is missing; their values are not looked at. */
  readonly missing: readonly Clustered[];
  /** The estimate of what had settled at a time, epoch milliseconds UTC; undefined: of all there is. */
  readonly estimateAt: (time: number | undefined) => Estimate;
}

/** @param whole as of `clusteredMedian` */
export function seriesOf(
  differences: readonly Difference[],
  missing: readonly Clustered[],
  horizon: HorizonName,
  whole = 1,
): Series {
  const columns = columnsOf(differences);
  const { millis } = horizonOf(horizon);
  const estimateAt = (time: number | undefined) => {
    const last = time === undefined ? Number.POSITIVE_INFINITY : lastSettledDay(time, millis);
    const median = medianOfColumns(time === undefined ? columns : untilDay(columns, last), horizon, whole);
    if (missing.length === 0) return estimateOf(median);
    const until = <C extends Clustered>(all: readonly C[]) => all.filter(({ day }) => day <= last);
    return estimateOf(median, (level) =>
      intervalWithMissing(until(differences), until(missing), horizon, level, whole),
    );
  };
  return { differences, missing, estimateAt };
}

/** What came after a verdict, on the cards created since alone: a figure that no selection has touched. */
export interface SinceThen {
  readonly cards: number;
  readonly difference_percentage_points: number | null;
  readonly interval_95: Interval | null;
}

/** @param since epoch milliseconds UTC */
export function sinceThen({ differences }: Series, since: number, horizon: HorizonName): SinceThen | null {
  const after = differences.filter(({ card }) => card.at >= since);
  if (after.length === 0) return null;
  const median = medianOfColumns(columnsOf(after), horizon);
  return {
    cards: after.length,
    difference_percentage_points: clean(median.median),
    interval_95: medianInterval(median, LEVEL),
  };
}
