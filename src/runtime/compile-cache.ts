import * as fs from 'node:fs';
import * as nodeModule from 'node:module';
import { dirname } from 'node:path';

/** `enableCompileCache` exists since Node 22.8. */
interface NodeModule {
  readonly enableCompileCache?: (folder: string) => unknown;
}

const { enableCompileCache } = nodeModule as NodeModule;

/** Bits of a mode: the rights of others to write, and any right of others. */
const WRITE_RIGHTS_OF_OTHERS = 0o022;
const ALL_RIGHTS_OF_OTHERS = 0o077;

/**
 * Node keeps compiled code from one run to the next: that saves some 8 ms of CPU for a page of cards, 2 ms for help.
 * Whoever can change that code can make the user run it. It is therefore kept only in a folder of the user's own that
 * nobody else can open. No fault here ends a command.
 */
export function keepCompiled(folder: string): void {
  try {
    const cache = fs.realpathSync(folder);
    const isPrivate = isOwnWithout(ALL_RIGHTS_OF_OTHERS, cache);
    if (isPrivate && isOwnWithout(WRITE_RIGHTS_OF_OTHERS, dirname(cache)))
      enableCompileCache?.(cache);
  } catch {}
}

/** Makes the folder for later runs, if the folder above it is the user's own. Help does not call this, because help leaves no files. */
export function makeCacheFolder(folder: string): void {
  try {
    if (enableCompileCache !== undefined && isOwnWithout(WRITE_RIGHTS_OF_OTHERS, dirname(folder)))
      fs.mkdirSync(folder, { mode: 0o700 });
  } catch {}
}

/** Whether a folder belongs to the user, and others have none of these rights. Windows has no modes. */
function isOwnWithout(rightsOfOthers: number, folder: string): boolean {
  const { uid, mode } = fs.statSync(folder);
  const user = process.geteuid?.();
  return user === undefined || (uid === user && (mode & rightsOfOthers) === 0);
}
