import { type ErrorCode, ScreenerError } from '../errors.ts';
import { durationInWords } from '../runtime/durations.ts';
import { pluralize } from '../runtime/pluralize.ts';
import { badAnswer } from './bad-answer.ts';
import { timeOf } from './time.ts';
import type { NoAnswer } from './transport-errors.ts';

interface Meaning {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string;
}

/** Part 7 of the API document: its own words, which need no repeating beside ours. */
export const STANDARD: Readonly<Record<number, string>> = {
  401: 'Invalid, expired or revoked key.',
  403: 'Active verified PRO required.',
  404: 'NOT_FOUND',
  422: 'Invalid arguments.',
  429: 'Shared account quota or global capacity exhausted.',
  503: 'Service disabled or temporarily unavailable.',
};

const MEANINGS: Readonly<Record<number, Meaning>> = {
  401: {
    code: 'unauthorized',
    message: 'The key was not accepted: it is invalid, expired or revoked.',
    hint: 'Run `screener login` with a current key (or correct SCREENER_API_KEY).',
  },
  403: {
    code: 'pro_required',
    message: 'The account has no active verified PRO plan.',
    hint: 'The API is for PRO subscribers: check the plan with the service, then try again.',
  },
  404: {
    code: 'not_found',
    message: 'Not found.',
    hint: 'Check the base URL: it must be the one the service gave you.',
  },
  422: {
    code: 'invalid_arguments',
    message: 'The service rejected the arguments.',
    hint: 'Correct the options. A cursor may expire, and works only with its own filters; a --since may be too old.',
  },
  429: {
    code: 'quota_exhausted',
    message: "The account's shared quota (API and MCP together) or the service's capacity is exhausted.",
  },
  503: {
    code: 'unavailable',
    message: 'The service is disabled or temporarily unavailable.',
  },
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
  const { status, errors, retryAfter, at } = answer;
  const meaning = MEANINGS[status];
  const said = errors && errors !== STANDARD[status] ? ` The service said: ${errors}` : '';
  const retryAt = retryAfter === undefined ? undefined : at + retryAfter * 1000;
  const details = { status, retryAfter, retryAt };
  if (status === 404 && path === '/signals/{id}') {
    const id = target.slice(target.lastIndexOf('/') + 1);
    const hint = '`screener signals ls` lists your cards; a card of another user looks the same as a missing one.';
    return new ScreenerError('not_found', `There is no card ${id} among yours.${said}`, { ...details, hint });
  }
  if (meaning !== undefined) {
    const hint = meaning.hint ?? whenToTryAgain(at, retryAt);
    return new ScreenerError(meaning.code, `${meaning.message}${said}`, { ...details, hint });
  }
  if (status >= 500) {
    const message = `The service failed with status ${status}.${said}`;
    return new ScreenerError('unavailable', message, { ...details, hint: 'Try again later.' });
  }
  const isRedirect = status >= 300 && status < 400;
  const what = isRedirect ? 'is a redirect, which is not followed: the key must go nowhere else' : 'is not in it';
  return badAnswer(`status ${status} ${what}${said && `.${said}`}`, { status });
}

/** @param hasLeft whether the request had: then its `cost` may be spent */
export function noAnswerError(cause: NoAnswer, hasLeft: boolean, cost: number): ScreenerError {
  const code = cause.timedOut ? 'timeout' : 'network';
  if (!hasLeft) {
    const remedy = cause.remedy ?? 'Check the base URL, the network and the proxy variables.';
    const hint = `Nothing was sent and no credit was spent. ${remedy}`;
    return new ScreenerError(code, `The service cannot be reached: ${cause.message}.`, { hint, cause });
  }
  cause.hasLeft = true;
  const hint =
    cost === 0
      ? 'Try again; --timeout gives a slow connection more time.'
      : `The request had left, so ${pluralize(cost, 'credit')} may be spent: \`screener access\` shows it (free).`;
  return new ScreenerError(code, `The answer was lost: ${cause.message}.`, { hint, cause });
}

function whenToTryAgain(at: number, retryAt: number | undefined): string {
  if (retryAt === undefined) return 'Try again later; the service did not say when.';
  const wait = retryAt - at <= 3_600_000 ? '; --max-wait says how long a wait may be' : '';
  return `Try again after ${timeOf(retryAt)}, in ${durationInWords(retryAt - at)}${wait}.`;
}
