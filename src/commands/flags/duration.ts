import { usageError } from '../../errors.ts';
import { readSeconds } from '../../runtime/durations.ts';

/**
 * A duration given to `option`; a bare number is seconds.
 * @returns milliseconds
 * @throws ScreenerError usage
 */
export function durationFlag(option: string, text: string): number {
  const millis = readSeconds(text);
  if (millis === undefined) {
    throw usageError(`${option} takes a duration, not '${text}'.`, 'For example 30s, 2m, 1h30m or 0.');
  }
  return millis;
}
