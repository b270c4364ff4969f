/**
 * Columns of text on a terminal. The texts are safe already (`safeText`): without control and format characters, and
 * without joined or modified emoji, so each character takes the columns it takes by itself. Colour codes take none.
 */
import { eastAsianWidth } from 'get-east-asian-width';

const PLAIN = /^[\x20-\x7e]*$/;
const COLOUR = /\x1b\[[\d;]*m/g;

/** Marks that share the column of the letter before them. */
const MARK = /[\p{Mn}\p{Me}]/u;

/** The vowel and the final consonant of a Hangul syllable: they share the two columns of its leading consonant. */
const REST_OF_SYLLABLE = /(?<=[\u1100-\u115f\ua960-\ua97c])[\u1160-\u11a7\ud7b0-\ud7c6][\u11a8-\u11ff\ud7cb-\ud7fb]?/g;

export function measure(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let columns = 0;
  for (const character of text.replace(COLOUR, '').replace(REST_OF_SYLLABLE, '')) columns += columnsOf(character);
  return columns;
}

const known = new Map<string, number>();

function columnsOf(character: string): number {
  if (PLAIN.test(character)) return 1;
  let columns = known.get(character);
  if (columns === undefined) {
    columns = MARK.test(character) ? 0 : eastAsianWidth(character.codePointAt(0) ?? 0);
    known.set(character, columns);
  }
  return columns;
}

/**
 * Longer than any cell or sentence that people read. A service may send megabytes in one field, and a table measures
 * each text many times.
 */
const LONGEST = 2000;

/** The first 2,000 UTF-16 units of a text, ending in `…` where something was left out; its colours are still closed. */
export function cap(text: string): string {
  return text.length <= LONGEST ? text : cutAt(text, LONGEST);
}

/** Fills a text up with spaces to `width` columns. */
export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - measure(text)));
}

/** The first `width` columns of a text, ending in `…` where something was left out; its colours are still closed. */
export function shorten(text: string, width: number): string {
  if (measure(text) <= width) return text;
  if (width <= 0) return (text.match(COLOUR) ?? []).join('');
  let used = 0;
  let end = 0;
  for (const [piece] of text.matchAll(PIECE)) {
    used += measure(piece);
    if (used > width - 1) break;
    end += piece.length;
  }
  return cutAt(text, end);
}

/** A colour code, or one character. */
const PIECE = /\x1b\[[\d;]*m|./gsu;

function cutAt(text: string, end: number): string {
  // Neither within a colour code nor within a character of two units.
  const start = text.slice(0, end).replace(/\x1b[^m]*$|[\ud800-\udbff]$/, '');
  const codes = text.slice(start.length).match(COLOUR) ?? [];
  return `${start}…${codes.join('')}`;
}

/** A word in parts of at most `width` columns; a character wider than that stands alone. */
export function cutWord(word: string, width: number): string[] {
  const parts: string[] = [];
  let part = '';
  let used = 0;
  for (const [piece] of word.matchAll(PIECE)) {
    const columns = measure(piece);
    if (used > 0 && used + columns > width) {
      parts.push(part);
      part = '';
      used = 0;
    }
    part += piece;
    used += columns;
  }
  return [...parts, part];
}
