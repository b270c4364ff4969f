/** Which columns a table shows, and how wide each is. */
import type { Column, RenderContext } from '../types.ts';
import { cap, measure } from './measure.ts';

/** Spaces between two columns. */
export const GAP = 2;

/** A column that is shown: its cells, none longer than anyone reads, and how many terminal columns it takes. */
export interface FittedColumn<T> {
  readonly column: Column<T>;
  readonly header: string;
  readonly cells: readonly string[];
  readonly width: number;
}

type Fitting<T> = FittedColumn<T> & { width: number };

/** The narrowest a cell is made before whole columns stop fitting. */
const LEAST = 4;

/** Columns as wide as their cells. @param more whether rows are still to come, which may be as wide as usual */
export function measureColumns<T>(
  columns: readonly Column<T>[],
  rows: readonly T[],
  render: RenderContext,
  more = false,
): FittedColumn<T>[] {
  return columns.map((column) => {
    const cells = cellsOf(column, rows, render);
    const header = typeof column.header === 'string' ? column.header : column.header(render);
    return {
      column,
      header,
      cells,
      width: Math.max(measure(header), widest(cells), more ? (column.usualWidth ?? 0) : 0),
    };
  });
}

/**
 * Fits columns into a width: as many as there is room for, the lowest priority numbers first (among equals the leftmost),
 * always those of priority 0; then narrows the widest, text before figures. Without a width everything stays as it is.
 */
export function fitColumns<T>(all: readonly FittedColumn<T>[], width: number | undefined): readonly FittedColumn<T>[] {
  if (width === undefined) return all;
  const shown = chosen(all, width).map((one) => ({ ...one }));
  for (const floor of [LEAST, 1]) {
    for (const align of ['left', 'right'] as const) narrow(shown, align, width, floor);
  }
  return shown;
}

/** Further rows below the same columns. In a pipe, where nothing is cut, a column grows with them. */
export function refill<T>(
  shown: readonly FittedColumn<T>[],
  rows: readonly T[],
  render: RenderContext,
): FittedColumn<T>[] {
  return shown.map((fitted) => {
    const cells = cellsOf(fitted.column, rows, render);
    return {
      ...fitted,
      cells,
      width: render.width === undefined ? Math.max(fitted.width, widest(cells)) : fitted.width,
    };
  });
}

function cellsOf<T>({ cell }: Column<T>, rows: readonly T[], render: RenderContext): string[] {
  return rows.map((row) => cap(cell(row, render, rows)));
}

function widest(cells: readonly string[]): number {
  return cells.reduce((width, cell) => Math.max(width, measure(cell)), 0);
}

/** Terminal columns that these take, with the gaps between them. */
export function total<T>(shown: readonly FittedColumn<T>[]): number {
  return shown.reduce((sum, { width }) => sum + width + GAP, -GAP);
}

/** The columns of priority 0, then by importance as many as fit. */
function chosen<T>(all: readonly FittedColumn<T>[], width: number): FittedColumn<T>[] {
  const byImportance = [...all].sort((a, b) => a.column.priority - b.column.priority);
  const taken: FittedColumn<T>[] = [];
  for (const entry of byImportance) {
    if (entry.column.priority > 0 && total([...taken, entry]) > width) break;
    taken.push(entry);
  }
  return all.filter((entry) => taken.includes(entry));
}

function narrow<T>(shown: readonly Fitting<T>[], align: 'left' | 'right', width: number, floor: number): void {
  const candidates = shown.filter(({ column }) => column.align === align);
  while (total(shown) > width) {
    const widest = candidates.reduce<Fitting<T> | undefined>(
      (best, entry) => (best === undefined || entry.width > best.width ? entry : best),
      undefined,
    );
    if (widest === undefined || widest.width <= floor) return;
    widest.width -= 1;
  }
}
