import type { GenericSchema } from 'valibot';
import type { Zone } from '../runtime/zone.ts';

export type Head = Readonly<Record<string, unknown>>;

export interface List<Item> {
  /** Its parts as they arrive: a page, or a single card. */
  readonly batches: AsyncIterable<readonly Item[]> | Iterable<readonly Item[]>;
  /**
   * The JSON document around the items: they go where it has a key `items`, else last. A function is asked after the last
   * batch, and all items wait for it. Absent for a bare array, as of several ids.
   */
  readonly head?: Head | (() => Head);
  /** Comes over hours: a table shows each batch as it arrives. */
  readonly live?: boolean;
}

export interface Output {
  readonly isForPeople: boolean;
  one<T extends object>(view: View<T>, value: T): Promise<void>;
  /** When `batches` throws, what had arrived is written before the error is thrown on: it is paid for. */
  list<Item extends object>(view: View<Item>, list: List<Item>): Promise<void>;
}

export type FieldKind = 'text' | 'integer' | 'number' | 'boolean' | 'time' | 'texts' | 'object' | 'objects';

/** A field of a resource by its dotted API name, for `--fields`, CSV columns and help. */
export interface Field {
  readonly name: string;
  readonly kind: FieldKind;
  /** A few words with the unit: shown in help. */
  readonly about: string;
  readonly optional?: boolean;
  readonly schema: GenericSchema<unknown>;
}

export interface View<T> {
  /** In the API's order. A field of kind `object` with keys the document does not show also takes any `name.key`. */
  readonly fields: readonly Field[];
  readonly columns?: readonly Column<T>[];
  /** One resource as CSV: a row each of a list in it, unless `--fields` names fields of the resource. */
  readonly rows?: { readonly fields: readonly Field[]; readonly of: (value: T) => readonly object[] };
  /** The field that a list is sorted by, with `-` before it where the smallest come first: its column is always shown. */
  readonly sorted?: string | undefined;
  /**
   * For one resource as a table: the whole text, several small tables and sentences. A list of a view without `columns`
   * is written as such pages, one below the other.
   */
  readonly page?: (value: T, render: RenderContext) => string;
  readonly title?: string;
  /** Sorts the rows of a table that is written at its end. */
  readonly order?: (one: T, other: T) => number;
  /** Said where a list is empty, in table format, on stderr. */
  readonly empty?: string;
}

export interface Column<T> {
  readonly header: string | ((render: RenderContext) => string);
  readonly field?: string;
  readonly align: 'left' | 'right';
  /** The cell of an item, one line, already made safe and coloured. */
  readonly cell: (item: T, render: RenderContext) => string;
  /** How wide the cells usually are: a list that comes over hours makes no less room, so that later rows fit as well. */
  readonly usualWidth?: number;
  /** Columns with the highest number are dropped first where a terminal is too narrow; 0 is never dropped. */
  readonly priority: number;
  /** What a sign in some of its cells means: said below the table if one of those items is there. */
  readonly mark?: { readonly isOn: (item: T, render: RenderContext) => boolean; readonly words: string };
  /** Whether a cell has a value: where none has, a page's table leaves the column out. */
  readonly has?: (item: T) => boolean;
  /** Where it does not fit beside the others, its cells go below their rows, over as many lines as they need. */
  readonly below?: boolean;
}

/**
 * Spares views the table code. Every text is several lines at most `width` wide, without a trailing newline. Texts handed
 * in are already safe and coloured.
 */
export interface RenderContext {
  /** Columns of the terminal; undefined when piped: then nothing is dropped or shortened. */
  readonly width: number | undefined;
  /** Lines of the terminal; undefined when piped, and with --no-pager: then nothing is left out. */
  readonly height: number | undefined;
  readonly now: number;
  readonly zone: Zone;
  readonly styles: Styles;
  readonly unicode: boolean;
  readonly table: <T>(columns: readonly Column<T>[], rows: readonly T[]) => string;
  /** Two texts side by side where the terminal has room for both, else one below the other. */
  readonly beside: (left: string, right: string) => string;
  /** Labels and values in two columns; long values continue below themselves. */
  readonly pairs: (pairs: readonly Pair[]) => string;
  readonly paragraph: (text: string, tint?: (line: string) => string) => string;
  readonly note: (...texts: readonly Part[]) => string;
  /** Dim words, and command lines below them, never broken. */
  readonly offer: (words: string, ...commands: readonly string[]) => string;
  /** `[████░░░░]`, `share` from 0 to 1. */
  readonly bar: (share: number) => string;
  /** Sections one below the other, with a blank line between; those without a body are left out. */
  readonly sections: (parts: readonly Section[]) => string;
}

export interface Section {
  readonly title?: string;
  readonly body: Part | readonly Part[];
}

/** Parts of a page stand one below the other; what is empty or false is left out. */
export type Part = string | false;

export type Pair = readonly [label: string, value: string];

/** Colours by meaning. The identity where there is no colour. */
export interface Styles {
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly warn: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly bold: (text: string) => string;
}
