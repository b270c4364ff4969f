/** Durations in milliseconds. */
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Days since 1970, UTC, of a time in epoch milliseconds. */
export function dayNumber(at: number): number {
  return Math.floor(at / DAY);
}

/** The UTC day of a time in epoch milliseconds: `2026-11-20`. */
export function utcDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
