/**
 * One cell of CSV (RFC 4180) that neither a spreadsheet nor a terminal takes for a command.
 *
 * - null and a missing field: empty; the empty string: `""`; booleans `true` and `false`; numbers as in JSON.
 * - Arrays and other nested values: compact JSON.
 * - Text that a spreadsheet would run as a formula gets a leading `'`. So does text that already begins with `'` before
 *   such a character, so one leading `'` before a formula character can always be taken away again.
 * - A formula character behind `;`, a tab or a newline is written `\uXXXX`: a spreadsheet set to split there would take
 *   it for the beginning of a cell.
 * - Control and format characters other than newline and tab are written `\uXXXX`, and a text that already contains
 *   `\u` and four hexadecimal digits has that backslash written `\u005c`: replacing every `\uXXXX` gives the text back.
 */
import { jsonText } from '../../runtime/json-text.ts';
import { BLANK_LETTERS, escapeJson, escapeUnits } from '../safe-text.ts';

const UNSAFE_IN_CSV = new RegExp(
  String.raw`(?!\r\n)[\x00-\x08\x0b-\x1f\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}\p{Cs}${BLANK_LETTERS}]`,
  'gu',
);
const LOOKS_ESCAPED = /\\(?=u[0-9a-fA-F]{4})/g;
const FORMULA = /^['\s]*[=+\-@＝＋－＠]|^'*[\t\r]/;
/** What may begin a cell, in any place of a text; `inertWithin` looks which stand where a cell would begin. */
const SIGN = /[=+\-@＝＋－＠]/;
const SEPARATOR = /[;\t\r\n]/;
const BETWEEN = /["'\s]/;

export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (['number', 'bigint', 'boolean'].includes(typeof value)) return String(value);
  // JSON has its own escapes for what is unsafe, and never begins like a formula.
  return typeof value === 'string' ? csvText(value) : quoted(inertWithin(escapeJson(jsonText(value))));
}

/** A text cell; also for headers, whose names may come from the network. */
export function csvText(text: string): string {
  if (text === '') return '""';
  const harmless = text.replace(LOOKS_ESCAPED, '\\u005c').replace(UNSAFE_IN_CSV, escapeUnits);
  return quoted(inertWithin(FORMULA.test(harmless) ? `'${harmless}` : harmless));
}

/** In one pass: an expression that looks back over quotes and blanks takes time with their square. */
function inertWithin(text: string): string {
  if (!SEPARATOR.test(text)) return text;
  let inert = '';
  let copied = 0;
  let begins = false;
  for (let i = 0; i < text.length; i++) {
    const sign = text[i] ?? '';
    if (begins && SIGN.test(sign)) {
      inert += text.slice(copied, i) + escapeUnits(sign);
      copied = i + 1;
    }
    begins = SEPARATOR.test(sign) || (begins && BETWEEN.test(sign));
  }
  return inert + text.slice(copied);
}

function quoted(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csvLine(cells: readonly string[]): string {
  return `${cells.join(',')}\r\n`;
}
