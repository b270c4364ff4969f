/** Learns how late outcomes come, and whether second purchases bring any. Pure. */
import { DAY, HOUR, MINUTE } from '../../runtime/units.ts';
import type { Asked, Lateness } from '../store/manifest.ts';

const LEAST_MARGIN = 10 * MINUTE;
const MOST_MARGIN = 6 * DAY;

const REMEMBERED = 20;
const LEAST_WORTHWHILE = REMEMBERED / 10;

/** Counts misses of first purchases after which outcomes are taken to come later. */
const MOST_MISSES = 12;

/** Forgets second purchases: what was of no use may be by then. */
const FORGOTTEN_AFTER = 30 * DAY;

/** Shrinks the margin slowly: a hit shows only that the margin is long enough. */
const SHRINKING = 0.95;

/** Epoch milliseconds UTC. */
interface Purchase {
  readonly createdAt: number;
  readonly at: number;
  readonly settled: boolean;
  readonly again: boolean;
}

export function learn(before: Lateness, { createdAt, at, settled, again }: Purchase): Lateness {
  const late = at - createdAt - DAY;
  // Bought by another command before the outcome could be there.
  if (late < 0) return before;
  const lateness = { ...before, seconds: before.seconds.filter((one) => at - one.at < FORGOTTEN_AFTER) };
  if (again) lateness.seconds = [...lateness.seconds, { at, settled }].slice(-REMEMBERED);
  else lateness.firsts = [...before.firsts, settled].slice(-REMEMBERED);
  if (settled) {
    const known = again ? late : Math.min(late, SHRINKING * marginOf(before));
    lateness.settled = [...before.settled, Math.round(known)].slice(-REMEMBERED);
  } else if (!again && late < MOST_MARGIN && lateness.firsts.filter((one) => !one).length >= MOST_MISSES) {
    return { ...lateness, settled: [2 * late], firsts: [] };
  }
  return lateness;
}

/** Milliseconds after the 24 hours. */
function marginOf({ settled }: Pick<Lateness, 'settled'>): number {
  return Math.min(MOST_MARGIN, Math.max(LEAST_MARGIN, ...settled));
}

/** Milliseconds after `created_at`. */
export function dueAfter(lateness: Lateness): number {
  return DAY + marginOf(lateness);
}

export function isAgainWorthwhile({ seconds }: Pick<Lateness, 'seconds'>): boolean {
  return seconds.length < REMEMBERED || seconds.filter(({ settled }) => settled).length >= LEAST_WORTHWHILE;
}

const BUY_AGAIN_AFTER = [HOUR, 6 * HOUR, DAY, 3 * DAY];

export const MOST_BOUGHT = 1 + BUY_AGAIN_AFTER.length;

/** The 20 hours let a daily run ask again. */
const TRY_AGAIN_AFTER = [HOUR, 6 * HOUR, 20 * HOUR, 3 * DAY];

/** Milliseconds after the last request; Infinity if the card is not asked for again. */
export function waitBeforeNext({ times, failed, not_found }: Asked): number {
  if (failed > 0) return not_found ? 20 * HOUR : (TRY_AGAIN_AFTER[failed - 1] ?? 7 * DAY);
  return times === 0 ? 0 : (BUY_AGAIN_AFTER[times - 1] ?? Number.POSITIVE_INFINITY);
}
