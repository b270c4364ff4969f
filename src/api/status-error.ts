import { ScreenerError } from '../errors.ts';
import { durationInWords, HOUR, pluralize, SECOND } from '../runtime/units.ts';
import type { AnswerBody } from './answer.ts';
import type { Operation } from './operations.ts';
import { CONDITIONS, isRefusal, meaningOf } from './statuses.ts';
import { timeOf } from './time.ts';

/** Why the service may have rejected an argument, by its name in part 4. */
const SUSPECTS: Readonly<Record<string, string>> = {
  cursor: 'A cursor may expire, and works only with its own filters.',
  since: 'The service may refuse a window that begins so long ago.',
  screener_type: 'Check the name of the type: `screener screeners` lists yours (1 credit).',
};

/** An answer that is an error by its status. */
interface StatusAnswer {
  readonly status: number;
  readonly body: AnswerBody;
  /** The service's own text, without the key; undefined if there is none. */
  readonly errors?: string | undefined;
  /** Seconds; undefined if the answer did not say. */
  readonly retryAfter: number | undefined;
  /** When it came, epoch milliseconds UTC. */
  readonly at: number;
}

/** @param target path and query, as they were sent */
export function statusError(
  { subject }: Pick<Operation, 'subject'>,
  target: string,
  { status, body, errors, retryAfter, at }: StatusAnswer,
): ScreenerError {
  const { code, scope, message, hint: remedy } = meaningOf(status, body, subject);
  const said = errors && errors !== CONDITIONS[status] ? ` The service said: ${errors}` : '';
  const retryAt = retryAfter === undefined ? undefined : at + retryAfter * SECOND;
  const details = { scope, status, retryAfter, retryAt };
  if (code === 'not_found' && subject === 'card') {
    const id = target.slice(target.lastIndexOf('/') + 1);
    return new ScreenerError(code, `There is no card ${id} among yours.${said}`, {
      ...details,
      hint: '`screener signals ls` lists your cards; a card of another user looks the same as a missing one.',
    });
  }
  if (code === 'invalid_arguments')
    return new ScreenerError(code, message + said, { ...details, hint: whatToCorrect(target) });
  const isTimed = scope === 'moment' && retryAt !== undefined;
  const hint = isTimed || remedy === undefined ? whenToTryAgain(at, retryAt) : remedy;
  return new ScreenerError(code, message + said, { ...details, hint });
}

/** The refusal again, while it holds: nothing was sent. @param until epoch milliseconds UTC, as `now` is */
export function heldError({ until, status }: { until: number; status: number }, now: number) {
  const { code, message } = meaningOf(status, 'envelope', 'operation');
  const wait = `Nothing is sent until ${timeOf(until)}, in ${durationInWords(until - now)}.`;
  const hint =
    'Try again then. `screener access --recheck` asks once (free) whether the service still refuses.';
  const details = { hint, status, retryAfter: Math.ceil((until - now) / SECOND), retryAt: until };
  return new ScreenerError(code, `${message} ${wait}`, details);
}

/** @param hasLeft whether this request had @param credits that it and attempts before it may have cost */
export function noAnswerError(cause: NoAnswer, hasLeft: boolean, credits: number): ScreenerError {
  const code = cause.timedOut ? 'timeout' : 'network';
  if (!hasLeft) {
    const remedy = cause.remedy ?? 'Check the base URL, the network and the proxy variables.';
    const spent = credits === 0 ? 'Nothing was sent and no credit was spent.' : maySpend(credits);
    const hint = `${spent} ${remedy}`;
    return new ScreenerError(code, `The service cannot be reached: ${cause.message}.`, {
      hint,
      cause,
    });
  }
  cause.hasLeft = true;
  const hint =
    credits === 0 ? 'Try again; --timeout gives a slow connection more time.' : maySpend(credits);
  return new ScreenerError(code, `The answer was lost: ${cause.message}.`, { hint, cause });
}

function maySpend(credits: number): string {
  return `A request had left, so ${pluralize(credits, 'credit')} may be spent: \`screener access\` shows it (free).`;
}

function whatToCorrect(target: string): string {
  const names = [...new URLSearchParams(target.split('?')[1]).keys()];
  if (names.length === 0)
    return 'The request had none: the service may have changed, or the base URL is wrong.';
  return ['Correct the options.', ...names.flatMap((name) => SUSPECTS[name] ?? [])].join(' ');
}

function whenToTryAgain(at: number, retryAt: number | undefined): string {
  if (retryAt === undefined) return 'Try again later; the service did not say when.';
  return `Try again after ${timeOf(retryAt)}, in ${durationInWords(retryAt - at)}.`;
}

/**
 * The failure again, where another attempt was left, but the wait before it was longer than --max-wait.
 * @param now epoch milliseconds UTC
 */
export function waitTooLong(failure: ScreenerError, now: number): ScreenerError {
  const { code, message, retryAt } = failure;
  if (retryAt === undefined || retryAt - now > HOUR) return failure;
  const when = `Try again after ${timeOf(retryAt)}, in ${durationInWords(retryAt - now)}`;
  const hint = `${when}; --max-wait 1h lets a command wait for it.`;
  return new ScreenerError(code, message, { ...failure, hint });
}

/** The last of so many refusals that no attempt is left: longer waits would not have helped. */
export function attemptsUsedUp(failures: readonly ScreenerError[], last: ScreenerError) {
  if (!isRefusal(last.status)) return last;
  const isAlways = failures.every(({ status }) => isRefusal(status));
  const what = isAlways ? 'The service refused three times' : 'Three attempts failed';
  const when =
    last.retryAt === undefined
      ? 'it did not say when to come back'
      : `it said to come back at ${timeOf(last.retryAt)}`;
  const hint = `${what}; ${when}.`;
  return new ScreenerError(last.code, last.message, { ...last, hint });
}

/** No complete answer came (DNS, refused, TLS, timeout, reset). */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  timedOut = false;
  /** The client says whether the request had left: then a credit may be spent. */
  hasLeft = false;
  /** What the user can do, where another attempt would fail likewise. */
  remedy: string | undefined;
}

const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [
    /ISSUER|SELF_SIGNED|LEAF_SIGNATURE|CERT_UNTRUSTED/,
    "The certificate's issuer is not known here, as with a proxy that opens TLS: name a file with the issuer's certificate in NODE_EXTRA_CA_CERTS, or set NODE_USE_SYSTEM_CA=1 (Node 22.19, 24.6 or later) to trust those of this system.",
  ],
  [
    /CERT_(HAS_EXPIRED|NOT_YET_VALID)/,
    "Check this machine's clock. If it is right, ask the service.",
  ],
  [/CERT_ALTNAME_INVALID/, 'Check the base URL: another host answers there.'],
  [/^ENOTFOUND/, 'Check the host in the base URL, and in the proxy variables.'],
  [
    /Proxy response \(407\)/,
    'The proxy asks for a user name and a password: http://USER:PASSWORD@HOST:PORT, special characters as %XX (@ is %40, : is %3A).',
  ],
];

/**
 * @param error what undici gave; connecting to a name with several addresses fails with one error for each
 * @param hint is appended to its text
 */
export function noAnswerOf(error: unknown, hint: string): NoAnswer {
  const first = error instanceof AggregateError ? (error.errors[0] ?? error) : error;
  const { code = '', message, reason, cause } = first as Error & { code?: string; reason?: string };
  const remedy = REMEDIES.find(([pattern]) => pattern.test(`${code} ${message}`))?.[1];
  // Behind a proxy Node names a certificate's fault in the cause.
  if (remedy === undefined && cause instanceof Error) return noAnswerOf(cause, hint);
  // OpenSSL's message is a line of its internals.
  const what = code.startsWith('ERR_SSL_') && reason ? `TLS failed: ${reason}` : message;
  const text = `${what || code || 'unknown network error'}${hint}`;
  return Object.assign(new NoAnswer(text, { cause: error }), { remedy });
}
