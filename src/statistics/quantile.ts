/** Smallest first. */
export type Sorted = Readonly<Float64Array>;

export function sortedOf(values: readonly number[]): Sorted {
  return new Float64Array(values).sort();
}

/** Type 7 of Hyndman & Fan (1996), as R and numpy have it; NaN for no values. @param share from 0 to 1 */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  const position = (sorted.length - 1) * share;
  const below = Math.floor(position);
  const low = sorted[below] ?? Number.NaN;
  const high = sorted[Math.min(sorted.length - 1, below + 1)] ?? Number.NaN;
  const weight = position - below;
  if (weight === 0 || low === high) return low;
  // Between −Infinity and any other value there is no middle.
  if (low === Number.NEGATIVE_INFINITY) return low;
  return low + (high - low) * weight;
}

export function medianOf(values: readonly number[]): number {
  return quantile(sortedOf(values), 0.5);
}

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** A figure to 12 digits: more than the data's. */
export function clean(value: number): number {
  return Number(value.toPrecision(12));
}

/** A figure to 12 digits; null for NaN. */
export function cleanOrNull(value: number): number | null {
  return Number.isNaN(value) ? null : clean(value);
}
