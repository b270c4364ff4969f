/**
 * Functions stay compiled from one run of a command to the next, which saves 30 ms at each start: Node's own cache is
 * written before anything has run, so that it lacks all that V8 compiles when it is called.
 */
import { existsSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { arch, pid, versions } from 'node:process';
import { Script } from 'node:vm';
import { belongsToOther, effectiveUser, makeFolders } from './plain-file.ts';

/** @param argv functions are kept for each command */
export function keepCompiled(stateDirectory: string, version: string, argv: readonly string[]): void {
  // Node 20 takes another flag of V8 for requests, and V8 nothing compiled under others.
  if (Number.parseInt(versions.node, 10) < 22) return;
  try {
    const folder = privateFolder(join(stateDirectory, 'compile-cache'), version);
    if (folder !== undefined) compileWith(join(folder, `${versions.node}-${arch}`, commandOf(argv)));
  } catch {}
}

function commandOf([first = '', second = '']: readonly string[]): string {
  const word = first === 'signals' ? second : first;
  return /^[a-z]{2,12}$/.test(word) ? word : 'other';
}

/** @returns undefined if others can write to it: V8 runs what it finds there */
function privateFolder(cache: string, version: string): string | undefined {
  const folder = join(cache, version);
  if (!existsSync(folder)) {
    rmSync(cache, { recursive: true, force: true });
    makeFolders(folder);
  }
  // A link on the way may lead elsewhere later.
  const real = realpathSync(folder);
  const isClosed = effectiveUser() === undefined || (statSync(real).mode & 0o077) === 0;
  return isOurs(real) && isClosed ? real : undefined;
}

/** The bundle's files have their content's hash in their names: V8 itself compares nothing but lengths. */
function compileWith(folder: string): void {
  const unsaved = new Map<string, Script>();
  const { _extensions: loaders, wrap } = process.getBuiltinModule('node:module') as unknown as {
    _extensions: Record<string, (loaded: NodeJS.Module, file: string) => void>;
    wrap: (source: string) => string;
  };
  loaders['.cjs'] = (loaded, filename) => {
    const kept = join(folder, basename(filename));
    const cachedData = existsSync(kept) ? readFileSync(kept) : undefined;
    const script = new Script(wrap(readFileSync(filename, 'utf8')), { filename, cachedData });
    if (script.cachedDataRejected !== false) unsaved.set(kept, script);
    const { exports, require } = loaded;
    script.runInThisContext().call(exports, exports, require.bind(loaded), loaded, filename, dirname(filename));
  };
  process.on('exit', (code) => {
    if (code === 0) for (const [path, script] of unsaved) save(path, script.createCachedData());
  });
}

/** Other processes see all of it or nothing. */
function save(path: string, compiled: Buffer): void {
  const unfinished = `${path}.${pid}`;
  try {
    makeFolders(dirname(path));
    writeFileSync(unfinished, compiled, { mode: 0o600 });
    renameSync(unfinished, path);
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
