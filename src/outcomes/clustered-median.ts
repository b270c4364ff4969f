/**
 * Inference on a median when values come in clusters: signals of one day share one market, those of one symbol its fate.
 *
 * Woodruff (1952) and Francisco & Fuller (1991): the share of values below the median has a variance V that clusters
 * make larger; the interval takes the values at the shares 1/2 ± t √V. V is the sum over clusters of S² / (1 − w) / n²,
 * with S the sum of the cluster's scores sign(m − x)/2 and w its share of all values; t has the degrees of freedom of
 * Bell & McCaffrey (2002). With clusters of one size this is the textbook formula: a factor D/(D−1), and D−1 degrees of
 * freedom. With uneven ones that formula is too sure (it covered 77 to 92 % where it said 95 %; this one 93 to 97 %),
 * because a median follows the largest cluster and so hides what that one contributes.
 *
 * Two ways (Cameron, Gelbach & Miller 2011): V is that of days, plus that of symbols, less that of the cells in both;
 * never less than that of days alone. Where one symbol with an effect of its own has 40 % of the cards, intervals from
 * days alone covered 38 to 76 %, these 93 to 97 %. Below 8 symbols it is left out, because it would double the widths:
 * the figures are then those of these symbols.
 */
import { clusterDaysOf, degreesOfFreedom, LONG_BLOCKS, longerClusterDays } from './clusters.ts';
import { quantile, type Sorted } from './quantile.ts';
import { twoSidedQuantile, twoSidedTail } from './student-t.ts';
import type { HorizonName, Interval } from './types.ts';

/**
 * With fewer clusters there is no interval: even from the smallest value to the largest it would leave out the median
 * with a chance of 2 · (1/2)^5 = 6 %.
 */
export const LEAST_CLUSTERS = 6;

/** With fewer clusters an interval is called weak. */
export const FEW_CLUSTERS = 12;

/** With fewer symbols nothing is said of others than these. */
export const LEAST_SYMBOLS = 8;

export interface ClusteredMedian {
  readonly sorted: Sorted;
  /** NaN for no values. */
  readonly median: number;
  /** UTC days with a value, and how many of them make a cluster. */
  readonly days: number;
  readonly clusterDays: number;
  readonly clusters: number;
  /** Of the share of values below the median: at least that of independent values. Infinite below 2 clusters. */
  readonly variance: number;
  readonly degreesOfFreedom: number;
  /** How many independent values would say as much; null below 2 clusters. */
  readonly effectiveSample: number | null;
}

/** A value and where it comes from. */
export interface Clustered {
  /** Infinite for one that is only known to lie below or above all others. */
  readonly value: number;
  /** UTC day, counted from 1970-01-01. */
  readonly day: number;
  readonly symbol: string;
}

/**
 * @param whole the days of a cluster of all cards together: a group is too small to tell by itself that days go together
 * (of 8 types without effect, where days did, one was called different in 9 % of histories; so in 4 %)
 */
export function clusteredMedian(values: readonly Clustered[], horizon: HorizonName, whole = 1): ClusteredMedian {
  return inference(valuesOf(values), placesOf(values), horizon, whole);
}

/** Of the values, and of their sizes without the sign. */
export function clusteredMedians(values: readonly Clustered[], horizon: HorizonName, whole = 1) {
  const [raw, places] = [valuesOf(values), placesOf(values)];
  return {
    ofValues: inference(raw, places, horizon, whole),
    ofSizes: inference(raw.map(Math.abs), places, horizon, whole),
  };
}

function valuesOf(values: readonly Clustered[]): Float64Array {
  const raw = new Float64Array(values.length);
  for (let i = 0; i < raw.length; i += 1) raw[i] = values[i]?.value ?? Number.NaN;
  return raw;
}

/** Where each value comes from, in typed arrays: a decade has 120,000, which are gone through some hundred times. */
interface Places {
  readonly days: Int32Array;
  /** A whole number from 0 for each symbol. */
  readonly symbols: Int32Array;
  readonly symbolCount: number;
}

function placesOf(values: readonly Clustered[]): Places {
  const days = new Int32Array(values.length);
  const symbols = new Int32Array(values.length);
  const numberOf = new Map<string, number>();
  let i = 0;
  for (const { day, symbol } of values) {
    days[i] = day;
    let number = numberOf.get(symbol);
    if (number === undefined) {
      number = numberOf.size;
      numberOf.set(symbol, number);
    }
    symbols[i] = number;
    i += 1;
  }
  return { days, symbols, symbolCount: numberOf.size };
}

/** Values and their scores, in blocks of days. */
function inBlocks(raw: Float64Array, dayOf: Int32Array, horizon: HorizonName, whole: number) {
  const size = raw.length;
  const sorted = raw.slice().sort();
  const median = quantile(sorted, 0.5);
  const scores = new Float64Array(size);
  for (let i = 0; i < size; i += 1) {
    const value = raw[i] ?? 0;
    scores[i] = value < median ? 0.5 : value > median ? -0.5 : 0;
  }
  const byDay = sumsBy(dayOf, scores);
  const days = countOf(byDay);
  const byClusters = (clusterDays: number) => {
    const keys = clusterDays === 1 ? dayOf : dayOf.map((day) => Math.floor(day / clusterDays));
    return { clusterDays, keys, sums: clusterDays === 1 ? byDay : sumsBy(keys, scores) };
  };
  const short = byClusters(clusterDaysOf(horizon, days));
  const longer = Math.max(
    longerClusterDays(short.clusterDays, scoresOf(short.sums), days),
    Math.min(whole, Math.ceil(days / LONG_BLOCKS)),
  );
  return { sorted, median, scores, days, ...(longer === short.clusterDays ? short : byClusters(longer)) };
}

/** How many days make a cluster of these values. */
export function clusterDaysOfValues(values: readonly Clustered[], horizon: HorizonName): number {
  const days = Int32Array.from({ length: values.length }, (_, i) => values[i]?.day ?? 0);
  return inBlocks(valuesOf(values), days, horizon, 1).clusterDays;
}

function inference(raw: Float64Array, places: Places, horizon: HorizonName, whole: number): ClusteredMedian {
  const size = raw.length;
  const { sorted, median, scores, days, clusterDays, keys, sums } = inBlocks(raw, places.days, horizon, whole);
  const clusters = countOf(sums);
  const known = { sorted, median, days, clusterDays, clusters };
  if (clusters < 2) {
    return { ...known, variance: Number.POSITIVE_INFINITY, degreesOfFreedom: 1, effectiveSample: null };
  }
  const ofDays = varianceOf(sums, size);
  const oneWay = Math.max(ofDays, 0.25 / size);
  let variance = oneWay;
  let df = degreesOfFreedom(sharesOf(sums, size));
  if (places.symbolCount >= LEAST_SYMBOLS) {
    const symbols = sumsBy(places.symbols, scores);
    const twoWays = ofDays + varianceOf(symbols, size) - varianceOfCells(keys, sums, places, scores);
    if (twoWays > oneWay) {
      variance = twoWays;
      df = Math.min(df, degreesOfFreedom(sharesOf(symbols, size)));
    }
  }
  return { ...known, variance, degreesOfFreedom: df, effectiveSample: 0.25 / variance };
}

/** `varianceOf` the pairs of cluster and symbol. A decade has a million possible ones, of which few are there. */
function varianceOfCells(keys: Int32Array, { sizes, low }: Sums, places: Places, scores: Float64Array): number {
  const { symbols, symbolCount } = places;
  const size = keys.length;
  // The values in the order of their clusters.
  const next = new Int32Array(sizes.length);
  for (let at = 1; at < sizes.length; at += 1) next[at] = (next[at - 1] ?? 0) + (sizes[at - 1] ?? 0);
  const order = new Int32Array(size);
  for (let i = 0; i < size; i += 1) {
    const at = (keys[i] ?? 0) - low;
    const place = next[at] ?? 0;
    order[place] = i;
    next[at] = place + 1;
  }
  const counts = new Int32Array(symbolCount);
  const totals = new Float64Array(symbolCount);
  let variance = 0;
  for (let at = 0, first = 0; at < sizes.length; at += 1) {
    const end = next[at] ?? 0;
    for (let place = first; place < end; place += 1) {
      const i = order[place] ?? 0;
      const symbol = symbols[i] ?? 0;
      counts[symbol] = (counts[symbol] ?? 0) + 1;
      totals[symbol] = (totals[symbol] ?? 0) + (scores[i] ?? 0);
    }
    for (let place = first; place < end; place += 1) {
      const symbol = symbols[order[place] ?? 0] ?? 0;
      const count = counts[symbol] ?? 0;
      // Zero: this symbol of the cluster was added before.
      if (count > 0) variance += (totals[symbol] ?? 0) ** 2 / (1 - count / size);
      counts[symbol] = 0;
      totals[symbol] = 0;
    }
    first = end;
  }
  return variance / size ** 2;
}

/** By key, in the order of the keys: how many values, and the sum of their scores. A key without values has a zero. */
interface Sums {
  readonly sizes: Int32Array;
  readonly totals: Float64Array;
  /** The key of the first. */
  readonly low: number;
}

/** @param keys the cluster of each score, a whole number */
function sumsBy(keys: Int32Array, scores: Float64Array): Sums {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < keys.length; i += 1) {
    const key = keys[i] ?? 0;
    if (key < low) low = key;
    if (key > high) high = key;
  }
  const range = keys.length === 0 ? 0 : high - low + 1;
  const sizes = new Int32Array(range);
  const totals = new Float64Array(range);
  for (let i = 0; i < keys.length; i += 1) {
    const at = (keys[i] ?? 0) - low;
    sizes[at] = (sizes[at] ?? 0) + 1;
    totals[at] = (totals[at] ?? 0) + (scores[i] ?? 0);
  }
  return { sizes, totals, low };
}

function countOf({ sizes }: Sums): number {
  let count = 0;
  for (let at = 0; at < sizes.length; at += 1) if ((sizes[at] ?? 0) > 0) count += 1;
  return count;
}

/** Of the clusters that have values, in order. */
function scoresOf({ sizes, totals }: Sums): number[] {
  return Array.from(totals).filter((_, at) => (sizes[at] ?? 0) > 0);
}

/** Of the mean of all scores. A single cluster tells nothing: it is infinite. */
function varianceOf({ sizes, totals }: Sums, size: number): number {
  let variance = 0;
  for (let at = 0; at < sizes.length; at += 1) {
    const ofCluster = sizes[at] ?? 0;
    if (ofCluster === size) return Number.POSITIVE_INFINITY;
    if (ofCluster > 0) variance += (totals[at] ?? 0) ** 2 / (1 - ofCluster / size);
  }
  return variance / size ** 2;
}

function sharesOf({ sizes }: Sums, size: number): number[] {
  return Array.from(sizes)
    .filter((ofCluster) => ofCluster > 0)
    .map((ofCluster) => ofCluster / size);
}

/**
 * The values that a test of `pValue` does not refuse as the median, at the level given.
 * @param level 0.05 for a 95 % interval
 * @returns null below 6 clusters, and where the data bound it on neither side
 */
export function medianInterval(sample: ClusteredMedian, level: number): Interval | null {
  if (sample.clusters < LEAST_CLUSTERS) return null;
  return valuesWithin(sample, twoSidedQuantile(level, sample.degreesOfFreedom), level);
}

/** The values at the shares 1/2 ± t √V. */
function valuesWithin({ sorted, variance, clusters }: ClusteredMedian, t: number, level: number): Interval | null {
  // The rank below which too few values lie, counted from 1; the other end lies as far from the other side.
  let rank = Math.ceil(sorted.length * (0.5 - t * Math.sqrt(variance)));
  if (rank < 1) {
    if (signTail(clusters) > level) return null;
    rank = 1;
  }
  return { low: sorted[rank - 1] ?? Number.NaN, high: sorted[sorted.length - rank] ?? Number.NaN };
}

/** An interval of which an end may be open. */
export interface Bounds {
  readonly low: number | null;
  readonly high: number | null;
}

/**
 * Where values are missing, the median of all lies in this interval with the chance given, wherever the missing ones
 * are: its ends are those of the samples with all of them lowest, and highest (Manski 2003), with their sampling error.
 * As only one end can be wrong at a time where many are missing, t is smaller than for both (Imbens & Manski 2004).
 * @param values those that are known
 * @param missing the others; their value is not looked at
 * @param whole as of `clusteredMedian`
 * @returns null below 6 clusters; an end is null where nothing bounds it
 */
export function intervalWithMissing(
  values: readonly Clustered[],
  missing: readonly Clustered[],
  horizon: HorizonName,
  level: number,
  whole = 1,
): Bounds | null {
  const places = placesOf([...values, ...missing]);
  const known = valuesOf(values);
  const all = (value: number) => {
    const raw = new Float64Array(values.length + missing.length).fill(value);
    raw.set(known);
    return inference(raw, places, horizon, whole);
  };
  const [lowest, highest] = [all(Number.NEGATIVE_INFINITY), all(Number.POSITIVE_INFINITY)];
  if (lowest.clusters < LEAST_CLUSTERS) return null;
  const share = missing.length / (values.length + missing.length);
  const end = (sample: ClusteredMedian, name: keyof Interval) => {
    const t = quantileWithMissing(share / Math.sqrt(sample.variance), sample.degreesOfFreedom, level);
    const value = valuesWithin(sample, t, level)?.[name];
    return value !== undefined && Number.isFinite(value) ? value : null;
  };
  return { low: end(lowest, 'low'), high: end(highest, 'high') };
}

/** The t with P(−t < T < t + width) = 1 − level: two-sided for no width, one-sided for a large one. */
function quantileWithMissing(width: number, df: number, level: number): number {
  let low = twoSidedQuantile(2 * level, df);
  let high = twoSidedQuantile(level, df);
  for (let step = 0; step < 60; step += 1) {
    const t = (low + high) / 2;
    if (twoSidedTail(t, df) + twoSidedTail(t + width, df) > 2 * level) low = t;
    else high = t;
  }
  return high;
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
