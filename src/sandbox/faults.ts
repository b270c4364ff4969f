import { OPERATION_NAMES, type OperationName } from '../api/operations.ts';
import { usageError } from '../errors.ts';
import { type ApiResponse, failure, reply } from './response.ts';

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

/** Effects of a fault word on a request; `real` works the request off and charges it. */
const EFFECTS: Readonly<Record<string, (real: () => ApiResponse) => ApiResponse>> = {
  garbage: () => reply(200, 'this is not JSON'),
  truncate: (real) => ({ ...real(), wire: 'truncate' }),
  reset: () => ({ ...reply(200, ''), wire: 'reset' }),
  'reset-after': (real) => ({ ...real(), wire: 'reset' }),
  hang: () => ({ ...reply(200, ''), wire: 'hang' }),
};

const FAULT_WORDS: readonly string[] = ['200', ...[...CONDITIONS.keys()].map(String), ...Object.keys(EFFECTS)];

export const FAULT_HELP =
  'A fault is OPERATION:WHICH:WHAT[:OPTION...], for example signals:2:503:retry-after=3. ' +
  `OPERATION: ${OPERATION_NAMES.join(', ')} or *. WHICH: 2 (the second request), 2+ (from it on) or * (each). ` +
  `WHAT: ${FAULT_WORDS.join(', ')}. ` +
  'OPTION: retry-after=TEXT, delay=MILLISECONDS, body=TEXT, charge.';

export const FAULT_PATTERN = new RegExp(
  `^(${OPERATION_NAMES.join('|')}|\\*):([1-9]\\d{0,8}\\+?|\\*):(${FAULT_WORDS.join('|')})(:(retry-after=[ -~]*|delay=\\d{1,7}|body=[^]*|charge))*$`,
);
export const FAULT_EXAMPLES = ['signals:2:503:retry-after=3', '*:*:hang', 'signal:3+:429'];

export interface Fault {
  readonly operation: OperationName | '*';
  /** Which requests of the operation it meets, counted from 1 since the fault was set; both ends inclusive. */
  readonly from: number;
  readonly to: number;
  readonly what: string;
  readonly retryAfter?: string | undefined;
  readonly delay?: number | undefined;
  readonly body?: string | undefined;
  /** Charge the operation's credits although the answer is a stand-in. */
  readonly charge: boolean;
}

// A value may hold colons itself (an HTTP date, JSON), so only a colon before a known option separates.
const OPTION = /:(?=(?:retry-after|delay|body)=|charge(?::|$))/;

/** Reads `signals:2:503:retry-after=3`. @throws ScreenerError usage, naming what is accepted */
export function parseFault(text: string): Fault {
  const [matched, operation = '*', which = '*', what = ''] = FAULT_PATTERN.exec(text) ?? [];
  if (matched === undefined) throw usageError(`Cannot read the fault "${text}".`, FAULT_HELP);
  const options = text.split(OPTION).slice(1);
  const given = new Map(options.map((option) => [option.split('=', 1)[0], option.slice(option.indexOf('=') + 1)]));
  const delay = given.get('delay');
  const from = which === '*' ? 1 : Number.parseInt(which, 10);
  return {
    operation: operation as Fault['operation'],
    from,
    to: /^\d+$/.test(which) ? from : Number.POSITIVE_INFINITY,
    what,
    retryAfter: given.get('retry-after'),
    delay: delay === undefined ? undefined : Number(delay),
    body: given.get('body'),
    charge: given.has('charge'),
  };
}

/** Finds the fault that the next request of an operation meets. */
export function faultsInTurn(faults: readonly Fault[]): (asked: OperationName) => Fault | undefined {
  const counts = new Map<Fault, number>();
  return (asked) => {
    const mine = faults.filter(({ operation }) => operation === '*' || operation === asked);
    for (const fault of mine) counts.set(fault, (counts.get(fault) ?? 0) + 1);
    return mine.find((fault) => {
      const seen = counts.get(fault) ?? 0;
      return seen >= fault.from && seen <= fault.to;
    });
  };
}

export function faultyAnswer(fault: Fault, real: () => ApiResponse): ApiResponse {
  const { what, retryAfter, delay, body } = fault;
  const response = EFFECTS[what]?.(real) ?? statusInstead(Number(what), body, real);
  const headers = retryAfter === undefined ? response.headers : { ...response.headers, 'retry-after': retryAfter };
  return { ...response, headers, delay: delay ?? response.delay, body: body ?? response.body };
}

function statusInstead(status: number, body: string | undefined, real: () => ApiResponse): ApiResponse {
  if (status !== 200) return failure(status, CONDITIONS.get(status) ?? '');
  return body === undefined ? real() : reply(200, '');
}
