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

/** About so many clusters are left of days that go together. */
export const LONG_BLOCKS = 10;

/**
 * How many UTC days make a cluster where days in a row depend on each other: longer blocks, but only where the data ask
 * for them, because few clusters make every interval wide. They do where r, the serial correlation of the clusters' sums,
 * is more than 0.8 standard errors (1/√C) above zero: so it is in one of five histories whose days are independent, and
 * widths grow by 2 to 7 % there. In 60 days with an autoregression of 0.6 short blocks cover 75 to 87 %, these 89 to
 * 92 %; with 1.28 standard errors and twelve blocks it were 86 to 90 %.
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
  const isSerial = products > (0.8 / Math.sqrt(sums.length)) * squares;
  return isSerial ? Math.max(clusterDays, Math.ceil(days / LONG_BLOCKS)) : clusterDays;
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
