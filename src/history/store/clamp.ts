/**
 * The one clamp of times that were kept: none lies after the newest of this machine's clock and the end of the page that
 * was read last. A clock or a `Date` header that was years ahead once would otherwise be believed for years.
 */
import { formatApiTime, parseApiTime } from '../../api/time.ts';
import { jsonText } from '../../runtime/json-text.ts';

/** Takes each API time in a value for `latest` if it lies after that. @param latest epoch milliseconds UTC */
export function withoutFuture<T>(value: T, latest: number): T {
  const clamped = (inner: unknown) => {
    const time = typeof inner === 'string' ? parseApiTime(inner) : undefined;
    return time !== undefined && time > latest ? formatApiTime(latest) : inner;
  };
  return JSON.parse(jsonText(value), (_, inner) => clamped(inner));
}

/**
 * The time of each line of a file that is only appended to: one after `latest` was written before the line below it.
 * @param times epoch milliseconds UTC, as `latest`
 */
export function timesOfLines(times: readonly number[], latest: number): number[] {
  const clamped = [...times];
  let below = latest;
  for (let i = clamped.length - 1; i >= 0; i -= 1) {
    const time = clamped[i] ?? latest;
    clamped[i] = time > latest ? below : time;
    below = clamped[i] ?? below;
  }
  return clamped;
}
