/**
 * One cell of CSV (RFC 4180) that neither a spreadsheet nor a terminal takes for a command.
 *
 * - null and a missing field: empty; the empty string: `""`; booleans `true` and `false`; numbers as in JSON.
 * - Arrays and other nested values: compact JSON.
 * - Text that a spreadsheet would run as a formula gets a leading `'`. So does text that already begins with `'` before
 *   such a character, so one leading `'` before a formula character can always be taken away again.
 * - A formula character behind `;`, a tab or a newline is written `\uXXXX`: a spreadsheet set to split there would take
 *   it for the beginning of a cell.
 * - Control and format characters other than newline and tab, and what shows nothing, are written `\uXXXX`, and a text that already contains
 *   `\u` and four hexadecimal digits has that backslash written `\u005c`: replacing every `\uXXXX` gives the text back.
 */
import { jsonText } from '../../runtime/json-text.ts';
import { escapeJson, escapeUnits } from '../safe-text.ts';

const UNSAFE_IN_CSV = /(?!\r\n)[\x00-\x08\x0b-\x1f\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;
const LOOKS_ESCAPED = /\\(?=u[0-9a-fA-F]{4})/g;
const FORMULA = /^['\s]*[=+\-@＝＋－＠]|^'*[\t\r]/;
/**
 * What separates cells for some spreadsheet, the quotes and blanks after it, and the formula character, if any, where a
 * cell would then begin. It matches without the last as well: looking again from each blank would take time with their square.
 */
const BEGINNING = /([;\t\r\n]["'\s]*)([=+\-@＝＋－＠]?)/g;

export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  // JSON has its own escapes for what is unsafe, and never begins like a formula.
  return typeof value === 'string' ? csvText(value) : quoted(inertWithin(escapeJson(jsonText(value))));
}

/** A text cell; also for headers, whose names may come from the network. */
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

export function csvLine(cells: readonly string[]): string {
  return `${cells.join(',')}\r\n`;
}
