import { usageError } from '../../errors.ts';

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

const PART = /(\d+(?:\.\d+)?)(ms|s|m|h|d|w)/gy;

/**
 * Reads `90m`, `1h30m`, `24h`, `7d`, `2w`, `500ms`.
 * @returns milliseconds, or undefined where the text is no duration
 */
export function readDuration(text: string): number | undefined {
  let total = 0;
  let end = 0;
  for (const match of text.matchAll(PART)) {
    total += Number(match[1]) * (UNITS[match[2] ?? ''] ?? Number.NaN);
    end = match.index + match[0].length;
  }
  return end === text.length && end > 0 ? Math.round(total) : undefined;
}

/**
 * A duration given to `option`; a bare number is seconds.
 * @returns milliseconds
 * @throws ScreenerError usage
 */
export function durationFlag(option: string, text: string): number {
  const millis = /^\d+(\.\d+)?$/.test(text) ? Math.round(Number(text) * 1000) : readDuration(text.toLowerCase());
  if (millis === undefined || !Number.isSafeInteger(millis)) {
    throw usageError(`${option} takes a duration, not '${text}'.`, 'For example 30s, 2m, 1h30m or 0.');
  }
  return millis;
}
