import { dirname, join } from 'node:path';
import { type GenericSchema, type InferOutput, safeParse } from 'valibot';
import { makeDirectory, replaceFile } from '../runtime/files.ts';
import { readPlainFile } from '../runtime/plain-file.ts';

/** Bytes: far more than a command ever keeps. */
const MOST_BYTES = 64 << 20;

/** What a command keeps in the state directory for a later one. It is a convenience: nothing fails by it. */
export function keptFile<S extends GenericSchema>(stateDirectory: string, name: string, schema: S) {
  const path = join(stateDirectory, name);
  return {
    /** @returns undefined where there is none, or an unreadable one */
    read(): InferOutput<S> | undefined {
      try {
        const checked = safeParse(schema, JSON.parse(readPlainFile(path, MOST_BYTES) ?? ''));
        return checked.success ? checked.output : undefined;
      } catch {
        return undefined;
      }
    },
    /**
     * @param synced false for what may be lost with the power
     * @returns whether it could be saved
     */
    async write(value: InferOutput<S>, synced = true): Promise<boolean> {
      try {
        await makeDirectory(dirname(path));
        await replaceFile(path, JSON.stringify(value), synced);
        return true;
      } catch {
        return false;
      }
    },
  };
}
