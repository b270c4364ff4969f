/**
 * The variance of a sum of medians, in parts: what cards of one symbol and day share, what cards of one day share, what cards
 * of one block of days share, what cards of one symbol share, and what is each card's alone.
 *
 * The median of n values is the true median plus the mean of ψ = sign(x − m) / (2 f) over its values x, m being the true median
 * and f the density there. So the variance of a median is that of a mean of ψ. What two cards share is the mean product of
 * their ψ, over pairs of bought outcomes (Searle, Casella & McCulloch 1992): if ψ is ±2 pp, and two cards of one day have the
 * same sign in 60 % of the pairs, cards of one day share 0.6 × 4 − 0.4 × 4 = 0.8 pp². What all cards of a window share is
 * then known from the list of cards, which needs no purchase.
 *
 * In the code ψ is `influence`, m is `centre`, and 1 / (2 f) is `slope`.
 */
import { rollup, sum } from 'd3-array';
import { lazily } from '../base/collections.ts';
import { dayNumber } from '../base/units.ts';
import { LEAST_CLUSTERS, LEAST_SYMBOLS } from '../statistics/clustered-median.ts';
import {
  type Clusters,
  type Columns,
  cellsOf,
  clustersBy,
  columnsOf,
  numberOf,
  productSum,
  sumsBy,
} from '../statistics/clusters.ts';
import { deviationByQuartiles, medianOf, sortedOf } from '../statistics/quantile.ts';
import type { Difference } from './differences.ts';
import type { HistoryCard } from './history-card.ts';

/** A median of the service, of one type in one window. */
interface MedianAnswer {
  readonly type: string;
  /** The median of the differences to BTC, percentage points. */
  readonly median: number;
  /** Outcomes that the service counted. */
  readonly sample: number;
}

/** Variances are in percentage points squared. */
export interface VarianceParts {
  /** The variance of what cards of one day, of one block of days, or of one symbol and day share. */
  readonly ofShared: (contrast: Contrast) => number;
  /** The variance of what cards of one symbol share. */
  readonly ofSymbols: (contrast: Contrast) => number;
  /** The variance of what is one card's alone, for a card of a type. */
  readonly ofOneCard: (type: string) => number;
  /**
   * 1 / (2 f) of a type, percentage points: its median moves by this if as many values as there are join at one end. If a tenth
   * as many join, it moves by a tenth of this.
   */
  readonly slope: (type: string) => number;
  /** Bought outcomes from which the parts are estimated. */
  readonly outcomes: number;
  /** Blocks of days of these outcomes. */
  readonly blocks: number;
  /** Symbols of these outcomes. */
  readonly symbols: number;
}

/** With fewer bought outcomes, neither the density nor what pairs share can be estimated. */
const LEAST_BOUGHT = 30;

/**
 * @param bought differences to BTC of bought outcomes, oldest first
 * @param answers the service's medians: a type that has one is centred on it
 * @param clusterDays UTC days of a block
 * @returns undefined if too little is bought
 */
export function variancePartsOf(
  bought: readonly Difference[],
  answers: readonly MedianAnswer[],
  clusterDays: number,
): VarianceParts | undefined {
  const columns = columnsOf(bought);
  const blocks = columns.blocks(clusterDays).sizes.length;
  if (bought.length < LEAST_BOUGHT || blocks < LEAST_CLUSTERS) return undefined;
  const residuals = residualsOf(bought, answers);
  const slope = slopesOf(residuals);
  if (slope === undefined) return undefined;
  const influences = Float64Array.from(
    residuals,
    ({ type, value }) => Math.sign(value) * slope(type),
  );
  const components = componentsOf(bought, columns, influences, clusterDays);
  const { cell, day, typeDay, block, symbol } = components;
  return {
    ofShared: (contrast) =>
      cell * squaresOf(contrast, 'cells') +
      day * squaresOf(contrast, 'days') +
      (typeDay === 0 ? 0 : typeDay * squaresOf(contrast, 'typeDays')) +
      block * squaresOf(contrast, 'days', clusterDays),
    ofSymbols: (contrast) => symbol * squaresOf(contrast, 'symbols'),
    ofOneCard: (type) => {
      const all = slope(type) ** 2;
      return Math.max(all - cell - day - typeDay - block - symbol, LEAST_ALONE * all);
    },
    slope,
    outcomes: bought.length,
    blocks,
    symbols: columns.symbols.sizes.length,
  };
}

/**
 * At least this part of the variance of ψ is taken to be each card's alone, however much pairs of cards seem to share: with
 * few outcomes they may seem to share all of it by chance. A fraction.
 */
const LEAST_ALONE = 0.4;

/** A bought outcome, minus the centre of its type. */
interface Residual {
  readonly type: string;
  /** Percentage points. */
  readonly value: number;
}

function residualsOf(bought: readonly Difference[], answers: readonly MedianAnswer[]): Residual[] {
  const centres = centresOf(bought, answers);
  return bought.map(({ value, card: { type } }) => ({
    type,
    value: value - (centres.get(type) ?? 0),
  }));
}

/**
 * The median of each type, percentage points: the mean of the service's medians, weighted by their samples; without one, the
 * median of the bought outcomes.
 */
function centresOf(
  bought: readonly Difference[],
  answers: readonly MedianAnswer[],
): Map<string, number> {
  const medianOfBought = (ofType: readonly Difference[]) =>
    medianOf(ofType.map(({ value }) => value));
  const meanOfAnswers = (ofType: readonly MedianAnswer[]) =>
    sum(ofType, ({ sample, median }) => sample * median) / sum(ofType, ({ sample }) => sample);
  return new Map([
    ...rollup(bought, medianOfBought, ({ card }) => card.type),
    ...rollup(answers, meanOfAnswers, ({ type }) => type),
  ]);
}

/**
 * The slope of each type's median, 1 / (2 f), percentage points. All types are taken to have distributions of the same shape,
 * which differ by their spread alone.
 * @returns undefined if outcomes do not spread
 */
function slopesOf(residuals: readonly Residual[]): ((type: string) => number) | undefined {
  const spreadOfAll = medianSize(residuals);
  if (spreadOfAll === 0) return undefined;
  const spreads = rollup(
    residuals,
    (ofType) => spreadPulledTowards(spreadOfAll, ofType),
    ({ type }) => type,
  );
  const spreadOf = (type: string) => spreads.get(type) ?? spreadOfAll;
  const density = densityAtZero(residuals.map(({ type, value }) => value / spreadOf(type)));
  return (type) => spreadOf(type) / (2 * density);
}

/** The median distance from the centre, percentage points. */
function medianSize(residuals: readonly Residual[]): number {
  return medianOf(residuals.map(({ value }) => Math.abs(value)));
}

/** The spread of all types weighs as much as 40 outcomes of a type, so that types with few outcomes can be judged, too. */
const WEIGHT_OF_ALL_TYPES = 40;

/**
 * The spread of a type, pulled towards the spread of all types: the weighted mean of their logarithms. With 40 outcomes and the
 * spread 4, where that of all types is 1, it is √(4 × 1) = 2.
 */
function spreadPulledTowards(spreadOfAll: number, ofType: readonly Residual[]): number {
  const spread = medianSize(ofType);
  const weight = ofType.length;
  // One outcome does not spread, and 0 has no logarithm.
  if (weight < 2 || spread === 0) return spreadOfAll;
  const logs = weight * Math.log(spread) + WEIGHT_OF_ALL_TYPES * Math.log(spreadOfAll);
  return Math.exp(logs / (weight + WEIGHT_OF_ALL_TYPES));
}

/**
 * The density of values at 0, by a Gaussian kernel. Its width is 0.9 A n^−0.2, A being the smaller of the standard deviation
 * and of that judged by the quartiles (Silverman 1986, formula 3.31).
 */
function densityAtZero(values: readonly number[]): number {
  const { length } = values;
  const meanValue = sum(values) / length;
  const deviation = Math.sqrt(sum(values, (value) => (value - meanValue) ** 2) / length);
  const byQuartiles = deviationByQuartiles(sortedOf(values));
  const smaller = byQuartiles > 0 ? Math.min(deviation, byQuartiles) : deviation;
  const width = 0.9 * smaller * length ** -0.2;
  const sumOfKernels = sum(values, (value) => Math.exp(-((value / width) ** 2) / 2));
  return sumOfKernels / (length * width * Math.sqrt(2 * Math.PI));
}

/** What two cards share of the variance of ψ, by what they have in common. Percentage points squared. */
interface Components {
  /** The same symbol on the same day. */
  readonly cell: number;
  /** The same day. */
  readonly day: number;
  /** The same type and day; 0 unless such cards go together clearly more than cards of two types on one day. */
  readonly typeDay: number;
  /** The same block of days. */
  readonly block: number;
  /** The same symbol. */
  readonly symbol: number;
}

/**
 * What pairs of cards share: the mean product of their influences. What is shared by block and by symbol is judged by the pairs
 * that have only that in common. Pairs of one day also share what their block shares, and pairs of one day and symbol share all:
 * so the other parts are subtracted from what they share.
 *
 * An example, in pp². Mean products: 0.1 of pairs that have only the block in common, 0.2 only the symbol, 0.8 only the day, and
 * 1.5 of pairs of one day and symbol. Then the block's part is 0.1, the symbol's 0.2, the day's 0.8 − 0.1 = 0.7, and the cell's
 * 1.5 − 0.7 − 0.1 − 0.2 = 0.5. (To the day's part half of its standard error is added.)
 * @param influences of the bought outcomes, in the same order
 */
function componentsOf(
  bought: readonly Difference[],
  columns: Columns,
  influences: Float64Array,
  clusterDays: number,
): Components {
  const pairs = pairsByCommon(bought, columns, influences, clusterDays);
  const meanSquare = productSum(influences, influences) / influences.length;
  const hasManySymbols = columns.symbols.sizes.length >= LEAST_SYMBOLS;
  const block = notNegative(meanOf(pairs.onlyBlock));
  const symbol = hasManySymbols ? notNegative(meanOf(pairs.onlySymbol)) : 0;
  const typeDay = sharedByTypeAndDay(pairs, meanSquare);
  // If cards of one type share more, what cards of a day share is judged by the cards of two types.
  const ofDay = typeDay > 0 ? pairs.dayOfTwoTypes : pairs.onlyDay;
  const day = notNegative(meanOf(ofDay) + marginOfDay(pairs.onlyDay, meanSquare) - block);
  const cell = notNegative(meanOf(pairs.dayAndSymbol) - day - block - symbol);
  return { cell, day, typeDay, block, symbol };
}

/** A variance is never negative, but an estimate of one may be. */
function notNegative(estimate: number): number {
  return Math.max(0, estimate);
}

/** The standard normal quantile of 95 %: chance alone brings more standard errors than that in one case of twenty. */
const ONE_IN_TWENTY = 1.64;

/**
 * By how much more cards of one type and day share than cards of two types on one day.
 * @param meanSquare the variance of ψ
 * @returns 0 if that may be chance
 */
function sharedByTypeAndDay(
  { dayOfOneType, dayOfTwoTypes }: PairsByCommon,
  meanSquare: number,
): number {
  const surplus = meanOf(dayOfOneType) - notNegative(meanOf(dayOfTwoTypes));
  // The standard error of a mean product over independent pairs is meanSquare × √(2 / count).
  const byChance = ONE_IN_TWENTY * meanSquare * Math.sqrt(2 / dayOfOneType.count);
  return surplus > byChance ? surplus : 0;
}

/**
 * Half of the standard error of what cards of one day share: with 60 outcomes that part would otherwise be 0 too often.
 * @param meanSquare the variance of ψ
 */
function marginOfDay({ count }: Pairs, meanSquare: number): number {
  return count === 0 ? 0 : meanSquare * Math.sqrt(0.5 / count);
}

/** The pairs of cards, by all that they have in common. */
interface PairsByCommon {
  /** The block of days: neither the day nor the symbol. */
  readonly onlyBlock: Pairs;
  /** The symbol: no block of days. */
  readonly onlySymbol: Pairs;
  /** The day: not the symbol. They are of one type, or of two. */
  readonly onlyDay: Pairs;
  /** The day and the type: not the symbol. */
  readonly dayOfOneType: Pairs;
  /** The day: neither the type nor the symbol. */
  readonly dayOfTwoTypes: Pairs;
  /** The day and the symbol. */
  readonly dayAndSymbol: Pairs;
}

function pairsByCommon(
  bought: readonly Difference[],
  { symbols, blocks, cells }: Columns,
  influences: Float64Array,
  clusterDays: number,
): PairsByCommon {
  const types = clustersBy(bought, ({ card }) => card.type);
  // Pairs that have at least this in common.
  const pairsOf = (clusters: Clusters) => pairsWithin(clusters, influences);
  const sameBlock = pairsOf(blocks(clusterDays));
  const sameDay = pairsOf(blocks(1));
  const sameSymbol = pairsOf(symbols);
  const sameBlockAndSymbol = pairsOf(cells(clusterDays));
  const sameDayAndSymbol = pairsOf(cells(1));
  const sameDayAndType = pairsOf(cellsOf(blocks(1), types));
  const sameDayTypeAndSymbol = pairsOf(cellsOf(blocks(1), bothOf(symbols, types)));
  // Pairs that have nothing else in common.
  const onlyDay = minus(sameDay, sameDayAndSymbol);
  const dayOfOneType = minus(sameDayAndType, sameDayTypeAndSymbol);
  const blockWithoutDayAndSymbol = minus(minus(sameBlock, sameDay), sameBlockAndSymbol);
  return {
    // Pairs of one day and symbol are pairs of one day, and also pairs of one block and symbol. They were subtracted twice, so
    // they are added once.
    onlyBlock: plus(blockWithoutDayAndSymbol, sameDayAndSymbol),
    onlySymbol: minus(sameSymbol, sameBlockAndSymbol),
    onlyDay,
    dayOfOneType,
    dayOfTwoTypes: minus(onlyDay, dayOfOneType),
    dayAndSymbol: sameDayAndSymbol,
  };
}

/** Clusters of the cards that are in the same cluster of `some` and in the same cluster of `others`. */
function bothOf(some: Clusters, others: Clusters): Clusters {
  // Each pair of clusters gets a number of its own, because there are never more clusters than cards.
  const cards = some.clusterOf.length;
  return clustersBy([...some.clusterOf], (cluster, i) => {
    const otherCluster = others.clusterOf[i] ?? 0;
    return cluster * cards + otherCluster;
  });
}

/** Pairs of different values; each pair counts twice, as (a, b) and as (b, a). */
interface Pairs {
  /** The sum of the products of the pairs. */
  readonly products: number;
  readonly count: number;
}

/**
 * All pairs of values that are in one cluster. The square of a cluster's sum has all products, and those of values with
 * themselves.
 */
function pairsWithin(clusters: Clusters, values: Float64Array): Pairs {
  const sums = sumsBy(clusters, values);
  return {
    products: productSum(sums, sums) - productSum(values, values),
    count: productSum(clusters.sizes, clusters.sizes) - values.length,
  };
}

function plus(some: Pairs, others: Pairs): Pairs {
  return { products: some.products + others.products, count: some.count + others.count };
}

/** The pairs without those of `part`. @param part some of `pairs` */
function minus(pairs: Pairs, part: Pairs): Pairs {
  return { products: pairs.products - part.products, count: pairs.count - part.count };
}

/** The mean product; 0 if there are no pairs. */
function meanOf({ products, count }: Pairs): number {
  return count === 0 ? 0 : products / count;
}

/** Which fraction of some cards lies on each day, symbol, symbol and day, and type and day. Keys are numbers. */
export type Composition = Readonly<
  Record<'days' | 'symbols' | 'cells' | 'typeDays', ReadonlyMap<number, number>>
>;

/** A sum of medians: the weight of each, and where its cards lie. */
type Contrast = readonly { readonly composition: Composition; readonly weight: number }[];

/**
 * Makes a function that works out the composition of some of these cards. A symbol, or a type, has the same number each time the
 * function is called, so that fractions can be subtracted from each other. The numbers are small, because maps find small numbers
 * sooner.
 */
export function compositionsOf(
  rows: readonly HistoryCard[],
): (cards: readonly HistoryCard[]) => Composition {
  const symbols = new Map<string, number>();
  const types = new Map<string, number>();
  for (const { symbol, type } of rows) {
    numberOf(symbols, symbol);
    numberOf(types, type);
  }
  return (cards) => {
    const cellOf = (numbers: Map<string, number>, { at }: HistoryCard, name: string) =>
      dayNumber(at) * numbers.size + numberOf(numbers, name);
    return lazily({
      days: () => fractionsBy(cards, ({ at }) => dayNumber(at)),
      symbols: () => fractionsBy(cards, ({ symbol }) => numberOf(symbols, symbol)),
      cells: () => fractionsBy(cards, (card) => cellOf(symbols, card, card.symbol)),
      typeDays: () => fractionsBy(cards, (card) => cellOf(types, card, card.type)),
    });
  };
}

function fractionsBy<T>(
  items: readonly T[],
  keyOf: (item: T) => number,
): ReadonlyMap<number, number> {
  const fractions = new Map<number, number>();
  for (const item of items) {
    const key = keyOf(item);
    fractions.set(key, (fractions.get(key) ?? 0) + 1 / items.length);
  }
  return fractions;
}

/**
 * Σ over keys of (Σ weight · fraction)². The variance that cards of one day (or symbol, and so on) share, times this factor, is
 * its part in the variance of a sum of medians. An example: a type has all its cards on one day (weight 1). The others have
 * half of their cards on that day, and half on another day (weight −1). The factor is (1 − 0.5)² + (−0.5)² = 0.5.
 * @param keysInOne how many keys in a row count as one: the days of a block
 */
function squaresOf(contrast: Contrast, kind: keyof Composition, keysInOne = 1): number {
  const sums = new Map<number, number>();
  for (const { composition, weight } of contrast) {
    for (const [key, fraction] of composition[kind]) {
      const joined = Math.floor(key / keysInOne);
      sums.set(joined, (sums.get(joined) ?? 0) + weight * fraction);
    }
  }
  return sum(sums.values(), (total) => total ** 2);
}
