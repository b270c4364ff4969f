/** Columns of text on a terminal. Colour codes take none. */
import stringWidth from 'string-width';

export const measure = (text: string): number => stringWidth(text);

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
  let full = false;
  let codes = '';
  let rest = '';
  for (const { segment, code } of pieces(text)) {
    const columns = code ? 0 : measure(segment);
    if (!code && used + columns > width) full = true;
    if (!full) {
      taken += segment;
      used += columns;
    } else {
      if (code) codes += segment;
      rest += segment;
    }
  }
  return { taken, codes, rest };
}

function* pieces(text: string): Generator<{ segment: string; code: boolean }> {
  let at = 0;
  for (const match of text.matchAll(COLOUR)) {
    for (const { segment } of segmenter.segment(text.slice(at, match.index))) yield { segment, code: false };
    yield { segment: match[0], code: true };
    at = match.index + match[0].length;
  }
  for (const { segment } of segmenter.segment(text.slice(at))) yield { segment, code: false };
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
    line = word;
    while (measure(line) > width) {
      const { taken, rest } = take(line, width);
      // A character wider than the whole line cannot be broken.
      if (measure(taken) === 0) break;
      lines.push(taken);
      line = rest;
    }
  }
  lines.push(line);
  return lines;
}
