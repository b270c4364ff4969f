/**
 * Clusters: the values of one block of days, or of one symbol, depend on each other. How values are divided into clusters, and
 * the variance and the degrees of freedom that follow.
 */
import { sum } from 'd3-array';
import { oncePerKey } from '../base/collections.ts';

/** A value with what it may share with other values. */
export interface Clustered {
  /** NaN if missing. */
  readonly value: number;
  /** UTC day, counted from 1970-01-01. */
  readonly day: number;
  readonly symbol: string;
}

export const isKnown = ({ value }: Clustered) => !Number.isNaN(value);

/**
 * A division of values into clusters, which are numbered from 0 in the order of their first values. The values of the days 4,
 * 4, 5 and 7, in blocks of two days, are in the clusters 0, 0, 0 and 1, with the sizes 3 and 1.
 */
export interface Clusters {
  /** The cluster of each value. */
  readonly clusterOf: Int32Array;
  /** How many values each cluster has. */
  readonly sizes: Float64Array;
}

/** Values in the order of their days, and how they are clustered. */
export interface Columns {
  readonly values: Float64Array;
  /** UTC days, counted from 1970-01-01. */
  readonly days: Int32Array;
  readonly symbols: Clusters;
  /** Blocks of UTC days. @param length the days of a block */
  readonly blocks: (length: number) => Clusters;
  /** Cells: the values of one symbol in one block of days. @param length the days of a block */
  readonly cells: (length: number) => Clusters;
}

/** Makes typed arrays, because a history may have 120,000 values, and the tests pass over them a hundred times. */
export function columnsOf(items: readonly Clustered[]): Columns {
  const oldestDayFirst = items.toSorted((a, b) => a.day - b.day);
  // Quicker by half than Float64Array.from with a function.
  const values = new Float64Array(oldestDayFirst.map(({ value }) => value));
  const days = new Int32Array(oldestDayFirst.map(({ day }) => day));
  const symbols = clustersBy(oldestDayFirst, ({ symbol }) => symbol);
  const blocks = oncePerKey((length: number) => blocksOf(days, length));
  const cells = oncePerKey((length: number) => cellsOf(blocks(length), symbols));
  return { values, days, symbols, blocks, cells };
}

/** Calendar days from the first value to the last; 0 without values. */
export function spanOf({ days }: Columns): number {
  const first = days[0];
  const last = days.at(-1);
  return first === undefined || last === undefined ? 0 : last - first + 1;
}

/** @param days in order @param length UTC days of a block */
function blocksOf(days: Int32Array, length: number): Clusters {
  const clusterOf = new Int32Array(days.length);
  let blockBefore = Number.NaN;
  let count = 0;
  for (let i = 0; i < days.length; i += 1) {
    // All groups of cards have the same blocks, which are counted from 1970.
    const block = Math.floor((days[i] ?? 0) / length);
    if (block !== blockBefore) count += 1;
    blockBefore = block;
    clusterOf[i] = count - 1;
  }
  return withSizes(clusterOf, count);
}

function withSizes(clusterOf: Int32Array, count: number): Clusters {
  const sizes = new Float64Array(count);
  for (let i = 0; i < clusterOf.length; i += 1) {
    const cluster = clusterOf[i] ?? 0;
    sizes[cluster] = (sizes[cluster] ?? 0) + 1;
  }
  return { clusterOf, sizes };
}

/** The number of a key: a new key gets the next number, which is added to `numbers`. */
export function numberOf<K>(numbers: Map<K, number>, key: K): number {
  const known = numbers.get(key);
  if (known !== undefined) return known;
  const next = numbers.size;
  numbers.set(key, next);
  return next;
}

/** A cluster for each key. */
export function clustersBy<T, K>(items: readonly T[], keyOf: (item: T, i: number) => K): Clusters {
  const numbers = new Map<K, number>();
  const clusterOf = new Int32Array(items.map((item, i) => numberOf(numbers, keyOf(item, i))));
  return withSizes(clusterOf, numbers.size);
}

/**
 * The cells of blocks and symbols. A value is in the newest cell of its symbol, or begins a new cell if its block is another one:
 *
 *     block   0  0  0  1  1
 *     symbol  A  B  A  A  A
 *     cell    0  1  0  2  2
 *
 * @param blocks the values of each block follow each other
 */
export function cellsOf(blocks: Clusters, symbols: Clusters): Clusters {
  // For each symbol: the block of its newest cell, and that cell.
  const lastBlock = new Int32Array(symbols.sizes.length).fill(-1);
  const lastCell = new Int32Array(symbols.sizes.length);
  const clusterOf = new Int32Array(blocks.clusterOf.length);
  let count = 0;
  for (let i = 0; i < clusterOf.length; i += 1) {
    const block = blocks.clusterOf[i] ?? 0;
    const symbol = symbols.clusterOf[i] ?? 0;
    if (lastBlock[symbol] !== block) {
      lastBlock[symbol] = block;
      lastCell[symbol] = count;
      count += 1;
    }
    clusterOf[i] = lastCell[symbol] ?? 0;
  }
  return withSizes(clusterOf, count);
}

/** Each cluster's share of all values, a fraction. */
export function clusterShares({ clusterOf, sizes }: Clusters): Float64Array {
  return sizes.map((size) => size / clusterOf.length);
}

/** The sum of each cluster's values. */
export function sumsBy({ clusterOf, sizes }: Clusters, values: Float64Array): Float64Array {
  const sums = new Float64Array(sizes.length);
  for (let i = 0; i < clusterOf.length; i += 1) {
    const cluster = clusterOf[i] ?? 0;
    sums[cluster] = (sums[cluster] ?? 0) + (values[i] ?? 0);
  }
  return sums;
}

/** The usual UTC days of a block, within which values may depend on each other. */
export interface BlockLengths {
  /** The length for a sample of fewer than 36 days. */
  readonly ofFewDays: number;
  /** The length for a longer sample. */
  readonly ofManyDays: number;
}

/**
 * With 12 clusters the width of an interval may itself be wrong by a fifth (1 / √(2 · 11) = 0.21). With fewer clusters the
 * interval is called weak. So blocks are lengthened only as long as at least 12 of them remain.
 */
export const FEW_CLUSTERS = 12;

/** 36 days make 12 blocks of three days. A sample of fewer days has the block length `ofFewDays`. */
const MANY_DAYS = 3 * FEW_CLUSTERS;

/** How values are divided into blocks of days. */
export interface BlockDays {
  /** UTC days that have values. */
  readonly days: number;
  /** The usual days of a block, for this number of days. */
  readonly usualBlockDays: number;
  /** The days of a block: the usual ones, or more if neighbouring blocks go together, here or in the cards of all groups. */
  readonly clusterDays: number;
}

/**
 * Neighbouring blocks go together if their serial correlation lies more than 0.8 standard errors above 0. This limit is low,
 * because longer blocks cost little and gain much. Simulated with 60 days: if days are independent, longer blocks make an
 * interval 3 % wider. If the serial correlation of days is 0.6, the interval holds the true value in 92 % of cases, with the
 * usual blocks in 74 %.
 */
const SERIAL_ERRORS = 0.8;

/**
 * The days of a block. Of 60 days, the usual blocks are 20 blocks of 3 days. The longest blocks that leave 12 of them have
 * 60 / 12 = 5 days. The cases:
 *
 * - The serial correlation of the 20 blocks is above 0.8 / √20 = 0.18: blocks of 5 days.
 * - It is not, and `leastBlockDays` is 4: blocks of 4 days. (If it is 7: of 5 days.)
 * - It is not, and `leastBlockDays` is 1: the usual blocks of 3 days.
 *
 * @param sumsOf the sum of each block, oldest first
 * @param leastBlockDays blocks are at least this long, if 12 of them remain. It is the length that the cards of all groups gave:
 *   one group alone has too few cards to show whether its days go together.
 */
export function blockDays(
  { blocks }: Columns,
  lengths: BlockLengths,
  sumsOf: (blocks: Clusters) => Float64Array,
  leastBlockDays = 1,
): BlockDays {
  const days = blocks(1).sizes.length;
  const usualBlockDays = days < MANY_DAYS ? lengths.ofFewDays : lengths.ofManyDays;
  const sums = sumsOf(blocks(usualBlockDays));
  const mean = sum(sums) / sums.length;
  const centred = sums.map((blockSum) => blockSum - mean);
  // The serial correlation is `neighbourProducts` divided by `squares`. Multiplied instead, so that squares of 0 do no harm.
  const neighbourProducts = productSum(centred.subarray(1), centred);
  const squares = productSum(centred, centred);
  // The standard error of a serial correlation is 1 / √ of the number of blocks.
  const correlationLimit = SERIAL_ERRORS / Math.sqrt(sums.length);
  const goTogether = neighbourProducts > correlationLimit * squares;
  const longest = Math.floor(days / FEW_CLUSTERS);
  const blockLength = goTogether ? longest : Math.min(leastBlockDays, longest);
  return { days, usualBlockDays, clusterDays: Math.max(usualBlockDays, blockLength) };
}

/**
 * V = Σ_c S_c² / (1 − w_c) (Bell & McCaffrey 2002). Each cluster pulls the estimate towards itself, in proportion to its share
 * of all values. Its deviation from the estimate is therefore too small. The denominator corrects that: a cluster with a fifth
 * of the values counts as S_c² / 0.8.
 * @param sums S: the sum of each cluster's deviations
 * @param shares w: each cluster's share of all values
 */
export function varianceOver(sums: Float64Array, shares: Float64Array): number {
  let total = 0;
  for (let i = 0; i < sums.length; i += 1) total += (sums[i] ?? 0) ** 2 / (1 - (shares[i] ?? 0));
  return total;
}

/**
 * Satterthwaite's degrees of freedom of that variance (Bell & McCaffrey 2002):
 *
 *     (Σ_c g_cc v_c)² / Σ_c Σ_d g_cd² v_c v_d
 *
 * Here u_c = w_c / (1 − w_c) and k = Σ_c w_c u_c. For two different clusters g_cd = k − u_c − u_d; for one and the same
 * g_cc = k − 2 u_c + 1 / (1 − w_c). C clusters of one size have C − 1 degrees of freedom.
 *
 * The double sum is made in one pass over the clusters:
 * 1. The sum over all pairs as if g_cc were k − 2 u_c. Multiplied out, with v = Σ_c v_c, it is
 *    k² v² + 2 v Σ_c u_c² v_c − 4 k v Σ_c u_c v_c + 2 (Σ_c u_c v_c)².
 * 2. For each cluster, what is missing then: (g_cc² − (k − 2 u_c)²) v_c².
 *
 * @param shares w: each cluster's share of all values
 * @param noise v_c: the variance of each cluster's sum. If values are independent, it is the cluster's share.
 * @returns NaN if one cluster has all values
 */
export function degreesOfFreedom(shares: Float64Array, noise = shares): number {
  const u = shares.map((share) => share / (1 - share));
  const k = productSum(shares, u);
  const v = sum(noise);
  const uv = productSum(u, noise);
  const uuv = productSum(
    u.map((ratio) => ratio ** 2),
    noise,
  );
  let diagonalSum = 0;
  let doubleSum = k ** 2 * v ** 2 + 2 * uuv * v - 4 * k * uv * v + 2 * uv ** 2;
  for (const [i, variance] of noise.entries()) {
    // g_cc = (k − 2 u_c) + 1 / (1 − w_c), here `sharedPart + ownPart`.
    const sharedPart = k - 2 * (u[i] ?? 0);
    const ownPart = 1 / (1 - (shares[i] ?? 0));
    diagonalSum += (sharedPart + ownPart) * variance;
    // (a + b)² − a² = (2 a + b) b
    const missing = (2 * sharedPart + ownPart) * ownPart;
    doubleSum += missing * variance ** 2;
  }
  return diagonalSum ** 2 / doubleSum;
}

/** The sum of the products of the entries, up to the end of `a`. */
export function productSum(a: Float64Array, b: Float64Array): number {
  let total = 0;
  for (let i = 0; i < a.length; i += 1) total += (a[i] ?? 0) * (b[i] ?? 0);
  return total;
}
