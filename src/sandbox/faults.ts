import { OPERATION_NAMES, type OperationName } from '../api/operations.ts';
import { type ApiResponse, ERRORS, failure, reply } from './response.ts';

/** What comes of a request. `real` works the request off and charges it. */
type Fault = (real: () => ApiResponse) => ApiResponse;

const ANSWERS: Readonly<Record<string, Fault>> = {
  ...Object.fromEntries(
    Object.keys(ERRORS).map((status) => [status, () => failure(Number(status))]),
  ),
  '200': (real) => real(),
  garbage: () => reply(200, 'this is not JSON'),
  truncate: (real) => ({ ...real(), wire: 'truncate' }),
  reset: () => ({ ...reply(200, ''), wire: 'reset' }),
  hang: () => ({ ...reply(200, ''), wire: 'hang' }),
};

export const FAULT_HELP =
  'A fault is OPERATION:WHICH:WHAT[:retry-after=SECONDS][:delay=MILLISECONDS], for example ' +
  'signals:2:503:retry-after=3. ' +
  `OPERATION: ${OPERATION_NAMES.join(', ')} or *. WHICH: 2 (the second request), 2+ (from it on) or * (each). ` +
  `WHAT: ${Object.keys(ANSWERS).join(', ')}.`;

export const FAULT_PATTERN = new RegExp(
  `^(?<operation>${OPERATION_NAMES.join('|')}|\\*):(?<which>[1-9]\\d{0,8}\\+?|\\*):(?<what>${Object.keys(ANSWERS).join('|')})` +
    '(:retry-after=(?<retryAfter>\\d{1,9}))?(:delay=(?<delay>\\d{1,7}))?$',
);
export const FAULT_EXAMPLES = ['signals:2:503:retry-after=3', '*:*:hang', 'signal:3+:429'];

export type Faults = (asked: OperationName) => Fault | undefined;

/** A fault counts the requests of its operation from the moment it is set. @throws Error for any other text */
export function readFault(text: string): Faults {
  const {
    operation,
    which = '',
    what = '',
    retryAfter,
    delay,
  } = FAULT_PATTERN.exec(text)?.groups ?? {};
  const answer = ANSWERS[what];
  if (answer === undefined) throw new Error(`no fault: ${text}`);
  const first = which === '*' ? 1 : Number.parseInt(which, 10);
  const isOnce = /\d$/.test(which);
  let seen = 0;
  return (asked) => {
    if (operation !== '*' && operation !== asked) return undefined;
    seen += 1;
    if (seen < first || (isOnce && seen > first)) return undefined;
    return (real) => {
      const response = answer(real);
      const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
      return {
        ...response,
        headers: { ...response.headers, ...headers },
        delay: Number(delay ?? 0),
      };
    };
  };
}
