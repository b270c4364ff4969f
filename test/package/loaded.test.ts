import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { it } from '../support/fixtures.ts';
import type { Home } from '../support/home.ts';
import { programFolder, programPath, type RunOptions, startCommand } from '../support/run.ts';
import * as samples from '../support/samples.ts';
import { bundle, type Chunk, packagesOf } from './bundle.ts';

/** Notes every file of the bundle that Node loads. */
const HOOK = `
const { appendFileSync } = require('node:fs');
const { prototype } = require('node:module');
const { load } = prototype;
prototype.load = function (filename) {
  appendFileSync(process.env.LOADED_FILES, filename + '\\n');
  load.call(this, filename);
};
`;

/** The chunks that a command line really loads. */
async function loaded(
  args: readonly string[],
  options: RunOptions & { readonly home: Home },
): Promise<Chunk[]> {
  const list = path.join(options.home.folder, 'loaded');
  const hook = path.join(options.home.folder, 'hook.cjs');
  writeFileSync(hook, HOOK);
  const env = { ...options.env, LOADED_FILES: list };
  const running = startCommand([process.execPath, '--require', hook, programPath(), ...args], {
    ...options,
    env,
  });
  running.child.stdin?.end();
  expect(await running.done).toMatchObject({
    code: 0,
    stderr: expect.not.stringContaining('rror'),
  });
  const files = readFileSync(list, 'utf8').split('\n');
  const names = new Set(
    files.filter((file) => file.includes('/dist/')).map((file) => path.basename(file)),
  );
  const chunks = bundle().filter(({ fileName }) => names.has(fileName));
  expect(chunks).toHaveLength(names.size);
  return chunks;
}

/** What draws, asks or checks, and takes its time to load. */
const LARGE = ['undici', 'cli-table3', 'ora', 'conf', 'd3-scale', '@valibot/to-json-schema'];

it.for([
  ['--version', []],
  ['--help', []],
  ['signals ls --help', []],
  ['complete signals ls --symbol B', []],
  ['help credits', []],
  ['signals ls --ndjson', ['undici']],
] as const)(
  '%s loads of the large packages what it needs',
  async ([line, needed], { server, home }) => {
    server.holds(samples.cards(2));
    const chunks = await loaded(line.split(' '), { home, env: server.env });
    const found = packagesOf(chunks);
    // What undici and chalk would load of Node, and nobody uses.
    for (const { fileName } of chunks) {
      const text = readFileSync(path.join(programFolder(), 'dist', fileName), 'utf8');
      expect(text, fileName).not.toMatch(/node:(http2|tty|assert)/);
    }
    const why =
      'loaded at the start; what is large is named in LARGE of test/package/loaded.test.ts';
    const large = found.filter((name) => LARGE.includes(name));
    expect(large, why).toEqual(needed);
  },
);
