import type { GenericSchema } from 'valibot';
import type { Column, RenderContext } from './table/render.ts';

export type { Column, Pair, Part, RenderContext, RowSection, Section } from './table/render.ts';
export type { Styles } from './terminal.ts';

/** A list as it is handed to an exporter. */
export interface List<Item> {
  /** The items as they arrive: a page at a time, or a single card. */
  readonly batches: AsyncIterable<readonly Item[]> | Iterable<readonly Item[]>;
  /**
   * The JSON document that has the items under its key `items`. A function is called after the last batch, and all items wait for
   * it. Absent if the document is an array of the items alone, as with `signals show 1 2`.
   */
  readonly head?: object | (() => object);
  /** Whether the list grows for hours. Then a table shows each batch as it arrives. */
  readonly live?: boolean;
}

/** `objects` is a list of objects. Every kind of value that is not named here is `text`. */
export type FieldKind = 'text' | 'number' | 'time' | 'object' | 'objects';

/** A field of a resource by its dotted API name, for `--fields`, CSV columns and help. */
export interface Field {
  readonly name: string;
  readonly kind: FieldKind;
  /** A few words with the unit: shown in help. */
  readonly about: string;
  /** Whether it may be absent. */
  readonly optional?: boolean;
  readonly schema: GenericSchema<unknown>;
}

/** How a resource is written in each format. */
export interface View<T> {
  /** In the API's order. If the document does not show the keys of an object, `name.key` is also a field, for any key. */
  readonly fields: readonly Field[];
  /** The columns of a table of such resources. */
  readonly columns?: readonly Column<T>[];
  /**
   * In CSV, a resource is written as the items of a list in it, one row an item, unless `--fields` names fields of the resource.
   * Absent if it has no such list.
   */
  readonly rows?: {
    readonly fields: readonly Field[];
    readonly of: (value: T) => readonly object[];
  };
  /**
   * The field by which a list is sorted: its column is always shown. Without a sign the largest come first; with `-` before the name
   * the smallest do.
   */
  readonly sorted?: string | undefined;
  /**
   * Draws a single resource for people: several small tables and sentences. A list of a view without `columns` is written
   * as such pages, one below the other.
   */
  readonly page?: (value: T, render: RenderContext) => string;
  /** The line above a table. */
  readonly title?: string;
  /** Sorts the rows of a table. It then waits for the last of them. */
  readonly order?: (a: T, b: T) => number;
  /** What standard error says in place of an empty table. */
  readonly empty?: string;
}
