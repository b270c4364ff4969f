import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { it } from '../support/fixtures.ts';
import type { Home } from '../support/home.ts';
import { listing } from '../support/listing.ts';
import { programPath, type RunOptions, startCommand } from '../support/run.ts';
import * as samples from '../support/samples.ts';
import { bundle, type Chunk, packagesOf } from './bundle.ts';

/** Notes every file of the bundle that Node loads. */
const HOOK = `
const { appendFileSync } = require('node:fs');
const { _extensions } = require('node:module');
const load = _extensions['.js'];
_extensions['.cjs'] = (module, filename) => {
  appendFileSync(process.env.LOADED_FILES, filename + '\\n');
  load(module, filename);
};
`;

/** The chunks that a command line really loads. */
async function loaded(args: readonly string[], options: RunOptions & { readonly home: Home }): Promise<Chunk[]> {
  const list = path.join(options.home.folder, 'loaded');
  const hook = path.join(options.home.folder, 'hook.cjs');
  writeFileSync(hook, HOOK);
  const env = { ...options.env, LOADED_FILES: list };
  const running = startCommand([process.execPath, '--require', hook, programPath(), ...args], { ...options, env });
  running.child.stdin?.end();
  expect(await running.done).toMatchObject({ code: 0, stderr: expect.not.stringContaining('rror') });
  const names = readFileSync(list, 'utf8')
    .split('\n')
    .filter((file) => file.includes('/dist/'))
    .map((file) => path.basename(file));
  const chunks = bundle();
  return names.map((name) => {
    const chunk = chunks.find(({ fileName }) => fileName === name);
    if (chunk === undefined) throw new Error(`${name} is not in the bundle.`);
    return chunk;
  });
}

const names = (found: readonly Chunk[]) => packagesOf(found).filter((name) => name !== 'rolldown');
/** What draws, asks or checks, and takes its time to load. */
const LARGE = ['undici', 'cli-table3', 'ora', 'conf', 'ajv', 'd3-scale', '@valibot/to-json-schema'];

describe('what is loaded', () => {
  it('--version: nothing of any package', async ({ home }) => {
    expect(names(await loaded(['--version'], { home }))).toEqual(['own']);
  });

  it.for([
    ['--help'],
    ['signals', 'ls', '--help'],
    ['complete', 'signals', 'ls', '--symbol', 'B'],
    ['help', 'credits'],
  ])('%s: no large package', async (args, { home }) => {
    const found = names(await loaded(args, { home }));
    expect(found.filter((name) => LARGE.includes(name))).toEqual([]);
  });

  it('NDJSON of the service: what asks, and nothing that draws', async ({ server, home }) => {
    server.always('/signals', listing(samples.cards(2)));
    const found = names(await loaded(['signals', 'ls', '--ndjson'], { home, env: server.env }));
    expect(found.filter((name) => LARGE.includes(name))).toEqual(['undici']);
  });
});
