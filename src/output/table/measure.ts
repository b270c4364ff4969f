/** Columns and lines of text on a terminal. The texts are safe already (`safeText`); colour codes take no column. */
import { eastAsianWidth } from 'get-east-asian-width';

const PLAIN = /^[\x20-\x7e]*$/;
const COLOUR = /\x1b\[[\d;]*m/g;

/** Marks that share the column of the letter before them. */
const MARK = /[\p{Mn}\p{Me}]/u;

export function measure(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let columns = 0;
  for (const character of text.replace(COLOUR, '')) {
    if (!MARK.test(character)) columns += eastAsianWidth(character.codePointAt(0) ?? 0);
  }
  return columns;
}

/** Longer than any cell or sentence that people read: a service may send megabytes in one field. */
const LONGEST = 2000;

/** The first 2,000 UTF-16 units of a text, ending in `…` where something was left out; its colours are still closed. */
export function cap(text: string): string {
  return text.length <= LONGEST ? text : cutAt(text, LONGEST);
}

export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - measure(text)));
}

/** The first `width` columns of a text, ending in `…` where something was left out; its colours are still closed. */
export function shorten(text: string, width: number): string {
  if (measure(text) <= width) return text;
  return width <= 0 ? (text.match(COLOUR) ?? []).join('') : cutAt(text, endOf(text, width - 1));
}

/** A word in parts of at most `width` columns; a character wider than that stands alone. */
export function cutWord(word: string, width: number): string[] {
  const parts: string[] = [];
  let rest = word;
  while (measure(rest) > width) {
    const end = Math.max(endOf(rest, width), String.fromCodePoint(rest.codePointAt(0) ?? 0).length);
    parts.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...parts, rest];
}

const PIECE = /\x1b\[[\d;]*m|./gsu;

function endOf(text: string, width: number): number {
  let used = 0;
  for (const { 0: piece, index } of text.matchAll(PIECE)) {
    used += measure(piece);
    if (used > width) return index;
  }
  return text.length;
}

function cutAt(text: string, end: number): string {
  // Neither within a colour code nor within a character of two units.
  const start = text.slice(0, end).replace(/\x1b[^m]*$|[\ud800-\udbff]$/, '');
  const codes = text.slice(start.length).match(COLOUR) ?? [];
  return `${start}…${codes.join('')}`;
}

interface Wrapping {
  readonly width: number | undefined;
  readonly indent?: number;
  /** Cuts a word that is longer than a line. Otherwise it stays whole, so that it can be copied. */
  readonly cut?: boolean;
}

const UNBROKEN = /(?:`[^`]*`|\d %|\d pp\b|[+-][\d.]+\S* to (?=[+-]\d)|[^ `]|`)+/g;

/** Lines of at most `width` columns, broken between words; never within backticks, an interval or `41 %`, if they fit a line. */
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
