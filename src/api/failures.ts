/** Makes the error of a failed request that the user sees: with its scope, its sentence and its hint. */
import { durationInWords, HOUR, pluralize, SECOND } from '../base/units.ts';
import { ScreenerError } from '../errors.ts';
import type { BodyKind } from './answer.ts';
import { WaitTooLong } from './gate.ts';
import type { NoAnswer } from './no-answer.ts';
import type { Operation } from './operations.ts';
import { CONDITIONS, isRefusal, meaningOf } from './statuses.ts';
import { timeOf } from './time.ts';

/** What is known of an answer with a status other than 200. */
interface StatusAnswer {
  readonly status: number;
  readonly body: BodyKind;
  /** The service's own text, without the key; undefined if there is none. */
  readonly errors?: string | undefined;
  /** Seconds; undefined if the answer did not say. */
  readonly retryAfter: number | undefined;
  /** When the answer came, epoch milliseconds UTC. */
  readonly at: number;
}

/** The error of an answer with a status other than 200. @param target path and query of the request */
export function statusError(
  { subject }: Pick<Operation, 'subject'>,
  target: string,
  { status, body, errors, retryAfter, at }: StatusAnswer,
): ScreenerError {
  const { code, scope, message, hint: remedy } = meaningOf(status, body, subject);
  // A text that only repeats the API document is left out: `message` says the same.
  const saysMore = Boolean(errors) && errors !== CONDITIONS[status];
  const quote = saysMore ? ` The service said: ${errors}` : '';
  const retryAt = retryAfter === undefined ? undefined : at + retryAfter * SECOND;
  const errorOf = (sentence: string, hint: string) =>
    new ScreenerError(code, sentence + quote, { scope, status, retryAfter, retryAt, hint });
  if (code === 'not_found' && subject === 'card') {
    const hint =
      '`screener signals ls` lists your cards; a card of another user looks the same as a missing one.';
    return errorOf(`There is no card ${cardIn(target)} among yours.`, hint);
  }
  if (code === 'invalid_arguments') {
    const hint = subject === 'card' ? `Check the id: ${cardIn(target)}.` : whatToCorrect(target);
    return errorOf(message, hint);
  }
  // If the service says how long a refusal lasts, the time is the better hint.
  const isTimed = scope === 'moment' && retryAt !== undefined;
  if (isTimed || remedy === undefined) return errorOf(message, whenToTryAgain(at, retryAt));
  return errorOf(message, remedy);
}

/** The id of the card that was asked for, the last part of the path. */
function cardIn(target: string): string {
  return target.slice(target.lastIndexOf('/') + 1);
}

/** Why the service may have rejected an argument; by the argument's name in the API document (part 4). */
const SUSPECTS: Readonly<Record<string, string>> = {
  cursor: 'A cursor may expire, and works only with its own filters.',
  since: 'The service may refuse a window that begins so long ago.',
  screener_type: 'Check the name of the type: `screener screeners` lists yours (1 credit).',
};

function whatToCorrect(target: string): string {
  const names = [...new URLSearchParams(target.split('?')[1]).keys()];
  if (names.length === 0)
    return 'The request had no parameters: the service may have changed, or the base URL is wrong.';
  const suspicions = names
    .map((name) => SUSPECTS[name])
    .filter((sentence) => sentence !== undefined);
  return ['Correct the options.', ...suspicions].join(' ');
}

function whenToTryAgain(now: number, retryAt: number | undefined): string {
  if (retryAt === undefined) return 'Try again later; the service did not say when.';
  return `Try again after ${timeOf(retryAt)}, in ${durationInWords(retryAt - now)}.`;
}

interface HeldUntil {
  /** Epoch milliseconds UTC. */
  readonly until: number;
  /** The HTTP status of the refusal that asked for the wait. */
  readonly status: number;
  /** Whether that answer was no Envelope. */
  readonly isForeign?: boolean | undefined;
}

/**
 * The error of a request that is not sent, because an earlier refusal holds for longer than --max-wait.
 * @param now epoch milliseconds UTC
 */
export function heldError({ until, status, isForeign }: HeldUntil, now: number): WaitTooLong {
  // The ledger does not keep what the body was, only that it was no Envelope. So a web page counts as `other`, too.
  const body = isForeign ? 'other' : 'envelope';
  const { code, message } = meaningOf(status, body, 'operation');
  const wait = `Nothing is sent until ${timeOf(until)}, in ${durationInWords(until - now)}.`;
  const hint =
    'Try again then. `screener access --recheck` asks once (free) whether the service still refuses.';
  const retryAfter = Math.ceil((until - now) / SECOND);
  return new WaitTooLong(code, `${message} ${wait}`, {
    hint,
    status,
    retryAfter,
    retryAt: until,
  });
}

/**
 * The failure of a call that ends because the wait before its next attempt is longer than --max-wait. If the wait is
 * at most an hour, the most that --max-wait takes, the hint names that option.
 * @param now epoch milliseconds UTC
 */
export function waitTooLong(failure: ScreenerError, now: number): ScreenerError {
  const { retryAt } = failure;
  if (retryAt === undefined || retryAt - now > HOUR) return failure;
  const when = `Try again after ${timeOf(retryAt)}, in ${durationInWords(retryAt - now)}`;
  return failure.with({ hint: `${when}; --max-wait 1h lets a command wait for it.` });
}

/**
 * The failure of a call whose three attempts (`ATTEMPTS`) are used up. The hint does not name --max-wait: a longer wait would not
 * have helped.
 * @param failures of all three attempts, the oldest first
 * @param last the newest of them
 */
export function attemptsUsedUp(
  failures: readonly ScreenerError[],
  last: ScreenerError,
): ScreenerError {
  if (!isRefusal(last.status)) return last;
  const wereAllRefused = failures.every(({ status }) => isRefusal(status));
  const what = wereAllRefused ? 'The service refused three times' : 'Three attempts failed';
  const when =
    last.retryAt === undefined
      ? 'it did not say when to come back'
      : `it said to come back at ${timeOf(last.retryAt)}`;
  return last.with({ hint: `${what}; ${when}.` });
}

/** The hint if nothing is known of the cause. */
const CHECK_URL_AND_NETWORK =
  'Check the base URL and the network. If this network has a proxy, set HTTPS_PROXY to it; NO_PROXY lists hosts that are reached without it.';

/** What to do if nothing listens at a base URL of this machine. */
const START_IT_AGAIN =
  'The base URL is of this machine, and nothing runs there: start `screener sandbox` again with the same --port, or type `unset SCREENER_BASE_URL SCREENER_API_KEY`.';

/** Matches only if no proxy is set: with one, the message goes on after the address, and it may be the proxy that is down. */
const NOTHING_LISTENS_HERE = /^connect ECONNREFUSED (127\.|::1:)[^ ]*$/;

/** The hint for an error without a remedy: another attempt may succeed. */
function hintWithoutRemedy({ message }: NoAnswer): string {
  return NOTHING_LISTENS_HERE.test(message) ? START_IT_AGAIN : CHECK_URL_AND_NETWORK;
}

/** @param credits what all requests that were sent may have cost */
export function noAnswerError(cause: NoAnswer, credits: number): ScreenerError {
  const code = cause.isTimeout ? 'timeout' : 'network';
  const reason = cause.message;
  if (cause.wasSent) {
    const hint =
      credits === 0
        ? 'Try again; --timeout gives a slow connection more time.'
        : chargeWarning(credits);
    return new ScreenerError(code, `The answer was lost: ${reason}.`, { hint, cause });
  }
  const spent = credits === 0 ? 'No credit was spent.' : chargeWarning(credits);
  const remedy = cause.remedy ?? hintWithoutRemedy(cause);
  const hint = `${spent} ${remedy}`;
  return new ScreenerError(code, `The service cannot be reached: ${reason}.`, { hint, cause });
}

/** A sentence on the credits of requests that may have been charged. */
function chargeWarning(credits: number): string {
  return `A request was sent, so ${pluralize(credits, 'credit')} may be spent: \`screener access\` shows it (free).`;
}
