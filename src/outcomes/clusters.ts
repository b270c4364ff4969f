/** Clusters: values of one day share one market, so that they count for less than as many independent ones. */
import type { HorizonName } from './types.ts';

/**
 * How many UTC days make a cluster. A 24 h window reaches into the next day, so that single days depend on each other
 * (intervals from them covered 0.90 to 0.93 in simulations; from blocks of two 0.92 to 0.95; of three 0.94 to 0.95, but
 * those need more days).
 * @param days UTC days in the sample
 */
export function clusterDaysOf(name: HorizonName, days: number): number {
  if (name === '1h') return 1;
  return days < 36 ? 2 : 3;
}

/**
 * How many UTC days make a cluster where days in a row depend on each other: longer blocks, but only where the data ask
 * for them, because few clusters make every interval wide. r, the serial correlation of the clusters' sums, is above
 * 1.28/√C in one of ten histories whose days are independent.
 * @param sums what each cluster of `clusterDays` adds up to, oldest first
 * @param days UTC days in the sample
 */
export function longerClusterDays(clusterDays: number, sums: readonly number[], days: number): number {
  const mean = sums.reduce((total, one) => total + one, 0) / sums.length;
  let products = 0;
  let squares = 0;
  for (const [i, one] of sums.entries()) {
    squares += (one - mean) ** 2;
    products += (one - mean) * ((sums[i + 1] ?? mean) - mean);
  }
  const isSerial = products > (1.28 / Math.sqrt(sums.length)) * squares;
  return isSerial ? Math.max(clusterDays, Math.ceil(days / 12)) : clusterDays;
}

/**
 * Degrees of freedom of a variance summed over clusters (Bell & McCaffrey 2002, for independent values): one less than
 * the clusters where all have one size, fewer where some outweigh the others.
 * @param shares of the clusters in all; infinite or NaN where one cluster is everything
 */
export function degreesOfFreedom(shares: readonly number[]): number {
  let squares = 0;
  let leverage = 0;
  for (const share of shares) {
    const rest = 1 - share;
    squares += (share / rest) ** 2 * (1 - 2 * share);
    leverage += share ** 2 / rest;
  }
  return 1 / (squares + leverage ** 2);
}
