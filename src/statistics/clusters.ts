/** Values that depend on each other if they are of one day, or of one symbol: how they are clustered, and what that costs. */
import { sum } from 'd3-array';
import { oncePerKey } from '../base/collections.ts';

export interface Clustered {
  /** Infinite if only known to lie beyond all others; NaN if missing. */
  readonly value: number;
  /** UTC day, counted from 1970-01-01. */
  readonly day: number;
  readonly symbol: string;
}

export const isKnown = ({ value }: Clustered) => !Number.isNaN(value);

/** A division of values into clusters, which are numbered from 0 in the order of their first values. */
export interface Clusters {
  /** The number of each value's cluster. */
  readonly of: Int32Array;
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
  /** Cells: the part of a symbol in a block of so many days. */
  readonly cells: (length: number) => Clusters;
}

/** Typed arrays and plain loops, because tests pass some hundred times over 120,000 values. */
export function columnsOf(cards: readonly Clustered[]): Columns {
  const byDay = cards.toSorted((a, b) => a.day - b.day);
  // Quicker by half than Float64Array.from with a function.
  const values = new Float64Array(byDay.map(({ value }) => value));
  const days = new Int32Array(byDay.map(({ day }) => day));
  const symbols = clustersBy(byDay, ({ symbol }) => symbol);
  const blocks = oncePerKey((length: number) => blocksOf(days, length));
  const cells = oncePerKey((length: number) => cellsOf(blocks(length), symbols));
  return { values, days, symbols, blocks, cells };
}

/** @param days in order @param length UTC days of a block */
function blocksOf(days: Int32Array, length: number): Clusters {
  const of = new Int32Array(days.length);
  let last = Number.NaN;
  let count = 0;
  for (let i = 0; i < of.length; i += 1) {
    const block = Math.floor((days[i] ?? 0) / length);
    if (block !== last) count += 1;
    last = block;
    of[i] = count - 1;
  }
  return clustersOf(of, count);
}

function clustersOf(of: Int32Array, count: number): Clusters {
  const sizes = new Float64Array(count);
  for (let i = 0; i < of.length; i += 1) sizes[of[i] ?? 0] = (sizes[of[i] ?? 0] ?? 0) + 1;
  return { of, sizes };
}

export function numberOf<K>(numbers: Map<K, number>, key: K): number {
  const number = numbers.get(key) ?? numbers.size;
  if (number === numbers.size) numbers.set(key, number);
  return number;
}

export function clustersBy<T, K>(items: readonly T[], keyOf: (item: T, i: number) => K): Clusters {
  const numbers = new Map<K, number>();
  const of = new Int32Array(items.map((item, i) => numberOf(numbers, keyOf(item, i))));
  return clustersOf(of, numbers.size);
}

/** The cells of blocks and symbols. @param blocks each in one piece: its values follow each other */
export function cellsOf(blocks: Clusters, symbols: Clusters): Clusters {
  const lastBlock = new Int32Array(symbols.sizes.length).fill(-1);
  const lastCell = new Int32Array(symbols.sizes.length);
  const of = new Int32Array(blocks.of.length);
  let count = 0;
  for (let i = 0; i < of.length; i += 1) {
    const block = blocks.of[i] ?? 0;
    const symbol = symbols.of[i] ?? 0;
    if (lastBlock[symbol] !== block) {
      lastBlock[symbol] = block;
      lastCell[symbol] = count;
      count += 1;
    }
    of[i] = lastCell[symbol] ?? 0;
  }
  return clustersOf(of, count);
}

export function clusterShares({ of, sizes }: Clusters): Float64Array {
  return sizes.map((size) => size / of.length);
}

export function sumsBy({ of, sizes }: Clusters, values: Float64Array): Float64Array {
  const sums = new Float64Array(sizes.length);
  for (let i = 0; i < of.length; i += 1) {
    const cluster = of[i] ?? 0;
    sums[cluster] = (sums[cluster] ?? 0) + (values[i] ?? 0);
  }
  return sums;
}

/** The usual UTC days of a block, within which values may depend on each other. */
export interface BlockLengths {
  /** Of a sample of fewer than 36 days. */
  readonly ofFewDays: number;
  /** Of a longer sample. */
  readonly ofManyDays: number;
}

export function shortDaysOf(lengths: BlockLengths, days: number): number {
  return days < 36 ? lengths.ofFewDays : lengths.ofManyDays;
}

/** Blocks are made no longer than leaves so many: no verdict is called weak because they are long. */
const LEAST_BLOCKS = 12;

/** How many UTC days values are of, and how many of those days make one block. */
export interface BlockDays {
  /** UTC days that have values. */
  readonly days: number;
  readonly clusterDays: number;
  /** Days of a block if neighbouring blocks do not go together: the usual length. */
  readonly shortDays: number;
}

/** Neighbouring blocks go together if their serial correlation lies so many standard errors above 0. */
const SERIAL_FROM = 0.8;

/**
 * UTC days of a block: the usual length, or longer if neighbouring blocks of that length go together.
 * @param sumsOf the sum of each block, oldest first
 * @param leastBlockDays the length found over a larger sample, of which these values are a part
 */
export function blockDays(
  { blocks }: Columns,
  lengths: BlockLengths,
  sumsOf: (blocks: Clusters) => Float64Array,
  leastBlockDays = 1,
): BlockDays {
  const days = blocks(1).sizes.length;
  const shortDays = shortDaysOf(lengths, days);
  const sums = sumsOf(blocks(shortDays));
  const mean = sum(sums) / sums.length;
  const centred = sums.map((blockSum) => blockSum - mean);
  // The serial correlation is the one sum by the other; its standard error is 1 / √ of the blocks.
  const ofNeighbours = productSum(centred.subarray(1), centred);
  const ofAll = productSum(centred, centred);
  const goTogether = ofNeighbours > (SERIAL_FROM / Math.sqrt(sums.length)) * ofAll;
  const longest = Math.floor(days / LEAST_BLOCKS);
  const blockLength = goTogether ? longest : Math.min(leastBlockDays, longest);
  return { days, shortDays, clusterDays: Math.max(shortDays, blockLength) };
}

/** V = Σ_c S_c² / (1 − w_c), S the clusters' sums and w their shares of all (Bell & McCaffrey 2002). */
export function varianceOver(sums: Float64Array, shares: Float64Array): number {
  let total = 0;
  for (let i = 0; i < sums.length; i += 1) total += (sums[i] ?? 0) ** 2 / (1 - (shares[i] ?? 0));
  return total;
}

/**
 * Satterthwaite's degrees of freedom of that variance: (Σ_c g_cc v_c)² / Σ_cd g_cd² v_c v_d, with g of Bell & McCaffrey
 * (2002): k − u_c − u_d, and 1 / (1 − w_c) more on the diagonal, u = w / (1 − w), k = Σ w u.
 * @param shares w; NaN if one cluster is everything
 * @param noise v, the variance of each cluster's sum: its share if values are independent
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
  let squares = k ** 2 * v ** 2 + 2 * uuv * v - 4 * k * uv * v + 2 * uv ** 2;
  let trace = 0;
  for (const [i, variance] of noise.entries()) {
    const off = k - 2 * (u[i] ?? 0);
    const more = 1 / (1 - (shares[i] ?? 0));
    trace += (off + more) * variance;
    squares += (2 * off + more) * more * variance ** 2;
  }
  return trace ** 2 / squares;
}

export function productSum(a: Float64Array, b: Float64Array): number {
  let total = 0;
  for (let i = 0; i < a.length; i += 1) total += (a[i] ?? 0) * (b[i] ?? 0);
  return total;
}
