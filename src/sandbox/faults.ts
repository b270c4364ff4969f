import type { OperationName } from '../api/operations.ts';
import { usageError } from '../errors.ts';
import { OPERATION_NAMES } from './operations.ts';
import { type ApiRequest, type ApiResponse, failure, reply } from './response.ts';

// Part 7 of the API document; 500, 502 and 504 are not listed there but happen on every network.
const CONDITIONS = new Map([
  [401, 'Invalid, expired or revoked key.'],
  [403, 'Active verified PRO required.'],
  [404, 'NOT_FOUND'],
  [422, 'Invalid arguments.'],
  [429, 'Shared account quota or global capacity exhausted.'],
  [500, 'Internal server error.'],
  [502, 'Bad gateway.'],
  [503, 'Service disabled or temporarily unavailable.'],
  [504, 'Gateway timeout.'],
]);

/** A stand-in for the answer; or the request is worked off and charged as usual, and its answer damaged. */
type Effect = { instead: (request: ApiRequest) => ApiResponse } | { damage: (real: ApiResponse) => ApiResponse };

const EFFECTS: Readonly<Record<string, Effect>> = {
  html: {
    instead: () =>
      reply(200, '<!doctype html><title>Maintenance</title><p>Back soon.', { 'content-type': 'text/html' }),
  },
  empty: { instead: () => reply(200, '') },
  garbage: { instead: () => reply(200, 'this is not JSON') },
  'has-error': { instead: () => ({ ...failure(503, CONDITIONS.get(503) ?? ''), status: 200 }) },
  redirect: { instead: (request) => reply(302, '', { location: elsewhere(request) }) },
  'wrong-type': { damage: (real) => ({ ...real, body: JSON.stringify(spoil(JSON.parse(real.body))) }) },
  truncate: { damage: (real) => ({ ...real, wire: 'truncate' }) },
  drip: { damage: (real) => ({ ...real, wire: 'drip', delay: 200 }) },
  reset: { instead: () => ({ ...reply(200, ''), wire: 'reset' }) },
  'reset-after': { damage: (real) => ({ ...real, wire: 'reset' }) },
  hang: { instead: () => ({ ...reply(200, ''), wire: 'hang' }) },
};

/** A status sent in place of the answer (200 with a body of one's own), or what else may happen to it. */
const FAULT_WORDS: readonly string[] = ['200', ...[...CONDITIONS.keys()].map(String), ...Object.keys(EFFECTS)];

export const FAULT_HELP =
  'A fault is OPERATION:WHICH:WHAT[:OPTION…], for example signals:2:503:retry-after=3. ' +
  `OPERATION: ${OPERATION_NAMES.join(', ')} or *. WHICH: 2 (the second request), 2+ (from it on) or * (each). ` +
  `WHAT: ${FAULT_WORDS.join(', ')}. ` +
  'OPTION: retry-after=TEXT, delay=MILLISECONDS, body=TEXT, charge.';

export const FAULT_PATTERN = new RegExp(
  `^(${OPERATION_NAMES.join('|')}|\\*):([1-9]\\d{0,8}\\+?|\\*):(${FAULT_WORDS.join('|')})(:(retry-after=[ -~]*|delay=\\d{1,7}|body=[^]*|charge))*$`,
);
export const FAULT_EXAMPLES = ['signals:2:503:retry-after=3', '*:*:hang', 'signal:3+:429'];

/** Something the server is told to do wrong, and when. */
export interface Fault {
  readonly operation: OperationName | '*';
  /** Which requests of the operation it meets, counted from 1 since the fault was set; both ends inclusive. */
  readonly from: number;
  readonly to: number;
  /** A status, or a word of `EFFECTS`. */
  readonly what: string;
  /** Text of the Retry-After header, as it is. */
  readonly retryAfter?: string | undefined;
  /** Milliseconds before the answer; for `drip`, between two bytes. */
  readonly delay?: number | undefined;
  /** Sent in place of the answer's own body. */
  readonly body?: string | undefined;
  /** Charge the operation's credits although the answer is a stand-in. */
  readonly charge: boolean;
}

// A value may hold colons itself (an HTTP date, JSON), so only a colon before a known option separates.
const OPTION = /:(?=(?:retry-after|delay|body)=|charge(?::|$))/;

/**
 * Reads a fault from text such as `signals:2:503:retry-after=3`.
 * @throws ScreenerError usage, naming what is accepted
 */
export function parseFault(text: string): Fault {
  const bad = (why: string) => usageError(`Cannot read the fault "${text}": ${why}.`, FAULT_HELP);
  const [head = '', ...options] = text.split(OPTION);
  const [name = '', which = '', what, ...more] = head.split(':');
  if (what === undefined || more.length > 0) throw bad('it does not have the parts OPERATION:WHICH:WHAT');
  const operation = name === '*' ? name : OPERATION_NAMES.find((known) => known === name);
  if (operation === undefined) throw bad(`"${name}" is no operation`);
  const range = /^(?:([1-9]\d{0,8})(\+?)|\*)$/.exec(which);
  if (range === null) throw bad(`"${which}" does not say which request`);
  const from = Number(range[1] ?? 1);
  if (!FAULT_WORDS.includes(what)) throw bad(`"${what}" is no fault`);
  const given = new Map(options.map((option) => [option.split('=', 1)[0], option.slice(option.indexOf('=') + 1)]));
  const delay = given.get('delay');
  if (delay !== undefined && !/^\d{1,7}$/.test(delay)) throw bad(`delay "${delay}" is no number of milliseconds`);
  const retryAfter = given.get('retry-after');
  // What node would refuse to send as a header would otherwise fail only when the fault is due.
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(retryAfter ?? '')) throw bad('its retry-after cannot be sent as a header');
  return {
    operation,
    from,
    to: range[1] === undefined || range[2] === '+' ? Number.POSITIVE_INFINITY : from,
    what,
    retryAfter,
    delay: delay === undefined ? undefined : Number(delay),
    body: given.get('body'),
    charge: given.has('charge'),
  };
}

/** The answer of a fault that stands in for the real one; undefined where the real one is only damaged. */
export function standIn(fault: Fault, request: ApiRequest): ApiResponse | undefined {
  const effect = EFFECTS[fault.what];
  if (effect !== undefined) return 'instead' in effect ? withOptions(effect.instead(request), fault) : undefined;
  const status = Number(fault.what);
  if (status === 200 && fault.body === undefined) return undefined;
  return withOptions(status === 200 ? reply(200, '') : failure(status, CONDITIONS.get(status) ?? ''), fault);
}

/** The real answer, damaged. */
export function damaged(response: ApiResponse, fault: Fault): ApiResponse {
  const effect = EFFECTS[fault.what];
  return withOptions(effect !== undefined && 'damage' in effect ? effect.damage(response) : response, fault);
}

function withOptions(response: ApiResponse, { retryAfter, delay, body }: Fault): ApiResponse {
  const headers = retryAfter === undefined ? response.headers : { ...response.headers, 'retry-after': retryAfter };
  return { ...response, headers, delay: delay ?? response.delay, body: body ?? response.body };
}

/** Another origin that still is this machine: whoever follows is seen in the log, and the key goes nowhere. */
function elsewhere({ headers }: ApiRequest): string {
  const port = /:\d+$/.exec(String(headers.host ?? ''))?.[0] ?? '';
  return `http://localhost${port}/redirected`;
}

/** Turns the last number of the answer into text; where it holds none, the whole resource is of the wrong type. */
function spoil(envelope: { response: unknown }): unknown {
  let last: { owner: Record<string, unknown>; key: string } | undefined;
  const look = (value: unknown): void => {
    if (value === null || typeof value !== 'object') return;
    const owner = value as Record<string, unknown>;
    for (const key of Object.keys(owner)) {
      if (typeof owner[key] === 'number') last = { owner, key };
      else look(owner[key]);
    }
  };
  look(envelope.response);
  if (last === undefined) return { ...envelope, response: [] };
  last.owner[last.key] = `${last.owner[last.key]} or so`;
  return envelope;
}
