import { utcDay } from '../runtime/units.ts';
import type { Row } from './row.ts';
import type { GroupBy } from './types.ts';

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

/** Rows by what `by` names, in the order of its values: months oldest first. */
export function groupRows(rows: readonly Row[], by: GroupBy): [key: string, rows: readonly Row[]][] {
  return [...groupBy(rows, KEYS[by])].sort(([a], [b]) => (a < b ? -1 : 1));
}

export const KEYS: Readonly<Record<GroupBy, (row: Row) => string>> = {
  type: ({ type }) => type,
  symbol: ({ symbol }) => symbol,
  month: ({ at }) => utcDay(at).slice(0, 7),
};
