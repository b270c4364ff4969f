import type { Context, Notes } from '../runtime/context.ts';
import type { List, View } from './types.ts';

/**
 * What is for people may be a page with sentences, and an error a sentence; else an error is a line of JSON. Never depends
 * on whether stdout is a terminal. One with columns writes a resource as the rows of a list in it
 * (`View.rows`). The compiler asks for a new entry's exporter (`output.ts`).
 */
export const FORMATS = {
  table: { isForPeople: true, isEndless: true, hasColumns: false },
  json: { isForPeople: false, isEndless: false, hasColumns: false },
  ndjson: { isForPeople: false, isEndless: true, hasColumns: false },
  csv: { isForPeople: false, isEndless: false, hasColumns: true },
} as const;

export type Format = keyof typeof FORMATS;
export const FORMAT_NAMES = Object.keys(FORMATS) as readonly Format[];

export function isFormat(word: string | undefined): word is Format {
  return word !== undefined && Object.hasOwn(FORMATS, word);
}

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
