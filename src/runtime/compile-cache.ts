import * as fs from 'node:fs';
import * as nodeModule from 'node:module';
import { dirname } from 'node:path';

/** Node has it since 22.8. */
interface NodeModule {
  readonly enableCompileCache?: (folder: string) => unknown;
}

const { enableCompileCache } = nodeModule as NodeModule;

/**
 * Node keeps compiled code from one run to the next: that saves some 8 ms of CPU for a page of cards, 2 ms for help.
 * Whoever can write that code can have it run, so it lies in a folder of the user's own that nobody else can open; if
 * there is none, nothing is kept. No fault here ends a command.
 */
export function keepCompiled(folder: string): void {
  try {
    const cache = fs.realpathSync(folder);
    if (isClosed(cache, OTHERS_OPEN) && isClosed(dirname(cache), OTHERS_WRITE))
      enableCompileCache?.(cache);
  } catch {}
}

/** Makes the folder for later runs where the one above is the user's own. Help does without: it makes no folder. */
export function makeCacheFolder(folder: string): void {
  try {
    if (enableCompileCache !== undefined && isClosed(dirname(folder), OTHERS_WRITE))
      fs.mkdirSync(folder, { mode: 0o700 });
  } catch {}
}

const OTHERS_WRITE = 0o022;
const OTHERS_OPEN = 0o077;

/** Whether a folder is the user's own, and its mode gives others none of those rights. Windows has no modes. */
function isClosed(folder: string, rights: number): boolean {
  const { uid, mode } = fs.statSync(folder);
  const user = process.geteuid?.();
  return user === undefined || (uid === user && (mode & rights) === 0);
}
