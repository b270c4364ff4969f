import { dirname, join } from 'node:path';
import { type GenericSchema, type InferOutput, parse } from 'valibot';
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
        return parse(schema, JSON.parse(readPlainFile(path, MOST_BYTES) ?? ''));
      } catch {
        return undefined;
      }
    },
    /** @returns whether it could be saved */
    async write(value: InferOutput<S>): Promise<boolean> {
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
