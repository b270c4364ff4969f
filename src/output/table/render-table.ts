/** Draws laid-out cells with cli-table3, without borders. */
import Table from 'cli-table3';
import type { RenderContext } from '../types.ts';
import { NO_BREAK } from '../types.ts';
import { GAP, type Layout } from './layout.ts';
import { measure, pad, shorten, wrap } from './measure.ts';

const NO_LINES = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: ' '.repeat(GAP),
};

// cli-table3 looks through the rows around each cell; handed many at once it is slow.
const BLOCK = 25;

/** The lines of a table; rows are the cells of the laid-out columns. */
export function renderTable<T>(
  layout: Layout<T>,
  rows: readonly (readonly string[])[],
  look: RenderContext,
  header: boolean,
): string {
  const head = header ? [layout.columns.map((column) => column.header)] : [];
  const lines: string[] = [];
  const all = [...head, ...rows.flatMap((row) => unfolded(layout, row))];
  for (let at = 0; at < all.length; at += BLOCK) lines.push(...draw(layout, all.slice(at, at + BLOCK)));
  if (header && lines[0] !== undefined) lines[0] = look.styles.dim(lines[0]);
  return lines.join('\n');
}

/** How far a line is moved in that goes on with the one above it. */
const FURTHER = '  ';

/** A row as the lines it takes: one, unless a column wraps. */
function unfolded<T>({ columns, widths }: Layout<T>, row: readonly string[]): (readonly string[])[] {
  if (!columns.some(({ wraps }) => wraps === true)) return [row];
  const cells = row.map((cell, i) => (columns[i]?.wraps === true ? wrapped(cell, widths[i] ?? 0) : [cell]));
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) => cells.map((lines) => lines[line] ?? ''));
}

function wrapped(cell: string, width: number): string[] {
  const room = Math.max(1, width - FURTHER.length);
  return cell.split('\n').flatMap((line) => {
    const [first = '', ...rest] = measure(line) <= width ? [line] : wrap(line, room);
    return [first, ...rest.map((part) => FURTHER + part)].map((part) => part.replaceAll(NO_BREAK, ' '));
  });
}

/**
 * cli-table3 measures with an old string-width that counts Thai, Arabic and other combining marks as columns and would
 * pad or cut such cells wrongly. So a cell that is not plain ASCII is represented by as many placeholders as it takes
 * columns, and put back afterwards: cells are drawn in the order they were given.
 */
function draw<T>(layout: Layout<T>, rows: readonly (readonly string[])[]): string[] {
  const table = new Table({
    chars: NO_LINES,
    colWidths: [...layout.widths],
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
  });
  const aside: string[] = [];
  for (const row of rows) {
    table.push(
      layout.columns.map((column, i) => {
        const width = layout.widths[i] ?? 0;
        const cell = pad(shorten(row[i] ?? '', width), width, column.align);
        if (width === 0) return '';
        if (/^[\x20-\x7e\x1b]*$/.test(cell)) return cell;
        aside.push(cell);
        return PLACEHOLDER.repeat(width);
      }),
    );
  }
  let next = 0;
  const text = table.toString().replace(PLACEHOLDERS, () => aside[next++] ?? '');
  return text.split('\n').map((line) => line.replace(/ +$/, ''));
}

/** From the private use area: one column wide, and never in an ASCII cell. */
const PLACEHOLDER = '\ue000';
const PLACEHOLDERS = /\ue000+/g;
