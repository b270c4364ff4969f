/**
 * Rank correlation within UTC days of what came after a card with a number at its trigger.
 *
 * van Elteren (1960): of n cards of a day mid-ranks R become a = (R − (n+1)/2)/(n+1), those of the number q likewise.
 * With Q = Σq² the slope is r = Σaq/Q, the residual e = q (a − r q), and t = r Q / √V. V = Σ_c (Σe)² / (1 − w_c) over
 * clusters, w_c their share of Q (Bell & McCaffrey 2002): the largest of days, symbols, and both (Cameron et al. 2011).
 *
 * In the code a is `outcomeRanks`, q is `numberRanks`, Q is `squares`, and Σaq is `product`.
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

/** A test needs at least so many cards, and so many blocks of days and symbols in which the number varies. */
export const LEAST_FOR_TEST = { cards: 60, clusters: 12, symbols: 8 } as const;

/** What is missing. `one_outweighs`: one block of days, or one symbol, has more than half of the weight. */
export const TOO_LITTLE = ['few_cards', 'few_days', 'few_symbols', 'one_outweighs'] as const;

/** Why there is no test: too little is known, or the number or the outcome is the same for all cards of each day. */
export type NoTest = (typeof TOO_LITTLE)[number] | 'constant_within_days';

/** No cluster may carry a larger share: the test would be of that day or symbol. */
const LARGEST_SHARE = 1 / 2;

/**
 * @param columns what came after each card, by day
 * @param numbers the number at the trigger of each card, in the same order
 * @param lengths of the blocks of days
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
  // Clusters can be keys: `columns` gives the same object again for the same blocks or symbols.
  const spreadOver = oncePerKey((clusters: Clusters) => spreadOf(scores, clusters));
  const { shortDays, clusterDays } = blockDays(
    columns,
    lengths,
    (clusters) => spreadOver(clusters).sums,
  );
  const overShortBlocks = spreadOver(columns.blocks(shortDays));
  const overDays = spreadOver(columns.blocks(clusterDays));
  const overSymbols = spreadOver(columns.symbols);
  if (overShortBlocks.shares.length < LEAST_FOR_TEST.clusters) return 'few_days';
  if (overSymbols.shares.length < LEAST_FOR_TEST.symbols) return 'few_symbols';
  const largestShare = Math.max(...overDays.shares, ...overSymbols.shares);
  if (largestShare > LARGEST_SHARE) return 'one_outweighs';
  const overCells = spreadOver(columns.cells(clusterDays));
  const { variance, df } = largestVariance(overDays, overSymbols, overCells);
  return estimateByT(product / scale, Math.sqrt(variance) / scale, df, {
    size: numbers.length,
    span: numbers.length,
    clusters: overDays.shares.length,
  });
}

/** The variance over days, over symbols, or over both, whichever is largest, with its degrees of freedom. */
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
 * Mid-ranks within each day, from -1/2 to 1/2. They are counted, not sorted, because a day has some ten cards.
 * @param days of the values, in order
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
      // The mid-rank R less the mean rank (n+1)/2 is half of it.
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
  /** q²/Q: a cluster's sum is its share of the test. */
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

/** How the scores spread over clusters; those in which the number does not vary carry nothing, and are left out. */
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
  const carries = (_: number, cluster: number) => (allShares[cluster] ?? 0) > 0;
  const shares = allShares.filter(carries);
  const sums = sumsBy(clusters, residuals).filter(carries);
  return {
    sums,
    shares,
    rankSums: () => sumsBy(clusters, scaledRanks).filter(carries),
    variance: varianceOver(sums, shares),
  };
}

/** The degrees of freedom assume lasting effects of symbols with this share of the variance of a card's own noise. */
const LASTING = 0.1;

function degreesOfFreedomOf({ shares, rankSums }: Spread): number {
  const sums = rankSums();
  const noise = shares.map((share, i) => share + LASTING * (sums[i] ?? 0) ** 2);
  return degreesOfFreedom(shares, noise);
}
