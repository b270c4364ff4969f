/** Columns of text on a terminal. Colour codes take none. */
import stringWidth from 'string-width';

export function measure(text: string): number {
  // Most texts, and any that is very long: string-width takes a second for a megabyte.
  if (PLAIN.test(text)) return text.length;
  return stringWidth(text) + (text.match(SARA_AM)?.length ?? 0);
}

/** The vowels that string-width takes for a part of the letter before them; terminals give them a column. */
const SARA_AM = /(?<=[\u0e00-\u0eff])[\u0e33\u0eb3]/g;

const PLAIN = /^[\x20-\x7e]*$/;

/** Fills a text up with spaces to `width` columns. */
export function pad(text: string, width: number, align: 'left' | 'right'): string {
  const space = ' '.repeat(Math.max(0, width - measure(text)));
  return align === 'left' ? text + space : space + text;
}

// A colour code, or one character as a reader sees it.
const COLOUR = /\x1b\[[\d;]*m/g;
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The first `width` columns of a text, ending in `…` where something was left out; its colours are still closed. */
export function shorten(text: string, width: number): string {
  if (measure(text) <= width) return text;
  const { taken, codes } = take(text, Math.max(0, width - 1));
  return `${taken}${width > 0 ? '…' : ''}${codes}`;
}

/** `taken`: the part that fits, with its colour codes; `codes`: the colour codes of the rest; `rest`: what is left. */
export function take(text: string, width: number): { taken: string; codes: string; rest: string } {
  let taken = '';
  let used = 0;
  let codes = '';
  let rest = '';
  for (const { segment, code, at } of pieces(text)) {
    const columns = code ? 0 : measure(segment);
    if (!code && used + columns > width) {
      // The rest is not looked at character by character: it may be a megabyte.
      rest = text.slice(at);
      codes = rest.match(COLOUR)?.join('') ?? '';
      break;
    }
    taken += segment;
    used += columns;
  }
  return { taken, codes, rest };
}

interface Piece {
  readonly segment: string;
  readonly code: boolean;
  /** Where it begins. */
  readonly at: number;
}

function* pieces(text: string): Generator<Piece> {
  let at = 0;
  for (const match of text.matchAll(COLOUR)) {
    yield* characters(text, at, match.index);
    yield { segment: match[0], code: true, at: match.index };
    at = match.index + match[0].length;
  }
  yield* characters(text, at, text.length);
}

// Looking at a text piece by piece keeps the segmenter from reading a megabyte of which only the beginning is wanted.
const STRETCH = 4096;

function* characters(text: string, from: number, to: number): Generator<Piece> {
  for (let at = from; at < to; ) {
    const end = Math.min(to, at + STRETCH);
    const segments = [...segmenter.segment(text.slice(at, end))];
    // The last character of a stretch may go on in the next one.
    const kept = end < to && segments.length > 1 ? segments.slice(0, -1) : segments;
    for (const { segment, index } of kept) yield { segment, code: false, at: at + index };
    const last = kept.at(-1);
    at += last === undefined ? end - at : last.index + last.segment.length;
  }
}

/**
 * Breaks a text into lines of at most `width` columns between words; a word that is longer is cut, so that no line is
 * ever wider. Undefined width: one line.
 */
export function wrap(text: string, width: number | undefined): string[] {
  if (width === undefined || measure(text) <= width) return [text];
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (measure(longer) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    const parts = measure(word) <= width ? [word] : cut(word, width);
    line = parts.pop() ?? '';
    lines.push(...parts);
  }
  lines.push(line);
  return lines;
}

/** A word in parts of at most `width` columns; a character wider than that stands alone. */
function cut(word: string, width: number): string[] {
  const parts: string[] = [];
  let part = '';
  let used = 0;
  for (const { segment, code } of pieces(word)) {
    const columns = code ? 0 : measure(segment);
    if (used > 0 && used + columns > width) {
      parts.push(part);
      part = '';
      used = 0;
    }
    part += segment;
    used += columns;
  }
  return [...parts, part];
}
