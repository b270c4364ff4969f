import * as v from 'valibot';
import { State } from './state.ts';

/** Epoch milliseconds UTC, within what a Date can hold. */
const at = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(8.64e15));
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const nonce = v.pipe(v.string(), v.minLength(1), v.maxLength(80));

/** A turn is asked for: written before anything is sent. The order of these lines is the order of turns. */
const Reservation = v.object({
  is: v.literal('turn'),
  at,
  nonce,
  pid: count,
  /** Machine and process namespace: only there does `pid` mean anything. */
  place: v.string(),
  /** Path of part 4 of the API document. */
  operation: v.pipe(v.string(), v.startsWith('/')),
  /** Credits it costs when it succeeds. */
  cost: count,
  /** Milliseconds the request can be under way at most. */
  timeout: count,
});

/** The request is about to leave. Without this line it never left. */
const Sent = v.object({ is: v.literal('sent'), at, nonce });

/** The turn is given up, or the request turned out never to have left: no credit was spent. */
const Cancel = v.object({ is: v.literal('cancel'), at, nonce });

/** What became of a request: its HTTP status, or null where the answer was lost. */
const Answered = v.object({
  is: v.literal('answer'),
  at,
  nonce,
  status: v.nullable(count),
  /** Seconds for which nobody may send, after a 429 or 503. */
  hold: v.optional(v.pipe(v.number(), v.finite(), v.minValue(0))),
});

/** Somebody found these turns' process dead. */
const Gone = v.object({ is: v.literal('gone'), at, nonces: v.array(nonce) });

/** What `/access` said. `from`: when that request left. */
const Accessed = v.object({
  is: v.literal('access'),
  at,
  from: at,
  used: count,
  limit: count,
  remaining: count,
  resets_at: v.string(),
  per_minute: count,
});

/** The clock was set back: whatever stands above happened no later than `at`. */
const ClockSet = v.object({ is: v.literal('clock'), at });

/** The file ends here; turns go on in the file of day `to`. What stands below does not count. */
const Seal = v.object({ is: v.literal('seal'), at, to: v.string() });

/** First line of a file: what the earlier file ended with. */
const Carry = v.object({ is: v.literal('carry'), at, state: State });

/** What the bytes before `upto` amount to, so that nobody need read them again. */
const Checkpoint = v.object({ is: v.literal('state'), at, upto: count, state: State });

// Chosen by hand: `v.variant` tries one after the other, which made reading half of what a turn costs.
const KINDS = {
  turn: Reservation,
  sent: Sent,
  cancel: Cancel,
  answer: Answered,
  gone: Gone,
  access: Accessed,
  clock: ClockSet,
  seal: Seal,
  carry: Carry,
  state: Checkpoint,
};

/** One line of the ledger. `at` is when it was written, epoch milliseconds UTC. */
export type Line = v.InferOutput<(typeof KINDS)[keyof typeof KINDS]>;
export type Reservation = v.InferOutput<typeof Reservation>;
export type Accessed = v.InferOutput<typeof Accessed>;

/** Reads a line; undefined for anything that is none, be it torn, rubbish or of a later version. */
export function parseLine(text: string): Line | undefined {
  const kind = /^\{"is":"([a-z]+)"/.exec(text)?.[1];
  if (kind === undefined || !Object.hasOwn(KINDS, kind)) return undefined;
  try {
    const line: unknown = JSON.parse(text);
    return v.is(KINDS[kind as keyof typeof KINDS], line) ? line : undefined;
  } catch {
    return undefined;
  }
}

/** The line's text, without its newline. `is` comes first: `parseLine` relies on it. */
export function formatLine({ is, ...rest }: Line): string {
  return JSON.stringify({ is, ...rest });
}
