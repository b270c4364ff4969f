/**
 * How exact a median of cards is, though cards depend on each other: cards of one day share the moves of the market, cards of
 * one symbol what happens to it.
 *
 * The interval (Woodruff 1952, Francisco & Fuller 1991) takes the sorted values at the shares 1/2 − t √V and 1/2 + t √V. Of
 * 100 values, with √V = 0.06 and t = 2.2, these are the shares 0.368 and 0.632, or the 37th and the 64th value. V is the
 * variance of the share of values that lie below the median m:
 *
 *     V = Σ_c S_c² / (1 − w_c) / n²
 *
 * n: the number of values. c: a cluster, which is a block of days, or a symbol. w_c: the cluster's share of all values. S_c:
 * the sum of the cluster's scores, where the score of a value x is sign(m − x) / 2. t: Student's quantile, with the degrees of
 * freedom of Bell & McCaffrey (2002).
 *
 * For days and symbols together, V is V(days) + V(symbols) − V(cells), where a cell has the values of one symbol in one block
 * of days. V(cells) is contained in both other parts, and counts once (Cameron, Gelbach & Miller 2011).
 */

import { bisectLeft, bisectRight, sum } from 'd3-array';
import { once, oncePerKey } from '../base/collections.ts';
import {
  type BlockLengths,
  blockDays,
  type Clustered,
  type Clusters,
  type Columns,
  clusterShares,
  columnsOf,
  degreesOfFreedom,
  isKnown,
  spanOf,
  sumsBy,
  varianceOver,
} from './clusters.ts';
import { type Estimate, LEVEL } from './estimate.ts';
import { type Interval, quantile, type Sorted } from './quantile.ts';
import { twoSidedQuantile, twoSidedTail } from './student-t.ts';

/** Fewer clusters give no interval: with 5, even the whole range misses the median in 1 of 16 cases, more than 5 %. */
export const LEAST_CLUSTERS = 6;

/** With fewer symbols the variance over symbols is left out: it would make intervals twice as wide. */
export const LEAST_SYMBOLS = 8;

/** How exact the mean of some scores is, and the counts that it rests on. */
interface MeanOfScores {
  /** UTC days that have values. */
  readonly days: number;
  /** UTC days of a block. */
  readonly clusterDays: number;
  /** Blocks of days that have values. */
  readonly clusters: number;
  readonly symbols: number;
  /** The variance of the mean of all scores; infinite with fewer than 2 clusters. */
  readonly variance: number;
  readonly degreesOfFreedom: number;
}

/** Values in order, and how exact their median is. */
interface ScoredSample extends MeanOfScores {
  readonly sorted: Sorted;
}

export interface ClusteredMedian extends ScoredSample, Estimate {}

/**
 * The median of the known values, with its interval. `bounds` is an interval that holds whatever the missing values are.
 * @param lengths the usual lengths of blocks
 * @param leastBlockDays blocks are at least this long, UTC days. It is the length that the cards of all groups gave: one group
 *   alone has too few cards to show whether its days go together.
 */
export function clusteredMedian(
  cards: readonly Clustered[],
  lengths: BlockLengths,
  leastBlockDays = 1,
): ClusteredMedian {
  const known = cards.filter(isKnown);
  const columns = columnsOf(known);
  const sample = scoredSampleOf(columns, columns.values.toSorted(), lengths, leastBlockDays);
  const isEnough = sample.clusters >= LEAST_CLUSTERS;
  return {
    ...sample,
    value: quantile(sample.sorted, 0.5),
    size: known.length,
    span: spanOf(columns),
    p: isEnough ? pOfZero(sample) : null,
    interval: oncePerKey((level: number) =>
      isEnough
        ? valuesWithin(sample, twoSidedQuantile(level, sample.degreesOfFreedom), level)
        : null,
    ),
    bounds:
      known.length === cards.length
        ? undefined
        : boundsWithMissing(cards, sample.sorted, lengths, leastBlockDays),
  };
}

/** The variance of a score that is 1/2 or −1/2 with equal chances: (1/2)². */
const VARIANCE_OF_SIGN = 0.25;

/**
 * @param sorted the values of `columns` in order, with `valueOfMissing` for each missing one
 * @param valueOfMissing the value that each missing one is taken to have
 */
function scoredSampleOf(
  columns: Columns,
  sorted: Sorted,
  lengths: BlockLengths,
  leastBlockDays: number,
  valueOfMissing = 0,
): ScoredSample {
  const median = quantile(sorted, 0.5);
  const scores = columns.values.map((value) =>
    scoreOf(Number.isNaN(value) ? valueOfMissing : value, median),
  );
  return { ...meanOfScores(columns, scores, VARIANCE_OF_SIGN, lengths, leastBlockDays), sorted };
}

/** sign(m − x) / 2. */
function scoreOf(value: number, median: number): number {
  if (value < median) return 0.5;
  return value > median ? -0.5 : 0;
}

/**
 * @param scores of the values of `columns`, in the same order
 * @param scoreVariance the variance of one score. The result is never less than `scoreVariance` / n, as for independent scores.
 */
function meanOfScores(
  columns: Columns,
  scores: Float64Array,
  scoreVariance: number,
  lengths: BlockLengths,
  leastBlockDays: number,
): MeanOfScores {
  const { days, clusterDays } = blockDays(
    columns,
    lengths,
    (shortBlocks) => sumsBy(shortBlocks, scores),
    leastBlockDays,
  );
  const { symbols } = columns;
  const blocks = columns.blocks(clusterDays);
  const counts = {
    days,
    clusterDays,
    clusters: blocks.sizes.length,
    symbols: symbols.sizes.length,
  };
  if (counts.clusters < 2)
    return { ...counts, variance: Number.POSITIVE_INFINITY, degreesOfFreedom: 1 };
  const varianceOfDays = varianceOf(blocks, scores);
  const ifIndependent = scoreVariance / scores.length;
  const variance = Math.max(varianceOfDays, ifIndependent);
  const dfOfDays = degreesOfFreedom(clusterShares(blocks));
  const overDays: MeanOfScores = { ...counts, variance, degreesOfFreedom: dfOfDays };
  if (counts.symbols < LEAST_SYMBOLS) return overDays;
  const varianceOfCells = varianceOf(columns.cells(clusterDays), scores);
  const twoWays = varianceOfDays + varianceOf(symbols, scores) - varianceOfCells;
  if (twoWays <= variance) return overDays;
  const dfOfSymbols = degreesOfFreedom(clusterShares(symbols));
  return { ...counts, variance: twoWays, degreesOfFreedom: Math.min(dfOfDays, dfOfSymbols) };
}

/** V, over these clusters. */
function varianceOf(clusters: Clusters, scores: Float64Array): number {
  return varianceOver(sumsBy(clusters, scores), clusterShares(clusters)) / scores.length ** 2;
}

/** The share of values above zero, ties left out. */
export interface ShareAbove {
  /** A fraction; NaN if there are no values. */
  readonly share: number;
  /** 95 %; null below 6 clusters, or for a share of 0 or 1. */
  readonly interval: Interval | null;
}

/** The share of values above 0, with its interval. The parameters are those of `clusteredMedian`. */
export function shareAbove(
  cards: readonly Clustered[],
  lengths: BlockLengths,
  leastBlockDays = 1,
): ShareAbove {
  const columns = columnsOf(cards.filter(({ value }) => Math.abs(value) > 0));
  // 1 for a value above 0, otherwise 0.
  const indicators = columns.values.map((value) => (value > 0 ? 1 : 0));
  const share = sum(indicators) / indicators.length;
  const scoreVariance = share * (1 - share);
  const scores = indicators.map((indicator) => indicator - share);
  const spread = meanOfScores(columns, scores, scoreVariance, lengths, leastBlockDays);
  if (spread.clusters < LEAST_CLUSTERS || scoreVariance === 0) return { share, interval: null };
  const half = twoSidedQuantile(LEVEL, spread.degreesOfFreedom) * Math.sqrt(spread.variance);
  return { share, interval: { low: Math.max(0, share - half), high: Math.min(1, share + half) } };
}

/**
 * The sorted values at the shares 1/2 ± t √V.
 * @returns null if the interval would reach beyond all values, and even the whole range of the values misses the median more
 *   often than `level`
 */
function valuesWithin(
  { sorted, variance, clusters }: ScoredSample,
  t: number,
  level: number,
): Interval | null {
  // The rank of the lower end, counted from 1. The upper end has the same rank, counted from above.
  let rank = Math.ceil(sorted.length * (0.5 - t * Math.sqrt(variance)));
  if (rank < 1) {
    if (chanceOfOneSide(clusters) > level) return null;
    rank = 1;
  }
  return { low: sorted[rank - 1] ?? Number.NaN, high: sorted[sorted.length - rank] ?? Number.NaN };
}

/**
 * The interval of the median, whatever the missing values are. Its lower end is the one that would result if all missing values
 * were lowest; its upper end, if all were highest (Manski 2003). If many are missing, a smaller t is enough (Imbens & Manski
 * 2004). The interval is worked out only when it is asked for, because most verdicts need none.
 * @param known the values that are not missing
 */
function boundsWithMissing(
  cards: readonly Clustered[],
  known: Sorted,
  lengths: BlockLengths,
  leastBlockDays: number,
): NonNullable<Estimate['bounds']> {
  const missing = cards.length - known.length;
  const columnsOfAll = once(() => columnsOf(cards));
  const sampleForEnd = oncePerKey((end: keyof Interval) => {
    const isLow = end === 'low';
    const valueOfMissing = isLow ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    const sorted = new Float64Array(cards.length).fill(valueOfMissing);
    sorted.set(known, isLow ? missing : 0);
    return scoredSampleOf(columnsOfAll(), sorted, lengths, leastBlockDays, valueOfMissing);
  });
  const endOf = (end: keyof Interval, level: number) => {
    const sample = sampleForEnd(end);
    const width = missing / cards.length / Math.sqrt(sample.variance);
    const t = quantileWithMissing(width, sample.degreesOfFreedom, level);
    const value = valuesWithin(sample, t, level)?.[end];
    return value !== undefined && Number.isFinite(value) ? value : null;
  };
  return oncePerKey((level) => {
    if (sampleForEnd('low').clusters < LEAST_CLUSTERS) return null;
    return { low: endOf('low', level), high: endOf('high', level) };
  });
}

/** The search for t ends when its two bounds differ by less than this share of t. Smaller differences change no rank. */
const NARROW = 1e-12;

/**
 * The t of an interval that holds the true value in 1 − `level` of cases, whatever the missing values are. It solves
 * P(T > t) + P(T > t + `width`) = `level`. With 10 degrees of freedom and the level 0.05: if nothing is missing, t is 2.23, as
 * usual. If so much is missing that the true value hardly ever lies beyond the far end, t is 1.81.
 * @param width how far the missing values could move the estimate, in standard errors
 */
export function quantileWithMissing(width: number, df: number, level: number): number {
  let low = twoSidedQuantile(2 * level, df);
  let high = twoSidedQuantile(level, df);
  while (high - low > NARROW * high) {
    const t = (low + high) / 2;
    // Each of the two chances is half of a two-sided tail.
    if (twoSidedTail(t, df) + twoSidedTail(t + width, df) > 2 * level) low = t;
    else high = t;
  }
  return high;
}

/**
 * The two-sided p for a true median of 0. It is the p of t, where t says by how many standard errors the share of values on the
 * larger side of 0 differs from 1/2. If 70 of 100 values lie above 0, and √V = 0.06: t = (0.7 − 0.5) / 0.06 = 3.3.
 */
function pOfZero({ sorted, variance, degreesOfFreedom, clusters }: ScoredSample): number {
  const below = bisectLeft(sorted, 0);
  const above = sorted.length - bisectRight(sorted, 0);
  const distance = Math.max(0, below / sorted.length - 0.5, above / sorted.length - 0.5);
  const p = twoSidedTail(distance / Math.sqrt(variance), degreesOfFreedom);
  const areAllOnOneSide = distance === 0.5;
  return areAllOnOneSide ? Math.min(p, chanceOfOneSide(clusters)) : p;
}

/** The chance that all clusters lie on one side of the true median: 2 · (1/2)^clusters. */
function chanceOfOneSide(clusters: number): number {
  return 2 ** (1 - clusters);
}
