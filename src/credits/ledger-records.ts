import {
  array,
  type Check,
  type Checked,
  count,
  literal,
  nullable,
  number,
  object,
  optional,
  text,
  time,
} from './checks.ts';
import { State } from './state.ts';

const at = time;
const nonce: Check<string> = (value): value is string => text(value) && value.length > 0 && value.length <= 80;
const path: Check<string> = (value): value is string => text(value) && value.startsWith('/');

/** A turn is asked for: written before anything is sent. The order of these lines is the order of turns. */
const Reservation = object({
  is: literal('turn'),
  at,
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
});

/** The request is about to leave. Without this line it never left. */
const Sent = object({ is: literal('sent'), at, nonce });

/** The turn is given up, or the request turned out never to have left: no credit was spent. */
const Cancel = object({ is: literal('cancel'), at, nonce });

/** What became of a request: its HTTP status, or null where the answer was lost. */
const Answered = object({
  is: literal('answer'),
  at,
  nonce,
  status: nullable(count),
  /** Seconds for which nobody may send, after a 429 or 503. */
  hold: optional(number(0, Number.MAX_VALUE)),
});

/** Somebody found these turns' process dead. */
const Gone = object({ is: literal('gone'), at, nonces: array(nonce) });

/** What `/access` said. `from`: when that request left. */
const Accessed = object({
  is: literal('access'),
  at,
  from: at,
  used: count,
  limit: count,
  remaining: count,
  resets_at: text,
  per_minute: count,
});

/** The clock was set back: whatever stands above happened no later than `at`. */
const ClockSet = object({ is: literal('clock'), at });

/** The file ends here; turns go on in the file of day `to`. What stands below does not count. */
const Seal = object({ is: literal('seal'), at, to: text });

/** First line of a file: what the earlier file ended with. */
const Carry = object({ is: literal('carry'), at, state: State });

/** What the bytes before `upto` amount to, so that nobody need read them again. */
const Checkpoint = object({ is: literal('state'), at, upto: count, state: State });

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
export type Line = Checked<(typeof KINDS)[keyof typeof KINDS]>;
export type Reservation = Checked<typeof Reservation>;
export type Accessed = Checked<typeof Accessed>;

/** Reads a line; undefined for anything that is none, be it torn, rubbish or of a later version. */
export function parseLine(text: string): Line | undefined {
  const kind = /^\{"is":"([a-z]+)"/.exec(text)?.[1];
  if (kind === undefined || !Object.hasOwn(KINDS, kind)) return undefined;
  try {
    const line: unknown = JSON.parse(text);
    const check: Check<Line> = KINDS[kind as keyof typeof KINDS] as Check<Line>;
    return check(line) ? line : undefined;
  } catch {
    return undefined;
  }
}

/** The line's text, without its newline. `is` comes first: `parseLine` relies on it. */
export function formatLine({ is, ...rest }: Line): string {
  return JSON.stringify({ is, ...rest });
}
