/** The matrix: every operation, at its first and third request, times every way to fail. Generated, never written out. */

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

export const SCENARIOS: readonly Scenario[] = [
  single('access', ['access'], '/access', 0),
  { ...single('login', ['login'], '/access', 0), items: { failed: 0, passed: 'none' } },
  single('snapshot', ['snapshot'], '/market-snapshot', 1),
  { ...single('screeners', ['screeners'], '/screeners', 1), items: { failed: 0, passed: 2 } },
  {
    ...single('signals ls, 1st page', ['signals', 'ls', '--all'], '/signals', 1),
    further: { requests: 2, credits: 2 },
    items: { failed: 0, passed: 60 },
  },
  {
    ...single('signals ls, 3rd page', ['signals', 'ls', '--all'], '/signals', 1),
    nth: 3,
    others: { requests: 2, credits: 2 },
    items: { failed: 50, passed: 60 },
  },
  {
    ...single('ls --outcomes, 3rd', ['signals', 'ls', '-n', '3', '--outcomes'], '/signals/8998', 1),
    others: { requests: 3, credits: 3 },
    items: { failed: 3, passed: 3 },
  },
  single('signals show', ['signals', 'show', '8999'], '/signals/8999', 1),
  {
    ...single('signals show, 3rd', ['signals', 'show', '9000', '8999', '8998'], '/signals/8998', 1),
    others: { requests: 2, credits: 2 },
    items: { failed: 2, passed: 3 },
  },
  {
    ...single('stats, its /access', ['stats'], '/access', 0),
    further: { requests: 1, credits: 5 },
  },
  {
    ...single('stats', ['stats'], '/signal-stats', 5),
    others: { requests: 1, credits: 0 },
  },
];

function single(name: string, args: readonly string[], path: string, cost: number): Scenario {
  return { name, args, path, cost, nth: 1, others: nothing, further: nothing, items: { failed: 0, passed: 'one' } };
}

/** Statuses of part 7 and others; connections that break; answers with status 200 that are none. */
export const STATUSES = ['401', '403', '404', '422', '429', '503', '500', '502', '504'] as const;
export const BREAKS = ['closed', 'half', 'html', 'empty', 'no-envelope', 'hasError', 'null', 'wrong-type'] as const;
export type FaultName = (typeof STATUSES)[number] | (typeof BREAKS)[number];

/** Retry-After as it is sent; `date` stands for an HTTP date ten seconds later. */
const RETRY_AFTERS = ['absent', '0', '1', '1.5', 'date', '-1', '99999999999999999999', 'rubbish'] as const;
export type RetryAfter = (typeof RETRY_AFTERS)[number];

const FORMATS = ['json', 'ndjson', 'csv', 'table'] as const;
const STREAMS = ['pipe', 'terminal'] as const;
/** Where Retry-After is heeded: half of its forms are tried by default, every form by one operation or another. */
const WAITED_FOR: ReadonlySet<string> = new Set(['429', '503']);
/** Asked again after a while: that it fails once is another case than that it fails always. */
const ASKED_AGAIN: ReadonlySet<string> = new Set([...WAITED_FOR, '500', '502', '504', 'closed', 'half']);
/** Seconds. */
const MAX_WAITS = [0, 3, 60] as const;
/** How many requests in a row fail. */
const TIMES = [1, Number.POSITIVE_INFINITY] as const;

export interface FaultCase {
  readonly scenario: Scenario;
  readonly fault: FaultName;
  readonly retryAfter: RetryAfter;
  readonly times: number;
  readonly stream: (typeof STREAMS)[number];
  readonly format: (typeof FORMATS)[number];
  readonly maxWait: number;
}

/**
 * @param heavy the whole product; else every operation and fault, with Retry-After, the number of failures, stream, format and
 *   --max-wait taking turns
 */
export function casesOf(scenario: Scenario, heavy: boolean): FaultCase[] {
  const at = SCENARIOS.indexOf(scenario);
  const isItsTurn = (fault: string, index: number, n: number): boolean =>
    n === 0 || (WAITED_FOR.has(fault) ? n % 2 === at % 2 : n === 1 + ((index + at) % 7));
  const faults = [
    ...STATUSES.flatMap((fault, index) =>
      RETRY_AFTERS.filter((_, n) => heavy || isItsTurn(fault, index, n)).map((retryAfter) => ({ fault, retryAfter })),
    ),
    ...BREAKS.map((fault) => ({ fault, retryAfter: 'absent' as const })),
  ];
  const sides = STREAMS.flatMap((stream) =>
    FORMATS.flatMap((format) => MAX_WAITS.map((maxWait) => ({ stream, format, maxWait }))),
  );
  let turn = at;
  return faults.flatMap((one) =>
    TIMES.filter((_, n) => heavy || ASKED_AGAIN.has(one.fault) || n === turn % 2).flatMap((times) => {
      // 5 and 24 have no common divisor: all sides get their turn.
      turn += 5;
      const chosen = heavy ? sides : sides.slice(turn % sides.length, (turn % sides.length) + 1);
      return chosen.map((side) => ({ scenario, ...one, times, ...side }));
    }),
  );
}

export function nameOf({ scenario, fault, retryAfter, times, stream, format, maxWait }: FaultCase): string {
  const often = times === 1 ? 'once' : 'always';
  return `${scenario.name}: ${fault} ${often}, Retry-After ${retryAfter}, --max-wait ${maxWait}, ${format} to a ${stream}`;
}
