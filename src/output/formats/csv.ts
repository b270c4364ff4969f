import { type Exporter, writeAtEnd } from '../exporter.ts';
import { leafFields, openFields } from '../fields.ts';
import { keysOf, type PlainObject, readKeys } from '../paths.ts';
import type { Field } from '../types.ts';
import { csvCell, csvLine, csvText } from './csv-cell.ts';

export const csv: Exporter = {
  one: (view, value, { context, fields }) => context.stdout.write(csvDocument(view.fields, [value], fields)),
  list: (view, { batches }, { context, fields }) =>
    writeAtEnd(batches, async (items, isWhole) => {
      if (items.length > 0 || isWhole) await context.stdout.write(csvDocument(view.fields, items, fields));
    }),
};

/**
 * A header and a row an item, with the same columns whatever the items hold. Without `asked`, the fields of `--fields`,
 * these are the listed fields, nested ones by dotted name; an object of which no fields are listed is one cell of JSON,
 * and lists of objects are left out. With it: just those.
 */
function csvDocument(fields: readonly Field[], items: readonly object[], asked: readonly string[] | undefined): string {
  const names = asked === undefined ? columnsOf(fields) : [...new Set(asked.flatMap((name) => expand(fields, name)))];
  const paths = names.map(keysOf);
  const rows = items.map((item) => paths.map((keys) => csvCell(readKeys(item as PlainObject, keys))));
  return [names.map(csvText), ...rows].map(csvLine).join('');
}

function columnsOf(fields: readonly Field[]): string[] {
  const open = openFields(fields);
  const isColumn = ({ kind, name }: Field) => (kind === 'object' ? open.includes(name) : kind !== 'objects');
  return fields.filter(isColumn).map(({ name }) => name);
}

/** An object with listed fields as these. */
function expand(fields: readonly Field[], field: string): string[] {
  const isObject = fields.find(({ name }) => name === field)?.kind === 'object';
  if (!isObject || openFields(fields).includes(field)) return [field];
  return leafFields(fields).filter((name) => name.startsWith(`${field}.`));
}
