import { existsSync, mkdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import * as module from 'node:module';
import { dirname, join } from 'node:path';
import { belongsToOther, effectiveUser } from './file-owner.ts';

const FOLDER = 'compile-cache';

/** Not yet in the types of Node 20. */
const { enableCompileCache } = module as { enableCompileCache?: (directory: string) => unknown };

/**
 * Lets Node 22.8 and newer keep the program's compiled code in the state folder, which saves some 15 ms at every start.
 * Node runs what it finds there. So where another user could write to that folder, there is no cache.
 * @param version of the program: the code of another version is removed
 */
export function useCompileCache(stateDirectory: string, version: string): void {
  if (enableCompileCache === undefined) return;
  try {
    mkdirSync(stateDirectory, { recursive: true, mode: 0o700 });
    const state = realpathSync(stateDirectory);
    // First of all: in a folder of another user, a removal could be led astray by links.
    if (!isOurs(state)) return;
    const cache = join(state, FOLDER);
    const folder = join(cache, version);
    if (!existsSync(folder)) {
      rmSync(cache, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    }
    // The folder itself, not what leads to it: a link on the way may lead elsewhere by the time Node writes there.
    const real = realpathSync(folder);
    if (isOurs(real) && isClosed(real)) enableCompileCache(real);
  } catch {
    // A state folder that cannot be used costs the user these milliseconds, no more.
  }
}

/**
 * Whether only this user, and root, can change what a path without links leads to: each folder on it belongs to one of them, and is
 * closed to others or protects its entries from them (the sticky bit, as of /tmp).
 */
function isOurs(real: string): boolean {
  // Windows: the user's own folders are closed to others by their access lists.
  if (effectiveUser() === undefined) return true;
  let at = real;
  for (;;) {
    const stats = statSync(at);
    if (belongsToOther(stats) || ((stats.mode & 0o022) !== 0 && (stats.mode & 0o1000) === 0)) return false;
    const above = dirname(at);
    if (above === at) return true;
    at = above;
  }
}

function isClosed(folder: string): boolean {
  return effectiveUser() === undefined || (statSync(folder).mode & 0o077) === 0;
}
