/** The program's only retry layer. Pure: the gate waits. */
import type { ScreenerError } from '../errors.ts';
import { DAY, HOUR, SECOND } from '../runtime/units.ts';
import { NoAnswer } from './status-error.ts';
import { isRefusal } from './statuses.ts';

/** The first one and two more. */
export const ATTEMPTS = 3;
/** Seconds; the document says only "do not retry immediately". */
const SILENT_429 = 60;
const SILENT_503 = 5;
const LOST_WAIT = 5;
/** Seconds: a service that says more locks nobody out for longer. */
const LONGEST_WAIT = (31 * DAY) / SECOND;

/** The 20 hours let a daily run ask again. */
const TRY_AGAIN_AFTER = [HOUR, 6 * HOUR, 20 * HOUR, 3 * DAY];

/** Between runs: milliseconds after the last of so many failures in a row. */
export function waitBeforeTrying(failed: number): number {
  return TRY_AGAIN_AFTER[failed - 1] ?? 7 * DAY;
}

export function secondsToStayAway(
  status: 429 | 503,
  retryAfter: number | undefined,
  earlier: number,
): number {
  if (retryAfter !== undefined) return retryAfter;
  return status === 429 ? SILENT_429 : SILENT_503 * 2 ** earlier;
}

type Failure = Pick<ScreenerError, 'status' | 'retryAfter' | 'cause'>;

/**
 * @param failures every failure of this call so far, the latest last
 * @param asked `once`: not again after a failure that may lie in what is asked for (no answer, 5xx without a time)
 * @returns milliseconds to wait at least; undefined: stop and report
 */
export function nextWait(
  failures: readonly Failure[],
  { cost, once = false }: { readonly cost: number; readonly once?: boolean },
): number | undefined {
  const last = failures.at(-1);
  if (last === undefined || failures.length >= ATTEMPTS) return undefined;
  const { status, retryAfter, cause } = last;
  if (cause instanceof NoAnswer && !cause.hasLeft)
    return cause.remedy === undefined ? (2 ** (failures.length - 1) * SECOND) / 2 : undefined;
  if (isRefusal(status)) {
    if (once && status === 503 && retryAfter === undefined) return undefined;
    const earlier = failures.filter((failure) => failure.status === status).length - 1;
    return secondsToStayAway(status, retryAfter, earlier) * SECOND;
  }
  if (!mayBeCharged(last) || once || cost > 1 || failures.filter(mayBeCharged).length > 1)
    return undefined;
  return Math.max(LOST_WAIT, retryAfter ?? 0) * SECOND;
}

export function mayBeCharged({ status = 0, cause }: Failure): boolean {
  return cause instanceof NoAnswer ? cause.hasLeft : status >= 500 && status !== 503;
}

export function reasonToWait({ status, cause }: Pick<Failure, 'status' | 'cause'>): string {
  if (cause instanceof NoAnswer)
    return cause.hasLeft ? 'the answer was lost' : 'the service cannot be reached';
  return status === 429
    ? 'the service is refusing requests (429)'
    : `the service is unavailable (${status})`;
}

/**
 * Reads Retry-After (part 7): an integer. "Clients do not retry immediately", so that 0 says no more than none.
 * @returns seconds, those of 31 days at most; undefined if it does not say when
 */
export function parseRetryAfter(text = ''): number | undefined {
  const seconds = /^\s*\d+\s*$/.test(text) ? Number(text) : 0;
  return seconds === 0 ? undefined : Math.min(seconds, LONGEST_WAIT);
}
