/** What the records of a ledger amount to: everything that the schedule and the figures of spending need. */
import * as v from 'valibot';
import { LIMITS } from '../api/limits.ts';
import { parseApiTime } from '../api/time.ts';
import { MINUTE } from '../runtime/units.ts';

/** Times in epoch milliseconds UTC, durations in milliseconds: up to what a Date can hold. */
const amount = v.pipe(v.number(), v.minValue(0), v.maxValue(8.64e15));
const count = v.pipe(amount, v.safeInteger());

/** Credits a set of requests cost, as far as this machine can know. */
const Spending = v.object({
  /** Requests that left this machine, free ones included. */
  requests: amount,
  /** Credits of requests answered with 200. */
  charged: amount,
  /** Credits of requests that failed or whose answer was lost: the document does not say whether they count. */
  uncertain: amount,
});

/**
 * A request from its permit on. Waiting: neither sent nor ended. Under way: sent only. Given up: ended only. Answered
 * (or lost for good): both.
 */
const Permit = v.object({
  nonce: v.string(),
  pid: count,
  /** Machine and process namespace: only there does `pid` mean anything. */
  place: v.string(),
  /** Path of part 4 of the API document. */
  operation: v.string(),
  /** Credits it costs when it succeeds. */
  cost: count,
  /** Milliseconds the request can be under way at most. */
  timeout: amount,
  /** Credits of the month that its command leaves untouched (--keep). */
  keep: v.optional(count),
  /** Sent on purpose during a cooldown; a 200 ends the cooldown. */
  recheck: v.optional(v.literal(true)),
  /** When it was asked for. */
  at: amount,
  sent: v.nullable(amount),
  ended: v.nullable(amount),
  /** HTTP status; null where there was none. */
  status: v.nullable(count),
});

/** A 429 came although every limit known was kept: the service is stricter than it said. */
const Strict = v.object({
  /** The latest refusal or step: an answer to a request that left before says nothing about it. */
  since: amount,
  /** The latest refusal: what left before is no reason to wait longer than the cooldown. */
  refusedAt: amount,
  /** Requests that may leave within `burst × spacing`. */
  burst: count,
  /** Milliseconds a request now, coming down to `leastSpacing` as answers succeed. */
  spacing: amount,
  leastSpacing: amount,
  /** Requests accepted at this pace in a row, and how many it takes before a faster one is tried. */
  successes: count,
  needed: count,
});

/** What `/access` last said, and when. `resetsAt`: ISO 8601, as the server gave it. */
export const AccessCheck = v.object({
  at: amount,
  used: count,
  limit: count,
  remaining: count,
  resetsAt: v.string(),
  perMinute: count,
});

/** The spending of one UTC day (`day`: days since 1970), by the time of sending. */
const DaySpending = v.object({
  day: count,
  operations: v.record(v.pipe(v.string(), v.startsWith('/')), Spending),
  /** Credits spent by MCP or another machine, as a difference between checks of `/access`. */
  elsewhere: amount,
  /** Of the credits charged, those of commands with --keep, by what they kept. */
  kept: v.record(v.pipe(v.string(), v.digits()), amount),
});

export const Usage = v.object({
  /** The latest time of any record; the clock was set back where it now says less. */
  latest: amount,
  /** In the order of their records. Permits that can no longer matter are dropped. */
  permits: v.array(Permit),
  /** Nobody may send for `millis` from `at` on: a 429 or 503 said so. */
  cooldown: v.nullable(v.object({ at: amount, millis: amount, status: count })),
  strict: v.nullable(Strict),
  /** Requests that the service refused (429, 503) since it accepted the latest one. */
  refusals: count,
  access: v.nullable(AccessCheck),
  /** Credits this machine spent since `access`; `uncertain` may be in `access.used` already, or never be charged. */
  sinceAccess: Spending,
  /** Requests a minute. */
  perMinute: count,
  /** Since when the present limits hold: no permit became due before. */
  limitsSince: amount,
  /** The latest days with any spending, oldest first. */
  days: v.array(DaySpending),
});

export type Usage = v.InferOutput<typeof Usage>;
export type Spending = v.InferOutput<typeof Spending>;
export type Permit = v.InferOutput<typeof Permit>;
export type AccessCheck = v.InferOutput<typeof AccessCheck>;
export type DaySpending = v.InferOutput<typeof DaySpending>;

/** No timeout counts for longer than this, whatever a record says, milliseconds. */
export const LONGEST_TIMEOUT = 60 * MINUTE;

export const NOTHING: Readonly<Spending> = { requests: 0, charged: 0, uncertain: 0 };

/** @param perMinute the allowance as long as `/access` has not been asked */
export function emptyUsage(perMinute: number = LIMITS.requestsPerMinute): Usage {
  return {
    latest: 0,
    permits: [],
    cooldown: null,
    strict: null,
    refusals: 0,
    access: null,
    sinceAccess: { ...NOTHING },
    perMinute,
    limitsSince: 0,
    days: [],
  };
}

export function isWaiting(permit: Permit): boolean {
  return permit.sent === null && permit.ended === null;
}

export function isUnderWay(permit: Permit): boolean {
  return permit.sent !== null && permit.ended === null;
}

/**
 * Credits left of the month as far as this machine knows: what `/access` last said, less what may have been spent here
 * since.
 * @returns undefined where `/access` was not asked this month
 */
export function monthLeft({ access, sinceAccess }: Usage, now: number): number | undefined {
  if (access === null || (parseApiTime(access.resetsAt) ?? Number.POSITIVE_INFINITY) <= now) return undefined;
  return Math.max(0, access.remaining - sinceAccess.charged - sinceAccess.uncertain);
}
