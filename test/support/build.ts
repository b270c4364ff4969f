import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder with bin/, dist/, completions/, skills/ and chunks.json of the program under test, or why there is none. */
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
    for (const part of ['bin', 'completions', 'skills']) {
      await cp(path.join(ROOT, part), path.join(folder, part), { recursive: true });
    }
    await cp(path.join(ROOT, 'package.json'), path.join(folder, 'package.json'));
    const { default: config } = await import(
      new URL('../../.config/rolldown.config.js', import.meta.url).href
    );
    const { output, ...input } = config;
    const build = await rolldown(input);
    const { output: files } = await build.write({ ...output, dir: path.join(folder, 'dist') });
    await build.close();
    const chunks = files.flatMap((file) => (file.type === 'chunk' ? [file] : []));
    const held = chunks.map(({ fileName, modules }) => ({
      fileName,
      modules: Object.keys(modules),
    }));
    await writeFile(path.join(folder, 'chunks.json'), JSON.stringify(held));
    project.provide('program', { folder });
  } catch (error) {
    // Tests that need no built program still run.
    project.provide('program', { trouble: String(error).slice(0, 500) });
  }
  return () => rm(folder, { recursive: true, force: true });
}
