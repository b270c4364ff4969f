import { jsonText } from '../../runtime/json-text.ts';
import { hasField, keysOf, leafFields, openFields, type PlainObject, readKeys } from '../fields.ts';
import type { Exporter } from '../formats.ts';
import { escapeJson, escapeUnits } from '../safe-text.ts';
import type { Field, View } from '../types.ts';

/**
 * Writes a header, and a row for each item. Rows are written as pages arrive, so that years of cards do not fill the memory.
 */
export const csv: Exporter = {
  one: (view, value, { context, fields }) => {
    const listInResource = listWithin(view, fields);
    const { header, lineOf } = csvColumns(listInResource?.fields ?? view.fields, fields);
    const rows = listInResource === undefined ? [value] : listInResource.of(value);
    return context.stdout.write(header + rows.map(lineOf).join(''));
  },
  list: async (view, { batches }, { context, fields }) => {
    const { header, lineOf } = csvColumns(view.fields, fields);
    let hasHeader = false;
    const write = async (items: readonly object[]) => {
      const start = hasHeader ? '' : header;
      await context.stdout.write(start + items.map(lineOf).join(''));
      hasHeader = true;
    };
    for await (const items of batches) {
      // If the list fails before its first item, nothing is written.
      if (items.length > 0) await write(items);
    }
    if (!hasHeader) await write([]);
  },
};

/**
 * The list within a resource whose items become the rows. Undefined if the resource itself is the row: it has no such list, or
 * `--fields` names a field of the resource.
 */
function listWithin<T>({ rows }: View<T>, chosen: readonly string[] | undefined): View<T>['rows'] {
  if (rows === undefined || chosen === undefined) return rows;
  const hasAll = chosen.every((name) => hasField(rows.fields, name));
  return hasAll ? rows : undefined;
}

/** The columns of a file. They depend on the fields alone, not on what the items hold. */
interface CsvColumns {
  /** The file's first line. */
  readonly header: string;
  readonly lineOf: (item: object) => string;
}

/** @param chosen names from `--fields`; undefined for all columns */
function csvColumns(fields: readonly Field[], chosen: readonly string[] | undefined): CsvColumns {
  const names = chosen === undefined ? allColumns(fields) : chosenColumns(fields, chosen);
  const keysOfColumns = names.map(keysOf);
  return {
    header: csvLine(names.map(csvText)),
    lineOf: (item) => {
      const values = keysOfColumns.map((keys) => readKeys(item as PlainObject, keys));
      return csvLine(values.map(csvCell));
    },
  };
}

/** All fields but lists of objects. An object is a column of its own only if the document does not show its keys. */
function allColumns(fields: readonly Field[]): string[] {
  const open = openFields(fields);
  const isColumn = ({ kind, name }: Field) => {
    if (kind === 'object') return open.includes(name);
    return kind !== 'objects';
  };
  return fields.filter(isColumn).map(({ name }) => name);
}

/** The chosen fields. An object whose keys the document shows becomes a column for each of them. No column comes twice. */
function chosenColumns(fields: readonly Field[], chosen: readonly string[]): string[] {
  const open = openFields(fields);
  const isShownObject = (name: string) => {
    const kind = fields.find((field) => field.name === name)?.kind;
    return kind === 'object' && !open.includes(name);
  };
  const columns = new Set<string>();
  for (const name of chosen) {
    if (isShownObject(name)) {
      const fieldsWithin = leafFields(fields).filter((field) => field.startsWith(`${name}.`));
      for (const field of fieldsWithin) columns.add(field);
    } else {
      columns.add(name);
    }
  }
  return [...columns];
}

/** Characters that a terminal acts on, or that show nothing. `\r\n` stays: it ends a line within a cell. */
const UNSAFE_IN_CSV =
  /(?!\r\n)[\x00-\x08\x0b-\x1f\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/** The backslash of a text that looks like an escape of this file: `\u001b`. */
const LOOKS_ESCAPED = /\\(?=u[0-9a-fA-F]{4})/g;

/** The beginning of a formula, even behind blanks, or behind the `'` that keeps it from running. */
const FORMULA = /^['\s]*[=+\-@＝＋－＠]|^'*[\t\r]/;

/** Characters that separate cells for some spreadsheets, whatever the file's format says. */
const SEPARATOR = /[;\t\r\n]/;

/**
 * A separator with the quotes and blanks after it, then the formula character with which a cell would begin there. The formula
 * character is optional in the pattern only for speed: if it had to be there, a text of n blanks would take n² steps.
 */
const CELL_WITHIN = /([;\t\r\n]["'\s]*)([=+\-@＝＋－＠]?)/g;

/**
 * One cell of CSV (RFC 4180) that neither a spreadsheet nor a terminal takes for a command. Null and a missing field are
 * empty, the empty string is `""`, nested values are compact JSON.
 *
 * A text that would run as a formula gets a `'` before it: `=1+1` becomes `'=1+1`, and `'=1+1` becomes `''=1+1`. So a program
 * that reads the file gets each text back if it takes one `'` away before what looks like a formula. A formula character
 * behind `;`, a tab or a newline is written as `\uXXXX`, and so is a character that shows nothing; a backslash that would
 * look like such an escape, as `\u005c`. So the text comes back if every `\uXXXX` is replaced by its character.
 */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return csvText(value);
  if (typeof value === 'object') {
    // JSON has its own escapes for what is unsafe, and never begins like a formula.
    const json = escapeJson(jsonText(value));
    return quoted(withoutFormulasWithin(json));
  }
  return String(value);
}

export function csvText(text: string): string {
  if (text === '') return '""';
  const harmless = text.replace(LOOKS_ESCAPED, '\\u005c').replace(UNSAFE_IN_CSV, escapeUnits);
  const inert = FORMULA.test(harmless) ? `'${harmless}` : harmless;
  return quoted(withoutFormulasWithin(inert));
}

function withoutFormulasWithin(text: string): string {
  if (!SEPARATOR.test(text)) return text;
  return text.replace(
    CELL_WITHIN,
    (_, separator: string, sign: string) => separator + escapeUnits(sign),
  );
}

function quoted(text: string): string {
  const needsQuotes = /[",\r\n]|^\s|\s$/.test(text);
  return needsQuotes ? `"${text.replaceAll('"', '""')}"` : text;
}

function csvLine(cells: readonly string[]): string {
  return `${cells.join(',')}\r\n`;
}
