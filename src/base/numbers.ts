/** Arithmetic on plain numbers. */

/** The arithmetic mean; 0 if there are no values. */
export function mean(values: readonly number[]): number {
  const sum = values.reduce((total, value) => total + value, 0);
  return sum / Math.max(1, values.length);
}
