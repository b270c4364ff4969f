import { ScreenerError } from '../errors.ts';

/** Nothing is sent: what Retry-After said, to whichever process of the account, has not passed. */
export function heldError(hold: { readonly until: number; readonly status: number }, now: number): ScreenerError {
  const retryAfter = Math.ceil((hold.until - now) / 1000);
  const until = new Date(Math.ceil(hold.until / 1000) * 1000).toISOString().replace('.000Z', 'Z');
  const [code, why] =
    hold.status === 429
      ? (['quota_exhausted', "The account's quota (or the service's capacity) was exhausted"] as const)
      : (['unavailable', 'The service was unavailable'] as const);
  return new ScreenerError(code, `${why} (${hold.status}): no request may be sent until ${until}.`, {
    hint: `Nothing was sent. Try again after ${until}, or allow the wait with --max-wait ${retryAfter}s.`,
    status: hold.status,
    retryAfter,
    retryAt: hold.until,
  });
}
