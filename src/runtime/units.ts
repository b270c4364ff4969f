/** Durations in milliseconds. */
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Days since 1970, UTC. */
export function dayNumber(at: number): number {
  return Math.floor(at / DAY);
}

/** `2026-11-20`, UTC. */
export function utcDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** `24 Nov`, UTC. */
export function dayAndMonth(at: number): string {
  const [, day = '', month = ''] = new Date(at).toUTCString().split(' ');
  return `${Number(day)} ${month}`;
}
