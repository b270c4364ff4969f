import { leafFields, openFields, type WithFields } from '../fields.ts';
import { flatten, read } from '../paths.ts';
import { isPlainObject, type PlainObject } from '../plain.ts';
import { csvCell, csvLine, csvText } from './csv-cell.ts';

/**
 * A header and a row an item. Without `asked`, the fields of `--fields`: the listed fields, always all and in the same
 * order, then every other field seen in the data, by first appearance. With it: just those, an object with listed fields
 * as these, another one as one cell of JSON.
 */
export function csvDocument(view: WithFields, items: readonly object[], asked: readonly string[] | undefined): string {
  if (asked !== undefined) {
    const names = [...new Set(asked.flatMap((field) => expand(view, field)))];
    return lines(
      names,
      items.map((item) => (name) => read(item as PlainObject, name)),
    );
  }
  const rows = items.map((item) => flatten(item as PlainObject));
  return lines(
    [...leafFields(view), ...furtherFields(view, rows)],
    rows.map((row) => (name) => row.get(name)),
  );
}

function lines(names: readonly string[], rows: readonly ((name: string) => unknown)[]): string {
  const header = csvLine(names.map(csvText));
  return header + rows.map((value) => csvLine(names.map((name) => csvCell(value(name))))).join('');
}

function expand(view: WithFields, field: string): string[] {
  const object = view.fields.find((known) => known.name === field)?.kind === 'object';
  if (!object || openFields(view).includes(field)) return [field];
  return leafFields(view).filter((name) => name.startsWith(`${field}.`));
}

/** What the rows have and the document does not list. */
function furtherFields(view: WithFields, rows: readonly ReadonlyMap<string, unknown>[]): Set<string> {
  const known = new Set(leafFields(view));
  // An object with fields of its own is told by its columns: null or empty, it has none and leaves them empty.
  const objects = new Set(view.fields.filter((field) => field.kind === 'object').map((field) => field.name));
  const further = new Set<string>();
  for (const row of rows) {
    for (const [path, value] of row) {
      const hollow = objects.has(path) && (value === null || isPlainObject(value));
      if (!known.has(path) && !hollow) further.add(path);
    }
  }
  return further;
}
