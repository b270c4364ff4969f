import { leafFields, openFields } from '../fields.ts';
import { flatten, read } from '../paths.ts';
import { isPlainObject, type PlainObject } from '../plain.ts';
import type { Field, List, Writer } from '../types.ts';
import { csvCell, csvLine, csvText } from './csv-cell.ts';
import { ListReader } from './list-reader.ts';

interface Fields {
  readonly fields: readonly Field[];
}

/** Which columns a table of CSV has, found while its rows are seen. */
interface Columns {
  /** Looks at an item for columns the document does not list. */
  see(item: PlainObject): void;
  names(): string[];
}

/**
 * Without `--fields`: the listed fields, always all and in the same order, then every other field seen in the data, by
 * first appearance. With `--fields`: just those, an object with listed fields as these.
 */
export function csvColumns(view: Fields, asked: readonly string[] | undefined): Columns {
  if (asked !== undefined) {
    const names = [...new Set(asked.flatMap((field) => expand(view, field)))];
    return { see: () => {}, names: () => names };
  }
  const listed = leafFields(view);
  const known = new Set(listed);
  // An object with fields of its own is told by its columns: null or empty, it has none and leaves them empty.
  const objects = new Set(view.fields.filter((field) => field.kind === 'object').map((field) => field.name));
  const extra = new Set<string>();
  return {
    see: (item) => {
      for (const [path, value] of flatten(item)) {
        const hollow = objects.has(path) && (value === null || isPlainObject(value));
        if (!known.has(path) && !hollow) extra.add(path);
      }
    },
    names: () => [...listed, ...extra],
  };
}

function expand(view: Fields, field: string): string[] {
  const object = view.fields.find((known) => known.name === field)?.kind === 'object';
  if (!object || openFields(view).includes(field)) return [field];
  return leafFields(view).filter((name) => name.startsWith(`${field}.`));
}

export function csvHeader(names: readonly string[]): string {
  return csvLine(names.map(csvText));
}

/** A row under the header. `asked` columns may name an object, which then is one cell of JSON. */
export function csvRow(names: readonly string[], item: PlainObject, asked: boolean): string {
  if (asked) return csvLine(names.map((name) => csvCell(read(item, name))));
  const leaves = flatten(item);
  return csvLine(names.map((name) => csvCell(leaves.get(name))));
}

/** One resource: a header and one row. */
export function csvDocument(view: Fields, value: PlainObject, asked: readonly string[] | undefined): string {
  const columns = csvColumns(view, asked);
  columns.see(value);
  const names = columns.names();
  return csvHeader(names) + csvRow(names, value, asked !== undefined);
}

/**
 * Writes a list. The header must name every column, so what costs credits is collected first (and written also when a
 * later page fails); a local list is read twice instead, for its columns and for its rows.
 */
export async function writeCsvList<T extends object>(
  view: Fields,
  list: List<T>,
  asked: readonly string[] | undefined,
  write: Writer,
): Promise<void> {
  const columns = csvColumns(view, asked);
  if (list.local === true) {
    if (asked === undefined) await gather(list, columns);
    return stream(list, columns.names(), asked !== undefined, write);
  }
  const reader = new ListReader(list);
  const items: PlainObject[] = [];
  for await (const batch of reader.batches()) items.push(...(batch.items as readonly PlainObject[]));
  if (items.length > 0 || !reader.failed) {
    items.forEach(columns.see);
    const names = columns.names();
    await write(csvHeader(names) + items.map((item) => csvRow(names, item, asked !== undefined)).join(''));
  }
  reader.rethrow();
}

async function gather<T extends object>(list: List<T>, columns: Columns): Promise<void> {
  // The second reading meets the same error, after it has written what could be read, and throws it.
  for await (const batch of new ListReader(list).batches()) {
    (batch.items as readonly PlainObject[]).forEach(columns.see);
  }
}

async function stream<T extends object>(
  list: List<T>,
  names: readonly string[],
  asked: boolean,
  write: Writer,
): Promise<void> {
  let header = csvHeader(names);
  for await (const batch of list.batches) {
    const rows = (batch.items as readonly PlainObject[]).map((item) => csvRow(names, item, asked));
    if (rows.length === 0) continue;
    await write(header + rows.join(''));
    header = '';
  }
  if (header !== '') await write(header);
}
