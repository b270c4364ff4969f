import { LIMITS } from '../api/limits.ts';
import { DAY } from '../runtime/units.ts';
import { amount, array, type Checked, flag, nullable, object, record, text, time } from './checks.ts';

const Spent = object({ requests: amount, charged: amount, uncertain: amount });

/**
 * A request from its reservation on. Waiting: neither sent nor ended. Under way: sent only. Given up: ended only.
 * Answered (or lost for good): both.
 */
const TurnRecord = object({
  nonce: text,
  pid: amount,
  place: text,
  operation: text,
  cost: amount,
  /** Milliseconds. */
  timeout: amount,
  /** When the turn was asked for, epoch milliseconds UTC. */
  at: time,
  sent: nullable(time),
  ended: nullable(time),
  /** HTTP status; null where there was none. */
  status: nullable(amount),
  /** Whether it was under way when `/access` was last asked. */
  straddles: flag,
});

/**
 * What the lines of a ledger amount to: everything the rules need. Kept small (turns that no longer matter are
 * dropped), because checkpoints and a new day's file carry it.
 */
export const State = object({
  /** The latest time any line bears; the clock was set back where it now says less. */
  latest: time,
  /** In the order of their reservations. */
  turns: array(TurnRecord),
  /** The hold of a 429 or 503 that lasts longest; `millis` from `at`. */
  hold: nullable(object({ at: time, millis: amount, status: amount })),
  /** What `/access` last said. */
  seen: nullable(
    object({
      at: time,
      used: amount,
      limit: amount,
      remaining: amount,
      resetsAt: text,
      perMinute: amount,
    }),
  ),
  /** Requests a minute, and since when that has been known. */
  pace: object({ perMinute: amount, since: time }),
  /** Credits this machine spent since `seen`; `uncertain` may be in `seen.used` already, or never be charged. */
  since: object({ charged: amount, uncertain: amount }),
  /** Spending by UTC day of sending (`dayNumber`) and operation: the latest few days. */
  days: array(object({ day: amount, operations: record(Spent) })),
});

export type State = Checked<typeof State>;
export type TurnRecord = Checked<typeof TurnRecord>;
export type Spent = Checked<typeof Spent>;

/** @param perMinute the allowance as long as `/access` has not been asked */
export function emptyState(perMinute: number = LIMITS.requestsPerMinute): State {
  return {
    latest: 0,
    turns: [],
    hold: null,
    seen: null,
    pace: { perMinute, since: 0 },
    since: { charged: 0, uncertain: 0 },
    days: [],
  };
}

/** Days since 1970, UTC. */
export function dayNumber(at: number): number {
  return Math.floor(at / DAY);
}

/** The UTC day of a time, `YYYY-MM-DD`. That the API's day turns at UTC midnight is an assumption. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
