/** Smallest first. */
export type Sorted = Readonly<Float64Array>;

export function sortedOf(values: readonly number[]): Sorted {
  return new Float64Array(values).sort();
}

/**
 * A value with this share of the values below it: of 10, 20, 30 and 40, the quantile 0.5 is 25. It is type 7 of Hyndman & Fan
 * (1996), as in R and numpy.
 * @param share a fraction
 * @returns NaN for no values
 */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  const position = (sorted.length - 1) * share;
  const below = Math.floor(position);
  const above = Math.min(below + 1, sorted.length - 1);
  const low = sorted[below] ?? Number.NaN;
  const high = sorted[above] ?? Number.NaN;
  const weight = position - below;
  if (weight === 0 || low === high) return low;
  // Between −Infinity and any other value there is no middle.
  if (low === Number.NEGATIVE_INFINITY) return low;
  return low + (high - low) * weight;
}

export function medianOf(values: readonly number[]): number {
  return quantile(sortedOf(values), 0.5);
}

/** The distance between the quartiles of a normal distribution, in standard deviations. */
const QUARTILES_APART = 1.349;

/** The standard deviation, judged by the quartiles: a few extreme values do not move it. */
export function deviationByQuartiles(sorted: Sorted): number {
  return (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / QUARTILES_APART;
}

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Rounded to 12 digits, because the last digits of a computation are noise: 0.30000000000000004 becomes 0.3. */
export function clean(value: number): number {
  return Number(value.toPrecision(12));
}

/** As `clean`; null for NaN. */
export function cleanOrNull(value: number): number | null {
  return Number.isNaN(value) ? null : clean(value);
}
