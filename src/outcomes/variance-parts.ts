/**
 * Variance of a sum of medians, in parts: what cards share of one symbol and day, one day, one block of days, one symbol.
 *
 * A median moves by ψ = sign(x − m) / (2 f) for each value, f their density there. Each part is a mean product of ψ over
 * pairs of bought outcomes (Searle, Casella & McCulloch 1992), weighed by the days and symbols of all cards.
 */

import { rollup, sum } from 'd3-array';
import { lazily } from '../base/collections.ts';
import { dayNumber } from '../base/units.ts';
import { LEAST_CLUSTERS, LEAST_SYMBOLS } from '../statistics/clustered-median.ts';
import {
  type Clusters,
  cellsOf,
  clustersBy,
  columnsOf,
  numberOf,
  productSum,
  sumsBy,
} from '../statistics/clusters.ts';
import { medianOf, quantile, sortedOf } from '../statistics/quantile.ts';
import type { Difference } from './differences.ts';
import type { Row } from './row.ts';

interface MedianAnswer {
  readonly type: string;
  readonly median: number;
  readonly sample: number;
}

/** Percentage points squared, but for what counts. */
export interface VarianceParts {
  /** Variance of all that cards share but their symbols. */
  readonly ofShared: (contrast: Contrast) => number;
  readonly ofSymbols: (contrast: Contrast) => number;
  /** Of one card of a type, for itself. */
  readonly own: (type: string) => number;
  /** Percentage points that a median moves by if a share of values joins at one end: 1 / (2 f). */
  readonly slope: (type: string) => number;
  /** Bought outcomes that it is told from, their blocks of days, and their symbols. */
  readonly size: number;
  readonly blocks: number;
  readonly symbols: number;
}

const LEAST_BOUGHT = 30;

/** Weight in outcomes of the spread of all types beside a type's own. */
const PRIOR = 40;

/** @returns undefined if too little is bought */
export function partsOf(
  bought: readonly Difference[],
  answered: readonly MedianAnswer[],
  clusterDays: number,
): VarianceParts | undefined {
  const { symbols, blocks: blocksOf, cells } = columnsOf(bought);
  const blocks = blocksOf(clusterDays).sizes.length;
  if (bought.length < LEAST_BOUGHT || blocks < LEAST_CLUSTERS) return undefined;
  const centres = centresOf(bought, answered);
  const residuals = bought.map(({ value, card: { type } }) => ({
    type,
    value: value - (centres.get(type) ?? 0),
  }));
  const spread = medianSize(residuals);
  if (spread === 0) return undefined;
  const spreads = rollup(
    residuals,
    (own) => drawnTowards(spread, own),
    ({ type }) => type,
  );
  const spreadOf = (type: string) => spreads.get(type) ?? spread;
  const atMedian = densityAtZero(residuals.map(({ type, value }) => value / spreadOf(type)));
  const slope = (type: string) => spreadOf(type) / (2 * atMedian);
  const moved = Float64Array.from(residuals, ({ type, value }) => Math.sign(value) * slope(type));
  const pairs = (clusters: Clusters) => pairsOf(clusters, moved);
  const ofCells = pairs(cells(1));
  const ofDays = pairs(blocksOf(1));
  const ofBlocksAndSymbols = pairs(cells(clusterDays));
  const block = Math.max(
    0,
    mean([pairs(blocksOf(clusterDays)), 1], [ofDays, -1], [ofBlocksAndSymbols, -1], [ofCells, 1]),
  );
  // The margin is half a standard error: of 60 outcomes the variance would be zero too often.
  const ofOneDay = ofDays.count - ofCells.count;
  const square = productSum(moved, moved) / moved.length;
  const margin = ofOneDay === 0 ? 0 : square * Math.sqrt(0.5 / ofOneDay);
  // A type's day counts only if its cards go together clearly more than others.
  const { ofTypeDays, ofTypeCells } = ofTypes(bought, symbols, blocksOf(1), pairs);
  const otherTypes = mean([ofDays, 1], [ofTypeDays, -1], [ofCells, -1], [ofTypeCells, 1]);
  const more = mean([ofTypeDays, 1], [ofTypeCells, -1]) - Math.max(0, otherTypes);
  const unlikely = 1.64 * square * Math.sqrt(2 / (ofTypeDays.count - ofTypeCells.count));
  const typeDay = more > unlikely ? more : 0;
  const day = Math.max(
    0,
    (typeDay > 0 ? otherTypes : mean([ofDays, 1], [ofCells, -1])) + margin - block,
  );
  const hasSymbols = symbols.sizes.length >= LEAST_SYMBOLS;
  const symbol = hasSymbols ? Math.max(0, mean([pairs(symbols), 1], [ofBlocksAndSymbols, -1])) : 0;
  const cell = Math.max(0, mean([ofCells, 1]) - day - block - symbol);
  return {
    ofShared: (contrast) =>
      cell * squaresOf(contrast, 'cells') +
      day * squaresOf(contrast, 'days') +
      (typeDay === 0 ? 0 : typeDay * squaresOf(contrast, 'typeDays')) +
      block * squaresOf(contrast, 'days', clusterDays),
    ofSymbols: (contrast) => symbol * squaresOf(contrast, 'symbols'),
    own: (type) => {
      const all = slope(type) ** 2;
      return Math.max(all - cell - day - typeDay - block - symbol, 0.4 * all);
    },
    slope,
    size: bought.length,
    blocks,
    symbols: symbols.sizes.length,
  };
}

/** Pairs of one type and day, and of these those of one symbol, too. */
function ofTypes<T>(
  bought: readonly Difference[],
  symbols: Clusters,
  days: Clusters,
  pairs: (clusters: Clusters) => T,
) {
  const types = clustersBy(bought, ({ card }) => card.type);
  const typeSymbols = clustersBy(
    bought,
    (_, i) => (symbols.of[i] ?? 0) * bought.length + (types.of[i] ?? 0),
  );
  return {
    ofTypeDays: pairs(cellsOf(days, types)),
    ofTypeCells: pairs(cellsOf(days, typeSymbols)),
  };
}

const medianSize = (values: readonly { readonly value: number }[]) =>
  medianOf(values.map((one) => Math.abs(one.value)));

/** The spread of a type, drawn towards that of all. */
function drawnTowards(spread: number, residuals: readonly { readonly value: number }[]): number {
  const own = medianSize(residuals);
  const weight = own === 0 || residuals.length < 2 ? 0 : residuals.length;
  const logs = (weight === 0 ? 0 : weight * Math.log(own)) + PRIOR * Math.log(spread);
  return Math.exp(logs / (weight + PRIOR));
}

/** Answers over all windows; without any, the median of what was bought. */
function centresOf(
  bought: readonly Difference[],
  answered: readonly MedianAnswer[],
): Map<string, number> {
  const ofBought = (own: readonly Difference[]) => medianOf(own.map(({ value }) => value));
  const ofAnswers = (all: readonly MedianAnswer[]) =>
    sum(all, ({ sample, median }) => sample * median) / sum(all, ({ sample }) => sample);
  return new Map([
    ...rollup(bought, ofBought, ({ card }) => card.type),
    ...rollup(answered, ofAnswers, ({ type }) => type),
  ]);
}

/** Gaussian kernel (Silverman 1986, 3.31). */
function densityAtZero(values: readonly number[]): number {
  const sorted = sortedOf(values);
  const { length } = values;
  const middle = sum(values) / length;
  const deviation = Math.sqrt(sum(values, (value) => (value - middle) ** 2) / length);
  const range = (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / 1.349;
  const width = 0.9 * (range > 0 ? Math.min(deviation, range) : deviation) * length ** -0.2;
  return (
    sum(values, (value) => Math.exp(-((value / width) ** 2) / 2)) /
    (length * width * Math.sqrt(2 * Math.PI))
  );
}

/** Sum and number of the products over all ordered pairs that have a key in common. */
function pairsOf(clusters: Clusters, values: Float64Array) {
  const sums = sumsBy(clusters, values);
  return {
    products: productSum(sums, sums) - productSum(values, values),
    count: productSum(clusters.sizes, clusters.sizes) - values.length,
  };
}

/** Zero if there are no pairs. */
function mean(...signed: readonly (readonly [ReturnType<typeof pairsOf>, sign: 1 | -1])[]): number {
  const count = sum(signed, ([pairs, sign]) => sign * pairs.count);
  return count === 0 ? 0 : sum(signed, ([pairs, sign]) => sign * pairs.products) / count;
}

/** Share of some cards on each day, symbol, symbol of a day, and type of a day. */
export type Shares = Readonly<
  Record<'days' | 'symbols' | 'cells' | 'typeDays', ReadonlyMap<number, number>>
>;

type Contrast = readonly (readonly [of: Shares, weight: number])[];

/** Numbers for all cards at once, so that shares can be subtracted: small ones, which maps find sooner. */
export function sharesOfCards(rows: readonly Row[]): (cards: readonly Row[]) => Shares {
  const [symbols, types] = [new Map<string, number>(), new Map<string, number>()];
  for (const { symbol, type } of rows) {
    numberOf(symbols, symbol);
    numberOf(types, type);
  }
  return (cards) => {
    const cellOf = (numbers: Map<string, number>, { at }: Row, name: string) =>
      dayNumber(at) * numbers.size + numberOf(numbers, name);
    return lazily({
      days: () => sharesBy(cards, ({ at }) => dayNumber(at)),
      symbols: () => sharesBy(cards, ({ symbol }) => numberOf(symbols, symbol)),
      cells: () => sharesBy(cards, (card) => cellOf(symbols, card, card.symbol)),
      typeDays: () => sharesBy(cards, (card) => cellOf(types, card, card.type)),
    });
  };
}

function sharesBy<T>(items: readonly T[], keyOf: (item: T) => number): ReadonlyMap<number, number> {
  const shares = new Map<number, number>();
  for (const item of items) {
    const key = keyOf(item);
    shares.set(key, (shares.get(key) ?? 0) + 1 / items.length);
  }
  return shares;
}

/** Σ over keys of (Σ weight · share)². @param together so many keys in a row count as one */
function squaresOf(contrast: Contrast, kind: keyof Shares, together = 1): number {
  const sums = new Map<number, number>();
  for (const [{ [kind]: shares }, weight] of contrast) {
    for (const [key, share] of shares) {
      const at = Math.floor(key / together);
      sums.set(at, (sums.get(at) ?? 0) + weight * share);
    }
  }
  return sum(sums.values(), (one) => one ** 2);
}
