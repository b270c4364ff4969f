import type { Context } from '../runtime/context.ts';
import type { Notes } from '../runtime/notes.ts';
import type { List, View } from './types.ts';

export interface Destination {
  readonly context: Context;
  /** From `--fields`: dotted names, checked before anything is sent. */
  readonly fields: readonly string[] | undefined;
  readonly notes: Pick<Notes, 'note' | 'flush'>;
  readonly color?: boolean | undefined;
  readonly pager?: boolean | undefined;
}

export interface Exporter {
  one<T extends object>(view: View<T>, value: T, to: Destination): Promise<void>;
  /** When `batches` throws, it writes what had arrived, then throws on. */
  list<T extends object>(view: View<T>, list: List<T>, to: Destination): Promise<void>;
}

/** Has what arrived written, also before an error is thrown on: it is paid for. @param write told if the list is whole */
export async function writeAtEnd<Item>(
  batches: List<Item>['batches'],
  write: (items: readonly Item[], isWhole: boolean) => Promise<void>,
): Promise<void> {
  const items: Item[] = [];
  try {
    for await (const batch of batches) for (const item of batch) items.push(item);
  } catch (error) {
    await write(items, false);
    throw error;
  }
  await write(items, true);
}
