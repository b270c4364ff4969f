import type { Context, Notes } from '../runtime/context.ts';
import type { List, View } from './types.ts';

/**
 * The formats. The user alone chooses one: a terminal and a pipe get the same. A new format needs an exporter (`output.ts`).
 */
export const FORMATS = {
  table: { isForPeople: true, isEndless: true, hasColumns: false },
  json: { isForPeople: false, isEndless: false, hasColumns: false },
  ndjson: { isForPeople: false, isEndless: true, hasColumns: false },
  csv: { isForPeople: false, isEndless: false, hasColumns: true },
} as const satisfies Readonly<Record<string, FormatTraits>>;

interface FormatTraits {
  /**
   * Whether people read it. If they do, output may be a page of sentences, and an error is a sentence. If not, an error is a
   * line of JSON.
   */
  readonly isForPeople: boolean;
  /** Whether a list that grows for hours (`signals watch`) can be written in it. */
  readonly isEndless: boolean;
  /** Whether a single resource is written as rows, one for each item of a list in it (`View.rows`). */
  readonly hasColumns: boolean;
}

export type Format = keyof typeof FORMATS;
export const FORMAT_NAMES = Object.keys(FORMATS) as readonly Format[];

/** A format for programs. Each has an option of its name: `--json`. */
export type ProgramFormat = {
  [Name in Format]: (typeof FORMATS)[Name]['isForPeople'] extends true ? never : Name;
}[Format];

export const PROGRAM_FORMATS = FORMAT_NAMES.filter(
  (name): name is ProgramFormat => !FORMATS[name].isForPeople,
);

/** Their options, each of which chooses its format: `--json`. */
export const PROGRAM_FLAGS = PROGRAM_FORMATS.map((name) => `--${name}` as const);

export function isFormat(word: string | undefined): word is Format {
  return word !== undefined && Object.hasOwn(FORMATS, word);
}

/** Where and how an exporter writes. */
export interface Destination {
  readonly context: Context;
  /** Dotted names from `--fields`, checked before any request is sent; undefined for all fields. */
  readonly fields: readonly string[] | undefined;
  readonly notes: Pick<Notes, 'note' | 'flush'>;
  readonly color?: boolean | undefined;
  readonly pager?: boolean | undefined;
}

/** Writes resources in one format. */
export interface Exporter {
  one<T extends object>(view: View<T>, value: T, to: Destination): Promise<void>;
  /** If `batches` throws, what had arrived is written first. Then the same error is thrown. */
  list<T extends object>(view: View<T>, list: List<T>, to: Destination): Promise<void>;
}

/**
 * Calls `take` with each batch, then `end` once. It calls `end` also if the list fails, because what arrived is paid for.
 * @param end `isWhole` is false if the list failed
 * @throws what `batches` throws, after `end`
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
