/**
 * The records of a ledger, one JSON object a line, and what a day's first record carries over from the days before.
 *
 * Checked by hand: every command reads hundreds of records in code that has just been loaded, where valibot takes 12 ms
 * for 600 of them and this takes 1 (Node 20).
 */
type Check<T> = (value: unknown) => value is T;
type Checked<C> = C extends Check<infer T> ? T : never;
type Fields = Record<string, Check<unknown>>;
type Shape<F extends Fields> = {
  [K in keyof F as undefined extends Checked<F[K]> ? never : K]: Checked<F[K]>;
} & { [K in keyof F as undefined extends Checked<F[K]> ? K : never]?: Exclude<Checked<F[K]>, undefined> };

/** Times in epoch milliseconds UTC, durations in milliseconds: up to what a Date can hold; JSON's 1e999 is none. */
const amount: Check<number> = (value): value is number => typeof value === 'number' && value >= 0 && value <= 8.64e15;
const count: Check<number> = (value): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const text: Check<string> = (value) => typeof value === 'string';
const nonce: Check<string> = (value): value is string => text(value) && value.length > 0 && value.length <= 80;
const path: Check<string> = (value): value is string => text(value) && value.startsWith('/');
const flag: Check<boolean> = (value) => typeof value === 'boolean';

function optional<T>(check: Check<T>): Check<T | undefined> {
  return (value): value is T | undefined => value === undefined || check(value);
}

function nullable<T>(check: Check<T>): Check<T | null> {
  return (value): value is T | null => value === null || check(value);
}

function list<T>(check: Check<T>): Check<T[]> {
  return (value): value is T[] => Array.isArray(value) && value.every(check);
}

function literal<const T>(expected: T): Check<T> {
  return (value): value is T => value === expected;
}

function object<F extends Fields>(fields: F): Check<Shape<F>> {
  const entries = Object.entries(fields);
  return (value): value is Shape<F> => isObject(value) && entries.every(([name, check]) => check(value[name]));
}

/** An object used as a map. */
function map<T>(key: (name: string) => boolean, check: Check<T>): Check<Record<string, T>> {
  return (value): value is Record<string, T> =>
    isObject(value) && Object.entries(value).every(([name, each]) => key(name) && check(each));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Nobody may send for `millis` from `at` on: a 429 or 503 said so. */
const cooldown = object({ at: amount, millis: amount, status: count });

/** The service turned out stricter than it said: a 429 came although every limit known was kept. */
const strict = object({
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
const accessCheck = object({
  at: amount,
  used: count,
  limit: count,
  remaining: count,
  resetsAt: text,
  perMinute: count,
});

/** Requests, credits charged for certain, and credits that may have been charged. */
const spent = object({ requests: amount, charged: amount, uncertain: amount });

/** The spending of one UTC day (`day`: days since 1970), by the time of sending. */
const daySpending = object({
  day: count,
  operations: map(path, spent),
  /** Credits spent by MCP or another machine, as a difference between checks of `/access`. */
  elsewhere: amount,
  /** Of the credits charged, those of commands with --keep, by what they kept. */
  kept: map((name) => /^\d+$/.test(name), amount),
});

const carried = object({
  cooldown: nullable(cooldown),
  strict: nullable(strict),
  /** Whether the service refused a request (429, 503) and has accepted none since. */
  probing: flag,
  access: nullable(accessCheck),
  /** Credits this machine spent since `access`; `uncertain` may be in `access.used` already, or never be charged. */
  sinceAccess: object({ charged: amount, uncertain: amount }),
  /** Requests a minute. */
  perMinute: count,
  /** Since when the present limits hold: no permit became due before. */
  limitsSince: amount,
  /** The latest days with any spending, oldest first. */
  days: list(daySpending),
});

/** Every record's `at` is when it was written. */
const KINDS = {
  /** A request asks to be sent: written before anything leaves. The order of these records is the order of turns. */
  permit: object({
    is: literal('permit'),
    at: amount,
    nonce,
    pid: count,
    /** Machine and process namespace: only there does `pid` mean anything. */
    place: text,
    /** Path of part 4 of the API document. */
    operation: path,
    /** Credits it costs when it succeeds. */
    cost: count,
    /** Milliseconds the request can be under way at most. */
    timeout: count,
    /** Credits of the month that its command leaves untouched (--keep). */
    keep: optional(count),
    /** Sent on purpose during a cooldown; a 200 ends the cooldown. */
    recheck: optional(literal(true)),
  }),
  /** The request is about to leave. Without this record it never left. */
  sent: object({ is: literal('sent'), at: amount, nonce }),
  /** The permit is given up, or the request turned out never to have left: no credit was spent. */
  cancel: object({ is: literal('cancel'), at: amount, nonce }),
  /** What became of a request: its HTTP status, or null where the answer was lost. */
  answer: object({
    is: literal('answer'),
    at: amount,
    nonce,
    status: nullable(count),
    /** Seconds for which nobody may send, after a 429 or 503. */
    cooldown: optional(amount),
    /** Seconds between requests from now on, after a 429 that pacing did not foresee. */
    spacing: optional(amount),
  }),
  /** Some process found these permits' process dead. */
  died: object({ is: literal('died'), at: amount, nonces: list(nonce) }),
  /** What `/access` said. `from`: when that request left. */
  access: object({
    is: literal('access'),
    at: amount,
    from: amount,
    used: count,
    limit: count,
    remaining: count,
    resets_at: text,
    per_minute: count,
  }),
  /** The clock was set back: whatever stands above happened no later than `at`. */
  clock: object({ is: literal('clock'), at: amount }),
  /** What still matters of everything above, for whoever reads no further back. Says nothing new to whoever does. */
  day: object({ is: literal('day'), at: amount, carried }),
};

type Kinds = { [K in keyof typeof KINDS]: Checked<(typeof KINDS)[K]> };
export type LedgerRecord = Kinds[keyof Kinds];
export type PermitRecord = Kinds['permit'];
export type SentRecord = Kinds['sent'];
export type CancelRecord = Kinds['cancel'];
export type AnswerRecord = Kinds['answer'];
export type DiedRecord = Kinds['died'];
export type AccessRecord = Kinds['access'];
export type Carried = Checked<typeof carried>;
export type AccessCheck = Checked<typeof accessCheck>;
export type Spent = Checked<typeof spent>;
export type DaySpending = Checked<typeof daySpending>;

/** Reads a line; undefined for anything that is no record, be it torn, rubbish or of another version. */
export function parseRecord(line: string): LedgerRecord | undefined {
  const kind = /^\{"is":"([a-z]+)"/.exec(line)?.[1] ?? '';
  if (!Object.hasOwn(KINDS, kind)) return undefined;
  try {
    const record: unknown = JSON.parse(line);
    const check: (value: unknown) => boolean = KINDS[kind as keyof Kinds];
    return check(record) ? (record as LedgerRecord) : undefined;
  } catch {
    return undefined;
  }
}

/** The record's line, without its newline. `is` comes first: `parseRecord` relies on it. */
export function formatRecord({ is, ...rest }: LedgerRecord): string {
  return JSON.stringify({ is, ...rest });
}
