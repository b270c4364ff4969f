/** Whether and when a request is tried again: the program's only retry layer. Pure; the gate waits. */

import { DAY, SECOND } from '../base/units.ts';
import type { ScreenerError } from '../errors.ts';
import { NoAnswer } from './no-answer.ts';
import { isRefusal } from './statuses.ts';

/** A first attempt and two more. */
export const ATTEMPTS = 3;

/** Seconds to stay away after a 429 without Retry-After: the document says only "do not retry immediately". */
const AFTER_SILENT_429 = 60;
/** Seconds after the first 503 without Retry-After. Each further 503 doubles them. */
const AFTER_SILENT_503 = 5;
/** Seconds after an answer that was lost, or another 5xx. */
const AFTER_LOST_ANSWER = 5;
/** Seconds after the first request that never left. Each further one doubles them. */
const AFTER_UNSENT = 0.5;

type Failure = Pick<ScreenerError, 'status' | 'retryAfter' | 'cause'>;

/**
 * How long to stay away after a refusal.
 * @param earlier the failures of the call's attempts before this one
 * @returns seconds; undefined if the answer is no refusal
 */
export function secondsToStayAway(
  { status, retryAfter }: Pick<Failure, 'status' | 'retryAfter'>,
  earlier: readonly Pick<Failure, 'status'>[],
): number | undefined {
  if (!isRefusal(status)) return undefined;
  if (retryAfter !== undefined) return retryAfter;
  if (status === 429) return AFTER_SILENT_429;
  const earlier503s = earlier.filter((failure) => failure.status === 503).length;
  return AFTER_SILENT_503 * 2 ** earlier503s;
}

interface RetryRules {
  /** Credits of the request. */
  readonly cost: number;
  /** Forbids a retry if the request itself may cause the failure: a lost answer, a 503 without Retry-After, another 5xx. */
  readonly once?: boolean;
}

/**
 * Whether and when to try again. A call has at most three attempts (`ATTEMPTS`). Otherwise it depends on the last failure:
 * - The request never left: it is tried again, unless the failure has a remedy, which only the user can apply.
 * - The service refused the request (429, 503): it is tried again, except after a 503 without Retry-After with `once`.
 * - The answer was lost, or is another 5xx: a request of at most 1 credit is tried again once, except with `once`.
 * - After any other failure the call ends.
 *
 * An example. The connection broke twice while an answer was on its way. After the first failure the function returned 5,000: a
 * second credit was risked. After the second failure it returns undefined: a third credit is not risked.
 * @param failures every failure of this call so far, the latest last
 * @returns milliseconds to wait at least; undefined if the call ends here, with the last failure
 */
export function nextWait(
  failures: readonly Failure[],
  { cost, once = false }: RetryRules,
): number | undefined {
  const lastFailure = failures.at(-1);
  if (lastFailure === undefined || failures.length >= ATTEMPTS) return undefined;
  const { status, retryAfter, cause } = lastFailure;
  if (cause instanceof NoAnswer && !cause.wasSent) {
    // A failure with a remedy stays until the user has applied it.
    if (cause.remedy !== undefined) return undefined;
    return AFTER_UNSENT * 2 ** (failures.length - 1) * SECOND;
  }
  const secondsAfterRefusal = secondsToStayAway(lastFailure, failures.slice(0, -1));
  if (secondsAfterRefusal !== undefined) {
    if (once && status === 503 && retryAfter === undefined) return undefined;
    return secondsAfterRefusal * SECOND;
  }
  if (!mayHaveBeenServed(lastFailure) || once || cost > 1) return undefined;
  // Two attempts may have cost a credit each: a third is not risked.
  if (failures.filter(mayHaveBeenServed).length > 1) return undefined;
  return Math.max(AFTER_LOST_ANSWER, retryAfter ?? 0) * SECOND;
}

/**
 * Whether the service may have worked on the request before it failed: then a retry risks a second credit. A 429 or 503 is no
 * such failure here. (The ledger counts them, too, as possibly charged: part 8 does not say what failed requests cost.)
 */
export function mayHaveBeenServed({ status = 0, cause }: Failure): boolean {
  if (cause instanceof NoAnswer) return cause.wasSent;
  return status >= 500 && status !== 503;
}

/** Why to wait. It becomes part of a sentence, without a capital and a full stop. */
export function reasonToWait({ status, cause }: Pick<Failure, 'status' | 'cause'>): string {
  if (cause instanceof NoAnswer)
    return cause.wasSent ? 'the answer was lost' : 'the service cannot be reached';
  if (status === 429) return 'the service is refusing requests (429)';
  return `the service is unavailable (${status})`;
}

/** The most seconds that a Retry-After counts for: 31 days. A larger number would lock the account out for years. */
const LONGEST_RETRY_AFTER = (31 * DAY) / SECOND;

/**
 * Reads Retry-After, which is an integer (part 7). A 0 counts as absent, since clients "do not retry immediately".
 * @returns seconds; undefined if it is absent, 0 or no integer
 */
export function parseRetryAfter(text = ''): number | undefined {
  const seconds = /^\s*\d+\s*$/.test(text) ? Number(text) : 0;
  return seconds === 0 ? undefined : Math.min(seconds, LONGEST_RETRY_AFTER);
}
