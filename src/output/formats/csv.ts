import { jsonText } from '../../runtime/json-text.ts';
import { hasField, keysOf, leafFields, openFields, type PlainObject, readKeys } from '../fields.ts';
import type { Exporter } from '../formats.ts';
import { escapeJson, escapeUnits } from '../safe-text.ts';
import type { Field } from '../types.ts';

/** A header and a row an item, each batch as it arrives: a history of years does not fill the memory. */
export const csv: Exporter = {
  one: (view, value, { context, fields }) => {
    const { rows } = view;
    const areRows =
      rows !== undefined && (fields ?? []).every((name) => hasField(rows.fields, name));
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
  const names =
    asked === undefined
      ? columnsOf(fields)
      : [...new Set(asked.flatMap((name) => expand(fields, name)))];
  const paths = names.map(keysOf);
  return {
    header: csvLine(names.map(csvText)),
    rowOf: (item: object) =>
      csvLine(paths.map((keys) => csvCell(readKeys(item as PlainObject, keys)))),
  };
}

function columnsOf(fields: readonly Field[]): string[] {
  const open = openFields(fields);
  const isColumn = ({ kind, name }: Field) =>
    kind === 'object' ? open.includes(name) : kind !== 'objects';
  return fields.filter(isColumn).map(({ name }) => name);
}

function expand(fields: readonly Field[], field: string): string[] {
  const isObject = fields.find(({ name }) => name === field)?.kind === 'object';
  if (!isObject || openFields(fields).includes(field)) return [field];
  return leafFields(fields).filter((name) => name.startsWith(`${field}.`));
}

const UNSAFE_IN_CSV =
  /(?!\r\n)[\x00-\x08\x0b-\x1f\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;
const LOOKS_ESCAPED = /\\(?=u[0-9a-fA-F]{4})/g;
const FORMULA = /^['\s]*[=+\-@＝＋－＠]|^'*[\t\r]/;
/**
 * What separates cells for some spreadsheet, the quotes and blanks after it, and the formula character, if any, where a
 * cell would then begin. It matches without the last as well: looking again from each blank would take time with their square.
 */
const BEGINNING = /([;\t\r\n]["'\s]*)([=+\-@＝＋－＠]?)/g;

/**
 * One cell of CSV (RFC 4180) that neither a spreadsheet nor a terminal takes for a command. Null and a missing field are
 * empty, the empty string is `""`, nested values are compact JSON.
 *
 * Text that would run as a formula gets a leading `'`, as does one that already begins with `'` before it: one can always
 * be taken away again. A formula character behind `;`, a tab or a newline, and what shows nothing, is written `\uXXXX`, a
 * backslash that looks like that `\u005c`: replacing every `\uXXXX` gives the text back.
 */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return String(value);
  // JSON has its own escapes for what is unsafe, and never begins like a formula.
  return typeof value === 'string'
    ? csvText(value)
    : quoted(inertWithin(escapeJson(jsonText(value))));
}

export function csvText(text: string): string {
  if (text === '') return '""';
  const harmless = text.replace(LOOKS_ESCAPED, '\\u005c').replace(UNSAFE_IN_CSV, escapeUnits);
  return quoted(inertWithin(FORMULA.test(harmless) ? `'${harmless}` : harmless));
}

function inertWithin(text: string): string {
  if (!/[;\t\r\n]/.test(text)) return text;
  return text.replace(BEGINNING, (_, before: string, sign: string) => before + escapeUnits(sign));
}

function quoted(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function csvLine(cells: readonly string[]): string {
  return `${cells.join(',')}\r\n`;
}
