import { dayNumber, HOUR, utcDay } from '../runtime/units.ts';
import type { Row } from './row.ts';
import type { GroupBy } from './types.ts';

/** Items by their keys, in the order of the first of each. */
export function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** Rows by what `by` names, in the order of its values: days oldest first, hours from 00, weekdays from Monday. */
export function groupRows(rows: readonly Row[], by: GroupBy): [key: string, rows: readonly Row[]][] {
  const place = (key: string) => (by === 'weekday' ? String(WEEKDAYS.indexOf(key)) : key);
  return [...groupBy(rows, KEYS[by])].sort(([a], [b]) => (place(a) < place(b) ? -1 : 1));
}

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** The group of a card. */
export const KEYS: Readonly<Record<GroupBy, (row: Row) => string>> = {
  type: ({ type }) => type,
  symbol: ({ symbol }) => symbol,
  day: ({ at }) => utcDay(at),
  hour: ({ at }) => String(Math.floor(at / HOUR) % 24).padStart(2, '0'),
  // 1970-01-01 was a Thursday.
  weekday: ({ at }) => WEEKDAYS[(dayNumber(at) + 3) % 7] ?? '',
};

/** Groups of which a day has several, so that each can be compared with the others of the day. */
export const HAS_OTHERS: ReadonlySet<GroupBy> = new Set(['type', 'symbol', 'hour']);
