/** What a ledger holds: everything that the schedule and the figures of spending need. */
import * as v from 'valibot';
import { count } from '../api/contract/primitives.ts';
import { Access } from '../api/contract/resources.ts';
import type { Allowances } from '../api/limits.ts';
import { parseApiTime } from '../api/time.ts';

/** Times in epoch milliseconds UTC, durations in milliseconds: up to what a Date can hold. */
const amount = v.pipe(v.number(), v.minValue(0), v.maxValue(8.64e15));
/** Path of part 4 of the API document, or any other: what a file says is not to be trusted. */
const path = v.pipe(v.string(), v.startsWith('/'), v.maxLength(100));

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
 * A request that left this machine, or is about to: recorded before it is sent. Under way: not ended. Answered, or lost
 * for good: ended.
 */
const SentRequest = v.object({
  id: v.pipe(v.string(), v.maxLength(80)),
  pid: count,
  /** Machine and process namespace: only there does `pid` mean anything. */
  place: v.pipe(v.string(), v.maxLength(300)),
  operation: path,
  /** Credits it costs when it succeeds. */
  cost: count,
  /** Milliseconds the request can be under way at most. */
  timeout: amount,
  /** Credits of the month that its command leaves untouched (--keep). */
  keep: v.optional(count),
  /** Whether a first export fills a history with it: no habit. */
  filling: v.optional(v.literal(true)),
  /** Sent on purpose during a cooldown; a 200 ends the cooldown. */
  recheck: v.optional(v.literal(true)),
  sent: amount,
  ended: v.nullable(amount),
  /** HTTP status; null where there was none. */
  status: v.nullable(count),
});

/** A 429 came although every limit known was kept: the service is stricter than it said. */
const RefusedPace = v.object({
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

/** The credits as `/access` last said them, and when. */
export const AccessCheck = v.object({ at: amount, credits: v.object(Access.entries.credits.entries) });

/** The spending of one UTC day (`day`: days since 1970), by the time of sending. */
const DaySpending = v.object({
  day: count,
  operations: v.record(path, Spending),
  /** Credits spent by MCP or another machine, as a difference between checks of `/access`. */
  elsewhere: amount,
  /** Of the credits charged, those of commands with --keep, by what they kept. */
  kept: v.record(v.pipe(v.string(), v.digits()), amount),
  /** Of the credits charged, those with which a first export filled a history. */
  filling: amount,
});

export const Usage = v.object({
  /** The latest time of anything in here; the clock was set back where it now says less. */
  latest: amount,
  /** In the order of sending. Those that can no longer matter are dropped. */
  requests: v.array(SentRequest),
  /** Nobody may send for `millis` from `at` on: a 429 or 503 said so. */
  cooldown: v.nullable(v.object({ at: amount, millis: amount, status: count })),
  refusedPace: v.nullable(RefusedPace),
  /** Requests that the service refused (429, 503) since it accepted the latest one. */
  refusals: count,
  access: v.nullable(AccessCheck),
  /** Credits this machine spent since `access`; `uncertain` may be in its `used` already, or never be charged. */
  sinceAccess: Spending,
  /** Requests of each window, by its field of `/access`; the document's number where it is not in here. */
  allowances: v.record(v.string(), count),
  /** The latest days with any spending, oldest first. */
  days: v.array(DaySpending),
  /** How many changes each of the latest processes has made: each finds out by it whether its last one is in here. */
  writers: v.optional(v.array(v.object({ writer: v.pipe(v.string(), v.maxLength(10)), changes: count })), []),
});

export type Usage = v.InferOutput<typeof Usage>;
export type Spending = v.InferOutput<typeof Spending>;
export type SentRequest = v.InferOutput<typeof SentRequest>;
export type AccessCheck = v.InferOutput<typeof AccessCheck>;
export type DaySpending = v.InferOutput<typeof DaySpending>;

export const NOTHING: Readonly<Spending> = { requests: 0, charged: 0, uncertain: 0 };

/** @param allowances as long as `/access` has not been asked; the document's where left out */
export function emptyUsage(allowances: Partial<Allowances> = {}): Usage {
  return {
    latest: 0,
    requests: [],
    cooldown: null,
    refusedPace: null,
    refusals: 0,
    access: null,
    sinceAccess: { ...NOTHING },
    allowances: { ...allowances },
    days: [],
    writers: [],
  };
}

/**
 * Credits left of the month as far as this machine knows: what `/access` last said, less what may have been spent here
 * since. An answer fetched after its own `resets_at` is still the answer: this machine's clock may be ahead.
 * @returns undefined where `/access` was not asked this month
 */
export function monthLeft({ access, sinceAccess }: Usage, now: number): number | undefined {
  if (access === null) return undefined;
  const resetsAt = parseApiTime(access.credits.resets_at) ?? Number.POSITIVE_INFINITY;
  if (access.at < resetsAt && resetsAt <= now) return undefined;
  return Math.max(0, access.credits.remaining - sinceAccess.charged - sinceAccess.uncertain);
}
