/** Arithmetic on plain numbers. */

/** The arithmetic mean; 0 if there are no values. */
export function mean(values: readonly number[]): number {
  const sum = values.reduce((total, value) => total + value, 0);
  return sum / Math.max(1, values.length);
}

/** The least of the values that there are; undefined if there is none. */
export function smallestOf(values: readonly (number | undefined)[]): number | undefined {
  const present = values.filter((value) => value !== undefined);
  return present.length === 0 ? undefined : Math.min(...present);
}
