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

/** What stands in backticks, and a word. */
const UNBROKEN = /(?:`[^`]*`|[^ `]|`)+/g;

/** Lines of at most `width` columns, broken between words; never within backticks, where they fit a line. */
export function wrap(text: string, { width, indent = 0, cut = false }: Wrapping): string[] {
  if (width === undefined || measure(text) <= width) return [text];
  const lines: string[] = [];
  const margin = ' '.repeat(indent);
  let line = /^ */.exec(text)?.[0] ?? '';
  let isEmpty = true;
  for (const word of text.match(UNBROKEN) ?? []) {
    const longer = isEmpty ? line + word : `${line} ${word}`;
    if (measure(longer) <= width) {
      line = longer;
    } else {
      if (!isEmpty) {
        lines.push(line);
        line = margin;
      }
      const parts = cut && measure(line + word) > width ? cutWord(word, Math.max(1, width - measure(line))) : [word];
      const last = parts.pop() ?? '';
      for (const part of parts) {
        lines.push(line + part);
        line = margin;
      }
      line += last;
    }
    isEmpty = false;
  }
  return [...lines, line];
}
