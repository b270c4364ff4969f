import type { Column } from './types.ts';

type Rest = Pick<Column<never>, 'usualWidth' | 'wraps'>;

/** A column of words, from the left. See `Column` for its parts. */
export function textColumn<T>(header: string, priority: number, cell: Column<T>['cell'], rest: Rest = {}): Column<T> {
  return { header, align: 'left', priority, cell, ...rest };
}

/** A column of figures, to the right. */
export function figureColumn<T>(header: string, priority: number, cell: Column<T>['cell'], rest: Rest = {}): Column<T> {
  return { header, align: 'right', priority, cell, ...rest };
}
