/** A figure to 12 digits: more than the data's. */
export function clean(value: number): number {
  return Number(value.toPrecision(12));
}

/** Null of no number. */
export function cleanOrNull(value: number): number | null {
  return Number.isNaN(value) ? null : clean(value);
}
