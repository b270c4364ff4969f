/** Lists that are worked out from a history: how they are sorted, and printed. */
import { ascending, descending } from 'd3-array';
import { type PlainObject, read } from '../../output/fields.ts';
import type { RenderContext, View } from '../../output/types.ts';
import type { Invocation } from './invocation.ts';

/** Whether it is printed as a page, for people: naming fields asks for a table of them. */
export function isForPage({ output, globals }: Invocation): boolean {
  return output.isForPeople && globals.fields === undefined;
}

/** A list worked out from a history; for people, and where no fields are named, the page that shows all of it. */
export async function printList<Item extends object>(
  invocation: Invocation,
  view: View<Item>,
  {
    items,
    head,
    page,
  }: { items: readonly Item[]; head: object; page: (render: RenderContext) => string },
): Promise<void> {
  if (isForPage(invocation)) return invocation.output.page(page);
  await invocation.output.list(view, { batches: [items], head: { ...head } });
}

interface Valued<T> {
  readonly item: T;
  readonly value: string | number | null;
}

/** The largest first, with `-` before the field's dotted name the smallest; without a value last either way. */
export function sortByField<T extends object>(items: readonly T[], sort: string): T[] {
  const field = sort.replace(/^-/, '');
  const order = sort.startsWith('-') ? ascending : descending;
  const valued = items.map((item): Valued<T> => {
    const value = read(item as PlainObject, field) as Valued<T>['value'] | undefined;
    return { item, value: value ?? null };
  });
  const isNone = ({ value }: Valued<T>) => Number(value === null);
  return valued
    .sort((one, other) => isNone(one) - isNone(other) || order(one.value ?? 0, other.value ?? 0))
    .map(({ item }) => item);
}
