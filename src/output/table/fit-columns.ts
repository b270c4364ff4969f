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

/**
 * Fits columns into `render.width`: as many as there is room for, the lowest priority numbers first (among equals the
 * leftmost), always those of priority 0; then narrows the widest, text before figures. Without a width everything stays
 * as it is.
 * @param more whether rows are still to come, which may be as wide as usual
 */
export function fitColumns<T>(
  columns: readonly Column<T>[],
  rows: readonly T[],
  render: RenderContext,
  more = false,
): FittedColumn<T>[] {
  const all = columns.map((column): Fitting<T> => {
    const cells = cellsOf(column, rows, render);
    const header = typeof column.header === 'string' ? column.header : column.header(render);
    const needed = Math.max(measure(header), widest(column, cells));
    return { column, header, cells, width: Math.max(needed, more ? (column.usualWidth ?? 0) : 0) };
  });
  const { width } = render;
  if (width === undefined) return all;
  const shown = chosen(all, width);
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
  return shown.map(({ column, header, width }) => {
    const cells = cellsOf(column, rows, render);
    return {
      column,
      header,
      cells,
      width: render.width === undefined ? Math.max(width, widest(column, cells)) : width,
    };
  });
}

function cellsOf<T>({ cell }: Column<T>, rows: readonly T[], render: RenderContext): string[] {
  return rows.map((row) => cap(cell(row, render)));
}

function widest<T>({ wraps }: Column<T>, cells: readonly string[]): number {
  let width = 0;
  for (const cell of cells) {
    for (const line of wraps === true ? cell.split('\n') : [cell]) width = Math.max(width, measure(line));
  }
  return width;
}

/** Terminal columns that these take, with the gaps between them. */
function total<T>(shown: readonly Fitting<T>[]): number {
  return shown.reduce((sum, { width }) => sum + width, 0) + GAP * Math.max(0, shown.length - 1);
}

/** A column that wraps is not dropped where it can be as wide as this. */
const READABLE = 24;

/** The columns of priority 0, then by importance every further one that still fits. */
function chosen<T>(all: readonly Fitting<T>[], width: number): Fitting<T>[] {
  const byImportance = [...all].sort((a, b) => a.column.priority - b.column.priority);
  const taken = new Set<Fitting<T>>();
  let left = width + GAP;
  for (const entry of byImportance) {
    const needed = GAP + (entry.column.wraps === true ? Math.min(entry.width, READABLE) : entry.width);
    if (entry.column.priority > 0 && needed > left) continue;
    taken.add(entry);
    left -= needed;
  }
  return all.filter((entry) => taken.has(entry));
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
