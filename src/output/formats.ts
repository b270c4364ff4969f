import type { Context, Notes } from '../runtime/context.ts';
import type { List, View } from './types.ts';

/** Never depends on whether stdout is a terminal. The compiler asks for a new entry's exporter (`output.ts`). */
export const FORMATS = {
  table: { isForPeople: true, isEndless: true, hasColumns: false },
  json: { isForPeople: false, isEndless: false, hasColumns: false },
  ndjson: { isForPeople: false, isEndless: true, hasColumns: false },
  csv: { isForPeople: false, isEndless: false, hasColumns: true },
} as const satisfies Readonly<Record<string, FormatTraits>>;

interface FormatTraits {
  /** Its output may be a page with sentences, and its errors are sentences; else an error is a line of JSON. */
  readonly isForPeople: boolean;
  /** Whether it can be written of a list that comes over hours. */
  readonly isEndless: boolean;
  /** Whether it writes a resource as the rows of a list in it (`View.rows`). */
  readonly hasColumns: boolean;
}

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
 * Calls `take` with each batch, then `end` once, even if the list fails: what arrived is paid for.
 * @param end is told whether the list is whole
 * @throws what `batches` throws, after the end
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
