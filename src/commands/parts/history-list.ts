/** How pages and lists that are worked out from a history are sorted and printed. */
import { ascending, descending } from 'd3-array';
import { type PlainObject, read } from '../../output/fields.ts';
import type { RenderContext, View } from '../../output/types.ts';
import { asOfSentence, type Message, messagePart } from '../../output/views/parts.ts';
import type { Invocation } from './invocation.ts';

/** Whether the answer is printed as a page for people. With --fields it is a table of these fields instead. */
export function isForPage({ output, globals }: Invocation): boolean {
  return output.isForPeople && globals.fields === undefined;
}

/** A page for people. */
interface HistoryPage {
  /** Says that the history ended long ago; undefined if it did not. */
  readonly overdue: Overdue | undefined;
  readonly page: (render: RenderContext) => string;
}

/** Says that the history ended long ago. */
export interface Overdue extends Message {
  /** When the history ends, epoch milliseconds UTC. */
  readonly until: number;
}

/** Prints a page. If the history ended long ago, the page begins with a warning: all that it says is as old as the history. */
export function printPage({ output }: Invocation, { overdue, page }: HistoryPage): Promise<void> {
  return output.page((render) => {
    const text = page(render);
    if (overdue === undefined) return text;
    const message = `${overdue.message} ${asOfSentence(overdue.until, render.now)}`;
    const warning = messagePart({ ...overdue, message }, render, render.styles.warn);
    return text === '' ? warning : `${warning}\n\n${text}`;
  });
}

interface HistoryList<Item> extends HistoryPage {
  readonly items: readonly Item[];
  /** The fields of the JSON document beside the items. */
  readonly head: Record<string, unknown>;
}

/** Prints a list that was worked out from a history: for people as a page, otherwise in the columns of `view`. */
export async function printList<Item extends object>(
  invocation: Invocation,
  view: View<Item>,
  { items, head, page, overdue }: HistoryList<Item>,
): Promise<void> {
  if (isForPage(invocation)) return printPage(invocation, { overdue, page });
  await invocation.output.list(view, { batches: [items], head });
}

/** An item, and the value by which it is sorted. */
interface Sortable<T> {
  readonly item: T;
  /** Undefined if the item lacks the field, or has null there. */
  readonly value: string | number | undefined;
}

/**
 * Sorts items by one of their fields. Items without a value come last in either order.
 * @param sort `outcome.move_24h_pct` for the largest value first, `-outcome.move_24h_pct` for the smallest first
 */
export function sortByField<T extends object>(items: readonly T[], sort: string): T[] {
  const field = sort.replace(/^-/, '');
  const compare = sort.startsWith('-') ? ascending : descending;
  const sortable = items.map((item): Sortable<T> => {
    const value = read(item as PlainObject, field) as string | number | null | undefined;
    return { item, value: value ?? undefined };
  });
  const withValue = sortable.filter(({ value }) => value !== undefined);
  const withoutValue = sortable.filter(({ value }) => value === undefined);
  withValue.sort((a, b) => compare(a.value, b.value));
  const inOrder = [...withValue, ...withoutValue];
  return inOrder.map(({ item }) => item);
}
