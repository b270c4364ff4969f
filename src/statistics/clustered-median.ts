/**
 * Inference on a median of values in clusters: cards of one day share a market, those of one symbol its fate.
 *
 * Woodruff (1952), Francisco & Fuller (1991): with V the variance of the share of values below the median, the interval
 * takes the values at the shares 1/2 ± t √V. V = Σ_c S² / (1 − w_c) / n², S a cluster's sum of scores sign(m − x)/2, w
 * its share of all; degrees of freedom by Bell & McCaffrey (2002). Both ways: Cameron, Gelbach & Miller (2011).
 */

import { bisectLeft, bisectRight } from 'd3-array';
import { oncePerKey } from '../base/collections.ts';
import {
  type BlockLengths,
  blockDays,
  type Clustered,
  type Clusters,
  type Columns,
  columnsOf,
  degreesOfFreedom,
  isKnown,
  sharesOf,
  sumsBy,
  varianceOver,
} from './clusters.ts';
import { type Estimate, LEVEL } from './estimate.ts';
import { type Interval, quantile, type Sorted } from './quantile.ts';
import { twoSidedQuantile, twoSidedTail } from './student-t.ts';

/** Clusters; of 5, even the whole range misses the median with a chance of 2 · (1/2)^5. */
export const LEAST_CLUSTERS = 6;

/** Clusters below which an interval is called weak. */
export const FEW_CLUSTERS = 12;

/** Symbols below which the variance over symbols would double the widths. */
export const LEAST_SYMBOLS = 8;

/** How far scores spread, and over what. */
interface Spread {
  /** UTC days that have values, and those that count as one block. */
  readonly days: number;
  readonly clusterDays: number;
  readonly clusters: number;
  readonly symbols: number;
  /** Of the mean of all scores; infinite below 2 clusters. */
  readonly variance: number;
  readonly degreesOfFreedom: number;
}

interface ScoredSample extends Spread {
  /** The values. */
  readonly sorted: Sorted;
}

export interface ClusteredMedian extends ScoredSample, Estimate {}

/**
 * The median of the values that are known, with its interval wherever the missing ones lie.
 * @param lengths of the blocks of days
 * @param whole UTC days of a block, found over all cards: a group is too small to tell
 */
export function clusteredMedian(
  cards: readonly Clustered[],
  lengths: BlockLengths,
  whole = 1,
): ClusteredMedian {
  const known = cards.filter(isKnown);
  const columns = columnsOf(known);
  const sample = sampleOf(columns, columns.values.toSorted(), lengths, whole);
  const first = columns.days[0] ?? 0;
  const last = columns.days.at(-1) ?? -1;
  const isEnough = sample.clusters >= LEAST_CLUSTERS;
  return {
    ...sample,
    value: quantile(sample.sorted, 0.5),
    size: known.length,
    span: last - first + 1,
    p: isEnough ? pOfZero(sample) : null,
    interval: (level: number) =>
      isEnough
        ? valuesWithin(sample, twoSidedQuantile(level, sample.degreesOfFreedom), level)
        : null,
    bounds:
      known.length === cards.length
        ? undefined
        : boundsWithMissing(cards, sample.sorted, lengths, whole),
  };
}

/** @param missing what stands for NaN among the values */
function sampleOf(
  columns: Columns,
  sorted: Sorted,
  lengths: BlockLengths,
  whole: number,
  missing = 0,
): ScoredSample {
  const median = quantile(sorted, 0.5);
  const scores = columns.values.map((given) => {
    const value = Number.isNaN(given) ? missing : given;
    return value < median ? 0.5 : value > median ? -0.5 : 0;
  });
  return { ...spreadOf(columns, scores, 0.25, lengths, whole), sorted };
}

/** @param ofOne the least variance of a single score */
function spreadOf(
  columns: Columns,
  scores: Float64Array,
  ofOne: number,
  lengths: BlockLengths,
  whole: number,
): Spread {
  const { days, clusterDays } = blockDays(
    columns,
    lengths,
    (short) => sumsBy(short, scores),
    whole,
  );
  const { symbols } = columns;
  const blocks = columns.blocks(clusterDays);
  const known = { days, clusterDays, clusters: blocks.sizes.length, symbols: symbols.sizes.length };
  if (known.clusters < 2)
    return { ...known, variance: Number.POSITIVE_INFINITY, degreesOfFreedom: 1 };
  const ofDays = varianceOf(blocks, scores);
  let variance = Math.max(ofDays, ofOne / scores.length);
  let df = degreesOfFreedom(sharesOf(blocks));
  if (known.symbols >= LEAST_SYMBOLS) {
    const twoWays =
      ofDays + varianceOf(symbols, scores) - varianceOf(columns.cells(clusterDays), scores);
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

/** The share of values above zero, ties left out. */
export interface ShareAbove {
  /** NaN of no values. */
  readonly share: number;
  /** 95 %; null below 6 clusters, or for a share of 0 or 1. */
  readonly interval: Interval | null;
}

/** @param lengths of the blocks of days @param whole see `clusteredMedian` */
export function shareAbove(
  cards: readonly Clustered[],
  lengths: BlockLengths,
  whole = 1,
): ShareAbove {
  const columns = columnsOf(cards.filter(({ value }) => Math.abs(value) > 0));
  const isAbove = columns.values.map((value) => Number(value > 0));
  const share = isAbove.reduce((sum, one) => sum + one, 0) / isAbove.length;
  const ofOne = share * (1 - share);
  const scores = isAbove.map((one) => one - share);
  const {
    clusters,
    variance,
    degreesOfFreedom: df,
  } = spreadOf(columns, scores, ofOne, lengths, whole);
  if (clusters < LEAST_CLUSTERS || ofOne === 0) return { share, interval: null };
  const half = twoSidedQuantile(LEVEL, df) * Math.sqrt(variance);
  return { share, interval: { low: Math.max(0, share - half), high: Math.min(1, share + half) } };
}

function valuesWithin(
  { sorted, variance, clusters }: ScoredSample,
  t: number,
  level: number,
): Interval | null {
  // Rank from 1; the other end lies as far from the other side.
  let rank = Math.ceil(sorted.length * (0.5 - t * Math.sqrt(variance)));
  if (rank < 1) {
    if (signTail(clusters) > level) return null;
    rank = 1;
  }
  return { low: sorted[rank - 1] ?? Number.NaN, high: sorted[sorted.length - rank] ?? Number.NaN };
}

/**
 * Interval of the median wherever the missing values lie (Manski 2003); a smaller t if many do (Imbens & Manski 2004).
 * Worked out when it is asked for, because most verdicts need none.
 * @param known the values that are not missing
 */
function boundsWithMissing(
  cards: readonly Clustered[],
  known: Sorted,
  lengths: BlockLengths,
  whole: number,
): NonNullable<Estimate['bounds']> {
  const missing = cards.length - known.length;
  let columns: Columns | undefined;
  const sampleWithAll = oncePerKey((end: number) => {
    columns ??= columnsOf(cards);
    const sorted = new Float64Array(cards.length).fill(end);
    sorted.set(known, end < 0 ? missing : 0);
    return sampleOf(columns, sorted, lengths, whole, end);
  });
  const lowest = Number.NEGATIVE_INFINITY;
  const highest = Number.POSITIVE_INFINITY;
  const endOf = (name: keyof Interval, sample: ScoredSample, level: number) => {
    const width = missing / cards.length / Math.sqrt(sample.variance);
    const t = quantileWithMissing(width, sample.degreesOfFreedom, level);
    const value = valuesWithin(sample, t, level)?.[name];
    return value !== undefined && Number.isFinite(value) ? value : null;
  };
  return (level) => {
    if (sampleWithAll(lowest).clusters < LEAST_CLUSTERS) return null;
    return {
      low: endOf('low', sampleWithAll(lowest), level),
      high: endOf('high', sampleWithAll(highest), level),
    };
  };
}

/** How far apart both ends may lie when t is found, relative to t: no rank of a value depends on less. */
const NARROW = 1e-12;

/** @param width of all that the missing values could make the estimate, in standard errors */
export function quantileWithMissing(width: number, df: number, level: number): number {
  let low = twoSidedQuantile(2 * level, df);
  let high = twoSidedQuantile(level, df);
  while (high - low > NARROW * high) {
    const t = (low + high) / 2;
    if (twoSidedTail(t, df) + twoSidedTail(t + width, df) > 2 * level) low = t;
    else high = t;
  }
  return high;
}

/** Two-sided p of the median being 0, by the statistic of the interval. */
function pOfZero({ sorted, variance, degreesOfFreedom, clusters }: ScoredSample): number {
  const below = bisectLeft(sorted, 0);
  const above = sorted.length - bisectRight(sorted, 0);
  const distance = Math.max(0, below / sorted.length - 0.5, above / sorted.length - 0.5);
  const p = twoSidedTail(distance / Math.sqrt(variance), degreesOfFreedom);
  return distance === 0.5 ? Math.min(p, signTail(clusters)) : p;
}

/** Chance that all clusters lie on one side of the median. */
function signTail(clusters: number): number {
  return 2 ** (1 - clusters);
}
