import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { usageError } from '../../errors.ts';
import { makeDirectory, replaceFile } from '../../runtime/files.ts';
import { readStateFile } from '../../runtime/plain-file.ts';

/** What a command keeps in the state directory for a later one. It is a convenience: nothing fails by it. */
export function keptFile<S extends v.GenericSchema>(stateDirectory: string, name: string, schema: S) {
  const path = join(stateDirectory, name);
  return {
    /** @returns undefined where there is none, or an unreadable one */
    read(): v.InferOutput<S> | undefined {
      try {
        return v.parse(schema, JSON.parse(readStateFile(stateDirectory, path, 64 << 20) ?? ''));
      } catch {
        return undefined;
      }
    },
    /** @returns whether it could be saved */
    async write(value: v.InferOutput<S>): Promise<boolean> {
      try {
        await makeDirectory(dirname(path));
        await replaceFile(path, JSON.stringify(value));
        return true;
      } catch {
        return false;
      }
    },
  };
}

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

/** For `signals ls --next`. */
export function lastList(stateDirectory: string, account: string) {
  return keptFile(stateDirectory, `lists/${account}.json`, Saved);
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
