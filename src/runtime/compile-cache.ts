/**
 * Functions stay compiled from one run of a command to the next, which saves 30 ms at each start: Node's own cache is
 * written before anything has run, so that it lacks all that V8 compiles when it is called.
 */
import * as fs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { arch, pid, versions } from 'node:process';
import { Script } from 'node:vm';
import { makeFolders, readStateFile } from './plain-file.ts';

/** @param argv each command has files of its own: it calls other functions than the rest */
export function keepCompiled(state: string, version: string, [first = '', second = '']: readonly string[]): void {
  // V8 takes nothing compiled under other flags, as Node 20 sets; 22.0 lacks the function.
  if (Number.parseInt(versions.node, 10) < 22 || process.getBuiltinModule === undefined) return;
  const ofVersion = join(state, 'compile-cache', version);
  const word = first === 'signals' ? second : first;
  const folder = join(ofVersion, `${versions.node}-${arch}`, /^[a-z]{2,12}$/.test(word) ? word : 'other');
  const unsaved = new Map<string, Script>();
  const { _extensions: loaders, wrap } = process.getBuiltinModule('node:module') as unknown as {
    _extensions: Record<string, (loaded: NodeJS.Module, file: string) => void>;
    wrap: (source: string) => string;
  };
  loaders['.cjs'] = (loaded, filename) => {
    // The name has a hash of the content: V8 itself compares nothing but lengths.
    const path = join(folder, basename(filename));
    const script = new Script(wrap(fs.readFileSync(filename, 'utf8')), { filename, cachedData: readKept(state, path) });
    if (script.cachedDataRejected !== false) unsaved.set(path, script);
    const { exports, require } = loaded;
    script.runInThisContext().call(exports, exports, require.bind(loaded), loaded, filename, dirname(filename));
  };
  process.on('exit', (code) => {
    if (code !== 0 || unsaved.size === 0) return;
    try {
      if (!fs.existsSync(ofVersion)) fs.rmSync(dirname(ofVersion), { recursive: true, force: true });
      makeFolders(folder);
      for (const [path, script] of unsaved) {
        // Other processes see all of it or nothing, and no link is followed.
        fs.writeFileSync(`${path}.${pid}`, script.createCachedData(), { mode: 0o600, flag: 'wx' });
        fs.renameSync(`${path}.${pid}`, path);
      }
    } catch {}
  });
}

/** @returns undefined if there is none of this user's: V8 runs what it finds there */
function readKept(state: string, path: string): Buffer | undefined {
  try {
    return readStateFile(state, path, 1 << 24);
  } catch {
    return undefined;
  }
}
