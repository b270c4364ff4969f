import { type PlainObject, read } from '../output/paths.ts';

/**
 * Ordered by a field: numbers and texts, the largest first.
 * @param sort dotted name, for example `outcome.move_24h_pct`; with `-` before it the smallest first
 */
export function sortByField<T extends object>(items: readonly T[], sort: string): T[] {
  const field = sort.replace(/^-/, '');
  const sign = sort.startsWith('-') ? 1 : -1;
  const valued = items.map((item) => ({ item, value: read(item as PlainObject, field) }));
  // A stable sort: those of the same value keep their order. Those without a value come last either way.
  valued.sort((a, b) =>
    isNone(a.value) || isNone(b.value)
      ? Number(isNone(a.value)) - Number(isNone(b.value))
      : sign * compare(a.value, b.value),
  );
  return valued.map(({ item }) => item);
}

function isNone(value: unknown): boolean {
  return value === null || value === undefined;
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [one, other] = [String(a), String(b)];
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
