import { utcDay } from '../runtime/units.ts';
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

export function sumOf<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}

/** Rows by what `by` names, in the order of its values: months oldest first. */
export function groupRows(rows: readonly Row[], by: GroupBy): [key: string, rows: readonly Row[]][] {
  return [...groupBy(rows, KEYS[by])].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** The group of a card. */
export const KEYS: Readonly<Record<GroupBy, (row: Row) => string>> = {
  type: ({ type }) => type,
  symbol: ({ symbol }) => symbol,
  month: ({ at }) => utcDay(at).slice(0, 7),
};

/** Groups of which a day has several, so that each can be compared with the others of the day. */
export const HAS_OTHERS: ReadonlySet<GroupBy> = new Set(['type', 'symbol']);
