/** The one way in which texts are broken into lines: of tables, pages, notes, errors and help. */
import { cutWord, measure } from './table/measure.ts';

interface Wrapping {
  /** Columns of a line; undefined: one line, whatever its length. */
  readonly width: number | undefined;
  /** Spaces before the lines after the first. */
  readonly indent?: number;
  /** Cuts a word that is longer than a line. Otherwise it stays whole, so that it can be copied. */
  readonly cut?: boolean;
}

const UNBROKEN = /(?:`[^`]*`|\d %|\d pp\b|[+-][\d.]+\S* to (?=[+-]\d)|[^ `]|`)+/g;

/** Lines of at most `width` columns, broken between words; never within backticks, an interval or `41 %`, if they fit a line. */
export function wrap(text: string, { width, indent = 0, cut = false }: Wrapping): string[] {
  if (width === undefined || measure(text) <= width) return [text];
  const words = text.match(UNBROKEN) ?? [];
  const parts = cut ? words.flatMap((word) => cutWord(word, Math.max(1, width - indent))) : words;
  const lines: string[] = [];
  let line = `${/^ */.exec(text)?.[0]}${parts[0] ?? ''}`;
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
