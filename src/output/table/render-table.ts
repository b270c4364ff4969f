/** Lays out the cells of a table with cli-table3, without borders. */
import Table from 'cli-table3';
import type { Column, RenderContext } from '../types.ts';
import { wrap } from '../wrap.ts';
import { type FittedColumn, fitColumns, GAP, measureColumns, total } from './fit-columns.ts';
import { shorten } from './measure.ts';

const LINES = ['top', 'bottom', 'left', 'right', 'mid'].flatMap((line) => [
  line,
  `${line}-mid`,
  `${line}-left`,
  `${line}-right`,
]);
const CHARS = { ...Object.fromEntries(LINES.map((line) => [line, ''])), middle: ' '.repeat(GAP) };

// Rows that make one row of tall cells: cli-table3 spends most of its time on each cell, and looks for each through all
// cells above it. Its lines are drawn one by one.
const BLOCK = 64;

/** The lines of a table: a header, if any, and one a row. A longer cell is cut. */
export function renderTable<T>(
  columns: readonly FittedColumn<T>[],
  { styles }: Pick<RenderContext, 'styles'>,
  withHeader = true,
): string[] {
  const texts = columns.map(({ header, cells, width }) =>
    [...(withHeader ? [header] : []), ...cells].map((text) => shorten(text, width)),
  );
  const rows = texts[0]?.length ?? 0;
  const drawn: string[] = [];
  for (let at = 0; at < rows; at += BLOCK) {
    const table = new Table({
      chars: CHARS,
      colWidths: columns.map(({ width }) => width),
      colAligns: columns.map(({ column }) => column.align),
      style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
    });
    table.push(texts.map((column) => column.slice(at, at + BLOCK).join('\n')));
    drawn.push(...table.toString().split('\n'));
  }
  return drawn.map((line, i) => (withHeader && i === 0 ? styles.dim(line.trimEnd()) : line.trimEnd()));
}

/** How far the text below a row is moved in. */
const INDENT = 2;

/** A table of what fits. Where not all of it does, a column of `below` goes below the rows. */
export function tableText<T>(columns: readonly Column<T>[], rows: readonly T[], render: RenderContext): string {
  const { width, styles } = render;
  const whole = measureColumns(columns, rows, render);
  const below = whole.find(({ column }) => column.below === true);
  if (below === undefined || width === undefined || total(whole) <= width) {
    return renderTable(fitColumns(whole, width), render).join('\n');
  }
  const rest = whole.filter((column) => column !== below);
  const [header = '', ...lines] = renderTable(fitColumns(rest, width), render);
  const further = below.cells.map((cell) =>
    wrap(`${' '.repeat(INDENT)}${cell}`, { width, indent: INDENT, cut: true }).map(styles.dim),
  );
  return [header, ...lines.flatMap((line, i) => [line, ...(further[i] ?? [])])].join('\n');
}
