/** The program's only retry layer. Pure: the gate waits. */
import { SECOND } from '../runtime/units.ts';
import type { Answer } from './gate.ts';

export type Failure = Answer | { readonly unsent: 'perhaps later' | 'hopeless' };

const ATTEMPTS = 3;
/** Seconds; the document says only "do not retry immediately". */
const SILENT_429 = 60;
const SILENT_503 = 5;
const LOST_WAIT = 5;

export function isRefusal(status: number | null | undefined): status is 429 | 503 {
  return status === 429 || status === 503;
}

export function secondsToStayAway(status: 429 | 503, retryAfter: number | undefined, earlier: number): number {
  if (retryAfter !== undefined) return retryAfter;
  return status === 429 ? SILENT_429 : SILENT_503 * 2 ** earlier;
}

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
  if ('unsent' in last) return last.unsent === 'hopeless' ? undefined : (2 ** (failures.length - 1) * SECOND) / 2;
  const { status, retryAfter } = last;
  if (isRefusal(status)) {
    if (once && status === 503 && retryAfter === undefined) return undefined;
    const earlier = failures.filter((failure) => 'status' in failure && failure.status === status).length - 1;
    return Math.max(1, secondsToStayAway(status, retryAfter, earlier)) * SECOND;
  }
  if (!mayBeCharged(last)) return undefined;
  if (once || cost > 1 || failures.filter(mayBeCharged).length > 1) return undefined;
  return Math.max(LOST_WAIT, retryAfter ?? 0) * SECOND;
}

function mayBeCharged(failure: Failure): boolean {
  if ('unsent' in failure || failure.status === 503) return false;
  return failure.status === undefined || failure.status >= 500;
}

export function reasonToWait(failure: Failure): string {
  if ('unsent' in failure) return 'the service cannot be reached';
  const { status } = failure;
  if (status === undefined) return 'the answer was lost';
  return status === 429 ? 'the service is refusing requests (429)' : `the service is unavailable (${status})`;
}

/**
 * Reads Retry-After (part 7): seconds, rounded up, or the date that RFC 9110 allows.
 * @param now the service's time, epoch milliseconds UTC
 * @returns whole seconds >= 0; undefined if there is none to be read
 */
export function parseRetryAfter(text: string | undefined, now: number): number | undefined {
  const trimmed = text?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(trimmed)) return Math.min(Math.ceil(Number(trimmed)), Number.MAX_SAFE_INTEGER);
  if (!/^[A-Z][a-z]{2}/.test(trimmed)) return undefined;
  const at = Date.parse(trimmed);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / SECOND));
}
