import { type ErrorCode, ScreenerError } from '../errors.ts';
import { durationInWords } from '../runtime/durations.ts';
import { badAnswer } from './bad-answer.ts';
import { timeOf } from './time.ts';

/** Part 7 of the API document: our words for a status, and the document's own. */
const MEANINGS: Readonly<Record<number, readonly [ErrorCode, string, string]>> = {
  401: [
    'unauthorized',
    'The key was not accepted: it is invalid, expired or revoked.',
    'invalid, expired or revoked key',
  ],
  403: ['pro_required', 'The account has no active verified PRO plan.', 'active verified pro required'],
  404: ['not_found', 'Not found.', 'not found'],
  422: ['invalid_arguments', 'The service rejected the arguments.', 'invalid arguments'],
  429: [
    'quota_exhausted',
    "The account's shared quota (API and MCP together) or the service's capacity is exhausted.",
    'shared account quota or global capacity exhausted',
  ],
  503: [
    'unavailable',
    'The service is disabled or temporarily unavailable.',
    'service disabled or temporarily unavailable',
  ],
};

interface FailedAnswer {
  readonly status: number;
  readonly errors: string | undefined;
  readonly retryAfter: number | undefined;
  /** Epoch milliseconds UTC. */
  readonly at: number;
}

/** @param path of part 4; `target` is what was asked for, with its query */
export function statusError(path: string, target: string, answer: FailedAnswer): ScreenerError {
  const { status, retryAfter } = answer;
  const said = answer.errors && !isStandard(answer) ? ` The service said: ${answer.errors}` : '';
  const details = {
    status,
    ...(retryAfter === undefined ? {} : { retryAfter, retryAt: soonest(answer.at, retryAfter) }),
  };
  if (status === 404 && path === '/signals/{id}') {
    const id = target.slice(target.lastIndexOf('/') + 1);
    return new ScreenerError('not_found', `There is no card ${id} among yours.${said}`, {
      ...details,
      hint: '`screener signals ls` lists your cards; a card of another user looks the same as a missing one.',
    });
  }
  const [code, message] = MEANINGS[status] ?? ['unavailable', `The service failed with status ${status}.`];
  if (MEANINGS[status] !== undefined || status >= 500) {
    return new ScreenerError(code, `${message}${said}`, { ...details, hint: whatToDo(target, answer) });
  }
  if (status >= 300 && status < 400) {
    return badAnswer(`status ${status} is a redirect, which is not followed because the key must not travel`, {
      status,
    });
  }
  return badAnswer(`status ${status} is not in it${said && `.${said}`}`, { status });
}

/** Whether an error text is the document's own, or its code NOT_FOUND: our message says the same. */
function isStandard({ status, errors = '' }: FailedAnswer): boolean {
  return errors.trim().toLowerCase().replace('_', ' ').replace(/\.$/, '') === MEANINGS[status]?.[2];
}

function whatToDo(target: string, answer: FailedAnswer): string {
  switch (answer.status) {
    case 401:
      return 'Run `screener login` with a current key (or correct SCREENER_API_KEY).';
    case 403:
      return 'The API is for PRO subscribers: check the plan with the service, then try again.';
    case 404:
      return 'Check the base URL: it must be the one the service gave you.';
    case 422:
      return whatToCorrect(target);
    case 429:
    case 503:
      return whenToTryAgain(answer);
    default:
      return 'Try again later.';
  }
}

function whatToCorrect(target: string): string {
  const query = new URLSearchParams(target.slice(target.indexOf('?')));
  if (query.has('cursor')) {
    return 'A cursor may expire, and works only with the filters of its page. Without it the list begins again.';
  }
  if (query.has('since')) return 'Correct the options; where the window is too long or too old, try a later --since.';
  return 'Correct the options.';
}

function whenToTryAgain({ at, retryAfter }: FailedAnswer): string {
  if (retryAfter === undefined) return 'Try again later; the service did not say when.';
  const until = timeOf(soonest(at, retryAfter));
  const wait = retryAfter <= 3600 ? '; --max-wait says how long a wait may be' : '';
  return `Try again after ${until}, in ${durationInWords(soonest(at, retryAfter) - at)}${wait}.`;
}

function soonest(at: number, seconds: number): number {
  return Math.min(at + seconds * 1000, 8.64e15);
}
