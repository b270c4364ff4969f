/**
 * Does what came after a card go with a number known at its trigger? A rank correlation within UTC days, so that what the
 * market did to all cards of a day cancels, and so does a key that is only high on some days.
 *
 * van Elteren (1960): within a day of n cards mid-ranks R become a = (R − (n+1)/2)/(n+1), those of the key likewise q.
 * With Q = Σq², the slope is r = Σaq/Q and the residual e = q (a − r q). Cards depend on each other, so the variance is
 * summed over clusters c: V = Σ_c (Σe)² / (1 − w_c), w_c the cluster's share of Q (Bell & McCaffrey 2002). Once the
 * clusters are blocks of days, once symbols: the larger V counts, because a lasting effect of single symbols makes any
 * key look telling that differs between symbols. t = r Q / √V, with the degrees of freedom that V would have if a tenth as
 * much as the cards' own noise were such lasting effects: fewer for a key that is a trait of symbols (without that,
 * .10 to .15 of such keys passed at .05 where symbols had effects, with it .04 to .07), the same for other keys.
 */

import type { Clustered } from './clustered-median.ts';
import { clusterDaysOf, longerClusterDays } from './clusters.ts';
import { twoSidedQuantile, twoSidedTail } from './student-t.ts';
import type { HorizonName, Interval } from './types.ts';

/** A card with the number known at its trigger and the measured value that came after. */
export interface KeyedCard extends Clustered {
  readonly key: number;
}

/** What a test needs; with less it would be wrong more often than it says. */
export const LEAST_FOR_TEST = { cards: 60, clusters: 12, symbols: 8 } as const;

/** Why a key could not be tested. */
export type NotTested =
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

export function rankTest(cards: readonly KeyedCard[], horizon: HorizonName): RankTest | NotTested {
  if (cards.length < LEAST_FOR_TEST.cards) return 'few_cards';
  const byDay = cards.toSorted((one, other) => one.day - other.day);
  const ofValues = ranksWithinDays(byDay, ({ value }) => value);
  const ofKeys = ranksWithinDays(byDay, ({ key }) => key);
  const squares = productSum(ofKeys, ofKeys);
  const scale = Math.sqrt(squares * productSum(ofValues, ofValues));
  if (scale === 0) return 'constant_within_days';
  const product = productSum(ofKeys, ofValues);
  const weighed = byDay.map((card, i): Weighed => {
    const ofKey = ofKeys[i] ?? 0;
    return {
      card,
      ofKey,
      weight: ofKey ** 2 / squares,
      residual: ofKey * ((ofValues[i] ?? 0) - (product / squares) * ofKey),
    };
  });
  const inBlocks = (length: number) => spread(weighed, ({ day }) => Math.floor(day / length));
  const days = new Set(byDay.map(({ day }) => day)).size;
  const clusterDays = clusterDaysOf(horizon, days);
  const blocks = inBlocks(clusterDays);
  const longer = longerClusterDays(clusterDays, blocks.sums, days);
  const overDays = longer === clusterDays ? blocks : inBlocks(longer);
  const overSymbols = spread(weighed, ({ symbol }) => symbol);
  if (blocks.clusters < LEAST_FOR_TEST.clusters) return 'few_days';
  if (overSymbols.clusters < LEAST_FOR_TEST.symbols) return 'few_symbols';
  if (Math.max(overDays.largest, overSymbols.largest) > 0.5) return 'one_outweighs';
  const { variance, df } = overSymbols.variance > overDays.variance ? overSymbols : overDays;
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
 * Mid-ranks around 0, between -1/2 and 1/2.
 * @param cards by day
 */
function ranksWithinDays(cards: readonly KeyedCard[], of: (card: KeyedCard) => number): Float64Array {
  const values = Float64Array.from(cards, of);
  const ranks = new Float64Array(cards.length);
  const order = cards.map((_, i) => i);
  for (let start = 0; start < cards.length; ) {
    let end = start + 1;
    while (cards[end]?.day === cards[start]?.day) end += 1;
    const ofDay = order.slice(start, end).sort((i, j) => (values[i] ?? 0) - (values[j] ?? 0));
    const size = end - start;
    for (let first = 0; first < size; ) {
      let next = first + 1;
      while (next < size && values[ofDay[next] ?? 0] === values[ofDay[first] ?? 0]) next += 1;
      const rank = ((first + 1 + next) / 2 - (size + 1) / 2) / (size + 1);
      for (; first < next; first += 1) ranks[ofDay[first] ?? 0] = rank;
    }
    start = end;
  }
  return ranks;
}

/**
 * Satterthwaite's, of V as a quadratic form in the clusters' sums: (Σ_c g_cc v_c)² / Σ_cd g_cd² v_c v_d, with v_c the
 * variance that the sum of a cluster is taken to have, and g the form of Bell & McCaffrey.
 */
function degreesOfFreedom(clusters: readonly { readonly share: number; readonly noise: number }[]): number {
  const constant = clusters.reduce((sum, { share }) => sum + share ** 2 / (1 - share), 0);
  let trace = 0;
  let squares = 0;
  for (const [i, one] of clusters.entries()) {
    for (const [j, other] of clusters.entries()) {
      const off = constant - one.share / (1 - one.share) - other.share / (1 - other.share);
      const element = i === j ? off + 1 / (1 - one.share) : off;
      if (i === j) trace += element * one.noise;
      squares += element ** 2 * one.noise * other.noise;
    }
  }
  return trace ** 2 / squares;
}

function productSum(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

/** Variance of lasting effects of symbols for which the degrees of freedom allow, in that of a card's own noise. */
const LASTING = 0.1;

interface Weighed {
  readonly card: KeyedCard;
  /** Its rank. */
  readonly ofKey: number;
  /** Of all. */
  readonly weight: number;
  readonly residual: number;
}

/** The variance over clusters that carry weight, and what it rests on; clusters in the order of their first card. */
function spread(cards: readonly Weighed[], clusterOf: (card: KeyedCard) => number | string) {
  const sums = new Map<number | string, { share: number; squares: number; ranks: number; total: number }>();
  for (const { card, ofKey, weight, residual } of cards) {
    const cluster = clusterOf(card);
    let sum = sums.get(cluster);
    if (sum === undefined) {
      sum = { share: 0, squares: 0, ranks: 0, total: 0 };
      sums.set(cluster, sum);
    }
    sum.share += weight;
    sum.squares += ofKey ** 2;
    sum.ranks += ofKey;
    sum.total += residual;
  }
  const clusters = [...sums.values()].filter(({ share }) => share > 0);
  return {
    clusters: clusters.length,
    sums: clusters.map(({ total }) => total),
    largest: clusters.reduce((most, { share }) => Math.max(most, share), 0),
    variance: clusters.reduce((total, one) => total + one.total ** 2 / (1 - one.share), 0),
    df: degreesOfFreedom(clusters.map((one) => ({ share: one.share, noise: one.squares + LASTING * one.ranks ** 2 }))),
  };
}
