import type { Filters } from './flags/filters.ts';

/** What `signals ls` was asked for, checked. */
export interface ListOptions extends Filters {
  readonly cursor: string | undefined;
  /** Go on where the last list of this account stopped, with its filters. */
  readonly next: boolean;
  /** Cards in all; Infinity for --all. */
  readonly cards: number;
  readonly outcomes: boolean;
}
