import * as fs from 'node:fs';
import * as nodeModule from 'node:module';
import { dirname } from 'node:path';

/** The function exists since Node 22.8. */
interface NodeModule {
  readonly enableCompileCache?: (folder: string) => unknown;
}

const { enableCompileCache } = nodeModule as NodeModule;

/**
 * Node keeps compiled code from one run to the next: that saves some 8 ms of CPU for a page of cards, 2 ms for help.
 * Whoever can change that code can make the user run it. It is therefore kept only in a folder of the user's own that
 * nobody else can open. No fault here ends a command.
 */
export function keepCompiled(folder: string): void {
  try {
    const cache = fs.realpathSync(folder);
    if (isOwn(cache, OTHERS_OPEN) && isOwn(dirname(cache), OTHERS_WRITE))
      enableCompileCache?.(cache);
  } catch {}
}

/** Makes the folder for later runs, if the folder above it is the user's own. Help does not call it: it leaves no files. */
export function makeCacheFolder(folder: string): void {
  try {
    if (enableCompileCache !== undefined && isOwn(dirname(folder), OTHERS_WRITE))
      fs.mkdirSync(folder, { mode: 0o700 });
  } catch {}
}

/** Bits of a mode: whether others may write, and whether they may do anything. */
const OTHERS_WRITE = 0o022;
const OTHERS_OPEN = 0o077;

/** Whether a folder belongs to the user, and others have none of these rights. Windows has no modes. */
function isOwn(folder: string, rightsOfOthers: number): boolean {
  const { uid, mode } = fs.statSync(folder);
  const user = process.geteuid?.();
  return user === undefined || (uid === user && (mode & rightsOfOthers) === 0);
}
