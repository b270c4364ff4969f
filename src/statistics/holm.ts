/** The level of intervals, of a kept word, and of one question. */
export const LEVEL = 0.05;

/** The level of a whole family: of 900 simulated seasons .059 saw a false word within 90 mornings, at .02 .066. */
export const FAMILY_LEVEL = 0.015;

/** The level of all numbers at the trigger of an account: 17 of 100 null accounts see one in 90 days. */
export const NUMBERS_LEVEL = 0.03;

export interface Adjusted {
  readonly p: number;
  /** Level of the comparison's own interval that agrees with `p`. */
  readonly level: number;
}

/**
 * Holm (1979): bounds the chance of even one false difference by `family`, however the comparisons depend.
 * @param values null for a comparison that could not be made: undefined
 */
export function holm(values: readonly (number | null)[], family: number): readonly (Adjusted | undefined)[] {
  const order = values.flatMap((p, index) => (p === null ? [] : [{ p, index }])).sort((a, b) => a.p - b.p);
  const adjusted: Adjusted[] = [];
  let largest = 0;
  let level = family;
  for (const [place, { p, index }] of order.entries()) {
    const left = order.length - place;
    // The first difference that fails sets the level of all after it.
    if (largest < family) level = family / left;
    largest = Math.max(largest, Math.min(1, p * left));
    adjusted[index] = { p: largest, level };
  }
  return adjusted;
}
