import { hasField, keysOf, leafFields, openFields, type PlainObject, readKeys } from '../fields.ts';
import type { Exporter } from '../formats.ts';
import type { Field } from '../types.ts';
import { csvCell, csvLine, csvText } from './csv-cell.ts';

/** A header and a row an item, each batch as it arrives: a history of years does not fill the memory. */
export const csv: Exporter = {
  one: (view, value, { context, fields }) => {
    const { rows } = view;
    const areRows = rows !== undefined && (fields ?? []).every((name) => hasField(rows.fields, name));
    const { header, rowOf } = columnsFor(areRows ? rows.fields : view.fields, fields);
    return context.stdout.write(header + (areRows ? rows.of(value) : [value]).map(rowOf).join(''));
  },
  list: async (view, { batches }, { context, fields }) => {
    const { header, rowOf } = columnsFor(view.fields, fields);
    let isBegun = false;
    const write = async (items: readonly object[]) => {
      await context.stdout.write((isBegun ? '' : header) + items.map(rowOf).join(''));
      isBegun = true;
    };
    for await (const items of batches) if (items.length > 0) await write(items);
    if (!isBegun) await write([]);
  },
};

/** The same columns whatever the items hold. @param asked by --fields, else all that are listed but lists of objects */
function columnsFor(fields: readonly Field[], asked: readonly string[] | undefined) {
  const names = asked === undefined ? columnsOf(fields) : [...new Set(asked.flatMap((name) => expand(fields, name)))];
  const paths = names.map(keysOf);
  return {
    header: csvLine(names.map(csvText)),
    rowOf: (item: object) => csvLine(paths.map((keys) => csvCell(readKeys(item as PlainObject, keys)))),
  };
}

function columnsOf(fields: readonly Field[]): string[] {
  const open = openFields(fields);
  const isColumn = ({ kind, name }: Field) => (kind === 'object' ? open.includes(name) : kind !== 'objects');
  return fields.filter(isColumn).map(({ name }) => name);
}

function expand(fields: readonly Field[], field: string): string[] {
  const isObject = fields.find(({ name }) => name === field)?.kind === 'object';
  if (!isObject || openFields(fields).includes(field)) return [field];
  return leafFields(fields).filter((name) => name.startsWith(`${field}.`));
}
