/** What a status other than 200 means (part 7 of the API document). */
import type { ErrorCode, FailureScope } from '../errors.ts';
import type { BodyKind } from './answer.ts';
import { BREACH_HINT, breachMessage } from './breach.ts';
import type { Subject } from './operations.ts';

export interface StatusMeaning {
  /** The table in errors.ts has the exit code for it. */
  readonly code: ErrorCode;
  readonly scope: FailureScope;
  readonly message: string;
  /** What to do. Absent if it depends on the answer (when to come back) or the request (which argument to correct). */
  readonly hint?: string;
}

interface ListedStatus extends Omit<StatusMeaning, 'scope'> {
  /** `subject` stands for `Operation.subject`: one card, or the whole operation. */
  readonly scope: FailureScope | 'subject';
  /** The document's own words. An error text of the service that only repeats them is not shown. */
  readonly condition: string;
}

/** The statuses of part 7, where the body is the service's own Envelope. */
const LISTED = {
  401: {
    condition: 'Invalid, expired or revoked key.',
    code: 'unauthorized',
    scope: 'account',
    message: 'The key was not accepted: it is invalid, expired or revoked.',
    hint: 'Run `screener login` with a current key (or correct SCREENER_API_KEY).',
  },
  403: {
    condition: 'Active verified PRO required.',
    code: 'pro_required',
    // The client widens it to the account if `/access` and another operation both answer 403.
    scope: 'operation',
    message: 'The account has no active verified PRO plan.',
    hint: 'The API is for PRO subscribers: check the plan with the service, then try again.',
  },
  404: {
    condition: 'NOT_FOUND',
    code: 'not_found',
    scope: 'subject',
    message: 'Not found.',
    hint: 'Check the base URL: it must be the one the service gave you.',
  },
  422: {
    condition: 'Invalid arguments.',
    code: 'invalid_arguments',
    scope: 'subject',
    message: 'The service rejected the arguments.',
  },
  429: {
    condition: 'Shared account quota or global capacity exhausted.',
    code: 'quota_exhausted',
    scope: 'moment',
    message:
      "The account's quota (the API and MCP share it) is used up, or the service is overloaded.",
  },
  503: {
    condition: 'Service disabled or temporarily unavailable.',
    code: 'unavailable',
    scope: 'moment',
    message: 'The service is disabled or temporarily unavailable.',
  },
} as const satisfies Readonly<Record<number, ListedStatus>>;

type ListedNumber = keyof typeof LISTED;

function isListed(status: number): status is ListedNumber {
  return status in LISTED;
}

/** The document's condition of each status of part 7. */
export const CONDITIONS: Readonly<Record<number, string>> = Object.fromEntries(
  Object.entries(LISTED).map(([status, { condition }]) => [status, condition]),
);

/**
 * The meaning of a status.
 * @param status any but 200
 * @param body only an answer with an Envelope is the service's word: any other answer says nothing of a key, a plan or a card
 * @param subject what a failure of the operation is about
 */
export function meaningOf(status: number, body: BodyKind, subject: Subject): StatusMeaning {
  if (body === 'envelope' && isListed(status)) {
    const meaning: ListedStatus = LISTED[status];
    return { ...meaning, scope: meaning.scope === 'subject' ? subject : meaning.scope };
  }
  // The service sends an Envelope with each listed status: without one, something else has answered.
  if (isListed(status)) return notFromTheService(status, body);
  const isOfClient = status >= 400 && status < 500;
  // A web page with another 4xx comes from something in between, too. With a 5xx it may be the service's own.
  if (isOfClient && body === 'html') return notFromTheService(status, body);
  if (status >= 500) {
    return {
      code: 'unavailable',
      scope: 'moment',
      message: `The service failed with status ${status}.`,
      hint: 'Try again later.',
    };
  }
  const isRedirect = status >= 300 && status < 400;
  // The whole message is then `The answer does not match the API document: status 418 is not in it.`
  const fault = isRedirect
    ? 'is a redirect, which is not followed: the key must go nowhere else'
    : 'is not in it';
  return {
    code: 'bad_answer',
    // A web page may be a login page, which goes away by itself.
    scope: body === 'html' ? 'moment' : subject,
    message: breachMessage(`status ${status} ${fault}`),
    hint: BREACH_HINT,
  };
}

function notFromTheService(status: number, body: BodyKind): StatusMeaning {
  const what = body === 'html' ? 'A web page' : 'Something else';
  return {
    code: 'unavailable',
    scope: 'moment',
    message: `${what} came in place of the service's answer (${status}): a proxy, a login page or a CDN.`,
    hint: 'Open the base URL in a browser on this machine, or try again later.',
  };
}

/** Whether a status is a refusal for some time: until Retry-After is over, no request is sent. */
export function isRefusal(status: number | null | undefined): status is 429 | 503 {
  return status === 429 || status === 503;
}
