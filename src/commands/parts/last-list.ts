import * as v from 'valibot';
import { usageError } from '../../errors.ts';
import { keptFile } from '../../runtime/kept-file.ts';

/** Where the last list of an account stopped: filters, and the cursor that goes with them; null after a list that has come to its end. */
const Saved = v.nullable(
  v.object({
    /** Epoch milliseconds UTC. */
    since: v.optional(v.number()),
    until: v.optional(v.number()),
    symbol: v.optional(v.string()),
    type: v.optional(v.string()),
    /** Absent if the walk goes on from `until`. */
    cursor: v.optional(v.string()),
  }),
);

export function lastList(stateDirectory: string, account: string) {
  return keptFile(stateDirectory, `lists/${account}.json`, v.parser(Saved));
}

/** @throws ScreenerError usage if there is nothing to go on with */
export function readLastList(stateDirectory: string, account: string) {
  const saved = lastList(stateDirectory, account).read();
  if (saved) return saved;
  throw usageError(
    saved === null ? 'The last list is complete: there is no next page.' : 'This account has no earlier list.',
    'Start one on a terminal with `screener signals ls`; a script continues with --cursor.',
  );
}
