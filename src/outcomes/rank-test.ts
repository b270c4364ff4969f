/**
 * Does what came after a card go with a number known at its trigger? A rank correlation within UTC days, so that what the
 * market did to all cards of a day cancels, and so does a key that is only high on some days.
 *
 * van Elteren (1960): within a day of n cards mid-ranks R become a = (R − (n+1)/2)/(n+1), those of the key likewise q.
 * With Q = Σq², the slope is r = Σaq/Q and the residual e = q (a − r q). Cards depend on each other, so the variance is
 * summed over clusters c: V = Σ_c (Σe)² / (1 − w_c), w_c the cluster's share of Q (Bell & McCaffrey 2002, who also give
 * the degrees of freedom). Once the clusters are blocks of days, once symbols: the larger V counts, because a lasting
 * effect of single symbols makes any key look telling that differs between symbols. t = r Q / √V.
 */

import { degreesOfFreedom, longerClusterDays } from './clusters.ts';
import { groupBy } from './group.ts';
import { twoSidedQuantile, twoSidedTail } from './student-t.ts';
import type { Interval } from './types.ts';

/** A card with the number known at its trigger and the measured value that came after. */
export interface KeyedCard {
  readonly key: number;
  /** Percentage points. */
  readonly value: number;
  /** The UTC day counted from 1970-01-01. */
  readonly day: number;
  readonly symbol: string;
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

/** @param clusterDays how many UTC days make a block */
export function rankTest(cards: readonly KeyedCard[], clusterDays: number): RankTest | NotTested {
  const days = [...groupBy(cards, ({ day }) => day)].sort(([day], [other]) => day - other).map(([, ofDay]) => ofDay);
  const a = days.flatMap((ofDay) => centredRanks(ofDay.map(({ value }) => value)));
  const q = days.flatMap((ofDay) => centredRanks(ofDay.map(({ key }) => key)));
  const squares = sum(q, (one) => one ** 2);
  const squaresOfValues = sum(a, (one) => one ** 2);
  if (cards.length < LEAST_FOR_TEST.cards) return 'few_cards';
  if (squares === 0 || squaresOfValues === 0) return 'constant_within_days';
  const slope = sum(q, (one, i) => one * (a[i] ?? 0)) / squares;
  const weighed = days.flat().map((card, i) => {
    const ofKey = q[i] ?? 0;
    return { card, weight: ofKey ** 2 / squares, residual: ofKey * ((a[i] ?? 0) - slope * ofKey) };
  });
  const inBlocks = (length: number) => spread(weighed, ({ day }) => Math.floor(day / length));
  const blocks = inBlocks(clusterDays);
  const longer = longerClusterDays(clusterDays, blocks.sums, days.length);
  const overDays = longer === clusterDays ? blocks : inBlocks(longer);
  const overSymbols = spread(weighed, ({ symbol }) => symbol);
  if (blocks.clusters < LEAST_FOR_TEST.clusters) return 'few_days';
  if (overSymbols.clusters < LEAST_FOR_TEST.symbols) return 'few_symbols';
  if (Math.max(overDays.largest, overSymbols.largest) > 0.5) return 'one_outweighs';
  const { variance, df } = overSymbols.variance > overDays.variance ? overSymbols : overDays;
  const scale = Math.sqrt(squares * squaresOfValues);
  return {
    correlation: (slope * squares) / scale,
    standardError: Math.sqrt(variance) / scale,
    degreesOfFreedom: df,
    p: twoSidedTail(Math.abs(slope * squares) / Math.sqrt(variance), df),
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

/** Mid-ranks around 0, between -1/2 and 1/2, in the order of `values`. */
function centredRanks(values: readonly number[]): number[] {
  const size = values.length;
  const order = values.map((_, i) => i).sort((i, j) => (values[i] ?? 0) - (values[j] ?? 0));
  const ranks = new Array<number>(size);
  for (let first = 0; first < size; ) {
    let next = first + 1;
    while (next < size && values[order[next] ?? 0] === values[order[first] ?? 0]) next += 1;
    const rank = (first + 1 + next) / 2;
    for (const place of order.slice(first, next)) ranks[place] = (rank - (size + 1) / 2) / (size + 1);
    first = next;
  }
  return ranks;
}

interface Weighed {
  readonly card: KeyedCard;
  readonly weight: number;
  readonly residual: number;
}

/** The variance over clusters that carry weight, and what it rests on; clusters in the order of their first card. */
function spread(cards: readonly Weighed[], clusterOf: (card: KeyedCard) => number | string) {
  const clusters = [...groupBy(cards, ({ card }) => clusterOf(card)).values()]
    .map((ofCluster) => ({ share: sum(ofCluster, (one) => one.weight), total: sum(ofCluster, (one) => one.residual) }))
    .filter(({ share }) => share > 0);
  return {
    clusters: clusters.length,
    sums: clusters.map(({ total }) => total),
    largest: clusters.reduce((most, { share }) => Math.max(most, share), 0),
    variance: sum(clusters, ({ share, total }) => total ** 2 / (1 - share)),
    df: degreesOfFreedom(clusters.map(({ share }) => share)),
  };
}

function sum<T>(items: readonly T[], of: (item: T, index: number) => number): number {
  let total = 0;
  for (let i = 0; i < items.length; i += 1) total += of(items[i] as T, i);
  return total;
}
