/** What processes of one account owe each other, seen from outside. */
import path from 'node:path';
import { describe, expect } from 'vitest';
import { TestClock } from '../support/context.ts';
import { errorLine, it } from '../support/fixtures.ts';
import type { Home } from '../support/home.ts';
import { runHere } from '../support/in-process.ts';
import { startScreener } from '../support/run.ts';
import * as samples from '../support/samples.ts';
import { type ApiServer, NEVER, ok, serveAll } from '../support/server.ts';

const SECOND = 1000;
const DAY = 86_400 * SECOND;
const _NOON = Date.UTC(2026, 10, 20, 12, 0, 40);
const MIDNIGHT = Date.UTC(2026, 10, 21);

/** An account with that allowance, whose commands run at any time (epoch milliseconds UTC), each as a process would. */
function account(server: ApiServer, home: Home, perMinute: number) {
  serveAll(server).always('/access', ok({ ...samples.access(), per_minute: perMinute }));
  return async (command: string, at: number) => {
    const clock = new TestClock(at);
    server.now = () => clock.now();
    const ran = await runHere(command.split(' '), { home, env: server.env, clock });
    return { ...ran, sentAt: server.requests.at(-1)?.at };
  };
}

describe("the day's change", () => {
  it('begins a new day of credits, and not a new minute', async ({ server, home }) => {
    const run = account(server, home, 2);
    await run('access', MIDNIGHT - 40 * SECOND);
    await run('snapshot', MIDNIGHT - 30 * SECOND);
    expect((await run('screeners', MIDNIGHT + 10 * SECOND)).sentAt).toBeGreaterThan(MIDNIGHT + 20 * SECOND);
    const { stdout } = await run('access', MIDNIGHT + DAY / 2);
    expect(stdout).toMatch(/Today[^\n]* 1 of 150 credits/);
  });
});

describe.concurrent('one export at a time in a directory', () => {
  it('a second one sends nothing', async ({ server, home, screener }) => {
    serveAll(server).always('/signals', { ...ok(samples.page([])), after: NEVER });
    const folder = path.join(home.folder, 'history');
    const first = startScreener(['signals', 'export', folder], { home, env: server.env });
    await expect.poll(() => server.to('/signals').length).toBe(1);
    const sent = server.requests.length;
    // Another account's ledger: nothing but the lock is between them.
    const second = await screener(['signals', 'export', folder, '--json'], {
      env: { SCREENER_STATE_DIR: path.join(home.folder, 'other') },
    });
    expect(second).toMatchObject({ code: 1, stdout: '' });
    expect(errorLine(second.stderr).message).toBe(`Another run is exporting into ${folder}.`);
    expect(server.requests).toHaveLength(sent);
    first.child.kill('SIGKILL');
    await first.done;
  });
});
