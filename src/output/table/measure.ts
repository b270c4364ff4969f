/** How wide texts are on a terminal, and how they are cut and broken. Texts are safe already (`safeText`). */
import { eastAsianWidth } from 'get-east-asian-width';

/** Of a plain text each character takes one column. */
export const PLAIN = /^[\x20-\x7e]*$/;
const COLOUR = /\x1b\[[\d;]*m/g;

/** Marks that share the column of the letter before them. */
const MARK = /[\p{Mn}\p{Me}]/u;

/** The terminal columns that a text takes; codes of colours take none. */
export function measure(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let columns = 0;
  for (const character of text.replace(COLOUR, '')) {
    if (!MARK.test(character)) columns += eastAsianWidth(character.codePointAt(0) ?? 0);
  }
  return columns;
}

/** UTF-16 units. People do not read a longer cell or sentence, and a service may send megabytes in one field. */
const LONGEST = 2000;

/** A text, cut after 2,000 UTF-16 units. If it is cut, `…` follows, and all colour codes from behind the cut. */
export function cap(text: string): string {
  return text.length <= LONGEST ? text : cutAt(text, LONGEST);
}

export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - measure(text)));
}

/** A text of at most `width` columns: a longer one ends in `…`, and keeps all colour codes from behind the cut. */
export function shorten(text: string, width: number): string {
  if (measure(text) <= width) return text;
  const hasNoRoom = width <= 0;
  if (hasNoRoom) return (text.match(COLOUR) ?? []).join('');
  return cutAt(text, endOf(text, width - 1));
}

/** A word in parts of at most `width` columns; a character wider than that is a part of its own. */
function cutWord(word: string, width: number): string[] {
  const parts: string[] = [];
  let rest = word;
  while (measure(rest) > width) {
    const firstCharacter = String.fromCodePoint(rest.codePointAt(0) ?? 0);
    const end = Math.max(endOf(rest, width), firstCharacter.length);
    parts.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...parts, rest];
}

/** A code of a colour (it takes no column), or a character. */
const PIECE = /\x1b\[[\d;]*m|./gsu;

/** The index of the first character that does not fit into `width` columns. */
function endOf(text: string, width: number): number {
  let used = 0;
  for (const { 0: piece, index } of text.matchAll(PIECE)) {
    used += measure(piece);
    if (used > width) return index;
  }
  return text.length;
}

/** The text up to `end`, with `…`, and all colour codes behind `end`, which end its colours. @param end UTF-16 units */
function cutAt(text: string, end: number): string {
  // Drops a colour code, or a character of two units, that `end` cuts in half.
  const start = text.slice(0, end).replace(/\x1b[^m]*$|[\ud800-\udbff]$/, '');
  const codesBehind = text.slice(start.length).match(COLOUR) ?? [];
  return `${start}…${codesBehind.join('')}`;
}

interface Wrapping {
  /** Columns of a line; undefined for one line of any length. */
  readonly width: number | undefined;
  /** Blank columns before each line but the first. */
  readonly indent?: number;
  /** Cuts a word that is longer than a line. Otherwise it stays whole, so that it can be copied. */
  readonly cut?: boolean;
}

/** What is never broken: a word, a text in backticks, an interval (`+0.20 to +1.90`), and a figure with its unit (`41 %`). */
const UNBROKEN = /(?:`[^`]*`|\d %|\d pp\b|[+-][\d.]+\S* to (?=[+-]\d)|[^ `]|`)+/g;

/**
 * A text as lines of at most `width` columns, broken between words. A word that is longer makes its line longer, unless cut.
 */
export function wrap(text: string, { width, indent = 0, cut = false }: Wrapping): string[] {
  if (width === undefined || measure(text) <= width) return [text];
  const words = text.match(UNBROKEN) ?? [];
  const [leadingBlanks = ''] = /^ */.exec(text) ?? [];
  const widthOfWord = Math.max(1, width - Math.max(indent, leadingBlanks.length));
  const parts = cut ? words.flatMap((word) => cutWord(word, widthOfWord)) : words;
  const lines: string[] = [];
  let line = `${leadingBlanks}${parts[0] ?? ''}`;
  for (const part of parts.slice(1)) {
    if (measure(`${line} ${part}`) <= width) {
      line += ` ${part}`;
    } else {
      lines.push(line);
      line = ' '.repeat(indent) + part;
    }
  }
  return [...lines, line];
}
