/**
 * The formulas: order statistics of a sample and intervals that assume nothing of its distribution. Pure.
 */

/** In order, smallest first. */
export function sortedOf(values: readonly number[]): readonly number[] {
  return [...values].sort((a, b) => a - b);
}

/** Linear interpolation between neighbours (type 7; the default of numpy, and DuckDB's `quantile_cont`). */
export function quantile(sorted: readonly number[], share: number): number {
  const position = (sorted.length - 1) * share;
  const below = Math.floor(position);
  const low = sorted[below] ?? Number.NaN;
  const high = sorted[Math.min(sorted.length - 1, below + 1)] ?? Number.NaN;
  return low + (high - low) * (position - below);
}

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Below this many values no pair of order statistics covers the median with 95 %: 2 * (1/2)^5 is more than 5 %. */
export const LEAST_FOR_INTERVAL = 6;

/**
 * Ranks (from 0) of the two order statistics that cover the median with at least 95 %, whatever the distribution: the
 * number of values below the median is Binomial(size, 1/2), and at most 2.5 % is left out on either side.
 * @returns undefined below 6 values
 */
export function medianIntervalRanks(size: number): Interval | undefined {
  if (size < LEAST_FOR_INTERVAL) return undefined;
  let low = Math.max(0, Math.floor(size / 2 - 0.98 * Math.sqrt(size)) - 2);
  while (low > 0 && halfBinomialCdf(size, low) > 0.025) low -= 1;
  while (halfBinomialCdf(size, low + 1) <= 0.025) low += 1;
  return { low, high: size - 1 - low };
}

/** P(X <= k) for X ~ Binomial(size, 1/2), k below the middle. */
export function halfBinomialCdf(size: number, k: number): number {
  let term = Math.exp(logFactorial(size) - logFactorial(k) - logFactorial(size - k) - size * Math.LN2);
  let sum = 0;
  // From k downwards each term is the next one times i / (size - i + 1); they shrink fast.
  for (let i = k; i >= 0 && term > sum * 1e-17; i -= 1) {
    sum += term;
    term *= i / (size - i + 1);
  }
  return sum;
}

function logFactorial(n: number): number {
  if (n < 32) {
    let product = 1;
    for (let i = 2; i <= n; i += 1) product *= i;
    return Math.log(product);
  }
  // Stirling's series; the next term is below 1e-13 here.
  const inverse = 1 / n;
  const square = inverse * inverse;
  const series = inverse * (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square / 1680)));
  return n * Math.log(n) - n + 0.5 * Math.log(2 * Math.PI * n) + series;
}

const Z_95 = 1.959963984540054;

/** Wilson's 95 % interval for a share; both ends within 0 and 1. */
export function wilson(successes: number, size: number): Interval {
  const share = successes / size;
  const z2 = (Z_95 * Z_95) / size;
  const center = (share + z2 / 2) / (1 + z2);
  const half = (Z_95 / (1 + z2)) * Math.sqrt((share * (1 - share)) / size + z2 / (4 * size));
  return {
    low: successes === 0 ? 0 : Math.max(0, center - half),
    high: successes === size ? 1 : Math.min(1, center + half),
  };
}
