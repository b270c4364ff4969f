import { leafFields, openFields, type WithFields } from '../fields.ts';
import { flatten, isPlainObject, type PlainObject, read } from '../paths.ts';
import { csvCell, csvLine, csvText } from './csv-cell.ts';

/**
 * A header and a row an item. Without `asked`, the fields of `--fields`: the listed fields, always all and in the same
 * order, then every other field seen in the data, by first appearance. With it: just those, an object with listed fields
 * as these, another one as one cell of JSON.
 */
export function csvDocument(view: WithFields, items: readonly object[], asked: readonly string[] | undefined): string {
  if (asked !== undefined) {
    const names = [...new Set(asked.flatMap((field) => expand(view, field)))];
    return lines(names, items, (item) => (name) => read(item, name));
  }
  const names = [...leafFields(view), ...furtherFields(view, items)];
  return lines(names, items, (item) => {
    const leaves = flatten(item);
    return (name) => leaves.get(name);
  });
}

/** @param reader of an item's fields by their names */
function lines(
  names: readonly string[],
  items: readonly object[],
  reader: (item: PlainObject) => (name: string) => unknown,
): string {
  const rows = items.map((item) => names.map(reader(item as PlainObject)).map(csvCell));
  return [names.map(csvText), ...rows].map(csvLine).join('');
}

function expand(view: WithFields, field: string): string[] {
  const object = view.fields.find((known) => known.name === field)?.kind === 'object';
  if (!object || openFields(view).includes(field)) return [field];
  return leafFields(view).filter((name) => name.startsWith(`${field}.`));
}

/** What the items have and the document does not list. */
function furtherFields(view: WithFields, items: readonly object[]): Set<string> {
  const known = new Set(leafFields(view));
  // An object with fields of its own is told by its columns: null or empty, it has none and leaves them empty.
  const objects = new Set(view.fields.filter((field) => field.kind === 'object').map((field) => field.name));
  const further = new Set<string>();
  for (const item of items) {
    for (const [path, value] of flatten(item as PlainObject)) {
      const hollow = objects.has(path) && (value === null || isPlainObject(value));
      if (!known.has(path) && !hollow) further.add(path);
    }
  }
  return further;
}
