import * as fs from 'node:fs';
import * as nodeModule from 'node:module';
import { dirname } from 'node:path';

/** `enableCompileCache` exists since Node 22.8. */
interface NodeModule {
  readonly enableCompileCache?: (folder: string) => unknown;
}

const { enableCompileCache } = nodeModule as NodeModule;

/** The bits of a file's mode that let others write. */
const WRITE_RIGHTS_OF_OTHERS = 0o022;
/** The bits of a file's mode that give others any right. */
const ANY_RIGHT_OF_OTHERS = 0o077;

/**
 * Node keeps compiled code from one run to the next: that saves some 8 ms of CPU for a page of cards, 2 ms for help.
 * If other users could change that code, they could make this user run theirs. The code is therefore kept only in a folder of the
 * user's own that nobody else can open, within another one that nobody else can change. No fault here ends a command.
 */
export function keepCompiled(folder: string): void {
  try {
    const cache = fs.realpathSync(folder);
    const isSafe =
      isOwnFolder(cache, { forbidden: ANY_RIGHT_OF_OTHERS }) &&
      isOwnFolder(dirname(cache), { forbidden: WRITE_RIGHTS_OF_OTHERS });
    if (isSafe) enableCompileCache?.(cache);
  } catch {
    // Without the cache this run takes some milliseconds more.
  }
}

/** Makes the folder for later runs, if the folder above it is the user's own and nobody else can change it. */
export function makeCacheFolder(folder: string): void {
  if (enableCompileCache === undefined) return;
  try {
    if (isOwnFolder(dirname(folder), { forbidden: WRITE_RIGHTS_OF_OTHERS }))
      fs.mkdirSync(folder, { mode: 0o700 });
  } catch {
    // It exists already, or later runs go without it.
  }
}

/**
 * Whether a folder belongs to the user, and others have none of the forbidden rights to it. Windows has no such owners and
 * rights: there it is true.
 * @param forbidden bits of a mode: the rights that others must not have
 */
function isOwnFolder(folder: string, { forbidden }: { readonly forbidden: number }): boolean {
  const { uid, mode } = fs.statSync(folder);
  const user = process.geteuid?.();
  return user === undefined || (uid === user && (mode & forbidden) === 0);
}
