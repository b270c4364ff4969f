/** The arithmetic mean; 0 if there are no values. */
export function mean(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const sum = values.reduce((total, value) => total + value, 0);
  return sum / values.length;
}

/** The smallest of the values that are not undefined; undefined if all are. */
export function smallestOf(values: readonly (number | undefined)[]): number | undefined {
  const present = values.filter((value) => value !== undefined);
  return present.length === 0 ? undefined : Math.min(...present);
}
