/** The matrix: every operation, at its first and third request, times every way to fail. Generated, never written out. */

import type { OperationName } from '../../src/api/operations.ts';
import { FORMAT_NAMES, type Format } from '../../src/output/formats.ts';
import { PART_4 } from '../support/operations.ts';

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
  /** Items on stdout where the failure stays, and where it passes; 'one' for a single resource. */
  readonly items: { readonly failed: number; readonly passed: number | 'one' | 'none' };
}

const nothing = { requests: 0, credits: 0 };

const BY_OPERATION: Readonly<Record<OperationName, readonly Scenario[]>> = {
  access: [
    single('access'),
    { ...single('access', 'login'), args: ['login'], items: { failed: 0, passed: 'none' } },
    { ...single('access', 'stats, its /access'), args: ['stats'], further: { requests: 1, credits: 5 } },
  ],
  snapshot: [single('snapshot')],
  screeners: [{ ...single('screeners'), items: { failed: 0, passed: 2 } }],
  signals: [
    { ...pages('signals ls, 1st page'), further: { requests: 2, credits: 2 }, items: { failed: 0, passed: 60 } },
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
  return { name, args: command, path: asks, cost, nth: 1, others: nothing, further: nothing, items };
}

function pages(name: string): Scenario {
  return { ...single('signals', name), args: ['signals', 'ls', '--all'] };
}

/** Statuses of part 7 and others; connections that break; answers with status 200 that are none. */
export const STATUSES = ['401', '403', '404', '422', '429', '503', '500', '502', '504'] as const;
export const BREAKS = ['closed', 'half', 'html', 'empty', 'no-envelope', 'hasError', 'null', 'wrong-type'] as const;
export type FaultName = (typeof STATUSES)[number] | (typeof BREAKS)[number];

/** Retry-After as it is sent. */
const RETRY_AFTERS = [
  'absent',
  '0',
  '1',
  '1.5',
  'Fri, 20 Nov 2026 12:00:30 GMT',
  '-1',
  '99999999999999999999',
  'rubbish',
] as const;
export type RetryAfter = (typeof RETRY_AFTERS)[number];

/** Where Retry-After is heeded: half of its forms are tried by one operation, the others by the next. */
const WAITED_FOR: ReadonlySet<string> = new Set(['429', '503']);
/** Asked again after a while: that it fails once is another case than that it fails always. */
const ASKED_AGAIN: ReadonlySet<string> = new Set([...WAITED_FOR, '500', '502', '504', 'closed', 'half']);
/** `maxWait` in seconds. */
const SIDES = FORMAT_NAMES.flatMap((format) => [0, 3, 60].map((maxWait) => ({ format, maxWait })));
/** How many requests in a row fail. */
const TIMES = [1, Number.POSITIVE_INFINITY] as const;

export interface FaultCase {
  readonly scenario: Scenario;
  readonly fault: FaultName;
  readonly retryAfter: RetryAfter;
  readonly times: number;
  readonly format: Format;
  readonly maxWait: number;
}

/** Every fault; Retry-After, the number of failures, format and --max-wait take turns. */
export function casesOf(scenario: Scenario): FaultCase[] {
  const at = SCENARIOS.indexOf(scenario);
  const isItsTurn = (fault: string, index: number, n: number): boolean =>
    n === 0 || (WAITED_FOR.has(fault) ? n % 2 === at % 2 : n === 1 + ((index + at) % 7));
  const faults = [
    ...STATUSES.flatMap((fault, index) =>
      RETRY_AFTERS.filter((_, n) => isItsTurn(fault, index, n)).map((retryAfter) => ({ fault, retryAfter })),
    ),
    ...BREAKS.map((fault) => ({ fault, retryAfter: 'absent' as const })),
  ];
  let turn = at;
  return faults.flatMap((one) =>
    TIMES.filter((_, n) => ASKED_AGAIN.has(one.fault) || n === turn % 2).flatMap((times) => {
      // 5 and 12 have no common divisor: all sides get their turn.
      turn += 5;
      return SIDES.slice(turn % SIDES.length)
        .slice(0, 1)
        .map((side) => ({ scenario, ...one, times, ...side }));
    }),
  );
}

export function nameOf({ scenario, fault, retryAfter, times, format, maxWait }: FaultCase): string {
  const often = times === 1 ? 'once' : 'always';
  return `${scenario.name}: ${fault} ${often}, Retry-After ${retryAfter}, --max-wait ${maxWait}, ${format}`;
}
