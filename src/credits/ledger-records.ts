/** The records of a ledger, one JSON object a line, and what a day's first record carries over from the days before. */

/** A request asks to be sent: written before anything leaves. The order of these records is the order of turns. */
export interface PermitRecord {
  readonly is: 'permit';
  /** When the record was written, epoch milliseconds UTC; so in every kind of record. */
  readonly at: number;
  readonly nonce: string;
  readonly pid: number;
  /** Machine and process namespace: only there does `pid` mean anything. */
  readonly place: string;
  /** Path of part 4 of the API document. */
  readonly operation: string;
  /** Credits it costs when it succeeds. */
  readonly cost: number;
  /** Milliseconds the request can be under way at most. */
  readonly timeout: number;
  /** Credits of the month that its command leaves untouched (--keep). */
  readonly keep?: number;
  /** Sent on purpose during a cooldown; a 200 ends the cooldown. */
  readonly recheck?: true;
}

/** The request is about to leave. Without this record it never left. */
export interface SentRecord {
  readonly is: 'sent';
  readonly at: number;
  readonly nonce: string;
}

/** The permit is given up, or the request turned out never to have left: no credit was spent. */
export interface CancelRecord {
  readonly is: 'cancel';
  readonly at: number;
  readonly nonce: string;
}

/** What became of a request: its HTTP status, or null where the answer was lost. */
export interface AnswerRecord {
  readonly is: 'answer';
  readonly at: number;
  readonly nonce: string;
  readonly status: number | null;
  /** Seconds for which nobody may send, after a 429 or 503. */
  readonly cooldown?: number;
  /** Seconds between requests from now on, after a 429 that pacing did not foresee. */
  readonly spacing?: number;
}

/** Some process found these permits' process dead. */
export interface DiedRecord {
  readonly is: 'died';
  readonly at: number;
  readonly nonces: readonly string[];
}

/** What `/access` said. `from`: when that request left. */
export interface AccessRecord {
  readonly is: 'access';
  readonly at: number;
  readonly from: number;
  readonly used: number;
  readonly limit: number;
  readonly remaining: number;
  readonly resets_at: string;
  readonly per_minute: number;
}

/** The clock was set back: whatever stands above happened no later than `at`. */
export interface ClockRecord {
  readonly is: 'clock';
  readonly at: number;
}

/** What still matters of everything above, for whoever reads no further back. Says nothing new to whoever does. */
export interface DayRecord {
  readonly is: 'day';
  readonly at: number;
  readonly carried: Carried;
}

export type LedgerRecord =
  | PermitRecord
  | SentRecord
  | CancelRecord
  | AnswerRecord
  | DiedRecord
  | AccessRecord
  | ClockRecord
  | DayRecord;

/** Nobody may send for `millis` from `at` on: a 429 or 503 said so. */
export interface Cooldown {
  at: number;
  millis: number;
  status: number;
}

/** The service turned out stricter than it said: a 429 came although every limit known was kept. */
export interface StrictService {
  /** The latest refusal or step: an answer to a request that left before says nothing about it. */
  since: number;
  /** The latest refusal: what left before is no reason to wait longer than the cooldown. */
  refusedAt: number;
  /** Requests that may leave within `burst × spacing`. */
  burst: number;
  /** Milliseconds a request now, coming down to `leastSpacing` as answers succeed. */
  spacing: number;
  leastSpacing: number;
  /** Requests accepted at this pace in a row, and how many it takes before a faster one is tried. */
  successes: number;
  needed: number;
}

/** What `/access` last said, and when (epoch milliseconds UTC). */
export interface AccessCheck {
  at: number;
  used: number;
  limit: number;
  remaining: number;
  /** ISO 8601, as the server gave it. */
  resetsAt: string;
  perMinute: number;
}

/** Requests, credits charged for certain, and credits that may have been charged. */
export interface Spent {
  requests: number;
  charged: number;
  uncertain: number;
}

/** The spending of one UTC day, by the time of sending. */
export interface DaySpending {
  /** Days since 1970. */
  day: number;
  operations: Record<string, Spent>;
  /** Credits spent by MCP or another machine, as a difference between checks of `/access`. */
  elsewhere: number;
  /** Of the credits charged, those of commands with --keep, by what they kept. */
  kept: Record<string, number>;
}

export interface Carried {
  cooldown: Cooldown | null;
  strict: StrictService | null;
  /** Whether the service refused a request (429, 503) and has accepted none since. */
  probing: boolean;
  access: AccessCheck | null;
  /** Credits this machine spent since `access`; `uncertain` may be in `access.used` already, or never be charged. */
  sinceAccess: { charged: number; uncertain: number };
  /** Requests a minute. */
  perMinute: number;
  /** Since when the present limits hold: no permit became due before. */
  limitsSince: number;
  /** The latest days with any spending, oldest first. */
  days: DaySpending[];
}

type Check = (value: unknown) => boolean;

/** Up to what a Date can hold; JSON's 1e999 is none. */
const amount: Check = (value) => typeof value === 'number' && value >= 0 && value <= 8.64e15;
const count: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const text: Check = (value) => typeof value === 'string';
const nonce: Check = (value) => typeof value === 'string' && value.length > 0 && value.length <= 80;
const path: Check = (value) => typeof value === 'string' && value.startsWith('/');
const flag: Check = (value) => typeof value === 'boolean';
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const nullable =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const list =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

function object(fields: Record<string, Check>): Check {
  const entries = Object.entries(fields);
  return (value) => isObject(value) && entries.every(([name, check]) => check(value[name]));
}

/** An object used as a map. */
function map(key: Check, check: Check): Check {
  return (value) => isObject(value) && Object.entries(value).every(([name, each]) => key(name) && check(each));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const carried = object({
  cooldown: nullable(object({ at: amount, millis: amount, status: count })),
  strict: nullable(
    object({
      since: amount,
      refusedAt: amount,
      burst: count,
      spacing: amount,
      leastSpacing: amount,
      successes: count,
      needed: count,
    }),
  ),
  probing: flag,
  access: nullable(
    object({ at: amount, used: count, limit: count, remaining: count, resetsAt: text, perMinute: count }),
  ),
  sinceAccess: object({ charged: amount, uncertain: amount }),
  perMinute: count,
  limitsSince: amount,
  days: list(
    object({
      day: count,
      operations: map(path, object({ requests: amount, charged: amount, uncertain: amount })),
      elsewhere: amount,
      kept: map((name) => /^\d+$/.test(name as string), amount),
    }),
  ),
});

/**
 * Fields by kind. Checked by hand: every command reads hundreds of records in code that has just been loaded, where
 * valibot takes 12 ms for 600 of them and this takes 1 (Node 20).
 */
const KINDS = new Map<string, Check>([
  [
    'permit',
    object({
      at: amount,
      nonce,
      pid: count,
      place: text,
      operation: path,
      cost: count,
      timeout: count,
      keep: optional(count),
    }),
  ],
  ['sent', object({ at: amount, nonce })],
  ['cancel', object({ at: amount, nonce })],
  [
    'answer',
    object({ at: amount, nonce, status: nullable(count), cooldown: optional(amount), spacing: optional(amount) }),
  ],
  ['died', object({ at: amount, nonces: list(nonce) })],
  [
    'access',
    object({
      at: amount,
      from: amount,
      used: count,
      limit: count,
      remaining: count,
      resets_at: text,
      per_minute: count,
    }),
  ],
  ['clock', object({ at: amount })],
  ['day', object({ at: amount, carried })],
]);

/** Reads a line; undefined for anything that is no record, be it torn, rubbish or of another version. */
export function parseRecord(line: string): LedgerRecord | undefined {
  const check = KINDS.get(/^\{"is":"([a-z]+)"/.exec(line)?.[1] ?? '');
  if (check === undefined) return undefined;
  try {
    const record: unknown = JSON.parse(line);
    return check(record) ? (record as LedgerRecord) : undefined;
  } catch {
    return undefined;
  }
}

/** The record's line, without its newline. `is` comes first: `parseRecord` relies on it. */
export function formatRecord({ is, ...rest }: LedgerRecord): string {
  return JSON.stringify({ is, ...rest });
}
