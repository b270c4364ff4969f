/** How long to leave alone what has failed. */
import { DAY, HOUR } from './units.ts';

/** Between runs: milliseconds after the last of so many failures in a row. The 20 hours let a daily run ask again. */
const TRY_AGAIN_AFTER = [HOUR, 6 * HOUR, 20 * HOUR, 3 * DAY];
const TRY_AGAIN_AT_LAST = 7 * DAY;

/** @param failures in a row, from 1 @returns milliseconds after the last of them */
export function waitBeforeTrying(failures: number): number {
  return TRY_AGAIN_AFTER[failures - 1] ?? TRY_AGAIN_AT_LAST;
}
