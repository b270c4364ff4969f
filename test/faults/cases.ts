/** The matrix: every operation, at its first and third request, times every way to fail. Generated, never written out. */

import type { OperationName } from '../../src/api/operations.ts';
import type { ErrorCode } from '../../src/errors.ts';
import { FORMAT_NAMES, type Format } from '../../src/output/formats.ts';
import { PART_4 } from '../support/operations.ts';
import { type Answer, failure } from '../support/server.ts';

/** Where in a command a request fails. */
interface Scenario {
  readonly name: string;
  readonly args: readonly string[];
  /** The path whose requests fail, and which one of them is the first to, from 1. */
  readonly path: string;
  readonly nth: number;
  /** Credits of that request, by part 4 of the API document. */
  readonly cost: number;
  /** Requests of the command that are answered as prepared whatever becomes of that one, and what they cost. */
  readonly others: { readonly requests: number; readonly credits: number };
  /** Requests that only follow where that one is answered in the end. */
  readonly further: { readonly requests: number; readonly credits: number };
  /** Whether the command goes on where that one alone is refused. */
  readonly isDispensable?: boolean;
  /** Items on stdout where the failure stays, and where it passes; 'one' for a single resource. */
  readonly items: { readonly failed: number; readonly passed: number | 'one' | 'none' };
}

const nothing = { requests: 0, credits: 0 };

const BY_OPERATION: Readonly<Record<OperationName, readonly Scenario[]>> = {
  access: [
    single('access'),
    { ...single('access', 'login'), args: ['login'], items: { failed: 0, passed: 'none' } },
    {
      ...single('access', 'stats, its /access'),
      args: ['stats'],
      further: { requests: 1, credits: 5 },
      isDispensable: true,
    },
  ],
  snapshot: [single('snapshot')],
  screeners: [{ ...single('screeners'), items: { failed: 0, passed: 2 } }],
  signals: [
    {
      ...pages('signals ls, 1st page'),
      further: { requests: 2, credits: 2 },
      items: { failed: 0, passed: 60 },
    },
    {
      ...pages('signals ls, 3rd page'),
      nth: 3,
      others: { requests: 2, credits: 2 },
      items: { failed: 50, passed: 60 },
    },
  ],
  signal: [
    single('signal'),
    {
      ...single('signal', 'ls --outcomes, 3rd'),
      args: ['signals', 'ls', '-n', '3', '--outcomes'],
      path: '/signals/8998',
      others: { requests: 3, credits: 3 },
      items: { failed: 3, passed: 3 },
    },
    {
      ...single('signal', 'signals show, 3rd'),
      args: ['signals', 'show', '9000', '8999', '8998'],
      path: '/signals/8998',
      others: { requests: 2, credits: 2 },
      items: { failed: 2, passed: 3 },
    },
  ],
  stats: [{ ...single('stats'), others: { requests: 1, credits: 0 } }],
};

export const SCENARIOS = Object.values(BY_OPERATION).flat();

function single(operation: OperationName, name: string = operation): Scenario {
  const { command, asks, cost } = PART_4[operation];
  const items = { failed: 0, passed: 'one' } as const;
  return {
    name,
    args: command,
    path: asks,
    cost,
    nth: 1,
    others: nothing,
    further: nothing,
    items,
  };
}

function pages(name: string): Scenario {
  return { ...single('signals', name), args: ['signals', 'ls', '-n', '75'] };
}

const ENVELOPE = '{"hasError":false,"response":{"id":1},"errors":null}';

interface ErrorRow {
  /** The exit code, by the design. */
  readonly exit: number;
  /** Answers that become this error, each by its name: statuses, broken connections, a 200 that is no answer. */
  readonly answers: Readonly<Record<string, Answer>>;
}

/** Every error code; null where no single answer brings it about. */
const BY_CODE: Readonly<Record<ErrorCode, ErrorRow | null>> = {
  unauthorized: { exit: 3, answers: { 401: failure(401) } },
  pro_required: { exit: 4, answers: { 403: failure(403) } },
  not_found: { exit: 5, answers: { 404: failure(404) } },
  invalid_arguments: { exit: 6, answers: { 422: failure(422) } },
  quota_exhausted: { exit: 7, answers: { 429: failure(429) } },
  unavailable: {
    exit: 8,
    answers: { 500: failure(500), 502: failure(502), 503: failure(503), 504: failure(504) },
  },
  network: {
    exit: 8,
    answers: { closed: { delivery: 'reset' }, half: { body: ENVELOPE, delivery: 'truncate' } },
  },
  bad_answer: {
    exit: 9,
    answers: {
      html: { body: '<html><body>Hello</body></html>' },
      empty: { body: '' },
      'no-envelope': { body: '{"id":1}' },
      hasError: { body: '{"hasError":true,"response":null,"errors":"SOMETHING"}' },
      null: { body: '{"hasError":false,"response":null,"errors":null}' },
      'wrong-type': { body: ENVELOPE },
    },
  },
  ...{
    timeout: null,
    usage: null,
    not_logged_in: null,
    budget_reached: null,
    budget_unknown: null,
    overcharged: null,
    busy: null,
    storage: null,
  },
  ...{ stale: null, no_history: null, interrupted: null, unexpected: null },
};

export interface Fault {
  readonly name: string;
  readonly code: string;
  readonly exit: number;
  readonly answer: Answer;
}

export const FAULTS = Object.entries(BY_CODE).flatMap(([code, row]): Fault[] =>
  row === null
    ? []
    : Object.entries(row.answers).map(([name, answer]) => ({ name, code, exit: row.exit, answer })),
);

/** Retry-After as it is sent. */
const ODD = [
  '1.5',
  'Fri, 20 Nov 2026 12:00:30 GMT',
  '-1',
  '99999999999999999999',
  'rubbish',
] as const;
const RETRY_AFTERS = ['absent', '0', '1', ...ODD] as const;
export type RetryAfter = (typeof RETRY_AFTERS)[number];

/** Where Retry-After is heeded: half of its forms are tried by one operation, the others by the next. */
export const isWaitedFor = ({ answer }: Fault) => answer.status === 429 || answer.status === 503;
/** Asked again after a while: that it fails once is another case than that it fails always. */
const isAskedAgain = ({ answer }: Fault) =>
  (answer.status ?? 0) >= 429 || answer.delivery !== undefined;
/** `maxWait` in seconds. */
const SIDES = FORMAT_NAMES.flatMap((format) => [0, 3, 60].map((maxWait) => ({ format, maxWait })));
/** How many requests in a row fail. */
const TIMES = [1, Number.POSITIVE_INFINITY] as const;

export interface FaultCase {
  readonly scenario: Scenario;
  readonly fault: Fault;
  readonly retryAfter: RetryAfter;
  readonly times: number;
  readonly format: Format;
  readonly maxWait: number;
}

/** Every fault; Retry-After, the number of failures, format and --max-wait take turns. */
export function casesOf(scenario: Scenario): FaultCase[] {
  const at = SCENARIOS.indexOf(scenario);
  const isItsTurn = (fault: Fault, index: number, n: number): boolean => {
    if (n === 0 || fault.answer.status === undefined) return n === 0;
    return isWaitedFor(fault) ? n % 2 === at % 2 : n === 1 + ((index + at) % 7);
  };
  const faults = FAULTS.flatMap((fault, index) =>
    RETRY_AFTERS.filter((_, n) => isItsTurn(fault, index, n)).map((retryAfter) => ({
      fault,
      retryAfter,
    })),
  );
  let turn = at;
  return faults.flatMap(({ fault, retryAfter }) =>
    TIMES.filter((_, n) => isAskedAgain(fault) || n === turn % 2).flatMap((times) => {
      // 5 and 12 have no common divisor: all sides get their turn.
      turn += 5;
      return SIDES.slice(turn % SIDES.length)
        .slice(0, 1)
        .map((side) => ({ scenario, fault, retryAfter, times, ...side }));
    }),
  );
}

export function nameOf({ scenario, fault, retryAfter, times, format, maxWait }: FaultCase): string {
  const often = times === 1 ? 'once' : 'always';
  return `${scenario.name}: ${fault.name} ${often}, Retry-After ${retryAfter}, --max-wait ${maxWait}, ${format}`;
}
