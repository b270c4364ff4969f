import type { Context, Notes } from '../runtime/context.ts';
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

/**
 * Has each batch taken, then the end written, also before an error is thrown on: what arrived is paid for.
 * @param end told if the list is whole
 */
export async function takeEach<Item>(
  batches: List<Item>['batches'],
  take: (batch: readonly Item[]) => void | Promise<void>,
  end: (isWhole: boolean) => Promise<void>,
): Promise<void> {
  try {
    for await (const batch of batches) await take(batch);
  } catch (error) {
    await end(false);
    throw error;
  }
  await end(true);
}
