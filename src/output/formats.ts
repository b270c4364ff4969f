import type { Context, Notes } from '../runtime/context.ts';
import type { List, View } from './types.ts';

/** The formats. The user alone chooses one: a terminal and a pipe get the same. A new format needs an exporter (`output.ts`). */
export const FORMATS = {
  table: { isForPeople: true, isEndless: true, hasColumns: false },
  json: { isForPeople: false, isEndless: false, hasColumns: false },
  ndjson: { isForPeople: false, isEndless: true, hasColumns: false },
  csv: { isForPeople: false, isEndless: false, hasColumns: true },
} as const satisfies Readonly<Record<string, FormatTraits>>;

interface FormatTraits {
  /** Whether people read it: it may be a page with sentences, and errors are sentences. Else an error is a line of JSON. */
  readonly isForPeople: boolean;
  /** Whether a list that comes over hours can be written in it. */
  readonly isEndless: boolean;
  /** Whether a resource is written as rows: those of a list in it (`View.rows`). */
  readonly hasColumns: boolean;
}

export type Format = keyof typeof FORMATS;
export const FORMAT_NAMES = Object.keys(FORMATS) as readonly Format[];

/** A format for programs. Each has a switch of its name: `--json`. */
export type ProgramFormat = {
  [Name in Format]: (typeof FORMATS)[Name]['isForPeople'] extends true ? never : Name;
}[Format];

export const PROGRAM_FORMATS = FORMAT_NAMES.filter(
  (name): name is ProgramFormat => !FORMATS[name].isForPeople,
);

export function isFormat(word: string | undefined): word is Format {
  return word !== undefined && Object.hasOwn(FORMATS, word);
}

/** Where and how an exporter writes. */
export interface Destination {
  readonly context: Context;
  /** From `--fields`: dotted names, checked before anything is sent. */
  readonly fields: readonly string[] | undefined;
  readonly notes: Pick<Notes, 'note' | 'flush'>;
  readonly color?: boolean | undefined;
  readonly pager?: boolean | undefined;
}

/** Writes resources in one format. */
export interface Exporter {
  one<T extends object>(view: View<T>, value: T, to: Destination): Promise<void>;
  /** If `batches` throws, it writes what had arrived, then throws the same. */
  list<T extends object>(view: View<T>, list: List<T>, to: Destination): Promise<void>;
}

/**
 * Calls `take` with each batch, then `end` once. It calls `end` even if the list fails, because what arrived is paid for.
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
