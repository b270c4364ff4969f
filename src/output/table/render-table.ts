/** Lays out the cells of a table with cli-table3, without borders. */
import Table from 'cli-table3';
import { NO_BREAK, type RenderContext } from '../types.ts';
import { type FittedColumns, GAP } from './fit-columns.ts';
import { measure, shorten, wrap } from './measure.ts';

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

// For each cell cli-table3 looks through all cells above it: a table of few rows at a time takes a fifth of the time.
const BLOCK = 2;

/**
 * The lines of a table.
 * @param rows the cells of the fitted columns; a longer cell is cut, or goes on below itself where its column wraps
 */
export function renderTable<T>(
  { columns, widths }: FittedColumns<T>,
  rows: readonly (readonly string[])[],
  { styles }: Pick<RenderContext, 'styles'>,
  withHeader: boolean,
): string {
  const lines = (row: readonly string[]) => {
    const cells = row.map((cell, i) => {
      const width = widths[i] ?? 0;
      return columns[i]?.wraps === true ? wrapped(cell, width) : [shorten(cell, width)];
    });
    const height = Math.max(...cells.map((cell) => cell.length));
    return Array.from({ length: height }, (_, line) => cells.map((cell) => cell[line] ?? ''));
  };
  const all = [...(withHeader ? [columns.map(({ header }) => header)] : []), ...rows].flatMap(lines);
  const drawn: string[] = [];
  for (let at = 0; at < all.length; at += BLOCK) {
    const table = new Table({
      chars: NO_LINES,
      colWidths: [...widths],
      colAligns: columns.map(({ align }) => align),
      style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
    });
    table.push(...all.slice(at, at + BLOCK));
    drawn.push(...table.toString().split('\n'));
  }
  const trimmed = drawn.map((line) => line.trimEnd());
  if (withHeader && trimmed[0] !== undefined) trimmed[0] = styles.dim(trimmed[0]);
  return trimmed.join('\n');
}

/** How far a line is moved in that goes on with the one above it. */
const FURTHER = '  ';

function wrapped(cell: string, width: number): string[] {
  const room = Math.max(1, width - FURTHER.length);
  return cell.split('\n').flatMap((line) => {
    const [first = '', ...rest] = measure(line) <= width ? [line] : wrap(line, room);
    return [first, ...rest.map((part) => FURTHER + part)].map((part) => part.replaceAll(NO_BREAK, ' '));
  });
}
