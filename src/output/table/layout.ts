/** Which columns a table shows, and how wide each is. */
import type { Column, Look } from '../types.ts';
import { measure } from './measure.ts';

export const GAP = 2;

export interface Layout<T> {
  readonly columns: readonly Column<T>[];
  readonly widths: readonly number[];
}

/** The narrowest a cell is made before whole columns stop fitting. */
const LEAST = 4;

/**
 * Fits columns into `look.width`: drops those of the highest priority number first (among equals the rightmost), never
 * those of priority 0; then narrows the widest, text before figures. Without a width everything stays as it is.
 */
export function layout<T>(columns: readonly Column<T>[], cells: readonly string[][], look: Look): Layout<T> {
  const natural = columns.map((column, i) =>
    Math.max(measure(column.header), ...cells.map((row) => measure(row[i] ?? ''))),
  );
  const shown = columns.map((column, i) => ({ column, width: natural[i] ?? 0 }));
  if (look.width === undefined) return result(shown);
  const total = () => shown.reduce((sum, { width }) => sum + width, 0) + GAP * Math.max(0, shown.length - 1);
  while (total() > look.width) {
    const least = shown.reduce((worst, entry, i) => {
      const current = shown[worst]?.column.priority ?? 0;
      return entry.column.priority >= current ? i : worst;
    }, 0);
    if ((shown[least]?.column.priority ?? 0) === 0) break;
    shown.splice(least, 1);
  }
  for (const floor of [LEAST, 1]) {
    for (const align of ['left', 'right'] as const) narrow(shown, align, total, look.width, floor);
  }
  return result(shown);
}

function narrow<T>(
  shown: { column: Column<T>; width: number }[],
  align: 'left' | 'right',
  total: () => number,
  width: number,
  floor: number,
): void {
  const candidates = shown.filter(({ column }) => column.align === align);
  while (total() > width) {
    const widest = candidates.reduce<(typeof shown)[number] | undefined>(
      (best, entry) => (best === undefined || entry.width > best.width ? entry : best),
      undefined,
    );
    if (widest === undefined || widest.width <= floor) return;
    widest.width -= 1;
  }
}

function result<T>(shown: readonly { column: Column<T>; width: number }[]): Layout<T> {
  return { columns: shown.map(({ column }) => column), widths: shown.map(({ width }) => width) };
}
