/** Functions stay compiled for a command's next run: Node's own cache lacks those that run later. */
import * as fs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { arch, pid, versions } from 'node:process';
import { Script } from 'node:vm';
import { checkOwner, makeFolders, readStateFile } from './plain-file.ts';

/** @param argv each command has files of its own: it calls other functions than the rest */
export function keepCompiled(state: string, version: string, argv: readonly string[]): void {
  // V8 takes nothing compiled under other flags, as Node 20 sets; 22.0 lacks the function.
  if (Number.parseInt(versions.node, 10) < 22 || process.getBuiltinModule === undefined) return;
  const ofVersion = join(state, 'compile-cache', version);
  const [first, second] = argv.filter((word) => /^[a-z]{2,12}$/.test(word));
  const folder = join(
    ofVersion,
    `${versions.node}-${arch}`,
    (first === 'signals' ? second : first) ?? 'other',
  );
  const unsaved = new Map<string, Script>();
  const { _extensions: loaders, wrap } = process.getBuiltinModule('node:module') as unknown as {
    _extensions: Record<string, (loaded: NodeJS.Module, file: string) => void>;
    wrap: (source: string) => string;
  };
  loaders['.cjs'] = (loaded, filename) => {
    // The name has a hash of the content: V8 itself compares nothing but lengths.
    const path = join(folder, basename(filename));
    const script = new Script(wrap(fs.readFileSync(filename, 'utf8')), {
      filename,
      cachedData: readKept(state, path),
    });
    if (script.cachedDataRejected !== false) unsaved.set(path, script);
    const { exports, require } = loaded;
    script
      .runInThisContext()
      .call(exports, exports, require.bind(loaded), loaded, filename, dirname(filename));
  };
  process.on('exit', (code) => {
    if (code !== 0 || unsaved.size === 0) return;
    try {
      checkOwner(state);
      if (!fs.existsSync(ofVersion))
        fs.rmSync(dirname(ofVersion), { recursive: true, force: true });
      makeFolders(folder);
      for (const [path, script] of unsaved) save(path, script.createCachedData());
    } catch {}
  });
}

/** V8 runs spoilt data, too: they differ from their copy. @returns undefined if there are none to trust */
function readKept(state: string, path: string): Buffer | undefined {
  try {
    const kept = readStateFile(state, path, 1 << 24) ?? Buffer.of();
    const compiled = kept.subarray(0, kept.length / 2);
    return compiled.equals(kept.subarray(kept.length / 2)) ? compiled : undefined;
  } catch {
    return undefined;
  }
}

/** Other processes see all of it or nothing, and no link is followed. */
function save(path: string, compiled: Buffer): void {
  const unfinished = `${path}.${pid}.${Date.now()}`;
  try {
    fs.writeFileSync(unfinished, Buffer.concat([compiled, compiled]), {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    });
    fs.renameSync(unfinished, path);
  } catch (error) {
    fs.rmSync(unfinished, { force: true });
    throw error;
  }
}
