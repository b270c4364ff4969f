import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import { startCommand } from '../support/run.ts';
import { hastyClock } from './hasty-clock.ts';
import { access, ledgerHere, request, startProcess } from './world.ts';

let bundle: string;
const script = () => path.join(bundle, 'writer.mjs');
beforeAll(async () => {
  bundle = mkdtempSync(path.join(tmpdir(), 'screener-writer-'));
  const input = fileURLToPath(new URL('./writer.ts', import.meta.url));
  const output = { dir: bundle, format: 'esm', entryFileNames: '[name].mjs' } as const;
  await build({ input, platform: 'node', output, logLevel: 'silent' });
});
afterAll(() => rmSync(bundle, { recursive: true, force: true }));
const { directory } = ledgerHere();
beforeEach(() => {
  // Pacing, and the credits of a day, are another test's: here as many requests as possible are to leave.
  const plenty = access({ used: 0, limit: 1_000_000, per_minute: 1_000_000 });
  startProcess(hastyClock, directory).account.observe(plenty);
});

const writer = (requests: number) =>
  startCommand([process.execPath, script(), directory, String(requests)]);

/** What the ledger knows of whichever days the test ran over. */
function known() {
  const { days } = startProcess(hastyClock, directory).account.known();
  const sums = days.flatMap(({ operations }) => Object.values(operations));
  const sum = (of: 'requests' | 'charged' | 'uncertain') =>
    sums.reduce((total, spending) => total + spending[of], 0);
  return { requests: sum('requests'), charged: sum('charged'), uncertain: sum('uncertain') };
}

/** Processes, and requests of each. */
const WRITERS = process.env.SCREENER_HEAVY === '1' ? 16 : 8;
const EACH = process.env.SCREENER_HEAVY === '1' ? 67 : 12;

test('processes that write at the same time lose none', async () => {
  const ends = await Promise.all(Array.from({ length: WRITERS }, () => writer(EACH).done));
  expect(ends.filter(({ code, stderr }) => code !== 0 || stderr !== '')).toEqual([]);
  expect(known()).toEqual({ requests: WRITERS * EACH, charged: WRITERS * EACH, uncertain: 0 });
});

/** Two processes are killed in each. */
const ROUNDS = process.env.SCREENER_HEAVY === '1' ? 150 : 3;

test('processes killed at random moments leave a ledger that the next one reads and goes on with', async () => {
  let before = 0;
  for (let kill = 0; kill < ROUNDS; kill += 1) {
    const writers = [writer(1_000_000), writer(1_000_000)];
    await Promise.all(writers.map(({ child }) => once(child, 'spawn')));
    // Real work must be under way, or the kill proves nothing.
    await expect.poll(() => known().charged).toBeGreaterThanOrEqual(before + 20);
    await systemClock.sleep(Math.random() * 20);
    for (const { child } of writers) child.kill('SIGKILL');
    await Promise.all(writers.map(({ done }) => done));
    const next = startProcess(hastyClock, directory);
    const turn = await next.account.gate.enter(request());
    turn.settle({ status: 200 });
    expect(next.shown.warnings, `round ${kill}`).toEqual([]);
    const { requests, charged, uncertain } = known();
    expect(charged, `credits charged after round ${kill}`).toBeGreaterThan(before + 20);
    // What was sent and not answered is known as possibly charged; nothing else is.
    expect(requests, `requests after round ${kill}`).toBe(charged + uncertain);
    expect(uncertain, `uncertain requests after round ${kill}`).toBeLessThanOrEqual(2 * (kill + 1));
    before = charged;
  }
});
