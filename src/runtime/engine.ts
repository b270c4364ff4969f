import { existsSync, realpathSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { versions } from 'node:process';
import { belongsToOther, effectiveUser, makeFolders } from './plain-file.ts';

/** Saves Node 20 a wait of 40 ms at exit, for V8's optimising of undici's WebAssembly. */
export function prepareForRequests(): void {
  if (versions.v8.startsWith('11.')) process.getBuiltinModule('node:v8').setFlagsFromString('--liftoff-only');
}

/** The system refuses memory, as under `ulimit -v`: V8 says so in words only. */
export function isOutOfMemory(error: unknown): boolean {
  return error instanceof RangeError && /out of memory|allocation failed/i.test(error.message);
}

/** A stack, string, array, map or object that V8 cannot make so large: it says so in words only. */
export function isTooLarge(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'ERR_STRING_TOO_LONG' || code === 'ERR_FS_FILE_TOO_LARGE') return true;
  const words = /call stack|invalid (string|array|typed array) length|maximum size exceeded|too many properties/i;
  return error instanceof RangeError && words.test(error.message);
}

/** Standard error is for the program's own lines, one of which may be JSON. */
export function muteNodeWarnings(): void {
  process.removeAllListeners('warning');
}

/** Saves 15 ms at each start. Node runs what it finds there: no folder that others can write to is used. */
export function useCompileCache(stateDirectory: string, version: string): void {
  // Node 20 has no such cache, and loading this module takes it 2 ms.
  if (Number.parseInt(versions.node, 10) < 22) return;
  const module = process.getBuiltinModule('node:module') as { enableCompileCache?: (directory: string) => unknown };
  try {
    const cache = join(stateDirectory, 'compile-cache');
    const folder = join(cache, version);
    if (!existsSync(folder)) {
      rmSync(cache, { recursive: true, force: true });
      makeFolders(folder);
    }
    // Node gets the real path: a link on the way may lead elsewhere later.
    const real = realpathSync(folder);
    const isClosed = effectiveUser() === undefined || (statSync(real).mode & 0o077) === 0;
    if (isOurs(real) && isClosed) module.enableCompileCache?.(real);
  } catch {}
}

/** Whether only this user and root can change what a path without links leads to. */
function isOurs(real: string): boolean {
  if (effectiveUser() === undefined) return true;
  const stats = statSync(real);
  if (belongsToOther(stats) || ((stats.mode & 0o022) !== 0 && (stats.mode & 0o1000) === 0)) return false;
  const above = dirname(real);
  return above === real || isOurs(above);
}
