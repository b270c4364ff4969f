import { ascending, descending } from 'd3-array';
import { type PlainObject, read } from '../../output/fields.ts';

type Value = string | number | null | undefined;

/**
 * Ordered by a field, the largest first; those without a value come last either way.
 * @param sort dotted name, for example `outcome.move_24h_pct`; with `-` before it the smallest first
 */
export function sortByField<T extends object>(items: readonly T[], sort: string): T[] {
  const field = sort.replace(/^-/, '');
  const order = sort.startsWith('-') ? ascending : descending;
  const valued = items.map((item) => ({ item, value: read(item as PlainObject, field) as Value }));
  const isNone = ({ value }: { readonly value: Value }) => value === null || value === undefined;
  const some = valued.filter((one) => !isNone(one)).sort((a, b) => order(a.value ?? 0, b.value ?? 0));
  return [...some, ...valued.filter(isNone)].map(({ item }) => item);
}
