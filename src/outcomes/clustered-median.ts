/**
 * Inference on a median when values come in clusters: signals of one day share one market.
 *
 * Woodruff (1952) and Francisco & Fuller (1991): the share of values below the median has a variance V that clusters
 * make larger; the interval takes the values at the shares 1/2 ± t √V. V is the sum over clusters of
 * (Σ (1[x ≤ m] − 1/2))² / (1 − w) / n², with w the cluster's share of all values; t has the degrees of freedom of Bell &
 * McCaffrey (2002). With clusters of one size this is the textbook formula: a factor D/(D−1), and D−1 degrees of
 * freedom. With uneven ones that formula is too sure (it covered 77 to 92 % where it said 95 %; this one 93 to 97 %),
 * because a median follows the largest cluster and so hides what that one contributes.
 */
import { degreesOfFreedom } from './clusters.ts';
import { quantile, type Sorted, sortedOf } from './quantile.ts';
import { twoSidedQuantile, twoSidedTail } from './student-t.ts';
import type { Interval } from './types.ts';

/**
 * With fewer clusters there is no interval: even from the smallest value to the largest it would leave out the median
 * with a chance of 2 · (1/2)^5 = 6 %.
 */
export const LEAST_CLUSTERS = 6;

/** With fewer clusters an interval is called weak. */
export const FEW_CLUSTERS = 12;

export interface ClusteredMedian {
  readonly sorted: Sorted;
  /** NaN for no values. */
  readonly median: number;
  readonly clusters: number;
  /** Of the share of values below the median: at least that of independent values. Infinite below 2 clusters. */
  readonly variance: number;
  readonly degreesOfFreedom: number;
  /** How many independent values would say as much; null below 2 clusters. */
  readonly effectiveSample: number | null;
}

/**
 * @param days of each value, the UTC day counted from 1970-01-01
 * @param clusterDays how many days make a cluster
 */
export function clusteredMedian(
  values: readonly number[],
  days: readonly number[],
  clusterDays: number,
): ClusteredMedian {
  const sorted = sortedOf(values);
  const median = quantile(sorted, 0.5);
  const sums = new Map<number, { size: number; score: number }>();
  for (let i = 0; i < values.length; i += 1) {
    const cluster = Math.floor((days[i] ?? 0) / clusterDays);
    let sum = sums.get(cluster);
    if (sum === undefined) {
      sum = { size: 0, score: 0 };
      sums.set(cluster, sum);
    }
    sum.size += 1;
    sum.score += (values[i] ?? 0) <= median ? 0.5 : -0.5;
  }
  if (sums.size < 2) {
    return {
      sorted,
      median,
      clusters: sums.size,
      variance: Number.POSITIVE_INFINITY,
      degreesOfFreedom: 1,
      effectiveSample: null,
    };
  }
  const size = values.length;
  let variance = 0;
  for (const { size: ofCluster, score } of sums.values()) variance += score ** 2 / (1 - ofCluster / size);
  const atLeast = Math.max(variance / size ** 2, 0.25 / size);
  return {
    sorted,
    median,
    clusters: sums.size,
    variance: atLeast,
    degreesOfFreedom: degreesOfFreedom([...sums.values()].map((one) => one.size / size)),
    effectiveSample: 0.25 / atLeast,
  };
}

/**
 * The values that a test of `pValue` does not refuse as the median, at the level given.
 * @param level 0.05 for a 95 % interval
 * @returns null below 6 clusters, and where the data bound it on neither side
 */
export function medianInterval(sample: ClusteredMedian, level: number): Interval | null {
  const { sorted, variance, degreesOfFreedom, clusters } = sample;
  if (clusters < LEAST_CLUSTERS) return null;
  const half = twoSidedQuantile(level, degreesOfFreedom) * Math.sqrt(variance);
  // The rank below which too few values lie, counted from 1; the other end lies as far from the other side.
  let rank = Math.ceil(sorted.length * (0.5 - half));
  if (rank < 1) {
    if (signTail(clusters) > level) return null;
    rank = 1;
  }
  return { low: sorted[rank - 1] ?? Number.NaN, high: sorted[sorted.length - rank] ?? Number.NaN };
}

/**
 * Two-sided p of the median being `value`, from the same statistic as the interval: at most `level` exactly where
 * `medianInterval` leaves the value out.
 * @returns null below 6 clusters
 */
export function pValue(sample: ClusteredMedian, value: number): number | null {
  const { sorted, variance, degreesOfFreedom, clusters } = sample;
  if (clusters < LEAST_CLUSTERS) return null;
  let below = 0;
  let above = 0;
  // Values that equal it speak neither way.
  for (const one of sorted) {
    if (one < value) below += 1;
    else if (one > value) above += 1;
  }
  const distance = Math.max(0, below / sorted.length - 0.5, above / sorted.length - 0.5);
  const p = twoSidedTail(distance / Math.sqrt(variance), degreesOfFreedom);
  return distance === 0.5 ? Math.min(p, signTail(clusters)) : p;
}

/** The chance that all clusters lie on one side of the median, if they are independent of each other. */
function signTail(clusters: number): number {
  return 2 ** (1 - clusters);
}
