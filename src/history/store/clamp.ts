/**
 * The one place that takes stored times out of the future: none may lie after this machine's clock, or after the end of
 * the page read last, if that is later. Else a clock or a `Date` header that was once years ahead would be believed for
 * years.
 */
import { formatApiTime, parseApiTime } from '../../api/time.ts';
import { jsonText } from '../../runtime/json-text.ts';

/** Replaces each API time in a value that lies after `latest` by `latest`. @param latest epoch milliseconds UTC */
export function withoutFuture<T>(value: T, latest: number): T {
  const clamp = (_key: string, inner: unknown) => {
    const time = typeof inner === 'string' ? parseApiTime(inner) : undefined;
    return time !== undefined && time > latest ? formatApiTime(latest) : inner;
  };
  return JSON.parse(jsonText(value), clamp);
}

/**
 * The time of each line of a file that is only appended to. A time after `latest` is wrong: the line below was written
 * later, so its time is taken instead.
 * @param times of the lines from top to bottom, epoch milliseconds UTC, as `latest`
 */
export function timesOfLines(times: readonly number[], latest: number): number[] {
  const fromBottom: number[] = [];
  let timeBelow = latest;
  for (const time of times.toReversed()) {
    if (time <= latest) timeBelow = time;
    fromBottom.push(timeBelow);
  }
  return fromBottom.toReversed();
}
