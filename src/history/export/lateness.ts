/** When an outcome is bought: how late the last ones were, and whether second purchases bring any. Pure. */
import { DAY, HOUR, MINUTE } from '../../runtime/units.ts';
import type { Asked, Lateness } from '../store/manifest.ts';

const LEAST_MARGIN = 10 * MINUTE;
const MOST_MARGIN = 6 * DAY;

/** So many purchases are remembered; a second purchase is worthwhile if one in ten of them brought something. */
const REMEMBERED = 20;
const LEAST_WORTHWHILE = REMEMBERED / 10;

/** If so many of the last first purchases found nothing, outcomes come later than they did. */
const MOST_MISSES = 12;

/** Second purchases are forgotten after so long: what was of no use may be by then. */
const FORGOTTEN_AFTER = 30 * DAY;

/** A first purchase that finds the outcome shows only that the margin is long enough: the margin shrinks slowly. */
const SHRINKING = 0.95;

/** A card's detail was bought. Epoch milliseconds UTC. */
interface Purchase {
  readonly createdAt: number;
  readonly at: number;
  readonly settled: boolean;
  /** Whether it was bought before when it was due. */
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

/** The largest lateness of the last outcomes that were there: milliseconds after the 24 hours. */
function marginOf({ settled }: Pick<Lateness, 'settled'>): number {
  return Math.min(MOST_MARGIN, Math.max(LEAST_MARGIN, ...settled));
}

/** When an outcome is due, in milliseconds after `created_at`. */
export function dueAfter(lateness: Lateness): number {
  return DAY + marginOf(lateness);
}

/** Whether a card that was bought without an outcome is to be bought again. */
export function isAgainWorthwhile({ seconds }: Pick<Lateness, 'seconds'>): boolean {
  return seconds.length < REMEMBERED || seconds.filter(({ settled }) => settled).length >= LEAST_WORTHWHILE;
}

/** How long to wait before a detail that was not settled is bought for the second, third, … time. */
const BUY_AGAIN_AFTER = [HOUR, 6 * HOUR, DAY, 3 * DAY];

/** Bought once, and again at most so many times while it was not settled. */
export const MOST_BOUGHT = 1 + BUY_AGAIN_AFTER.length;

/** How long to wait before a card is asked for again that the server failed for; 20 hours, so that a daily run does. */
const TRY_AGAIN_AFTER = [HOUR, 6 * HOUR, 20 * HOUR, 3 * DAY];

/** Milliseconds to wait after the last request for a card's detail; Infinity where it is not asked for again. */
export function waitBeforeNext({ times, failed, not_found }: Asked): number {
  if (failed > 0) return not_found ? 20 * HOUR : (TRY_AGAIN_AFTER[failed - 1] ?? 7 * DAY);
  return times === 0 ? 0 : (BUY_AGAIN_AFTER[times - 1] ?? Number.POSITIVE_INFINITY);
}
