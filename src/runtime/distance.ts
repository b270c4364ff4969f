import { pluralize } from './pluralize.ts';
import { DAY, HOUR, MINUTE, SECOND } from './units.ts';

/** How far ahead a time lies, as people say it: `in 9 days`, `in 3 hours`, `in 40 minutes`, `in 12 seconds`. */
export function inWords(millis: number): string {
  if (millis > 2 * DAY - HOUR) return `in ${pluralize(Math.round(millis / DAY), 'day')}`;
  if (millis > 2 * HOUR - MINUTE) return `in ${pluralize(Math.round(millis / HOUR), 'hour')}`;
  if (millis > 2 * MINUTE - SECOND) return `in ${pluralize(Math.round(millis / MINUTE), 'minute')}`;
  return `in ${pluralize(Math.max(1, Math.ceil(millis / SECOND)), 'second')}`;
}
