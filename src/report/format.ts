import { signed as plainSigned } from '../output/format.ts';
import type { Interval } from '../statistics/types.ts';

/** Moves and differences, in percent or percentage points: `+1.25`, `−0.30`, `0.00`; nothing where there is none. */
export function signed(value: number | null, decimals = 2): string {
  return value === null ? '' : plainSigned(value, decimals, { minus: '−' });
}

export function between(interval: Interval | null, share = '95 %: '): string {
  return interval === null ? 'no interval' : `${share}${signed(interval.low)} to ${signed(interval.high)}`;
}

/** A figure without a sign, as short as it may be: `0.4`, `12`. */
export function fixed(value: number): string {
  return String(Number(value.toFixed(value < 10 ? 1 : 0)));
}

export const percent = (share: number): string => `${Math.round(share * 100)} %`;
