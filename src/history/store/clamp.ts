/**
 * Replaces stored times that lie in the future. A clock or a `Date` header that was once years ahead leaves such times, and they
 * would be believed for years.
 */
import { formatApiTime, parseApiTime } from '../../api/time.ts';
import { jsonText } from '../../runtime/json-text.ts';

/**
 * A copy of a value in which `latest` replaces each later API time.
 * @param latest epoch milliseconds UTC: usually now; for a planned time, the farthest time that a plan may reach
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
 * The time of each line of a file that is only appended to. A time after `latest` is wrong: the time of the next line below is
 * taken instead, because that line was written later. A wrong last line gets `latest`. With `latest` at 9:00, the times 7:00,
 * 23:00 and 8:00 become 7:00, 8:00 and 8:00.
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
