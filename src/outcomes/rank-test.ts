/**
 * Does what came after a card go with a number known at its trigger? A rank correlation within UTC days: what the market
 * did to all cards of a day cancels.
 *
 * van Elteren (1960): within a day of n cards mid-ranks R become a = (R − (n+1)/2)/(n+1), those of the number likewise q.
 * With Q = Σq², the slope is r = Σaq/Q and the residual e = q (a − r q). V = Σ_c (Σe)² / (1 − w_c) over clusters c, w_c
 * their share of Q (Bell & McCaffrey 2002): the largest of blocks of days, of symbols, and of both (Cameron, Gelbach &
 * Miller 2011), because lasting effects of symbols make any trait of symbols look telling. t = r Q / √V, with the degrees
 * of freedom that V would have if a tenth as much as the cards' own noise were lasting effects of symbols. So .03 to .09
 * of numbers that say nothing pass at .05.
 */
import type { HorizonName } from '../api/contract/horizons.ts';
import {
  type Clusters,
  type Columns,
  cellsOf,
  dayBlocks,
  degreesOfFreedom,
  productSum,
  sumsBy,
  varianceOver,
} from './clusters.ts';
import { twoSidedQuantile, twoSidedTail } from './student-t.ts';
import type { Interval } from './types.ts';

/** What a test needs; with less it would be wrong more often than it says. */
const LEAST = { cards: 60, clusters: 12, symbols: 8 } as const;

/** Why a key could not be tested. */
type NotTested =
  | 'few_cards'
  /** Too few blocks of days. */
  | 'few_days'
  | 'few_symbols'
  /** More than half of all the weight lies in one block of days or on one symbol. */
  | 'one_outweighs'
  /** The key, or the value, is equal for all cards of each day. */
  | 'constant_within_days';

export interface RankTest {
  /** Spearman's correlation within days, from -1 to 1. */
  readonly correlation: number;
  readonly standardError: number;
  readonly degreesOfFreedom: number;
  /** Two-sided, of no correlation. */
  readonly p: number;
}

/**
 * @param columns the measured values that came after
 * @param keys the number known at the trigger of each
 */
export function rankTest(
  { values, days, symbols }: Columns,
  keys: Float64Array,
  horizon: HorizonName,
): RankTest | NotTested {
  if (keys.length < LEAST.cards) return 'few_cards';
  const ofValues = ranksWithinDays(values, days);
  const ofKeys = ranksWithinDays(keys, days);
  const squares = productSum(ofKeys, ofKeys);
  const scale = Math.sqrt(squares * productSum(ofValues, ofValues));
  if (scale === 0) return 'constant_within_days';
  const product = productSum(ofKeys, ofValues);
  const residuals = ofKeys.map((ofKey, i) => ofKey * ((ofValues[i] ?? 0) - (product / squares) * ofKey));
  const weights = ofKeys.map((ofKey) => ofKey ** 2 / squares);
  const ranks = ofKeys.map((ofKey) => ofKey / Math.sqrt(squares));
  const over = (clusters: Clusters) => spread(clusters, weights, ranks, residuals);
  const { short, blocks } = dayBlocks(days, horizon, (clusters) => over(clusters).sums);
  const overDays = over(blocks);
  const overSymbols = over(symbols);
  if (over(short).shares.length < LEAST.clusters) return 'few_days';
  if (overSymbols.shares.length < LEAST.symbols) return 'few_symbols';
  if (Math.max(...overDays.shares, ...overSymbols.shares) > 0.5) return 'one_outweighs';
  const twoWays = overDays.variance + overSymbols.variance - over(cellsOf(blocks, symbols)).variance;
  const variance = Math.max(overDays.variance, overSymbols.variance, twoWays);
  const ofWays = [overDays, overSymbols].filter((one) => variance === twoWays || variance === one.variance);
  const df = Math.min(...ofWays.map(({ shares, noise }) => degreesOfFreedom(shares, noise)));
  return {
    correlation: product / scale,
    standardError: Math.sqrt(variance) / scale,
    degreesOfFreedom: df,
    p: twoSidedTail(Math.abs(product) / Math.sqrt(variance), df),
  };
}

/** The correlations that a test at `level` does not refuse. */
export function correlationInterval(test: RankTest, level: number): Interval {
  const half = twoSidedQuantile(level, test.degreesOfFreedom) * test.standardError;
  return { low: Math.max(-1, test.correlation - half), high: Math.min(1, test.correlation + half) };
}

/** The correlation that a test at `level` would find with a chance of about 80 %. */
export function correlationThatShows(test: RankTest, level: number): number {
  return (twoSidedQuantile(level, test.degreesOfFreedom) + 0.84) * test.standardError;
}

/**
 * Mid-ranks around 0, between -1/2 and 1/2. By counting: a day has some ten bought cards, and at most some hundred.
 * @param days in order
 */
function ranksWithinDays(values: Float64Array, days: Int32Array): Float64Array {
  const ranks = new Float64Array(values.length);
  for (let start = 0, end = 0; start < values.length; start = end) {
    while (days[end] === days[start]) end += 1;
    for (let i = start; i < end; i += 1) {
      // Less those that are larger: the rank is half of it from the middle.
      const own = values[i] ?? 0;
      let smaller = 0;
      for (let j = start; j < end; j += 1) {
        const other = values[j] ?? 0;
        if (other < own) smaller += 1;
        else if (other > own) smaller -= 1;
      }
      ranks[i] = smaller / 2 / (end - start + 1);
    }
  }
  return ranks;
}

/** Variance of lasting effects of symbols for which the degrees of freedom allow, in that of a card's own noise. */
const LASTING = 0.1;

interface Spread {
  /** What the residuals of each cluster add up to, and the cluster's share of all squared ranks of the key. */
  readonly sums: Float64Array;
  readonly shares: Float64Array;
  /** The variance that each sum is taken to have. */
  readonly noise: Float64Array;
  readonly variance: number;
}

/** Over the clusters that carry weight. @param weights of all cards 1 together */
function spread(clusters: Clusters, weights: Float64Array, ranks: Float64Array, residuals: Float64Array): Spread {
  const ofClusters = sumsBy(clusters, weights);
  const carries = (_: number, cluster: number) => (ofClusters[cluster] ?? 0) > 0;
  const shares = ofClusters.filter(carries);
  const ofRanks = sumsBy(clusters, ranks).filter(carries);
  const sums = sumsBy(clusters, residuals).filter(carries);
  return {
    sums,
    shares,
    noise: shares.map((share, i) => share + LASTING * (ofRanks[i] ?? 0) ** 2),
    variance: varianceOver(sums, shares),
  };
}
