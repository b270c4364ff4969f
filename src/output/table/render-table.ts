/** Lays out the cells of a table with cli-table3, without borders. */
import Table from 'cli-table3';
import { NO_BREAK, type Styles } from '../types.ts';
import { wrap } from '../wrap.ts';
import { type FittedColumn, GAP } from './fit-columns.ts';
import { shorten } from './measure.ts';

const LINES = ['top', 'bottom', 'left', 'right', 'mid'].flatMap((line) => [
  line,
  `${line}-mid`,
  `${line}-left`,
  `${line}-right`,
]);
const CHARS = { ...Object.fromEntries(LINES.map((line) => [line, ''])), middle: ' '.repeat(GAP) };

// Lines that make one row of tall cells: cli-table3 spends most of its time on each cell, and looks for each through all
// cells above it. Its lines are drawn one by one.
const BLOCK = 64;

/** The lines of a table. A longer cell is cut, or goes on below itself where its column wraps. */
export function renderTable<T>(columns: readonly FittedColumn<T>[], styles: Styles, withHeader: boolean): string {
  const header = withHeader ? [columns.map(({ header }) => header)] : [];
  const rows = (columns[0]?.cells ?? []).flatMap((_, row) => linesOf(columns, row));
  const all = [...header, ...rows];
  const drawn: string[] = [];
  for (let at = 0; at < all.length; at += BLOCK) {
    const table = new Table({
      chars: CHARS,
      colWidths: columns.map(({ width }) => width),
      colAligns: columns.map(({ column }) => column.align),
      style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
    });
    const lines = all.slice(at, at + BLOCK);
    table.push(columns.map((_, column) => lines.map((line) => line[column] ?? '').join('\n')));
    drawn.push(...table.toString().split('\n'));
  }
  const trimmed = drawn.map((line) => line.trimEnd());
  if (withHeader && trimmed[0] !== undefined) trimmed[0] = styles.dim(trimmed[0]);
  return trimmed.join('\n');
}

/** The lines of one row, each with a text for every column. */
function linesOf<T>(columns: readonly FittedColumn<T>[], row: number): string[][] {
  const parts = columns.map(({ column, cells, width }) => {
    const cell = cells[row] ?? '';
    return column.wraps === true ? wrapped(cell, width) : [shorten(cell, width)];
  });
  const height = Math.max(...parts.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) => parts.map((lines) => lines[line] ?? ''));
}

/** How far a line is moved in that goes on with the one above it. */
const FURTHER = 2;

function wrapped(cell: string, width: number): string[] {
  return cell
    .split('\n')
    .flatMap((line) => wrap(line, { width, indent: FURTHER, cut: true }))
    .map((line) => line.replaceAll(NO_BREAK, ' '));
}
