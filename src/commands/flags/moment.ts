import { parseApiTime } from '../../api/time.ts';
import { usageError } from '../../errors.ts';
import { readDuration } from '../../runtime/durations.ts';
import { DAY, dayNumber } from '../../runtime/units.ts';

const YEAR_10000 = Date.UTC(10_000, 0);

/**
 * A point in time given to `option`: ISO 8601 with offset or Z, a date (midnight UTC), a duration back from now, or
 * `today`, `yesterday` (UTC).
 * @param now epoch milliseconds UTC
 * @returns epoch milliseconds UTC
 * @throws ScreenerError usage
 */
export function momentFlag(option: string, text: string, now: number): number {
  const moment = readMoment(text.trim(), now);
  if (moment !== undefined && !(moment >= 0 && moment < YEAR_10000)) {
    throw usageError(`${option} ${text} is not between 1970 and 9999.`, 'There are no cards that old, nor that new.');
  }
  if (moment === undefined) {
    throw usageError(
      `${option} takes a time, not '${text}'.`,
      'For example 2026-11-20T18:00:00Z, 2026-11-20T18:00+01:00, 2026-11-20 (midnight UTC), 24h, 7d, 1h30m (back from now), today or yesterday.',
    );
  }
  return moment;
}

function readMoment(text: string, now: number): number | undefined {
  const midnight = dayNumber(now) * DAY;
  if (text === 'now') return now;
  if (text === 'today') return midnight;
  if (text === 'yesterday') return midnight - DAY;
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return parseApiTime(`${text}T00:00:00Z`);
  // Without an offset it would be a guess which clock is meant.
  if (/[Tt ].*([Zz]|[+-]\d{2}(:?\d{2})?)$/.test(text)) return parseApiTime(text.replace(' ', 'T'));
  const back = readDuration(text);
  return back === undefined ? undefined : now - back;
}
