/** Of intervals, of a word that is kept, and of one question. */
export const LEVEL = 0.05;

/**
 * Of all comparisons of a family together. Users look every morning: of simulated histories without effects 5 to 15 % saw
 * some false word on 90 mornings, at .02 8 to 18 %.
 */
export const FAMILY_LEVEL = 0.015;

export interface Adjusted {
  readonly p: number;
  /** The level at which the comparison's own interval leaves out zero exactly where `p` is below the family's level. */
  readonly level: number;
}

/**
 * Holm's step-down adjustment (1979): keeps the chance of even one false difference below `family`, however the
 * comparisons depend on each other.
 * @param values null for a comparison that could not be made
 * @param family the level of all of them together
 * @returns in the order of `values`; undefined for null
 */
export function holm(values: readonly (number | null)[], family: number): readonly (Adjusted | undefined)[] {
  const order = values.flatMap((p, index) => (p === null ? [] : [{ p, index }])).sort((a, b) => a.p - b.p);
  const adjusted: Adjusted[] = [];
  let largest = 0;
  let level = family;
  for (const [place, { p, index }] of order.entries()) {
    const left = order.length - place;
    // Once a comparison is not called real, none after it is: the level stays.
    if (largest < family) level = family / left;
    largest = Math.max(largest, Math.min(1, p * left));
    adjusted[index] = { p: largest, level };
  }
  return adjusted;
}
