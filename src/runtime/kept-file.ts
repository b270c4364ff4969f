import { dirname, join } from 'node:path';
import { readStateFile } from './plain-file.ts';

/**
 * What a command keeps in the state directory for a later one. It is a convenience: nothing fails by it.
 * @param parse of what `JSON.parse` gave; may throw
 */
export function keptFile<T>(stateDirectory: string, name: string, parse: (value: unknown) => T) {
  const path = join(stateDirectory, name);
  return {
    /** @returns undefined where there is none, or an unreadable one */
    read(): T | undefined {
      try {
        return parse(JSON.parse(readStateFile(stateDirectory, path, 64 << 20) ?? ''));
      } catch {
        return undefined;
      }
    },
    /** @returns whether it could be saved */
    async write(value: T): Promise<boolean> {
      // Files load here: a TAB writes nothing.
      const { makeDirectory, replaceFile } = await import('./files.ts');
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
