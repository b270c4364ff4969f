/**
 * Whether cards with a larger number at their trigger have larger outcomes. Both are ranked among the cards of the same UTC
 * day, and the ranks are correlated.
 *
 * 1. Ranks (van Elteren 1960): among the n cards of a day, a mid-rank R becomes (R − (n+1)/2) / (n+1). The numbers 5, 7 and 7
 *    have the mid-ranks 1, 2.5 and 2.5, which become −0.25, 0.125 and 0.125. The rank of a card's outcome is called a, that of
 *    its number q.
 * 2. The correlation is Σaq / √(Σq² Σa²).
 * 3. Its test: with Q = Σq² the slope of a on q is r = Σaq/Q, and a card's residual is e = q (a − r q). Then t = Σaq / √V.
 * 4. V = Σ_c (Σe)² / (1 − w_c), where c is a cluster, Σe the sum of its residuals, and w_c its share of Q (Bell & McCaffrey
 *    2002). V is worked out for blocks of days, for symbols, and for both together (Cameron, Gelbach & Miller 2011). The
 *    largest V counts.
 *
 * In the code a is `outcomeRanks`, q is `numberRanks`, Q is `squares`, Σaq is `product`, and √(Σq² Σa²) is `scale`.
 */
import { oncePerKey } from '../base/collections.ts';
import {
  type BlockLengths,
  blockDays,
  type Clusters,
  type Columns,
  degreesOfFreedom,
  productSum,
  spanOf,
  sumsBy,
  varianceOver,
} from './clusters.ts';
import { type Estimate, estimateByT } from './estimate.ts';

/**
 * What a test needs at least: cards; blocks of days in which the number varies; and symbols in which it varies. With fewer
 * than 60 cards, even if they were independent, only correlations above 2 / √60 = 0.26 could be proved.
 */
export const LEAST_FOR_TEST = { cards: 60, blocks: 12, symbols: 8 } as const;

/**
 * What a test lacks. `few_days`: there are too few blocks of days. `one_outweighs`: one block of days, or one symbol, has more
 * than half of the weight.
 */
export const TOO_LITTLE = ['few_cards', 'few_days', 'few_symbols', 'one_outweighs'] as const;

/**
 * Why there is no test. `constant_within_days`: on each day all cards have the same number, or all have the same outcome.
 */
export type NoTest = (typeof TOO_LITTLE)[number] | 'constant_within_days';

/** If one cluster had more of the weight, the test would say only what that block of days, or that symbol, did. A fraction. */
const LARGEST_SHARE = 1 / 2;

/**
 * @param columns the outcome of each card, in the order of days
 * @param numbers the number at the trigger of each card, in the same order
 * @param lengths how many days a block usually has
 * @returns the rank correlation, from -1 to 1, with its test of 0
 */
export function rankTest(
  columns: Columns,
  numbers: Float64Array,
  lengths: BlockLengths,
): Estimate | NoTest {
  if (numbers.length < LEAST_FOR_TEST.cards) return 'few_cards';
  const outcomeRanks = ranksWithinDays(columns.values, columns.days);
  const numberRanks = ranksWithinDays(numbers, columns.days);
  const squares = productSum(numberRanks, numberRanks);
  const scale = Math.sqrt(squares * productSum(outcomeRanks, outcomeRanks));
  if (scale === 0) return 'constant_within_days';
  const product = productSum(numberRanks, outcomeRanks);
  const scores = scoresOf(outcomeRanks, numberRanks, squares, product / squares);
  // Each division into clusters is worked out once. `columns` returns the same object for the same blocks, so that it can be a
  // key.
  const spreadOver = oncePerKey((clusters: Clusters) => spreadOf(scores, clusters));
  // Blocks are longer than usual if the residuals of neighbouring blocks go together.
  const residualsOf = (blocks: Clusters) => spreadOver(blocks).sums;
  const { usualBlockDays, clusterDays } = blockDays(columns, lengths, residualsOf);
  const overUsualBlocks = spreadOver(columns.blocks(usualBlockDays));
  const overDays = spreadOver(columns.blocks(clusterDays));
  const overSymbols = spreadOver(columns.symbols);
  // Blocks of the usual length are counted: if blocks are longer, there are fewer blocks, but not fewer days.
  if (overUsualBlocks.shares.length < LEAST_FOR_TEST.blocks) return 'few_days';
  if (overSymbols.shares.length < LEAST_FOR_TEST.symbols) return 'few_symbols';
  const largestShare = Math.max(...overDays.shares, ...overSymbols.shares);
  if (largestShare > LARGEST_SHARE) return 'one_outweighs';
  // A cell is one symbol in one block.
  const overCells = spreadOver(columns.cells(clusterDays));
  const { variance, df } = largestVariance(overDays, overSymbols, overCells);
  return estimateByT(product / scale, Math.sqrt(variance) / scale, df, {
    size: numbers.length,
    span: spanOf(columns),
    clusters: overDays.shares.length,
  });
}

/**
 * The variance over days, over symbols, or over both, whichever is largest, with its degrees of freedom. Over both, the
 * variances over days and over symbols are added. Each of them contains the variance over cells, which is therefore subtracted
 * once.
 */
function largestVariance(
  overDays: Spread,
  overSymbols: Spread,
  overCells: Spread,
): { readonly variance: number; readonly df: number } {
  const variance = Math.max(overDays.variance, overSymbols.variance);
  const overBoth = overDays.variance + overSymbols.variance - overCells.variance;
  if (overBoth > variance) {
    const df = Math.min(degreesOfFreedomOf(overDays), degreesOfFreedomOf(overSymbols));
    return { variance: overBoth, df };
  }
  const larger = overDays.variance >= overSymbols.variance ? overDays : overSymbols;
  return { variance, df: degreesOfFreedomOf(larger) };
}

/**
 * Mid-ranks within each day, from -1/2 to 1/2. Each value is compared with each other: a day has some ten cards.
 * @param days the UTC day of each value, in order
 */
function ranksWithinDays(values: Float64Array, days: Int32Array): Float64Array {
  const ranks = new Float64Array(values.length);
  let start = 0;
  while (start < values.length) {
    let end = start;
    while (days[end] === days[start]) end += 1;
    for (let i = start; i < end; i += 1) {
      const value = values[i] ?? 0;
      let smallerLessLarger = 0;
      for (let j = start; j < end; j += 1) {
        const other = values[j] ?? 0;
        if (other < value) smallerLessLarger += 1;
        else if (other > value) smallerLessLarger -= 1;
      }
      // R − (n+1)/2 is half of `smallerLessLarger`: of 5, 7 and 7 the 5 has none smaller and two larger, and −2 / 2 = 1 − 2.
      ranks[i] = smallerLessLarger / 2 / (end - start + 1);
    }
    start = end;
  }
  return ranks;
}

/** What each card adds to the sums of its clusters. */
interface Scores {
  /** e = q (a − r q). */
  readonly residuals: Float64Array;
  /** q²/Q. A cluster's sum of them is its share of the test. */
  readonly weights: Float64Array;
  /** q/√Q. */
  readonly scaledRanks: Float64Array;
}

function scoresOf(
  outcomeRanks: Float64Array,
  numberRanks: Float64Array,
  squares: number,
  slope: number,
): Scores {
  const root = Math.sqrt(squares);
  return {
    residuals: numberRanks.map((rank, i) => rank * ((outcomeRanks[i] ?? 0) - slope * rank)),
    weights: numberRanks.map((rank) => rank ** 2 / squares),
    scaledRanks: numberRanks.map((rank) => rank / root),
  };
}

/** The scores' sums by cluster. Clusters in which the number does not vary say nothing, and are left out. */
interface Spread {
  /** Each cluster's sum of residuals, in the order of the clusters. */
  readonly sums: Float64Array;
  /** Each cluster's share of the whole test; they add up to 1. */
  readonly shares: Float64Array;
  /** Each cluster's sum of scaled ranks. Summed on demand: only the largest variance needs it. */
  readonly rankSums: () => Float64Array;
  readonly variance: number;
}

function spreadOf({ residuals, weights, scaledRanks }: Scores, clusters: Clusters): Spread {
  const allShares = sumsBy(clusters, weights);
  const hasWeight = (_: number, cluster: number) => (allShares[cluster] ?? 0) > 0;
  const shares = allShares.filter(hasWeight);
  const sums = sumsBy(clusters, residuals).filter(hasWeight);
  return {
    sums,
    shares,
    rankSums: () => sumsBy(clusters, scaledRanks).filter(hasWeight),
    variance: varianceOver(sums, shares),
  };
}

/**
 * The cards of one symbol are taken to share an effect. Its variance is a tenth of the variance of a single card's noise. The
 * effect is assumed for the degrees of freedom alone. (For blocks of days it changes nothing: the ranks of a day add up to 0.)
 */
const SHARED_EFFECT = 0.1;

function degreesOfFreedomOf({ shares, rankSums }: Spread): number {
  const sums = rankSums();
  // With scaled ranks x, the variance of a cluster's sum is Σx² for the noise of the cards, and 0.1 (Σx)² for the effect that
  // they share. Σx² is the cluster's share of the test.
  const variances = shares.map((share, i) => share + SHARED_EFFECT * (sums[i] ?? 0) ** 2);
  return degreesOfFreedom(shares, variances);
}
