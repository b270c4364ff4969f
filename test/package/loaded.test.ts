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

const modules = (found: readonly Chunk[]) => found.flatMap((chunk) => chunk.modules).join('\n');

/** What costs time to load, and is needed by few command lines. */
const HEAVY = ['cli-table3', 'chalk', 'ora', 'conf', 'ajv', 'string-width', '@valibot/to-json-schema'];

describe('what is loaded', () => {
  it('--version: nothing of any package', async ({ home }) => {
    const found = await loaded(['--version'], { home });
    expect(packagesOf(found).filter((name) => name !== 'rolldown')).toEqual(['own']);
    expect(modules(found)).not.toMatch(/src\/(cli|output|api|credits|config|commands|history|outcomes|sandbox)/);
  });

  for (const args of [['--help'], ['signals', 'ls', '--help'], ['signals'], ['complete', 'signals', '--symbol', 'B']]) {
    it(`${args.join(' ')}: neither the parser nor what sends or draws`, async ({ home }) => {
      const packages = packagesOf(await loaded(args, { home }));
      for (const name of [...HEAVY, 'commander', 'undici']) expect(packages).not.toContain(name);
    });
  }

  it('NDJSON of the service: no table, no colour, no spinner, no conf', async ({ server, home }) => {
    server.always('/signals', listing(samples.cards(2)));
    const found = await loaded(['signals', 'ls', '--ndjson'], { home, env: server.env });
    const packages = packagesOf(found);
    for (const name of HEAVY) expect(packages).not.toContain(name);
    expect(modules(found)).not.toMatch(
      /src\/(history\/export|commands\/(history-client|last-list|near-miss)|cli\/guess)/,
    );
    expect(packages).toContain('undici');
  });
});
