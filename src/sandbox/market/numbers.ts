/** Rounds to `digits` after the point. */
export function rounded(value: number, digits: number): number {
  const scale = 10 ** digits;
  // Adding 0 turns -0 into 0, which JSON would show as "0" but equality would not.
  return Math.round(value * scale) / scale + 0;
}

/** Rounds a price to eight significant digits, as exchanges quote them in full. */
export const price = (value: number): number => Number(value.toPrecision(8));

export const signed = (value: number): string => (value > 0 ? `+${value}` : String(value));
