/** A difference is called real below this, over all comparisons together. */
export const LEVEL = 0.05;

export interface Adjusted {
  readonly p: number;
  /** The level at which the comparison's own interval leaves out zero exactly where `p` is below `LEVEL`. */
  readonly level: number;
}

/**
 * Holm's step-down adjustment (1979): keeps the chance of even one false difference below `LEVEL`, however the
 * comparisons depend on each other.
 * @returns in the order of `values`
 */
export function holm(values: readonly number[]): readonly Adjusted[] {
  const order = values.map((p, index) => ({ p, index })).sort((a, b) => a.p - b.p);
  const adjusted: Adjusted[] = [];
  let largest = 0;
  let level = LEVEL;
  for (const [place, { p, index }] of order.entries()) {
    const left = values.length - place;
    // Once a comparison is not called real, none after it is: the level stays.
    if (largest < LEVEL) level = LEVEL / left;
    largest = Math.max(largest, Math.min(1, p * left));
    adjusted[index] = { p: largest, level };
  }
  return adjusted;
}
