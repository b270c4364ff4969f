import { dirname, join } from 'node:path';
import { readStateFile } from './plain-file.ts';

/** Bytes. A larger file is not read: the program's own files are far smaller. */
const LARGEST = 64 * 1024 * 1024;

/** A file in the state directory. It holds one JSON value that a command keeps for later commands. */
export interface KeptFile<T> {
  /** @throws ScreenerError storage */
  write(value: T): Promise<void>;
  /** @returns undefined if there is no file, or if it cannot be read */
  read(): T | undefined;
  /** @returns whether the value could be saved */
  tryToWrite(value: T): Promise<boolean>;
}

/**
 * Describes such a file. Nothing is read or written until a method is called.
 * @param relativePath where the file lies below the state directory: `watch/hits.json`
 * @param readValue turns the parsed JSON into the value. It may throw: then the file counts as unreadable.
 */
export function keptFile<T>(
  stateDirectory: string,
  relativePath: string,
  readValue: (json: unknown) => T,
): KeptFile<T> {
  const path = join(stateDirectory, relativePath);
  async function write(value: T): Promise<void> {
    // Loaded only for a write, so that completion, which reads at each TAB, starts fast.
    const [{ makeDirectory, replaceFile }, { jsonText }] = await Promise.all([
      import('./files.ts'),
      import('./json-text.ts'),
    ]);
    await makeDirectory(dirname(path));
    await replaceFile(path, jsonText(value));
  }
  return {
    write,
    read() {
      try {
        const text = readStateFile(stateDirectory, path, LARGEST)?.toString();
        // No kept value has an integer that `JSON.parse` would round.
        return text === undefined ? undefined : readValue(JSON.parse(text));
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
