import { existsSync, mkdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import * as module from 'node:module';
import { dirname, join } from 'node:path';
import { belongsToOther, effectiveUser } from './file-owner.ts';

const FOLDER = 'compile-cache';

/** Node 20's types lack it. */
const { enableCompileCache } = module as { enableCompileCache?: (directory: string) => unknown };

/**
 * Lets Node 22.8 and newer keep compiled code in the state folder, which saves some 15 ms at every start. Node runs what
 * it finds there, so a folder that another user could write to gets no cache.
 * @param version of the program: code of another version is removed
 */
export function useCompileCache(stateDirectory: string, version: string): void {
  if (enableCompileCache === undefined) return;
  try {
    mkdirSync(stateDirectory, { recursive: true, mode: 0o700 });
    const state = realpathSync(stateDirectory);
    // Ownership comes first: links of another user could lead the removal astray.
    if (!isOurs(state)) return;
    const cache = join(state, FOLDER);
    const folder = join(cache, version);
    if (!existsSync(folder)) {
      rmSync(cache, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    }
    // Node gets the real path: a link on the way may lead elsewhere later.
    const real = realpathSync(folder);
    if (isOurs(real) && isClosed(real)) enableCompileCache(real);
  } catch {
    // Without a cache the user only waits those milliseconds.
  }
}

/** Whether only this user and root can change what a path without links leads to. */
function isOurs(real: string): boolean {
  // Windows closes the user's own folders by access lists.
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
