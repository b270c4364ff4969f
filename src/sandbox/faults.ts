import { usageError } from '../errors.ts';
import { OPERATION_NAMES, type Operation } from './operations.ts';

const STATUSES = [200, 401, 403, 404, 422, 429, 500, 502, 503, 504] as const;
const WORDS = [
  'html',
  'empty',
  'garbage',
  'has-error',
  'redirect',
  'wrong-type',
  'truncate',
  'drip',
  'reset',
  'reset-after',
  'hang',
] as const;

export type FaultWord = (typeof WORDS)[number];

/** Something the server is told to do wrong, and when. */
export interface Fault {
  readonly operation: Operation | '*';
  /** Which requests of the operation it meets, counted from 1 since the fault was set; both ends inclusive. */
  readonly from: number;
  readonly to: number;
  readonly what: number | FaultWord;
  /** Text of the Retry-After header, as it is. */
  readonly retryAfter?: string;
  /** Milliseconds before the answer; for `drip`, between two bytes. */
  readonly delay?: number;
  /** Sent in place of the answer's own body. */
  readonly body?: string;
  /** Charge the operation's credits although the answer is a stand-in. */
  readonly charge?: boolean;
}

// A value may hold colons itself (an HTTP date, JSON), so only a colon before a known option separates.
const OPTION = /:(?=(?:retry-after|delay|body)=|charge(?::|$))/;

const HELP =
  'OPERATION:WHICH:WHAT[:OPTION…], for example signals:2:503:retry-after=3. ' +
  `OPERATION: ${OPERATION_NAMES.join(', ')} or *. WHICH: 2 (the second request), 2+ (from it on) or * (each). ` +
  `WHAT: ${STATUSES.join(', ')}, ${WORDS.join(', ')}. ` +
  'OPTION: retry-after=TEXT, delay=MILLISECONDS, body=TEXT, charge.';

/**
 * Reads a fault from text such as `signals:2:503:retry-after=3`.
 * @throws ScreenerError usage, naming what is accepted
 */
export function parseFault(text: string): Fault {
  const [head = '', ...options] = text.split(OPTION);
  const parts = head.split(':');
  if (parts.length !== 3) throw bad(text, 'it does not have the parts OPERATION:WHICH:WHAT');
  const [operation = '', which = '', what = ''] = parts;
  return {
    operation: operationOf(operation, text),
    ...rangeOf(which, text),
    what: whatOf(what, text),
    ...Object.assign({}, ...options.map((option) => optionOf(option, text))),
  };
}

function operationOf(word: string, text: string): Operation | '*' {
  const name = OPERATION_NAMES.find((operation) => operation === word);
  if (name === undefined && word !== '*') throw bad(text, `"${word}" is no operation`);
  return name ?? '*';
}

function rangeOf(word: string, text: string): { from: number; to: number } {
  if (word === '*') return { from: 1, to: Number.POSITIVE_INFINITY };
  const match = /^([1-9]\d{0,8})(\+?)$/.exec(word);
  if (match === null) throw bad(text, `"${word}" does not say which request`);
  const from = Number(match[1]);
  return { from, to: match[2] === '+' ? Number.POSITIVE_INFINITY : from };
}

function whatOf(word: string, text: string): number | FaultWord {
  const what = STATUSES.find((status) => String(status) === word) ?? WORDS.find((known) => known === word);
  if (what === undefined) throw bad(text, `"${word}" is no fault`);
  return what;
}

function optionOf(option: string, text: string): Partial<Fault> {
  if (option === 'charge') return { charge: true };
  const at = option.indexOf('=');
  const name = option.slice(0, at);
  const value = option.slice(at + 1);
  if (name === 'body') return { body: value };
  if (name === 'delay') {
    if (!/^\d{1,7}$/.test(value)) throw bad(text, `delay "${value}" is no number of milliseconds`);
    return { delay: Number(value) };
  }
  // What node would refuse to send as a header would otherwise fail only when the fault is due.
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) throw bad(text, 'its retry-after cannot be sent as a header');
  return { retryAfter: value };
}

const bad = (text: string, why: string) => usageError(`Cannot read the fault "${text}": ${why}.`, HELP);

/** The faults in force. */
export interface Faults {
  add(fault: Fault): void;
  /** Counts one request of the operation and says what shall happen to it; the first fault set wins. */
  next(operation: Operation): Fault | undefined;
}

export function createFaults(initial: readonly Fault[]): Faults {
  const set: { fault: Fault; seen: number }[] = [];
  const add = (fault: Fault): void => {
    set.push({ fault, seen: 0 });
  };
  for (const fault of initial) add(fault);
  return {
    add,
    next(operation) {
      const mine = set.filter(({ fault }) => fault.operation === '*' || fault.operation === operation);
      for (const entry of mine) entry.seen += 1;
      return mine.find(({ fault, seen }) => seen >= fault.from && seen <= fault.to)?.fault;
    },
  };
}
