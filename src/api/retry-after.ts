import { SECOND } from '../runtime/units.ts';

/**
 * Reads a Retry-After header (part 7: "integer, seconds before another attempt"). A client must never come back too
 * early, so a fraction is rounded up, and the HTTP date that RFC 9110 also allows is understood.
 * @param text the header, or undefined where it was absent
 * @param now the service's time, epoch milliseconds UTC
 * @returns whole seconds >= 0, or undefined where the header is absent, negative or unreadable
 */
export function parseRetryAfter(text: string | undefined, now: number): number | undefined {
  const trimmed = text?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(trimmed)) {
    const seconds = Math.ceil(Number(trimmed));
    return Math.min(seconds, Number.MAX_SAFE_INTEGER);
  }
  if (!/^[A-Z][a-z]{2}/.test(trimmed)) return undefined;
  const at = Date.parse(trimmed);
  if (Number.isNaN(at)) return undefined;
  return Math.max(0, Math.ceil((at - now) / SECOND));
}
