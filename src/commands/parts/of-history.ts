import type { Filter, History } from '../../history/store/history.ts';
import type { Condition } from './where.ts';

export type RowFilter = Omit<Filter, 'where'> & { readonly where?: readonly Condition[] | undefined };

export interface OfHistory extends RowFilter {
  readonly history: History;
  /** How it was named; undefined for the default one. */
  readonly from?: string | undefined;
}
