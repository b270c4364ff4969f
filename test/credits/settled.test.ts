/** Failed requests may cost credits. `/access` may say so while the command still runs. */
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ExportSummary } from '../../src/history/export/summary.ts';
import type { ExportManifest } from '../../src/history/store/manifest.ts';
import { createMarketWorld } from '../../src/sandbox/market/market-world.ts';
import { TestClock } from '../support/context.ts';
import { NOW } from '../support/date.ts';
import { createHome, type Home } from '../support/home.ts';
import { runHere } from '../support/in-process.ts';
import { type Sandbox, startSandbox } from '../support/sandbox.ts';

let home: Home;
let clock: TestClock;
let sandbox: Sandbox;
const world = createMarketWorld(1, NOW, { cards: 60 });
beforeEach(async () => {
  home = createHome();
  clock = new TestClock(NOW);
  const allowances = { per_minute: 10_000 };
  sandbox = await startSandbox({ world, now: () => clock.now(), allowances });
});
afterEach(async () => {
  await sandbox.close();
  home.remove();
});

const run = (...words: string[]) => runHere(words, { home, clock, env: sandbox.env });

/** Shows 20 cards, the second of which fails at first. `/access` is asked meanwhile, because the prices are checked. */
async function showWithFailure() {
  sandbox.addFault('signal:2:500');
  const ids = world.index(NOW).map(({ id }) => String(id));
  const { stderr } = await run('signals', 'show', ...ids.slice(0, 20), '--ndjson');
  expect(sandbox.requests.filter(({ path }) => path.endsWith('/access')).length).toBeGreaterThan(0);
  return stderr;
}

it('what `/access` shows as used is told as spent', async () => {
  // The service charged the failed request, which the sandbox does not.
  sandbox.spend(1);
  expect(await showWithFailure()).toContain('21 credits spent; 129 left today, 979 this month.');
});

it('what it does not show may still be charged: its numbers may be an hour old', async () => {
  expect(await showWithFailure()).toContain('20 credits spent, up to 1 more if failed requests');
});

it('an export keeps what it was charged as its credits of the day', async () => {
  sandbox.addFault('screeners:*:500');
  const dir = `${home.folder}/history`;
  const { stdout, stderr } = await run('signals', 'export', dir, '--json');
  const { credits }: ExportSummary = JSON.parse(stdout);
  expect(credits.uncertain, stderr).toBeGreaterThan(0);
  const { days }: ExportManifest = JSON.parse(readFileSync(`${dir}/export.json`, 'utf8'));
  expect(days.map((day) => day.credits)).toEqual([credits.charged]);
});
