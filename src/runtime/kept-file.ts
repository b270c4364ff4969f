import { dirname, join } from 'node:path';
import { readStateFile } from './plain-file.ts';

/** Bytes. */
const LARGEST = 64 * 1024 * 1024;

/** What a command keeps in the state directory for a later one. */
export interface KeptFile<T> {
  /** @throws ScreenerError storage */
  write(value: T): Promise<void>;
  /** @returns undefined where there is none, or an unreadable one */
  read(): T | undefined;
  /** @returns whether it could be saved */
  tryToWrite(value: T): Promise<boolean>;
}

/** @param name below the state directory @param parse of what `JSON.parse` gave; may throw */
export function keptFile<T>(
  stateDirectory: string,
  name: string,
  parse: (value: unknown) => T,
): KeptFile<T> {
  const path = join(stateDirectory, name);
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
    read() {
      try {
        const text = readStateFile(stateDirectory, path, LARGEST)?.toString();
        return text === undefined ? undefined : parse(JSON.parse(text));
      } catch {
        return undefined;
      }
    },
    async tryToWrite(value) {
      try {
        await write(value);
        return true;
      } catch {
        return false;
      }
    },
  };
}
