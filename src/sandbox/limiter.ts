import { MINUTE } from '../runtime/units.ts';
import type { Switches } from './switches.ts';

/** Requests in a minute. Times are epoch milliseconds UTC. */
interface Limiter {
  /** When there is room for a request; `now` or earlier where there is. */
  freeAt(now: number): number;
  /** Counts a request, whether there was room or not. */
  count(at: number): void;
}

export function createLimiter({ kind, size }: Switches['limiter'], perMinute: number): Limiter {
  if (kind === 'fixed') return fixedLimiter(perMinute);
  return kind === 'bucket' ? bucketLimiter(perMinute, size) : slidingLimiter(perMinute);
}

/** Room is measured over the last 60 seconds. */
function slidingLimiter(perMinute: number): Limiter {
  let counted: number[] = [];
  return {
    freeAt(now) {
      counted = counted.filter((at) => now - at < MINUTE);
      return (counted.at(-perMinute) ?? now - MINUTE) + MINUTE;
    },
    count(at) {
      counted.push(at);
    },
  };
}

/** Each minute of the clock has its own count. */
function fixedLimiter(perMinute: number): Limiter {
  let minute = { start: 0, count: 0 };
  const startOf = (at: number): number => Math.floor(at / MINUTE) * MINUTE;
  return {
    freeAt: (now) => (minute.start < startOf(now) || minute.count < perMinute ? now : minute.start + MINUTE),
    count(at) {
      if (minute.start < startOf(at)) minute = { start: startOf(at), count: 0 };
      minute.count += 1;
    },
  };
}

/** A bucket of `size` permits, refilled evenly with `perMinute` a minute: bursts are short though the minute is long. */
function bucketLimiter(perMinute: number, size: number): Limiter {
  const gap = MINUTE / perMinute;
  let permits = size;
  let filledAt = 0;
  const fill = (now: number): void => {
    permits = Math.min(size, permits + Math.max(0, now - filledAt) / gap);
    filledAt = Math.max(filledAt, now);
  };
  return {
    freeAt(now) {
      fill(now);
      // A sum of fractions may miss a whole permit by the last digit.
      return permits >= 1 - 1e-9 ? now : now + (1 - permits) * gap;
    },
    count(at) {
      fill(at);
      permits = Math.max(0, permits - 1);
    },
  };
}
