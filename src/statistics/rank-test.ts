/**
 * Rank correlation within UTC days of what came after a card with a number known at its trigger.
 *
 * van Elteren (1960): of n cards of a day mid-ranks R become a = (R − (n+1)/2)/(n+1), those of the number q likewise.
 * With Q = Σq² the slope is r = Σaq/Q, the residual e = q (a − r q), and t = r Q / √V. V = Σ_c (Σe)² / (1 − w_c) over
 * clusters, w_c their share of Q (Bell & McCaffrey 2002): the largest of days, symbols, and both (Cameron et al. 2011).
 */

import { oncePerKey } from '../base/collections.ts';
import {
  type BlockLengths,
  blockDays,
  type Clusters,
  type Columns,
  degreesOfFreedom,
  productSum,
  sumsBy,
  varianceOver,
} from './clusters.ts';
import { type Estimate, estimateByT } from './estimate.ts';

export const LEAST = { cards: 60, clusters: 12, symbols: 8 } as const;

/** What is missing; of one that outweighs, more than half of the weight is in one block of days or on one symbol. */
export const TOO_LITTLE = ['few_cards', 'few_days', 'few_symbols', 'one_outweighs'] as const;

/** @param keys the number known at the trigger of each value @param lengths of the blocks of days @returns also why there is no test */
export function rankTest(
  columns: Columns,
  keys: Float64Array,
  lengths: BlockLengths,
): Estimate | (typeof TOO_LITTLE)[number] | 'constant_within_days' {
  const { days, symbols } = columns;
  const [ofValues, ofKeys] = [ranksWithinDays(columns.values, days), ranksWithinDays(keys, days)];
  if (ofKeys.length < LEAST.cards) return 'few_cards';
  const squares = productSum(ofKeys, ofKeys);
  const scale = Math.sqrt(squares * productSum(ofValues, ofValues));
  if (scale === 0) return 'constant_within_days';
  const product = productSum(ofKeys, ofValues);
  const [residuals, weights, ranks] = [ofKeys.slice(), ofKeys.slice(), ofKeys.slice()];
  for (let i = 0; i < ofKeys.length; i += 1) {
    const ofKey = ofKeys[i] ?? 0;
    residuals[i] = ofKey * ((ofValues[i] ?? 0) - (product / squares) * ofKey);
    weights[i] = ofKey ** 2 / squares;
    ranks[i] = ofKey / Math.sqrt(squares);
  }
  const over = oncePerKey((clusters: Clusters) => spread(clusters, weights, ranks, residuals));
  const { shortDays, clusterDays } = blockDays(columns, lengths, (clusters) => over(clusters).sums);
  const overDays = over(columns.blocks(clusterDays));
  const overSymbols = over(symbols);
  if (over(columns.blocks(shortDays)).shares.length < LEAST.clusters) return 'few_days';
  if (overSymbols.shares.length < LEAST.symbols) return 'few_symbols';
  if (Math.max(...overDays.shares, ...overSymbols.shares) > 0.5) return 'one_outweighs';
  const twoWays =
    overDays.variance + overSymbols.variance - over(columns.cells(clusterDays)).variance;
  const variance = Math.max(overDays.variance, overSymbols.variance, twoWays);
  const ofWays = [overDays, overSymbols].filter(
    (one) => variance === twoWays || variance === one.variance,
  );
  const df = Math.min(...ofWays.map(({ shares, noise }) => degreesOfFreedom(shares, noise())));
  const of = { size: days.length, span: days.length, clusters: overDays.shares.length };
  return estimateByT(product / scale, Math.sqrt(variance) / scale, df, of);
}

/** Mid-ranks from -1/2 to 1/2, by counting because a day has some ten cards. @param days in order */
function ranksWithinDays(values: Float64Array, days: Int32Array): Float64Array {
  const ranks = new Float64Array(values.length);
  for (let start = 0, end = 0; start < values.length; start = end) {
    while (days[end] === days[start]) end += 1;
    for (let i = start; i < end; i += 1) {
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

/** Lasting effects of symbols that the degrees of freedom allow for, in the variance of a card's own noise. */
const LASTING = 0.1;

function spread(
  clusters: Clusters,
  weights: Float64Array,
  ranks: Float64Array,
  residuals: Float64Array,
) {
  const ofClusters = sumsBy(clusters, weights);
  const carries = (_: number, cluster: number) => (ofClusters[cluster] ?? 0) > 0;
  const shares = ofClusters.filter(carries);
  const sums = sumsBy(clusters, residuals).filter(carries);
  const noise = () => {
    const ofRanks = sumsBy(clusters, ranks).filter(carries);
    return shares.map((share, i) => share + LASTING * (ofRanks[i] ?? 0) ** 2);
  };
  return { sums, shares, noise, variance: varianceOver(sums, shares) };
}
