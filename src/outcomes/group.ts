import { DAY } from '../runtime/units.ts';
import type { Row } from './row.ts';

export type GroupBy = 'type' | 'symbol' | 'day';

/** Rows by screener type, symbol or UTC day (`2026-11-20`), in the order of these keys: days oldest first. */
export function groupRows(rows: readonly Row[], by: GroupBy): [key: string, rows: readonly Row[]][] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = KEYS[by](row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}

const KEYS: Readonly<Record<GroupBy, (row: Row) => string>> = {
  type: ({ type }) => type,
  symbol: ({ symbol }) => symbol,
  day: ({ at }) => new Date(dayOf(at) * DAY).toISOString().slice(0, 10),
};

/** The UTC day of a time in epoch milliseconds, counted from 1970-01-01. */
export function dayOf(at: number): number {
  return Math.floor(at / DAY);
}
