/** Which columns a table shows, and how wide each is. */
import type { Column, RenderContext } from '../types.ts';
import { cap, measure } from './measure.ts';

export const GAP = 2;

export interface Layout<T> {
  readonly columns: readonly Column<T>[];
  readonly widths: readonly number[];
}

/** The cells of a row, none longer than anyone reads. */
export function cellsOf<T>(columns: readonly Column<T>[], row: T, look: RenderContext): string[] {
  return columns.map((column) => cap(column.cell(row, look)));
}

/** The narrowest a cell is made before whole columns stop fitting. */
const LEAST = 4;

/**
 * Fits columns into `look.width`: as many as there is room for, the lowest priority numbers first (among equals the
 * leftmost), always those of priority 0; then narrows the widest, text before figures. Without a width everything stays
 * as it is.
 */
export function layout<T>(columns: readonly Column<T>[], cells: readonly string[][], look: RenderContext): Layout<T> {
  const natural = columns.map((column, i) =>
    cells.reduce((widest, row) => Math.max(widest, measureLines(row[i] ?? '', column)), measure(column.header)),
  );
  const all = columns.map((column, i) => ({ column, width: natural[i] ?? 0 }));
  if (look.width === undefined) return result(all);
  const shown = chosen(all, look.width);
  for (const floor of [LEAST, 1]) {
    for (const align of ['left', 'right'] as const) narrow(shown, align, look.width, floor);
  }
  return result(shown);
}

function measureLines<T>(cell: string, { wraps }: Column<T>): number {
  return wraps === true ? Math.max(...cell.split('\n').map(measure)) : measure(cell);
}

interface Measured<T> {
  readonly column: Column<T>;
  width: number;
}

function total<T>(shown: readonly Measured<T>[]): number {
  return shown.reduce((sum, { width }) => sum + width, 0) + GAP * Math.max(0, shown.length - 1);
}

/** The columns of priority 0, then by importance every further one that still fits. */
function chosen<T>(all: readonly Measured<T>[], width: number): Measured<T>[] {
  const byImportance = [...all].sort((a, b) => a.column.priority - b.column.priority);
  const taken = new Set<Measured<T>>();
  for (const entry of byImportance) {
    if (entry.column.priority === 0 || total([...taken, entry]) <= width) taken.add(entry);
  }
  return all.filter((entry) => taken.has(entry));
}

function narrow<T>(shown: Measured<T>[], align: 'left' | 'right', width: number, floor: number): void {
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

function result<T>(shown: readonly Measured<T>[]): Layout<T> {
  return { columns: shown.map(({ column }) => column), widths: shown.map(({ width }) => width) };
}
