import type { GenericSchema } from 'valibot';
import type { Column, RenderContext } from './table/render.ts';

export type { Column, Pair, Part, RenderContext, RowSection, Section } from './table/render.ts';
export type { Styles } from './terminal.ts';

export interface List<Item> {
  /** Its parts as they arrive: a page, or a single card. */
  readonly batches: AsyncIterable<readonly Item[]> | Iterable<readonly Item[]>;
  /**
   * The JSON document around the items: they go where it has a key `items`, else last. A function is asked after the last
   * batch, and all items wait for it. Absent for a bare array, as of several ids.
   */
  readonly head?: object | (() => object);
  /** Comes over hours: a table shows each batch as it arrives. */
  readonly live?: boolean;
}

/** `objects`: a list of them; all that is not told apart is `text`. */
export type FieldKind = 'text' | 'number' | 'time' | 'object' | 'objects';

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
  readonly rows?: {
    readonly fields: readonly Field[];
    readonly of: (value: T) => readonly object[];
  };
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
