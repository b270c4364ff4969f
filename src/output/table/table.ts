/** Tables without borders: which columns fit, how wide each is, and their lines by cli-table3. */
import Table from 'cli-table3';
import type { Column, RenderContext } from '../types.ts';
import { wrap } from '../wrap.ts';
import { cap, measure, shorten } from './measure.ts';

export const GAP = 2;

const INDENT = 2;

/** A column that is shown: its cells, none longer than anyone reads, and how many terminal columns it takes. */
interface FittedColumn<T> {
  readonly column: Column<T>;
  readonly header: string;
  readonly cells: readonly string[];
  readonly width: number;
  /** Whether a cell bears the column's mark. */
  readonly isMarked: boolean;
}

/** Rows of a part: what they take on the way is soon free again. */
const PART = 256;

export type TableRows<T> = ReturnType<typeof tableRows<T>>;

/** Rows as they come, kept as the text of their cells: cards of ten years fill no memory. */
export function tableRows<T>(columns: readonly Column<T>[], render: RenderContext) {
  let widest = measureColumns(columns, [], render);
  /** Each part of the rows: one text a column, one line a cell. */
  const parts: (readonly string[])[] = [];
  return {
    isEmpty: () => parts.length === 0,
    add(rows: readonly T[]): void {
      for (let at = 0; at < rows.length; at += PART) {
        const measured = measureColumns(columns, rows.slice(at, at + PART), render);
        parts.push(measured.map(({ cells }) => cells.join('\n')));
        widest = widest.map((one, i) => ({
          ...one,
          width: Math.max(one.width, measured[i]?.width ?? 0),
          isMarked: one.isMarked || measured[i]?.isMarked === true,
        }));
      }
    },
    /** The table in parts, from its beginning, then what its marks mean. */
    *texts(): Generator<string> {
      for (const [at, part] of parts.entries()) {
        const filled = widest.map((one, i) => ({ ...one, cells: part[i]?.split('\n') ?? [] }));
        yield tableLines(filled, render, at === 0).join('\n');
      }
      yield* markNotes(fitColumns(widest, render.width), render);
    },
  };
}

/** The lines of what fits. Where not all of it does, a column of `below` goes below the rows. */
function tableLines<T>(whole: readonly FittedColumn<T>[], render: RenderContext, withHeader: boolean): string[] {
  const { width, styles } = render;
  const below = whole.find(({ column }) => column.below === true);
  if (below === undefined || width === undefined || total(whole) <= width) {
    return renderTable(fitColumns(whole, width), render, withHeader);
  }
  const rest = whole.filter((column) => column !== below);
  const lines = renderTable(fitColumns(rest, width), render, withHeader);
  const header = withHeader ? lines.splice(0, 1) : [];
  if (rest.length === 1) header.pop();
  const further = below.cells.map((cell) =>
    wrap(`${' '.repeat(INDENT)}${cell}`, { width, indent: INDENT, cut: true }).map(styles.dim),
  );
  return [...header, ...lines.flatMap((line, i) => [line, ...(further[i] ?? [])])];
}

/** Columns as wide as their cells. @param isLive whether rows are still to come: words then take their usual width */
export function measureColumns<T>(
  columns: readonly Column<T>[],
  rows: readonly T[],
  render: RenderContext,
  isLive = false,
): FittedColumn<T>[] {
  return columns.map((column) => {
    const header = typeof column.header === 'string' ? column.header : column.header(render);
    const cells = rows.map((row) => cap(column.cell(row, render)));
    const usual = isLive ? (column.usualWidth ?? 0) : 0;
    const isFixed = usual > 0 && column.align === 'left' && render.width !== undefined;
    const measured = isFixed ? [] : cells;
    const width = measured.reduce((widest, cell) => Math.max(widest, measure(cell)), Math.max(measure(header), usual));
    const isMarked = column.mark !== undefined && rows.some((row) => column.mark?.isOn(row, render));
    return { column, header, cells, width, isMarked };
  });
}

/** Terminal columns that these take, with the gaps between them. */
export function total<T>(shown: readonly FittedColumn<T>[]): number {
  return shown.reduce((sum, { width }) => sum + width + GAP, -GAP);
}

/**
 * Fits columns into a width: as many as there is room for, the lowest priority numbers first, those of one number
 * together; then narrows the widest, text before figures. Without a width everything stays as it is.
 */
export function fitColumns<T>(all: readonly FittedColumn<T>[], width = Number.POSITIVE_INFINITY): FittedColumn<T>[] {
  const upTo = (priority: number) => all.filter(({ column }) => column.priority <= priority);
  const priorities = all.map(({ column }) => column.priority).sort((a, b) => b - a);
  const most = priorities.find((priority) => total(upTo(priority)) <= width) ?? 0;
  return narrowed(upTo(most), width);
}

/** The narrowest that text is made before figures are narrowed. */
const LEAST_TEXT = 4;

function narrowed<T>(columns: readonly FittedColumn<T>[], width: number): FittedColumn<T>[] {
  const shown = columns.map((one) => ({ ...one }));
  const byWidth = () => shown.toSorted((a, b) => b.width - a.width);
  while (total(shown) > width) {
    const text = byWidth().find((one) => one.column.align === 'left' && one.width > LEAST_TEXT);
    const widest = text ?? byWidth().find((one) => one.width > 1);
    if (widest === undefined) break;
    widest.width -= 1;
  }
  return shown;
}

/** What the marks of the columns that are shown mean. */
export function markNotes<T>(shown: readonly FittedColumn<T>[], { note }: Pick<RenderContext, 'note'>): string[] {
  return shown.flatMap(({ column, isMarked }) => (isMarked && column.mark ? note(column.mark.words) : []));
}

const LINES = Object.keys(new Table().options.chars);
const CHARS = { ...Object.fromEntries(LINES.map((line) => [line, ''])), middle: ' '.repeat(GAP) };

/** The lines of a table: a header, if any, and one a row. A longer cell is cut. */
export function renderTable<T>(
  columns: readonly FittedColumn<T>[],
  { styles }: Pick<RenderContext, 'styles'>,
  withHeader: boolean,
): string[] {
  const table = new Table({
    chars: CHARS,
    colWidths: columns.map(({ width }) => width),
    colAligns: columns.map(({ column }) => column.align),
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
  });
  // One row of tall cells: cli-table3 looks for each cell through all cells above it.
  const texts = columns.map(({ header, cells, width }) =>
    [...(withHeader ? [header] : []), ...cells].map((text) => shorten(text, width)).join('\n'),
  );
  table.push(texts);
  const drawn = texts.length === 0 ? [] : table.toString().split('\n');
  return drawn.map((line, i) => (withHeader && i === 0 ? styles.dim(line.trimEnd()) : line.trimEnd()));
}
