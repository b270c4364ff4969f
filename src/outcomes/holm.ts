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
 * @param values null for a comparison that could not be made
 * @returns in the order of `values`; undefined for null
 */
export function holm(values: readonly (number | null)[]): readonly (Adjusted | undefined)[] {
  const order = values.flatMap((p, index) => (p === null ? [] : [{ p, index }])).sort((a, b) => a.p - b.p);
  const adjusted: Adjusted[] = [];
  let largest = 0;
  let level = LEVEL;
  for (const [place, { p, index }] of order.entries()) {
    const left = order.length - place;
    // Once a comparison is not called real, none after it is: the level stays.
    if (largest < LEVEL) level = LEVEL / left;
    largest = Math.max(largest, Math.min(1, p * left));
    adjusted[index] = { p: largest, level };
  }
  return adjusted;
}
