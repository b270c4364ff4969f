import { dirname, join } from 'node:path';
import { readStateFile } from './plain-file.ts';

/** What a command keeps in the state directory for a later one. @param parse of what `JSON.parse` gave; may throw */
export function keptFile<T>(stateDirectory: string, name: string, parse: (value: unknown) => T) {
  const path = join(stateDirectory, name);
  /** @throws ScreenerError storage */
  async function write(value: T): Promise<void> {
    // They load here: a TAB writes nothing.
    const [{ makeDirectory, replaceFile, storing }, { jsonText }] = await Promise.all([
      import('./files.ts'),
      import('./json-text.ts'),
    ]);
    await makeDirectory(dirname(path));
    await storing(`write ${path}`, () => replaceFile(path, jsonText(value)));
  }
  return {
    write,
    /** @returns undefined where there is none, or an unreadable one */
    read(): T | undefined {
      try {
        return parse(JSON.parse(String(readStateFile(stateDirectory, path, 64 << 20) ?? '')));
      } catch {
        return undefined;
      }
    },
    /** @returns whether it could be saved */
    tryToWrite: (value: T): Promise<boolean> =>
      write(value).then(
        () => true,
        () => false,
      ),
  };
}
