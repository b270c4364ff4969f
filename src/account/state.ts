import * as v from 'valibot';
import { LIMITS } from '../api/operations.ts';

const time = v.pipe(v.number(), v.finite());
const amount = v.pipe(v.number(), v.finite(), v.minValue(0));

const Spent = v.object({ requests: amount, charged: amount, uncertain: amount });

/**
 * A request from its reservation on. Waiting: neither sent nor ended. Under way: sent only. Given up: ended only.
 * Answered (or lost for good): both.
 */
const TurnRecord = v.object({
  nonce: v.string(),
  pid: v.number(),
  place: v.string(),
  operation: v.string(),
  cost: amount,
  /** Milliseconds. */
  timeout: amount,
  /** When the turn was asked for, epoch milliseconds UTC. */
  at: time,
  sent: v.nullable(time),
  ended: v.nullable(time),
  /** HTTP status; null where there was none. */
  status: v.nullable(v.number()),
  /** Whether it was under way when `/access` was last asked. */
  straddles: v.boolean(),
});

/**
 * What the lines of a ledger amount to: everything the rules need. Kept small (turns that no longer matter are
 * dropped), because checkpoints and a new day's file carry it.
 */
export const State = v.object({
  /** The latest time any line bears; the clock was set back where it now says less. */
  latest: time,
  /** In the order of their reservations. */
  turns: v.array(TurnRecord),
  /** The hold of a 429 or 503 that lasts longest; `millis` from `at`. */
  hold: v.nullable(v.object({ at: time, millis: amount, status: v.number() })),
  /** What `/access` last said. */
  seen: v.nullable(
    v.object({
      at: time,
      used: amount,
      limit: amount,
      remaining: amount,
      resetsAt: v.string(),
      perMinute: amount,
    }),
  ),
  /** Requests a minute, and since when that has been known. */
  pace: v.object({ perMinute: amount, since: time }),
  /** Credits this machine spent since `seen`; `uncertain` may be in `seen.used` already, or never be charged. */
  since: v.object({ charged: amount, uncertain: amount }),
  /** Spending by UTC day of sending (`dayNumber`) and operation: the latest few days. */
  days: v.array(v.object({ day: v.number(), operations: v.record(v.string(), Spent) })),
});

export type State = v.InferOutput<typeof State>;
export type TurnRecord = v.InferOutput<typeof TurnRecord>;
export type Spent = v.InferOutput<typeof Spent>;

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

const DAY = 86_400_000;

/** Days since 1970, UTC. */
export function dayNumber(at: number): number {
  return Math.floor(at / DAY);
}

/** The UTC day of a time, `YYYY-MM-DD`. That the API's day turns at UTC midnight is an assumption. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
