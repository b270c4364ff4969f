import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { createHome, type Home } from '../support/home.ts';
import { runScreener } from '../support/run.ts';

let home: Home;
let sandbox: Sandbox;
beforeEach(() => {
  home = createHome();
});
afterEach(async () => {
  await sandbox.close();
  home.remove();
});

const run = (...args: string[]) =>
  runScreener(args, { home, env: { SCREENER_BASE_URL: sandbox.baseUrl, SCREENER_API_KEY: sandbox.key } });

/** The cards of NDJSON. */
function cardsOf({ stdout }: { readonly stdout: string }): object[] {
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const billable = () => sandbox.requests.filter(({ path: asked }) => asked !== '/access');
const refused = () => sandbox.requests.filter(({ status }) => status === 429);

describe('pace', () => {
  it('8 processes that start together with one request each: none is refused, none waits', async () => {
    sandbox = await startSandbox();
    const runs = await Promise.all(Array.from({ length: 8 }, () => run('snapshot', '--json')));
    expect(runs.map(({ code }) => code)).toEqual(Array(8).fill(0));
    expect(refused()).toEqual([]);
    for (const { stderr } of runs) expect(stderr).not.toContain('waiting');
  });
});

describe('what another process was told', () => {
  it.each([
    ['503', 8],
    ['429', 7],
  ])('after a %s with Retry-After 3600 nothing is sent, and the time to come back is said', async (status, code) => {
    sandbox = await startSandbox({ faults: [`snapshot:1:${status}:retry-after=3600`] });
    expect((await run('snapshot', '--json')).code).toBe(code);
    const second = await run('screeners', '--json');
    expect(second.code).toBe(code);
    expect(sandbox.requests).toHaveLength(1);
    const { error } = JSON.parse(second.stderr) as { error: { retry_at: string; retry_after: number } };
    expect(error.retry_after).toBeGreaterThan(3000);
    expect(Date.parse(error.retry_at)).toBeGreaterThan(Date.now() + 3_000_000);
  });

  it('access shows what this machine knows, when that ends, and how to ask all the same', async () => {
    sandbox = await startSandbox({ faults: [`snapshot:1:503:retry-after=${9 * 86_400 - 60}`] });
    await run('access');
    await run('snapshot');
    const known = await run('access');
    expect(known.code).toBe(0);
    expect(known.stdout).toMatch(/is refusing requests \(503\) until .* UTC, in 9 days/);
    expect(known.stdout).toMatch(/1000 of 1000 left/);
    const json = JSON.parse((await run('access', '--json')).stdout);
    expect(json).toMatchObject({ blocked_status: 503, credits: { remaining: 1000 }, per_minute: 15, spent_since: 1 });
    expect((await run('screeners')).stderr).toMatch(/until .* UTC, in 9 days/);
    expect(sandbox.requests).toHaveLength(2);
  });

  it('access --recheck is one request; a 200 lets all commands go on', async () => {
    sandbox = await startSandbox({ faults: ['snapshot:1:503:retry-after=9000', 'access:1:503:retry-after=7200'] });
    await run('snapshot');
    expect((await run('access', '--recheck')).code).toBe(8);
    expect(sandbox.requests).toHaveLength(2);
    expect((await run('snapshot')).stderr).toMatch(/in 2 hours/);
    expect((await run('access', '--recheck')).stdout).toMatch(/Plan +PRO/);
    expect((await run('snapshot')).code).toBe(0);
    expect(sandbox.requests).toHaveLength(4);
  });

  it('access --recheck is not retried, however short the wait would be', async () => {
    sandbox = await startSandbox({ faults: ['snapshot:1:503:retry-after=9000', 'access:1:503:retry-after=1'] });
    await run('snapshot');
    expect((await run('access', '--recheck')).code).toBe(8);
    expect(sandbox.requests).toHaveLength(2);
  });
});

describe('money', () => {
  it('a stats whose answer was lost is not sent twice, and is recorded as possibly charged', async () => {
    sandbox = await startSandbox({ faults: ['stats:1:reset-after'] });
    const ran = await run('stats', '--json');
    expect(ran.code).toBe(8);
    expect(billable()).toHaveLength(1);
    const { stdout } = await run('access');
    expect(stdout).toMatch(/5 possibly charged/);
  });

  it('--max-credits counts retries', async () => {
    sandbox = await startSandbox({ faults: ['snapshot:*:503:retry-after=1'] });
    const ran = await run('snapshot', '--json', '--max-credits', '1');
    expect(ran.code).toBe(8);
    expect(sandbox.requests).toHaveLength(1);
  });

  it('--max-credits with --outcomes lists no card it cannot also show', async () => {
    sandbox = await startSandbox();
    const ran = await run('signals', 'ls', '--until', '2d', '--all', '--outcomes', '--ndjson', '--max-credits', '8');
    expect(ran.code).toBe(7);
    const cards = cardsOf(ran);
    expect(cards).toHaveLength(7);
    expect(cards.every((card) => 'outcome' in card)).toBe(true);
    expect(sandbox.quota.day).toBe(8);
  });

  it('a list that stops early says how many cards are still to come', async () => {
    sandbox = await startSandbox();
    const { stderr } = await run('signals', 'ls', '-n', '100', '--ndjson', '--max-credits', '2');
    expect(stderr).toMatch(/signals ls -n 50 --cursor /);
  });

  it('outcomes that were not bought are named, so that they can be', async () => {
    sandbox = await startSandbox({ faults: ['signal:4+:503:retry-after=3600'] });
    const ran = await run('signals', 'ls', '--until', '2d', '-n', '10', '--outcomes', '--ndjson');
    expect(ran.code).toBe(8);
    const cards = ran.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number; outcome?: unknown });
    expect(cards).toHaveLength(10);
    const unbought = cards.filter((card) => !('outcome' in card)).map(({ id }) => id);
    expect(unbought.length).toBeGreaterThanOrEqual(7 - 5);
    expect(ran.stderr).toContain(`signals show ${unbought.join(' ')}`);
    expect(ran.stderr.match(/No outcome for card/g)).toHaveLength(1);
  });

  it('--all says where the list begins when the service chose that', async () => {
    sandbox = await startSandbox({ cards: 30 });
    const { stderr } = await run('signals', 'ls', '--all', '--ndjson');
    expect(stderr).toMatch(/These are the cards since .* UTC: the service chose that start/);
    expect((await run('signals', 'ls', '--all', '--ndjson', '--since', '30d')).stderr).not.toContain(
      'chose that start',
    );
  });

  it.each([
    [['snapshot'], 1],
    [['screeners'], 1],
    [['signals', 'ls', '-n', '60'], 3],
    [['signals', 'ls', '--all'], null],
    [['signals', 'show', '5', '6', '7'], 3],
    [['stats'], 5],
    [['access'], 0],
  ])('--plan of %s charges nothing and states the cost', async (args, most) => {
    sandbox = await startSandbox();
    const ran = await run(...args, '--plan', '--json');
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject({ credits: { most } });
    expect(billable()).toEqual([]);
  });

  it('access shows the day by operation, and what was spent elsewhere since the last look', async () => {
    sandbox = await startSandbox();
    await run('snapshot');
    await run('access');
    sandbox.spend(7);
    const { stdout } = await run('access');
    expect(stdout).toMatch(/Today.* 1 of 150 credits/);
    expect(stdout).toMatch(/\/market-snapshot +1 +1\s/);
    expect(stdout).toMatch(/Elsewhere +7 credits/);
  });

  it('--keep asks what is left, and sends nothing billable that would leave fewer', async () => {
    sandbox = await startSandbox();
    sandbox.spend(698, { today: false });
    const listed = await run('signals', 'ls', '-n', '100', '--ndjson', '--keep', '300');
    expect(listed.code).toBe(7);
    expect(listed.stdout.trim().split('\n')).toHaveLength(50);
    expect(listed.stderr).toContain('2 credits spent; 148 left today, 300 this month.');
    const kept = await runScreener(['snapshot'], {
      home,
      env: { SCREENER_BASE_URL: sandbox.baseUrl, SCREENER_API_KEY: sandbox.key, SCREENER_KEEP: '300' },
    });
    expect([kept.code, kept.stdout]).toEqual([7, '']);
    expect(kept.stderr).toContain('--keep 300 is reached');
    expect(sandbox.quota.month).toBe(700);
    expect((await run('snapshot')).code).toBe(0);
  });

  it('--keep with --outcomes lists no card it cannot also show', async () => {
    sandbox = await startSandbox({ perMinute: 100 });
    sandbox.spend(692, { today: false });
    const ran = await run('signals', 'ls', '--until', '2d', '--all', '--outcomes', '--ndjson', '--keep', '300');
    expect(ran.code).toBe(7);
    const cards = cardsOf(ran);
    expect(cards).toHaveLength(7);
    expect(cards.every((card) => 'outcome' in card)).toBe(true);
    expect(ran.stderr).toContain(
      '--keep 300 is reached: 300 credits of this month left. 7 cards are printed, more follow',
    );
    expect(sandbox.quota.month).toBe(700);
    const refused = await run('signals', 'ls', '--keep', '301', '--quiet');
    expect(refused.stderr).toContain(
      '--keep 301 is reached: 300 credits of this month left. Nothing billable was sent.',
    );
    expect(refused.stderr).toContain('Lower --keep (or SCREENER_KEEP), or wait until the credits reset.');
  });

  it('a reserve that is crossed already leaves an export 0 credits, not fewer', async () => {
    sandbox = await startSandbox();
    sandbox.spend(800, { today: false });
    await run('access');
    const { stdout } = await run(
      'signals',
      'export',
      path.join(home.folder, 'kept'),
      '--plan',
      '--json',
      '--keep',
      '300',
    );
    expect(JSON.parse(stdout)).toMatchObject({ credits_at_least: 0, credits_at_most: 0 });
  });

  it('--plan knows what was spent here since /access was asked, and asks where nothing is known', async () => {
    sandbox = await startSandbox();
    sandbox.spend(100, { today: false });
    const left = async () => JSON.parse((await run('snapshot', '--plan', '--json')).stdout).credits_left;
    expect(await left()).toBe(900);
    await run('snapshot');
    expect(await left()).toBe(899);
    expect(sandbox.requests.map(({ path: asked }) => asked)).toEqual(['/access', '/market-snapshot']);
  });

  it('the last line says what was spent; --quiet says nothing', async () => {
    sandbox = await startSandbox();
    expect((await run('snapshot')).stderr).toBe('1 credit spent; 149 left today.\n');
    expect((await run('snapshot', '-q')).stderr).toBe('');
  });
});
