/** How long to wait before asking again for something that has failed. */
import { DAY, HOUR } from './units.ts';

/**
 * How long to wait after each of the first four failures in a row, milliseconds. The third wait is under a day, so that a daily
 * run asks again on the next day.
 */
const WAITS = [HOUR, 6 * HOUR, 20 * HOUR, 3 * DAY];

/** How long to wait after each further failure, milliseconds. */
const LAST_WAIT = 7 * DAY;

/** @param failures how many there were in a row, at least 1 @returns milliseconds to wait after the last of them */
export function waitBeforeTrying(failures: number): number {
  return WAITS[failures - 1] ?? LAST_WAIT;
}
