/** What processes of one account owe each other, seen from outside: real processes, some at another time of day. */
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect } from 'vitest';
import { errorLine, it } from '../support/fixtures.ts';
import type { Home } from '../support/home.ts';
import { listing } from '../support/listing.ts';
import { startScreener } from '../support/run.ts';
import * as samples from '../support/samples.ts';
import { type ApiServer, failure, NEVER, ok } from '../support/server.ts';

const CLOCK = fileURLToPath(new URL('../support/clock.cjs', import.meta.url));
const SECOND = 1000;
const DAY = 86_400 * SECOND;

/** An account with that allowance, whose commands run at any time: `at` is epoch milliseconds UTC of the start. */
function account(server: ApiServer, home: Home, perMinute: number) {
  server
    .always('/access', ok({ ...samples.access(), per_minute: perMinute }))
    .always('/market-snapshot', ok(samples.snapshot()))
    .always('/screeners', ok(samples.screeners()));
  const start = (args: readonly string[], at: number) => {
    const ahead = String(at - Date.now());
    const running = startScreener(args, {
      home,
      env: { ...server.env, NODE_OPTIONS: `--require "${CLOCK}"`, CLOCK_AHEAD: ahead },
    });
    running.child.stdin?.end();
    return running;
  };
  return { start, run: (args: readonly string[], at: number) => start(args, at).done };
}

/** It says that it waits for the minute; then it is stopped. */
async function expectWaiting(running: ReturnType<typeof startScreener>): Promise<void> {
  await running.seen(/requests of this minute are taken: waiting/);
  running.child.kill('SIGINT');
  expect((await running.done).code).toBe(130);
}

describe.concurrent('the minute', () => {
  it('is 60 s that slide with the requests, whatever the clock shows', async ({ server, home }) => {
    const { run, start } = account(server, home, 2);
    const noon = Date.UTC(2026, 10, 20, 12, 0, 40);
    expect((await run(['access'], noon)).code).toBe(0);
    expect((await run(['snapshot'], noon + 30 * SECOND)).code).toBe(0);
    // The next minute of the clock has begun, but of the last 60 s two are taken.
    await expectWaiting(start(['screeners'], noon + 50 * SECOND));
    expect(server.requests).toHaveLength(2);
    // The first one has left the window.
    expect(await run(['screeners'], noon + 65 * SECOND)).toMatchObject({ code: 0 });
    // The second one has not, and there is the third.
    await expectWaiting(start(['screeners'], noon + 70 * SECOND));
    expect(server.requests).toHaveLength(3);
  });
});

describe.concurrent("the day's change", () => {
  const MIDNIGHT = Date.UTC(2026, 10, 21);

  it('begins a new day of credits, and not a new minute', async ({ server, home }) => {
    const { run, start } = account(server, home, 2);
    expect((await run(['access'], MIDNIGHT - 40 * SECOND)).code).toBe(0);
    expect((await run(['snapshot'], MIDNIGHT - 30 * SECOND)).code).toBe(0);
    await expectWaiting(start(['screeners'], MIDNIGHT + 10 * SECOND));
    expect(server.requests).toHaveLength(2);
    expect((await run(['screeners'], MIDNIGHT + 90 * SECOND)).code).toBe(0);
    const { stdout } = await run(['access'], MIDNIGHT + DAY / 2);
    expect(stdout).toMatch(/Today[^\n]* 1 of 150 credits/);
  });

  it('does not end what Retry-After said', async ({ server, home }) => {
    const { run } = account(server, home, 15);
    server.next('/market-snapshot', failure(503, 3600));
    expect((await run(['snapshot'], MIDNIGHT - 60 * SECOND)).code).toBe(8);
    const ran = await run(['screeners', '--json'], MIDNIGHT + 60 * SECOND);
    expect(ran).toMatchObject({ code: 8, stdout: '' });
    expect(errorLine(ran.stderr).retry_at).toMatch(/^2026-11-21T00:59:/);
    expect(server.requests).toHaveLength(1);
    expect((await run(['screeners'], MIDNIGHT + 3600 * SECOND)).code).toBe(0);
  });
});

describe.concurrent('a process that was killed', () => {
  it('in the middle of its request keeps nobody waiting', async ({ server, home, screener }) => {
    server
      .always('/market-snapshot', { ...ok(samples.snapshot()), after: NEVER })
      .always('/screeners', ok(samples.screeners()));
    // As many as may be under way at once; their requests would end by --timeout, an hour later.
    const hanging = Array.from({ length: 4 }, () =>
      startScreener(['snapshot', '--timeout', '1h'], { home, env: server.env }),
    );
    await server.asked(4);
    for (const { child } of hanging) child.kill('SIGKILL');
    await Promise.all(hanging.map(({ done }) => done));
    const ran = await screener(['screeners', '--json']);
    expect(ran.code).toBe(0);
    expect(ran.stderr).not.toContain('waiting');
    // What they may have cost is not forgotten.
    expect((await screener(['access', '--plan'])).code).toBe(0);
    server.always('/access', ok(samples.access()));
    expect((await screener(['access'])).stdout).toMatch(/4 possibly charged/);
  });

  it('before it sent anything has merely used its turn', async ({ server, home }) => {
    const { run, start } = account(server, home, 1);
    const noon = Date.UTC(2026, 10, 20, 12);
    expect((await run(['access'], noon)).code).toBe(0);
    const waiting = start(['snapshot'], noon + 10 * SECOND);
    await waiting.seen(/requests of this minute are taken: waiting/);
    waiting.child.kill('SIGKILL');
    await waiting.done;
    // The dead one would have been first.
    expect((await run(['screeners'], noon + 65 * SECOND)).code).toBe(0);
    expect(server.to('/market-snapshot')).toHaveLength(0);
  });
});

describe.concurrent('one export at a time in a directory', () => {
  const serve = (server: ApiServer) =>
    server
      .always('/access', ok(samples.access()))
      .always('/screeners', ok(samples.screeners()))
      .always('/signals', listing(samples.cards(3)))
      .always('/signals/{id}', ({ path: asked }) => ok(samples.detail(9000 - Number(asked.slice('/signals/'.length)))));

  it('a second one sends nothing; after a kill the next one goes on', async ({ server, home, screener }) => {
    serve(server);
    const list = listing(samples.cards(3));
    let hangs = true;
    server.always('/signals', (request) => (hangs ? { ...list(request), after: NEVER } : list(request)));
    const folder = path.join(home.folder, 'history');
    const first = startScreener(['signals', 'export', folder], { home, env: server.env });
    await expect.poll(() => server.to('/signals').length).toBe(1);
    const sent = server.requests.length;
    // Another account's ledger: nothing but the lock is between them.
    const second = await screener(['signals', 'export', folder, '--json'], {
      env: { SCREENER_STATE_DIR: path.join(home.folder, 'other') },
    });
    expect(second).toMatchObject({ code: 1, stdout: '' });
    expect(errorLine(second.stderr).message).toContain(String(first.child.pid));
    expect(server.requests).toHaveLength(sent);
    first.child.kill('SIGKILL');
    await first.done;
    hangs = false;
    expect((await screener(['signals', 'export', folder])).code).toBe(0);
    const lines = readFileSync(path.join(folder, 'signals-2026-11.ndjson'), 'utf8').trim().split('\n');
    expect(lines).toHaveLength(3);
  });

  it('another directory is none of its business', async ({ server, home, screener }) => {
    serve(server);
    const folders = ['a', 'b'].map((name) => path.join(home.folder, name));
    for (const folder of folders) mkdirSync(folder);
    const runs = await Promise.all(folders.map((folder) => screener(['signals', 'export', folder, '--no-outcomes'])));
    expect(runs.map(({ code }) => code)).toEqual([0, 0]);
  });
});

describe.concurrent('a cell of CSV', () => {
  const CELLS: [text: string, cell: string][] = [
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1+2', "'-1+2"],
    ['@SUM(A1)', "'@SUM(A1)"],
    [' =1', "' =1"],
    ['\t=1', "'\t\\u003d1"],
    ['a;=1', 'a;\\u003d1'],
    ['a\t=1', 'a\t\\u003d1'],
    ['\r=1', '\\u000d=1'],
    ["'=1", "''=1"],
    ['＝1', "'＝1"],
    ['a=1', 'a=1'],
    ['a,b', '"a,b"'],
    ['a"b', '"a""b"'],
    ['a\nb', '"a\nb"'],
    ["it's", "it's"],
  ];
  it('never begins like a formula, and is otherwise as it came', async ({ server, screener }) => {
    const cards: samples.Json[] = samples
      .cards(CELLS.length)
      .map((card, n) => ({ ...card, source_bot_type: CELLS[n]?.[0] }));
    server.always(
      '/signals',
      ok({ ...JSON.parse(String(listing([])({ query: {} } as never).body)).response, items: cards }),
    );
    const ran = await screener(['signals', 'ls', '--csv', '--fields', 'source_bot_type,id']);
    expect(ran.code).toBe(0);
    const rows = cards.map(({ id }, n) => `${CELLS[n]?.[1]},${id}\r\n`);
    expect(ran.stdout).toBe(`source_bot_type,id\r\n${rows.join('')}`);
  });
});
