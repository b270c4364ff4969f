import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder with bin/ and dist/ of the program under test, or why there is none. */
    program: { readonly folder: string } | { readonly trouble: string };
  }
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Builds the program from the sources as they are now into a folder of its own, so that no stale dist/ is tested, and
 * nobody who rebuilds meanwhile pulls it away. There are no node_modules beside it: as after an installation.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'screener-program-'));
  try {
    await cp(path.join(ROOT, 'bin'), path.join(folder, 'bin'), { recursive: true });
    await cp(path.join(ROOT, 'package.json'), path.join(folder, 'package.json'));
    const rolldown = path.join(ROOT, 'node_modules', 'rolldown', 'bin', 'cli.mjs');
    const dist = path.join(folder, 'dist');
    const config = path.join(ROOT, '.config', 'rolldown.config.js');
    await promisify(execFile)(process.execPath, [rolldown, '-c', config, '--dir', dist], {
      cwd: ROOT,
      env: { ...process.env, NO_COLOR: '1' },
    });
    project.provide('program', { folder });
  } catch (error) {
    // Tests that need no built program still run.
    project.provide('program', { trouble: String((error as { stderr?: string }).stderr ?? error).slice(0, 500) });
  }
  return () => rm(folder, { recursive: true, force: true });
}
