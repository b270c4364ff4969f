/** Faults that a user of the sandbox asks for: a request then gets an error, no answer, a broken answer or a late one. */
import { OPERATION_NAMES, type OperationName } from '../api/operations.ts';
import { type ApiResponse, ERROR_TEXTS, failure, reply, retryAfterHeader } from './response.ts';

/** Makes the answer to a request. `answerAsUsual` answers the request without the fault, and charges it. */
export type Fault = (answerAsUsual: () => ApiResponse) => ApiResponse;

/** The faults by the names that a user types: `503`, `hang`. */
const FAULTS: Readonly<Record<string, Fault>> = {
  ...Object.fromEntries(
    Object.keys(ERROR_TEXTS).map((status) => [status, () => failure(Number(status))]),
  ),
  // `200` is no error, but the usual answer. With `delay` it comes late.
  '200': (answerAsUsual) => answerAsUsual(),
  garbage: () => reply(200, 'this is not JSON'),
  truncate: (answerAsUsual) => ({ ...answerAsUsual(), delivery: 'truncate' }),
  reset: () => ({ ...reply(200, ''), delivery: 'reset' }),
  hang: () => ({ ...reply(200, ''), delivery: 'hang' }),
};

const FAULT_NAMES = Object.keys(FAULTS);

export const FAULT_HELP =
  'A fault is OPERATION:WHICH:WHAT[:retry-after=SECONDS][:delay=MILLISECONDS], for example ' +
  'signals:2:503:retry-after=3. ' +
  `OPERATION: ${OPERATION_NAMES.join(', ')} or *. WHICH: 2 (the second request), 2+ (from it on) or * (each). ` +
  `WHAT: ${FAULT_NAMES.join(', ')}.`;

const OPERATION_PART = String.raw`(?<operation>${OPERATION_NAMES.join('|')}|\*)`;
/** `2`, `2+` or `*`. */
const WHICH_PART = String.raw`(?<which>[1-9]\d{0,8}\+?|\*)`;
const WHAT_PART = `(?<what>${FAULT_NAMES.join('|')})`;
const RETRY_AFTER_PART = String.raw`(:retry-after=(?<retryAfter>\d{1,9}))?`;
const DELAY_PART = String.raw`(:delay=(?<delay>\d{1,7}))?`;

export const FAULT_PATTERN = new RegExp(
  `^${OPERATION_PART}:${WHICH_PART}:${WHAT_PART}${RETRY_AFTER_PART}${DELAY_PART}$`,
);
export const FAULT_EXAMPLES = ['signals:2:503:retry-after=3', '*:*:hang', 'signal:3+:429'];

/** Tells which fault a request of an operation meets; undefined if it meets none. Each call is one request. */
export type FaultOf = (operation: OperationName) => Fault | undefined;

/**
 * Reads a fault, such as `signals:2:503`. The function that it returns counts the requests of that operation (here `signals`).
 * @throws Error if the text does not match FAULT_PATTERN
 */
export function readFault(text: string): FaultOf {
  const {
    operation,
    which = '',
    what = '',
    retryAfter,
    delay,
  } = FAULT_PATTERN.exec(text)?.groups ?? {};
  const fault = FAULTS[what];
  if (fault === undefined) throw new Error(`no fault: ${text}`);
  const firstRequest = which === '*' ? 1 : Number.parseInt(which, 10);
  // `2+` and `*` are several requests, `2` is one only.
  const isOnce = which !== '*' && !which.endsWith('+');
  let requests = 0;
  return (operationOfRequest) => {
    if (operation !== '*' && operation !== operationOfRequest) return undefined;
    requests += 1;
    if (requests < firstRequest || (isOnce && requests > firstRequest)) return undefined;
    return (answerAsUsual) => {
      const response = fault(answerAsUsual);
      return {
        ...response,
        headers: { ...response.headers, ...retryAfterHeader(retryAfter) },
        delay: Number(delay ?? 0),
      };
    };
  };
}
