/** Smallest first. */
export type Sorted = Readonly<Float64Array>;

export function sortedOf(values: readonly number[]): Sorted {
  // A typed array sorts several times as fast.
  return new Float64Array(values).sort();
}

/**
 * Type 7 of Hyndman & Fan (1996), the default of R and numpy.
 * @param share from 0 to 1
 * @returns NaN for no values
 */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  const position = (sorted.length - 1) * share;
  const below = Math.floor(position);
  const low = sorted[below] ?? Number.NaN;
  const high = sorted[Math.min(sorted.length - 1, below + 1)] ?? Number.NaN;
  const weight = position - below;
  return weight === 0 || low === high || low === Number.NEGATIVE_INFINITY ? low : low + (high - low) * weight;
}

export function medianOf(values: readonly number[]): number {
  return quantile(sortedOf(values), 0.5);
}
