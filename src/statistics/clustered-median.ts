/**
 * Inference on a median of values in clusters: cards of one day share a market, those of one symbol its fate.
 *
 * Woodruff (1952), Francisco & Fuller (1991): with V the variance of the share of values below the median, the interval
 * takes the values at the shares 1/2 ± t √V. V = Σ_c S² / (1 − w_c) / n², S a cluster's sum of scores sign(m − x)/2, w
 * its share of all; degrees of freedom by Bell & McCaffrey (2002). Both ways: Cameron, Gelbach & Miller (2011).
 */
import { bisectLeft, bisectRight } from 'd3-array';
import type { HorizonName } from '../api/contract/horizons.ts';
import {
  blockDays,
  type Clustered,
  type Clusters,
  type Columns,
  columnsOf,
  degreesOfFreedom,
  sharesOf,
  sumsBy,
  varianceOver,
} from './clusters.ts';
import { type Interval, quantile, type Sorted } from './quantile.ts';
import { twoSidedQuantile, twoSidedTail } from './student-t.ts';

/** Clusters; of 5, even the whole range misses the median with a chance of 2 · (1/2)^5. */
export const LEAST_CLUSTERS = 6;

/** Clusters below which an interval is called weak. */
export const FEW_CLUSTERS = 12;

/** Symbols below which the variance over symbols would double the widths. */
export const LEAST_SYMBOLS = 8;

interface Spread {
  /** UTC days with a value, and those of a cluster. */
  readonly days: number;
  readonly clusterDays: number;
  readonly clusters: number;
  /** Of the mean of all scores; infinite below 2 clusters. */
  readonly variance: number;
  readonly degreesOfFreedom: number;
}

export interface ClusteredMedian extends Spread {
  readonly sorted: Sorted;
  /** NaN for no values. */
  readonly median: number;
  /** Calendar days. */
  readonly span: number;
  readonly symbols: number;
}

/** @param missing the value that stands for NaN */
function scoresOf(values: Float64Array, median: number, missing = 0): Float64Array {
  const scores = new Float64Array(values.length);
  for (let i = 0; i < scores.length; i += 1) {
    const given = values[i] ?? 0;
    const value = Number.isNaN(given) ? missing : given;
    scores[i] = value < median ? 0.5 : value > median ? -0.5 : 0;
  }
  return scores;
}

/** @param whole UTC days of a cluster, found over all cards: a group is too small to tell */
export function clusteredMedian(cards: readonly Clustered[], horizon: HorizonName, whole = 1): ClusteredMedian {
  return medianOfColumns(columnsOf(cards), horizon, whole);
}

function medianOfColumns(
  columns: Columns,
  horizon: HorizonName,
  whole = 1,
  sorted: Sorted = columns.values.toSorted(),
  missing?: number,
): ClusteredMedian {
  const median = quantile(sorted, 0.5);
  const spread = spreadOf(columns, scoresOf(columns.values, median, missing), 0.25, horizon, whole);
  const [first = 0, last = -1] = [columns.days[0], columns.days.at(-1)];
  return { ...spread, sorted, median, span: last - first + 1, symbols: columns.symbols.sizes.length };
}

/** UTC days of a cluster of these cards. */
export function clusterDaysOf(cards: readonly Clustered[], horizon: HorizonName): number {
  const columns = columnsOf(cards);
  const scores = scoresOf(columns.values, quantile(columns.values.toSorted(), 0.5));
  return blockDays(columns, horizon, (short) => sumsBy(short, scores)).clusterDays;
}

function spreadOf(columns: Columns, scores: Float64Array, ofOne: number, horizon: HorizonName, whole: number): Spread {
  const { days, clusterDays } = blockDays(columns, horizon, (short) => sumsBy(short, scores), whole);
  const [blocks, { symbols }] = [columns.blocks(clusterDays), columns];
  const known = { days, clusterDays, clusters: blocks.sizes.length };
  if (known.clusters < 2) return { ...known, variance: Number.POSITIVE_INFINITY, degreesOfFreedom: 1 };
  const ofDays = varianceOf(blocks, scores);
  let variance = Math.max(ofDays, ofOne / scores.length);
  let df = degreesOfFreedom(sharesOf(blocks));
  if (symbols.sizes.length >= LEAST_SYMBOLS) {
    const twoWays = ofDays + varianceOf(symbols, scores) - varianceOf(columns.cells(clusterDays), scores);
    if (twoWays > variance) {
      variance = twoWays;
      df = Math.min(df, degreesOfFreedom(sharesOf(symbols)));
    }
  }
  return { ...known, variance, degreesOfFreedom: df };
}

function varianceOf(clusters: Clusters, scores: Float64Array): number {
  return varianceOver(sumsBy(clusters, scores), sharesOf(clusters)) / scores.length ** 2;
}

/** Share of values above zero, ties left out; NaN for none. @returns interval null below 6 clusters, or for 0 or 1 */
export function shareAbove(
  cards: readonly Clustered[],
  horizon: HorizonName,
  level: number,
  whole = 1,
): { readonly share: number; readonly interval: Interval | null } {
  const columns = columnsOf(cards.filter(({ value }) => value !== 0));
  const { values } = columns;
  const share = (values.length - bisectRight(values.toSorted(), 0)) / values.length;
  const ofOne = share * (1 - share);
  const scores = new Float64Array(values.length);
  for (let i = 0; i < scores.length; i += 1) scores[i] = Number((values[i] ?? 0) > 0) - share;
  const { clusters, variance, degreesOfFreedom: df } = spreadOf(columns, scores, ofOne, horizon, whole);
  if (clusters < LEAST_CLUSTERS || ofOne === 0) return { share, interval: null };
  const half = twoSidedQuantile(level, df) * Math.sqrt(variance);
  return { share, interval: { low: Math.max(0, share - half), high: Math.min(1, share + half) } };
}

/** Null below 6 clusters, or if the data bound it on neither side. @param level 0.05 for a 95 % interval */
export function medianInterval(sample: ClusteredMedian, level: number): Interval | null {
  if (sample.clusters < LEAST_CLUSTERS) return null;
  return valuesWithin(sample, twoSidedQuantile(level, sample.degreesOfFreedom), level);
}

function valuesWithin({ sorted, variance, clusters }: ClusteredMedian, t: number, level: number): Interval | null {
  // Rank from 1; the other end lies as far from the other side.
  let rank = Math.ceil(sorted.length * (0.5 - t * Math.sqrt(variance)));
  if (rank < 1) {
    if (signTail(clusters) > level) return null;
    rank = 1;
  }
  return { low: sorted[rank - 1] ?? Number.NaN, high: sorted[sorted.length - rank] ?? Number.NaN };
}

export interface MissingBounds {
  readonly low: number | null;
  readonly high: number | null;
}

/**
 * Interval of the median wherever the missing values lie (Manski 2003); a smaller t if many do (Imbens & Manski 2004).
 * @param columns NaN stands for a missing value
 * @param known the other values, smallest first
 * @returns by level; null below 6 clusters; an end is null if nothing bounds it
 */
export function boundsWithMissing(
  columns: Columns,
  known: Sorted,
  horizon: HorizonName,
  whole = 1,
): (level: number) => MissingBounds | null {
  const { length } = columns.values;
  const missing = length - known.length;
  const withMissingAt = (end: number) => {
    const sorted = new Float64Array(length).fill(end);
    sorted.set(known, end < 0 ? missing : 0);
    return medianOfColumns(columns, horizon, whole, sorted, end);
  };
  // The bounds are lazy, because most verdicts need none.
  let ends: { readonly low: ClusteredMedian; readonly high: ClusteredMedian } | undefined;
  const share = missing / length;
  return (level) => {
    ends ??= { low: withMissingAt(Number.NEGATIVE_INFINITY), high: withMissingAt(Number.POSITIVE_INFINITY) };
    const { low, high } = ends;
    if (low.clusters < LEAST_CLUSTERS) return null;
    const end = (sample: ClusteredMedian, name: keyof Interval) => {
      const t = quantileWithMissing(share / Math.sqrt(sample.variance), sample.degreesOfFreedom, level);
      const value = valuesWithin(sample, t, level)?.[name];
      return value !== undefined && Number.isFinite(value) ? value : null;
    };
    return { low: end(low, 'low'), high: end(high, 'high') };
  };
}

/** @param width of all that the missing values could make the estimate, in standard errors */
export function quantileWithMissing(width: number, df: number, level: number): number {
  let low = twoSidedQuantile(2 * level, df);
  let high = twoSidedQuantile(level, df);
  for (let step = 0; step < 60; step += 1) {
    const t = (low + high) / 2;
    if (twoSidedTail(t, df) + twoSidedTail(t + width, df) > 2 * level) low = t;
    else high = t;
  }
  return high;
}

/** Two-sided p of the median being `value`, by the statistic of `medianInterval`. @returns null below 6 clusters */
export function pValue(sample: ClusteredMedian, value: number): number | null {
  const { sorted, variance, degreesOfFreedom, clusters } = sample;
  if (clusters < LEAST_CLUSTERS) return null;
  const below = bisectLeft(sorted, value);
  const above = sorted.length - bisectRight(sorted, value);
  const distance = Math.max(0, below / sorted.length - 0.5, above / sorted.length - 0.5);
  const p = twoSidedTail(distance / Math.sqrt(variance), degreesOfFreedom);
  return distance === 0.5 ? Math.min(p, signTail(clusters)) : p;
}

/** Chance that all clusters lie on one side of the median. */
function signTail(clusters: number): number {
  return 2 ** (1 - clusters);
}
