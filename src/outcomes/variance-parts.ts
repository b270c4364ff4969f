/**
 * The variance of a sum of medians, in parts: what cards of one symbol and day share, those of one day, of one block of
 * days, of one symbol, and what is each card's alone.
 *
 * A median moves by ψ = sign(x − m) / (2 f) for each value x, where m is the median and f the density there. Each part is
 * the mean product of ψ over pairs of bought outcomes (Searle, Casella & McCulloch 1992), weighed by the days and symbols
 * of all cards.
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
import { medianOf, quantile, sortedOf } from '../statistics/quantile.ts';
import type { Difference } from './differences.ts';
import type { Row } from './row.ts';

/** A median of the service, of one type in one window. */
interface MedianAnswer {
  readonly type: string;
  readonly median: number;
  /** Outcomes that the service counted. */
  readonly sample: number;
}

/** Variances are in percentage points squared. */
export interface VarianceParts {
  /** The variance of what cards share, but for what those of one symbol share. */
  readonly ofShared: (contrast: Contrast) => number;
  /** The variance of what cards of one symbol share. */
  readonly ofSymbols: (contrast: Contrast) => number;
  /** The variance of what is one card's alone, for a card of a type. */
  readonly ofOneCard: (type: string) => number;
  /** Percentage points that a type's median moves by if a share of values joins at one end: 1 / (2 f). */
  readonly slope: (type: string) => number;
  /** Bought outcomes from which the parts are estimated. */
  readonly outcomes: number;
  /** Blocks of days of these outcomes. */
  readonly blocks: number;
  /** Symbols of these outcomes. */
  readonly symbols: number;
}

/** Bought outcomes that an estimate needs. */
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

/** The share of the variance of ψ that is each card's alone at least, however much cards seem to share. */
const LEAST_ALONE = 0.4;

/** What a bought outcome differs from the centre of its type by, percentage points. */
interface Residual {
  readonly type: string;
  readonly value: number;
}

function residualsOf(bought: readonly Difference[], answers: readonly MedianAnswer[]): Residual[] {
  const centres = centresOf(bought, answers);
  return bought.map(({ value, card: { type } }) => ({
    type,
    value: value - (centres.get(type) ?? 0),
  }));
}

/** The median of each type: the mean of its answers by their samples; without an answer the median of what is bought. */
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
 * The slope of each type's median, 1 / (2 f). The shape of the distribution is taken to be the same for all types, which
 * differ by its spread alone.
 * @returns undefined if outcomes do not spread
 */
function slopesOf(residuals: readonly Residual[]): ((type: string) => number) | undefined {
  const spreadOfAll = medianSize(residuals);
  if (spreadOfAll === 0) return undefined;
  const spreads = rollup(
    residuals,
    (ofType) => drawnTowards(spreadOfAll, ofType),
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

/** How many outcomes of a type the spread of all types weighs as much as. */
const PRIOR = 40;

/** The spread of a type, drawn towards that of all types. */
function drawnTowards(spreadOfAll: number, ofType: readonly Residual[]): number {
  const spread = medianSize(ofType);
  const weight = spread === 0 || ofType.length < 2 ? 0 : ofType.length;
  const logs = (weight === 0 ? 0 : weight * Math.log(spread)) + PRIOR * Math.log(spreadOfAll);
  return Math.exp(logs / (weight + PRIOR));
}

/** The density of values at 0, by a Gaussian kernel (Silverman 1986, 3.31). */
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

/** What two cards share of the variance of ψ, by what they have in common. Percentage points squared. */
interface Components {
  /** The same symbol on the same day. */
  readonly cell: number;
  /** The same day. */
  readonly day: number;
  /** The same type on the same day; 0 unless such cards go together clearly more than others of a day. */
  readonly typeDay: number;
  /** The same block of days. */
  readonly block: number;
  /** The same symbol. */
  readonly symbol: number;
}

/** @param influences of the bought outcomes, in the same order */
function componentsOf(
  bought: readonly Difference[],
  { symbols, blocks, cells }: Columns,
  influences: Float64Array,
  clusterDays: number,
): Components {
  const pairsOf = (clusters: Clusters) => pairsWithin(clusters, influences);
  const types = clustersBy(bought, ({ card }) => card.type);
  const ofDays = pairsOf(blocks(1));
  const ofCells = pairsOf(cells(1));
  const ofBlocks = pairsOf(blocks(clusterDays));
  const ofBlocksAndSymbols = pairsOf(cells(clusterDays));
  const ofTypeDays = pairsOf(cellsOf(blocks(1), types));
  const ofTypeCells = pairsOf(cellsOf(blocks(1), bothOf(symbols, types)));
  // Pairs of one block, but neither of one day nor of one symbol: those of one day and symbol would be left out twice.
  const ofBlocksAlone = plus(minus(minus(ofBlocks, ofDays), ofBlocksAndSymbols), ofCells);
  const block = Math.max(0, meanOf(ofBlocksAlone));
  const ofDaysAlone = minus(ofDays, ofCells);
  const square = productSum(influences, influences) / influences.length;
  // The standard error of a mean product is `square` √(2 / count). Half of it is added: of 60 outcomes the variance would
  // be zero too often.
  const margin = ofDaysAlone.count === 0 ? 0 : square * Math.sqrt(0.5 / ofDaysAlone.count);
  // Pairs of one type and day, but not of one symbol; and likewise those of two types.
  const ofTypeDaysAlone = minus(ofTypeDays, ofTypeCells);
  const ofTwoTypes = plus(minus(minus(ofDays, ofTypeDays), ofCells), ofTypeCells);
  const meanOfTwoTypes = meanOf(ofTwoTypes);
  const surplus = meanOf(ofTypeDaysAlone) - Math.max(0, meanOfTwoTypes);
  // Chance alone brings more than 1.64 standard errors in one case of twenty.
  const byChance = 1.64 * square * Math.sqrt(2 / ofTypeDaysAlone.count);
  const typeDay = surplus > byChance ? surplus : 0;
  const meanOfDays = typeDay > 0 ? meanOfTwoTypes : meanOf(ofDaysAlone);
  const day = Math.max(0, meanOfDays + margin - block);
  const hasSymbols = symbols.sizes.length >= LEAST_SYMBOLS;
  const ofSymbolsAlone = minus(pairsOf(symbols), ofBlocksAndSymbols);
  const symbol = hasSymbols ? Math.max(0, meanOf(ofSymbolsAlone)) : 0;
  const cell = Math.max(0, meanOf(ofCells) - day - block - symbol);
  return { cell, day, typeDay, block, symbol };
}

/** Clusters of the cards that are in one cluster of each kind. */
function bothOf(some: Clusters, others: Clusters): Clusters {
  // There are never more clusters than cards: so each pair of clusters has a number of its own.
  const cards = some.clusterOf.length;
  return clustersBy([...some.clusterOf], (cluster, i) => {
    const otherCluster = others.clusterOf[i] ?? 0;
    return cluster * cards + otherCluster;
  });
}

/** Ordered pairs of values. */
interface Pairs {
  /** The sum of the products of each pair. */
  readonly products: number;
  readonly count: number;
}

/** All pairs of two values in one cluster. */
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

/** @param part some of these pairs */
function minus(pairs: Pairs, part: Pairs): Pairs {
  return { products: pairs.products - part.products, count: pairs.count - part.count };
}

/** The mean product; 0 if there are no pairs. */
function meanOf({ products, count }: Pairs): number {
  return count === 0 ? 0 : products / count;
}

/** The share of some cards that is of each day, symbol, symbol of a day, and type of a day. Keys are numbers. */
export type CardShares = Readonly<
  Record<'days' | 'symbols' | 'cells' | 'typeDays', ReadonlyMap<number, number>>
>;

/** A sum of medians, as the shares of the cards of each and its weight. */
type Contrast = readonly { readonly shares: CardShares; readonly weight: number }[];

/**
 * Makes the shares of some of these cards. Symbols and types have numbers that are the same in all shares, so that they can
 * be subtracted; small numbers, because maps find these sooner.
 */
export function sharesOfCards(rows: readonly Row[]): (cards: readonly Row[]) => CardShares {
  const symbols = new Map<string, number>();
  const types = new Map<string, number>();
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

/**
 * Σ over keys of (Σ weight · share)².
 * @param keysInOne so many keys in a row count as one
 */
function squaresOf(contrast: Contrast, kind: keyof CardShares, keysInOne = 1): number {
  const sums = new Map<number, number>();
  for (const { shares, weight } of contrast) {
    for (const [key, share] of shares[kind]) {
      const joined = Math.floor(key / keysInOne);
      sums.set(joined, (sums.get(joined) ?? 0) + weight * share);
    }
  }
  return sum(sums.values(), (total) => total ** 2);
}
