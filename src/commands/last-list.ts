/**
 * Where the last list of an account stopped, kept in the state directory for `signals ls --next`.
 */
import * as v from 'valibot';
import { usageError } from '../errors.ts';
import type { Filters } from './card-options.ts';
import { keptFile } from './kept-file.ts';

const Saved = v.object({
  /** Epoch milliseconds UTC. */
  since: v.optional(v.number()),
  until: v.optional(v.number()),
  symbol: v.optional(v.string()),
  type: v.optional(v.string()),
  /** Absent where the walk goes on from `until`. */
  cursor: v.optional(v.string()),
  /** Absent where the list has come to its end. */
  open: v.boolean(),
});

/** A place in the list of cards: filters, and the cursor that goes with them. */
export interface ListPlace extends Filters {
  readonly cursor: string | undefined;
}

/**
 * @param account `Account.id`
 * @throws ScreenerError usage where there is nothing to go on with
 */
export function readLastList(stateDirectory: string, account: string): ListPlace {
  const saved = fileOf(stateDirectory, account).read();
  const hint = 'Begin one on a terminal with `screener signals ls`; a script goes on with --cursor.';
  if (saved === undefined) throw usageError('This account has no earlier list.', hint);
  if (!saved.open) throw usageError('The last list is complete: there is no next page.', hint);
  const { since, until, symbol, type, cursor } = saved;
  return { since, until, symbol, type, cursor };
}

/**
 * @param place undefined where the list has come to its end
 * @returns whether it could be saved
 */
export function keepLastList(stateDirectory: string, account: string, place: ListPlace | undefined): Promise<boolean> {
  return fileOf(stateDirectory, account).write({ ...place, open: place !== undefined }, false);
}

function fileOf(stateDirectory: string, account: string) {
  return keptFile(stateDirectory, `lists/${account}.json`, Saved);
}
