/** Which columns a table shows, and how wide each is. */
import type { Column, RenderContext } from '../types.ts';
import { cap, measure } from './measure.ts';

/** Spaces between two columns. */
export const GAP = 2;

/** The columns that are shown, and how many terminal columns each takes. */
export interface FittedColumns<T> {
  readonly columns: readonly Column<T>[];
  readonly widths: readonly number[];
}

/** The cells of a row, none longer than anyone reads. */
export function cellsOf<T>(columns: readonly Column<T>[], row: T, render: RenderContext): string[] {
  return columns.map((column) => cap(column.cell(row, render)));
}

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
  rows: readonly (readonly string[])[],
  { width }: Pick<RenderContext, 'width'>,
  more = false,
): FittedColumns<T> {
  const all = columns.map((column, i) => ({
    column,
    width: Math.max(naturalWidth(column, i, rows), more ? (column.usualWidth ?? 0) : 0),
  }));
  const shown = width === undefined ? all : chosen(all, width);
  if (width !== undefined) {
    for (const floor of [LEAST, 1]) {
      for (const align of ['left', 'right'] as const) narrow(shown, align, width, floor);
    }
  }
  return { columns: shown.map((entry) => entry.column), widths: shown.map((entry) => entry.width) };
}

function naturalWidth<T>({ header, wraps }: Column<T>, i: number, rows: readonly (readonly string[])[]): number {
  let widest = measure(header);
  for (const row of rows) {
    const cell = row[i] ?? '';
    for (const line of wraps === true ? cell.split('\n') : [cell]) widest = Math.max(widest, measure(line));
  }
  return widest;
}

interface Measured<T> {
  readonly column: Column<T>;
  width: number;
}

/** Terminal columns that columns of these widths take, with the gaps between them. */
function totalWidth(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0) + GAP * Math.max(0, widths.length - 1);
}

const total = <T>(shown: readonly Measured<T>[]) => totalWidth(shown.map(({ width }) => width));

/** The columns of priority 0, then by importance every further one that still fits. */
function chosen<T>(all: readonly Measured<T>[], width: number): Measured<T>[] {
  const byImportance = [...all].sort((a, b) => a.column.priority - b.column.priority);
  const taken = new Set<Measured<T>>();
  for (const entry of byImportance) {
    if (entry.column.priority === 0 || total([...taken, entry]) <= width) taken.add(entry);
  }
  return all.filter((entry) => taken.has(entry));
}

function narrow<T>(shown: readonly Measured<T>[], align: 'left' | 'right', width: number, floor: number): void {
  const candidates = shown.filter(({ column }) => column.align === align);
  while (total(shown) > width) {
    const widest = candidates.reduce<Measured<T> | undefined>(
      (best, entry) => (best === undefined || entry.width > best.width ? entry : best),
      undefined,
    );
    if (widest === undefined || widest.width <= floor) return;
    widest.width -= 1;
  }
}
