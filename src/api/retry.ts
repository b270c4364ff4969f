/**
 * Whether to try again, and after how long, as a pure rule. This is the only retry layer of the program: the gate waits,
 * as long as the user's --max-wait allows, and a request whose credit may be spent is repeated once at most.
 */
import { SECOND } from '../runtime/units.ts';

/** Why an attempt failed, as far as a further attempt depends on it. */
export type Failure =
  /** Answered with an error status. `retryAfter` in whole seconds, where the header was there and readable. */
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter: number | undefined }
  /** It never left this machine. `hopeless`: another attempt would fail likewise. */
  | { readonly kind: 'not-sent'; readonly hopeless?: boolean }
  /** It left, and its answer was lost. */
  | { readonly kind: 'lost' };

const ATTEMPTS = 3;
/** Seconds to wait where a 429 or 503 names no time: the document says only "do not retry immediately". */
const SILENT_429 = 60;
const SILENT_503 = 5;
/** Seconds to wait after a lost answer. */
const LOST_WAIT = 5;

/**
 * Seconds to stay away after a 429 or 503: what the server said, else our own number, which doubles for 503.
 * @param earlier how often the same status has come before in this call
 */
export function secondsToStayAway(status: number, retryAfter: number | undefined, earlier: number): number {
  if (retryAfter !== undefined) return retryAfter;
  return status === 429 ? SILENT_429 : SILENT_503 * 2 ** earlier;
}

/**
 * @param failures every failure of this call so far, the latest last
 * @param asked `cost`: credits of the operation; `once`: not again after a failure that may be of what is asked for, and
 *   not of the service: no answer, or an undocumented 5xx, or a 503 that does not say when to come back
 * @returns milliseconds to wait at least before the next attempt, or undefined: stop and report
 */
export function nextWait(
  failures: readonly Failure[],
  { cost, once = false }: { readonly cost: number; readonly once?: boolean },
): number | undefined {
  const last = failures.at(-1);
  if (last === undefined || failures.length >= ATTEMPTS) return undefined;
  if (once && isOfOne(last)) return undefined;
  const seconds = secondsBefore(last, failures, cost);
  return seconds === undefined ? undefined : seconds * SECOND;
}

function secondsBefore(last: Failure, failures: readonly Failure[], cost: number): number | undefined {
  if (last.kind === 'not-sent' && last.hopeless) return undefined;
  if (last.kind === 'not-sent') return 2 ** (failures.length - 1) / 2;
  if (last.kind === 'status' && (last.status === 429 || last.status === 503)) {
    const earlier =
      failures.filter((failure) => failure.kind === 'status' && failure.status === last.status).length - 1;
    // "Clients do not retry immediately": not even when told 0.
    return Math.max(1, secondsToStayAway(last.status, last.retryAfter, earlier));
  }
  if (last.kind === 'status' && last.status < 500) return undefined;
  // A lost answer or an undocumented 5xx: the credit may be spent, so at most one more credit is risked, once.
  const risked = failures.filter((failure) => failure.kind === 'lost' || isOther5xx(failure)).length;
  if (cost > 1 || risked > 1) return undefined;
  return Math.max(LOST_WAIT, last.kind === 'status' ? (last.retryAfter ?? 0) : 0);
}

function isOfOne(failure: Failure): boolean {
  const isSilent503 = failure.kind === 'status' && failure.status === 503 && failure.retryAfter === undefined;
  return failure.kind === 'lost' || isOther5xx(failure) || isSilent503;
}

function isOther5xx(failure: Failure): boolean {
  return failure.kind === 'status' && failure.status >= 500 && failure.status !== 503;
}

/** Why everybody waits after an answer of such a status, for a sentence that goes on with the wait. */
export function refusalInWords(status: number): string {
  return status === 429 ? 'the service is refusing requests (429)' : `the service is unavailable (${status})`;
}
