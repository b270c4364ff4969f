/**
 * Keeps stored times out of the future: none may lie after this machine's clock, or after the end of the page that was
 * read last, if that is later. Otherwise a clock or a `Date` header that was once years ahead would be believed for
 * years.
 */
import { formatApiTime, parseApiTime } from '../../api/time.ts';
import { jsonText } from '../../runtime/json-text.ts';

/**
 * A copy of a value in which `latest` replaces each later API time. A time that is planned lies after now rightly: its
 * `latest` is the latest time that can be planned.
 * @param latest epoch milliseconds UTC
 */
export function withoutFuture<T>(value: T, latest: number): T {
  const clamp = (_key: string, inner: unknown) => {
    const time = typeof inner === 'string' ? parseApiTime(inner) : undefined;
    return time !== undefined && time > latest ? formatApiTime(latest) : inner;
  };
  // The reviver of JSON.parse visits every value.
  return JSON.parse(jsonText(value), clamp);
}

/**
 * The time of each line of a file that is only appended to. A time after `latest` cannot be right. The line below was
 * written later, so the time of that line is taken instead.
 * @param times of the lines, the first line first, in epoch milliseconds UTC like `latest`
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
