import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY, MINUTE } from '../../src/base/units.ts';
import { TestClock } from '../support/context.ts';
import { parseLines } from '../support/fixtures.ts';
import { createHome, type Home } from '../support/home.ts';
import { NOW, runHere } from '../support/in-process.ts';
import { type Sandbox, startSandbox } from '../support/sandbox.ts';

let home: Home;
let sandbox: Sandbox;
/** One for all commands of a test: no command begins before the one before it has ended. */
let clock: TestClock;
beforeEach(() => {
  home = createHome();
  clock = new TestClock(NOW);
});
afterEach(async () => {
  await sandbox.close();
  home.remove();
});

const run = (...args: string[]) => runWith({}, ...args);
const runWith = (env: Record<string, string>, ...args: string[]) =>
  runHere(args, { home, clock, env: { ...sandbox.env, ...env } });

const billable = () => sandbox.requests.filter(({ path: asked }) => asked !== '/access');

describe('what another process was told', () => {
  it('access shows what this machine knows, when that ends, and how to ask all the same', async () => {
    sandbox = await startSandbox({ faults: [`snapshot:1:503:retry-after=${9 * 86_400 - 60}`] });
    await run('access');
    await run('snapshot');
    const known = await run('access');
    expect(known.code, known.stderr).toBe(0);
    expect(known.stdout).toMatch(/is refusing requests \(503\) until .* UTC \(in 9 days\)/);
    expect(known.stdout).toMatch(/1000 of 1000 left/);
    const json = JSON.parse((await run('access', '--json')).stdout);
    expect(json).toMatchObject({
      blocked_status: 503,
      credits: { remaining: 1000 },
      per_minute: 15,
      spent_since: 1,
    });
    const url = sandbox.env.SCREENER_BASE_URL ?? '';
    expect((await run('--base-url', url, 'access')).stdout).toContain(
      `\n  screener --base-url ${url} access --recheck\n`,
    );
    expect((await run('snapshot')).stderr).toMatch(/until .* UTC, in 9 days/);
    expect(sandbox.requests).toHaveLength(2);
    // The stand-in answers `/access`, which lifts a hold of another operation.
    expect((await run('snapshot', '--plan')).stdout).toMatch(
      /^Would stop +at once: the service refuses requests until /m,
    );
    const { stdout: plan } = await run('stats', '--plan');
    expect(plan).toMatch(/^Credits +5$/m);
    expect(plan).not.toMatch(/^(Would stop|Pacing)/m);
  });

  it('access says what was spent since it was asked, and shows no month that is over as left', async () => {
    sandbox = await startSandbox({ faults: [`snapshot:3:503:retry-after=${9 * 86_400}`] });
    await run('access');
    for (let i = 0; i < 3; i += 1) await run('snapshot');
    await clock.sleep(5 * DAY);
    const json = JSON.parse((await run('access', '--json')).stdout);
    expect(json).toMatchObject({ blocked_status: 503, spent_since: 3 });
    expect(Date.parse(json.credits.resets_at)).toBeLessThan(clock.now());
    expect((await run('access')).stdout).toMatch(
      /^Credits +not known since the reset; before it 1000 of 1000 left as of .*, minus 3 spent or possibly charged here since$/m,
    );
  });

  it('a reserve of one credit is kept by what /access says anew, after ten minutes', async () => {
    sandbox = await startSandbox();
    await run('access');
    await clock.sleep(10 * MINUTE);
    const codes = [(await run('snapshot')).code, (await run('snapshot', '--keep', '1')).code];
    expect({ codes, paths: sandbox.requests.map(({ path }) => path) }).toEqual({
      codes: [0, 0],
      paths: ['/access', '/market-snapshot', '/access', '/market-snapshot'],
    });
  });

  it.each([
    { how: '503:retry-after=90000', code: 8 },
    { how: '429:retry-after=90000', code: 7 },
    { how: '403', code: 4 },
  ])(
    'an operation that alone is refused holds no other one: stats $how, exit $code',
    async ({ how, code }) => {
      sandbox = await startSandbox({ faults: [`stats:*:${how}`] });
      expect((await run('stats')).code).toBe(code);
      const before = sandbox.requests.length;
      for (const words of [['snapshot'], ['signals', 'ls'], ['access'], ['snapshot']]) {
        expect({ words, code: (await run(...words)).code }).toEqual({ words, code: 0 });
      }
      // One free request found out, where Retry-After had asked all to stay away.
      expect(sandbox.requests.length - before).toBe(code === 4 ? 4 : 5);
      const asked = sandbox.requests.length;
      expect((await run('stats')).code).toBe(code);
      if (code !== 4) expect(sandbox.requests.length - asked).toBe(1);
    },
  );

  it.each(['429:retry-after=90000', '503:retry-after=90000', '500', '403', '404'])(
    '/access refused alone (%s) binds only itself; export and stats go on, but not with --keep',
    async (how) => {
      sandbox = await startSandbox({ faults: [`access:*:${how}`], cards: 3 });
      const ways = [
        ['stats'],
        ['signals', 'export'],
        ['signals', 'ls'],
        ['snapshot'],
        ['signals', 'ls', '--all'],
      ];
      for (const words of [...ways, ['stats', '--by', 'type']]) {
        const { code, stderr } = await run(...words);
        expect({ words, code }, stderr).toEqual({ words, code: 0 });
        const said = stderr.match(/The service refuses \/access \(\d+\).*/g) ?? [];
        const asks = words[0] === 'stats' || words[1] === 'export' || words[2] === '--all';
        expect({ words, times: said.length }).toEqual({ words, times: Number(asks) });
      }
      expect(sandbox.requests.length - billable().length, '/access').toBeLessThanOrEqual(3);
      const before = billable().length;
      for (const words of [['stats'], ['signals', 'export']])
        expect((await run(...words, '--keep', '9')).code, words.join(' ')).not.toBe(0);
      expect(billable()).toHaveLength(before);
    },
  );

  it.each(['429:retry-after=86000', '503:retry-after=86000'])(
    'however many operations are refused for a day (%s), each holds only itself where /access answers',
    async (how) => {
      const refused = ['snapshot', 'stats', 'screeners'];
      sandbox = await startSandbox({
        faults: refused.map((operation) => `${operation}:*:${how}`),
        cards: 3,
      });
      const code = how.startsWith('429') ? 7 : 8;
      for (const command of refused) expect((await run(command)).code, command).toBe(code);
      for (const words of [['signals', 'ls'], ['signals', 'export'], ['access']]) {
        const { code, stderr } = await run(...words);
        expect({ words, code }, stderr).toEqual({ words, code: 0 });
      }
      // Each of them was asked once, and is let alone.
      for (const command of refused) expect((await run(command)).code, command).toBe(code);
      const asked = billable().filter(({ path }) => !path.startsWith('/signals'));
      expect(asked.map(({ path }) => path).sort()).toEqual([
        '/market-snapshot',
        '/screeners',
        '/signal-stats',
      ]);
    },
  );

  it('while /signal-stats is held, stats --by type pays nothing for the list of screeners', async () => {
    sandbox = await startSandbox({ faults: ['stats:1:429:retry-after=90000'] });
    expect((await run('stats')).code).toBe(7);
    expect((await run('stats', '--by', 'type')).code).toBe(7);
    expect(billable().map(({ path }) => path)).toEqual(['/signal-stats']);
  });

  it('what /access alone was told lasts no longer for others, who are refused for a moment', async () => {
    sandbox = await startSandbox({
      faults: ['access:1:429:retry-after=90000', 'snapshot:1:503:retry-after=90'],
    });
    await run('access');
    expect((await run('snapshot')).code).toBe(8);
    expect((await run('signals', 'ls')).stderr).toContain('in 1 minute 30 s');
    await clock.sleep(91_000);
    expect((await run('signals', 'ls')).code).toBe(0);
    expect(sandbox.requests.map(({ path }) => path)).toEqual([
      '/access',
      '/market-snapshot',
      '/signals',
    ]);
    expect((await run('access')).stdout).toMatch(/refusing requests \(429\)/);
  });

  it('a service that refuses everything is asked once by each command, and then no more', async () => {
    sandbox = await startSandbox({ faults: ['*:*:429:retry-after=90000'] });
    for (const words of [['snapshot'], ['screeners'], ['signals', 'ls'], ['stats']]) {
      expect((await run(...words)).code, words.join(' ')).toBe(7);
    }
    expect(sandbox.requests.map(({ path }) => path)).toEqual(['/market-snapshot', '/access']);
  });

  it('access --recheck is one request, never retried; a 200 lets all commands go on', async () => {
    const faults = [
      'snapshot:1:503:retry-after=9000',
      'access:1:503:retry-after=1',
      'access:2:503:retry-after=7200',
    ];
    sandbox = await startSandbox({ faults });
    await run('snapshot');
    expect((await run('access', '--recheck')).code).toBe(8);
    expect((await run('access', '--recheck')).code).toBe(8);
    expect(sandbox.requests).toHaveLength(3);
    expect((await run('snapshot')).stderr).toMatch(/in 2 hours/);
    expect((await run('access', '--recheck')).stdout).toMatch(/Plan +PRO/);
    expect((await run('snapshot')).code).toBe(0);
    expect(sandbox.requests).toHaveLength(5);
  });
});

describe('money', () => {
  it("the service's statistics of a type are kept where there is no history yet: an export does not buy them again", async () => {
    sandbox = await startSandbox({
      cards: 1200,
      allowances: { per_minute: 1000 },
      dayCredits: 1000,
    });
    expect((await run('stats', '--by', 'type')).code).toBe(0);
    const asked = billable().map(({ path }) => path);
    const exported = await run('signals', 'export', '--no-outcomes', '--json');
    expect(exported.code, exported.stderr).toBe(0);
    expect(billable().filter(({ path }) => path === '/signal-stats')).toHaveLength(
      asked.length - 1,
    );
  });

  it('outcomes that were not bought are named, so that they can be', async () => {
    sandbox = await startSandbox({ faults: ['signal:4+:503:retry-after=3600'] });
    const ran = await run('signals', 'ls', '--until', '2d', '-n', '10', '--outcomes', '--ndjson');
    expect(ran.code, ran.stderr).toBe(8);
    const cards = parseLines(ran.stdout);
    expect(cards).toHaveLength(10);
    const unbought = cards.filter((card) => !('outcome' in card)).map(({ id }) => id);
    expect(unbought.length, 'cards without an outcome').toBeGreaterThanOrEqual(7 - 5);
    expect(ran.stderr).toContain(`signals show ${unbought.join(' ')}`);
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
    expect(ran.code, ran.stderr).toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject({ credits: { most } });
    expect(billable()).toEqual([]);
  });

  it('access shows the day by operation, and what was spent elsewhere since the last look', async () => {
    sandbox = await startSandbox();
    await run('snapshot');
    await run('access');
    sandbox.spend(7);
    const { stdout } = await run('access');
    expect(stdout).toMatch(/^Today .* 1 of 150 used, 149 left$/m);
    expect(stdout).toMatch(/Elsewhere +7 credits/);
    expect(stdout).toMatch(/CREDITS +ELSEWHERE +SNAPSHOT\n[\d-]+ +8 +7 +1\n/);
  });

  it('--keep asks what is left, and sends nothing billable that would leave fewer', async () => {
    sandbox = await startSandbox();
    sandbox.spend(698, { today: false });
    const listed = await run('signals', 'ls', '-n', '100', '--ndjson', '--keep', '300');
    expect(listed.code, listed.stderr).toBe(7);
    expect(listed.stdout.trim().split('\n')).toHaveLength(50);
    expect(listed.stderr).toContain('2 credits spent; 148 left today, 300 this month.');
    const kept = await runWith({ SCREENER_KEEP: '301' }, 'snapshot', '--quiet');
    expect({ code: kept.code, stdout: kept.stdout }).toEqual({ code: 7, stdout: '' });
    expect(kept.stderr).toContain(
      '--keep 301 is reached: 300 credits left this month, and the next request costs 1.',
    );
    const list = await runWith({ SCREENER_KEEP: '301' }, 'signals', 'ls', '--quiet');
    for (const [command, { code, stderr }] of Object.entries({ snapshot: kept, list })) {
      expect(code, command).toBe(7);
      expect(stderr, command).toContain(
        'Lower --keep (or SCREENER_KEEP), or wait until 2026-12-01 00:00:00 UTC, in ',
      );
    }
    expect(sandbox.quota.month).toBe(700);
    expect((await run('snapshot')).code).toBe(0);
  });

  it('ls --all stops at what /access says is left', async () => {
    sandbox = await startSandbox();
    sandbox.spend(998, { today: false });
    const all = await run('signals', 'ls', '--all', '--since', '60d', '--ndjson');
    expect({ code: all.code, lines: all.stdout.trim().split('\n').length }).toEqual({
      code: 7,
      lines: 50,
    });
    expect(all.stderr).toContain(
      "The month's credits are spent. 50 cards are printed; there are more.",
    );
    expect(sandbox.quota.month).toBe(1000);
    // What is known is fresh: nothing is asked for once more.
    expect((await run('signals', 'ls', '--all')).code).toBe(7);
    expect(sandbox.requests.map(({ path }) => path)).toEqual(['/access', '/signals', '/signals']);
  });

  it.each([
    { option: '--max-credits', credits: '8' },
    { option: '--keep', credits: '300' },
  ])('$option with --outcomes lists no card it cannot also show', async ({ option, credits }) => {
    sandbox = await startSandbox({ allowances: { per_minute: 100 } });
    sandbox.spend(692, { today: false });
    const ran = await run(
      'signals',
      'ls',
      '--until',
      '2d',
      '--all',
      '--outcomes',
      '--ndjson',
      option,
      credits,
    );
    expect(ran.code, ran.stderr).toBe(7);
    const cards = parseLines(ran.stdout);
    expect(cards).toHaveLength(7);
    expect(
      cards.every((card) => 'outcome' in card),
      'each card has an outcome',
    ).toBe(true);
    expect(ran.stderr).toContain(
      `${option} ${credits} is reached. 7 cards are printed; there are more`,
    );
    expect(sandbox.quota.month).toBe(700);
  });

  it('SCREENER_DAILY=N: all commands of a day together spend at most N, and an export that stops there is no failure', async () => {
    sandbox = await startSandbox({ cards: 300 });
    const runDaily = (daily: string, ...args: string[]) =>
      runWith({ SCREENER_DAILY: daily }, ...args);
    clock = new TestClock(Date.UTC(2027, 0, 5, 19));
    const bad = await runDaily('many', 'access');
    expect(bad.code).toBe(2);
    expect(bad.stderr).toContain("SCREENER_DAILY takes a whole number from 0, not 'many'.");
    expect((await runDaily('9', 'snapshot')).code).toBe(0);
    const plan = JSON.parse(
      (await runDaily('9', 'signals', 'show', '1', '2', '--plan', '--json')).stdout,
    );
    expect(plan).toMatchObject({ daily_budget: 9, spent_today: 1 });
    const stats = await runDaily('5', 'stats');
    expect({ code: stats.code, stderr: stats.stderr }).toEqual({
      code: 7,
      stderr: expect.stringContaining('SCREENER_DAILY=5 is reached: 4 credits left today, and'),
    });
    const stopped = JSON.parse((await runDaily('5', 'stats', '--plan', '--json')).stdout);
    expect(stopped).toMatchObject({ stops_at: 'daily', more_from: '2027-01-06T00:00:00Z' });
    const exported = await runDaily('9', 'signals', 'export', '--json');
    expect(
      { code: exported.code, stopped_by: JSON.parse(exported.stdout).stopped_by },
      exported.stderr,
    ).toEqual({ code: 0, stopped_by: 'daily' });
    expect((await runDaily('9', 'access')).stdout).toMatch(
      /Today .* 9 of 9 used, 0 left \(SCREENER_DAILY\)/,
    );
    const { stdout: today } = await runDaily('9', 'today');
    expect(today).toContain('; 9 of 9 spent today\n');
    const { credits } = JSON.parse((await runDaily('5', 'today', '--json')).stdout);
    expect(credits).toMatchObject({ spent_today: 9, day_limit: 5 });
    expect((await runDaily('5', 'today')).stdout).toContain('; 9 spent today, above the 5\n');
    for (const words of [['snapshot'], ['signals', 'ls'], ['signals', 'show', '5']]) {
      const { code, stderr } = await runDaily('9', ...words, '--json');
      expect({ words, code, day: sandbox.quota.day }, stderr).toEqual({ words, code: 7, day: 9 });
      if (words[0] === 'snapshot') {
        expect(stderr, words.join(' ')).toContain(
          'SCREENER_DAILY=9 is reached: 0 credits left today, and the next request costs 1.',
        );
        expect(JSON.parse(stderr), words.join(' ')).toMatchObject({
          error: { exit_code: 7, retry_at: '2027-01-06T00:00:00.000Z' },
        });
      }
    }
    clock = new TestClock(Date.UTC(2027, 0, 6));
    expect((await runDaily('9', 'snapshot')).code).toBe(0);
  });

  describe('a budget fails closed', () => {
    const ledger = () => {
      const all = path.join(home.state, 'ledger');
      return path.join(all, ...readdirSync(all));
    };
    /** What may befall the ledger, and what is said of it. */
    const TROUBLES: Readonly<Record<string, { befalls: () => void; said: RegExp }>> = {
      'half a file': {
        befalls: () => writeFileSync(path.join(ledger(), 'usage.json'), '{"latest":17'),
        said: /could not be read, so what was spent today is not known/,
      },
      'a file in place of the folder': {
        befalls: () => {
          const folder = ledger();
          rmSync(folder, { recursive: true });
          writeFileSync(folder, '');
        },
        said: /cannot be used \(\w+\), so what was spent today is not known/,
      },
    };
    const BUDGETS = [
      { env: { SCREENER_DAILY: '9' }, options: [] },
      { env: {}, options: ['--keep', '9'] },
    ];
    const ways = Object.keys(TROUBLES).flatMap((trouble) =>
      BUDGETS.map((budget) => ({ trouble, ...budget })),
    );

    it.each(ways)('$trouble, $env $options', async ({ trouble, env, options }) => {
      sandbox = await startSandbox({ cards: 3 });
      expect((await run('snapshot')).code).toBe(0);
      TROUBLES[trouble]?.befalls();
      for (const words of [['snapshot'], ['signals', 'export'], ['snapshot']]) {
        const { code, stdout, stderr } = await runWith(env, ...words, ...options, '--quiet');
        expect({ words, code, stdout }, stderr).toEqual({ words, code: 7, stdout: '' });
        expect(stderr, words.join(' ')).toMatch(TROUBLES[trouble]?.said ?? /^$/);
        expect(stderr, words.join(' ')).toMatch(
          /^error: (SCREENER_DAILY=9|--keep 9) cannot be kept: /,
        );
      }
      expect(billable()).toHaveLength(1);
      // Without a budget it is no reason to stop.
      expect((await run('snapshot')).code).toBe(0);
      const budget = await runWith(env, 'snapshot', ...options);
      expect(budget.code, budget.stderr).toBe(7);
      if (trouble !== 'half a file') return;
      // The file was begun anew: what is spent on the next day is known.
      await clock.sleep(24 * 3_600_000);
      const later = await runWith(env, 'snapshot', ...options);
      expect(later.code, later.stderr).toBe(0);
    });
  });

  it('a forecast is what exports plan: only what others spend can raise an alarm', async () => {
    clock = new TestClock(Date.UTC(2027, 0, 5, 6));
    const allowances = { per_minute: 1000 };
    sandbox = await startSandbox({ cards: 500, allowances, now: () => clock.now() });
    sandbox.spend(400, { today: false });
    const forecasts: string[] = [];
    for (let day = 0; day < 7; day += 1) {
      clock = new TestClock(Date.UTC(2027, 0, 5 + day, 6));
      expect((await run('signals', 'export', '--quiet')).code, `day ${day}`).toBe(0);
      if (day >= 4) sandbox.spend(90);
      const { stdout } = await run('access');
      forecasts.push(/^Forecast +(.*)$/m.exec(stdout)?.[1] ?? '');
    }
    expect(forecasts.slice(1, 4)).toEqual(
      Array(3).fill(
        expect.stringMatching(
          /^exports use (up what is left until the reset, as planned: about \d+ a day|about \d+ a day; the credits last until the reset)$/,
        ),
      ),
    );
    expect(forecasts.at(-1)).toMatch(
      /^beside exports \d+ a day are spent: the credits are gone on \d+ Jan; /,
    );
  });

  it('while /access is refused, exports keep the pace of a month by the ledger', async () => {
    sandbox = await startSandbox({ cards: 500, faults: ['access:*:403'], now: () => clock.now() });
    const days: number[] = [];
    for (let day = 2; day <= 5; day += 1) {
      clock = new TestClock(Date.UTC(2027, 0, day, 6));
      const before = sandbox.quota.month;
      expect((await run('signals', 'export', '--json')).stdout, `day ${day}`).toContain(
        '"stopped_by": "pace"',
      );
      days.push(sandbox.quota.month - before);
    }
    expect(Math.max(...days), 'most credits of a day').toBeLessThan(110);
    expect(days.at(-1), 'credits of the last day').toBeLessThanOrEqual(36);
  });

  it('/access, refused for ever, is asked at growing intervals; who asks for it himself is not held back by them', async () => {
    clock = new TestClock(Date.UTC(2027, 0, 2));
    sandbox = await startSandbox({ cards: 3, faults: ['access:*:503'], now: () => clock.now() });
    const asked = () => sandbox.requests.length - billable().length;
    const perRun: number[] = [];
    for (let hour = 0; hour < 48; hour += 6) {
      clock = new TestClock(Date.UTC(2027, 0, 2, hour));
      const before = asked();
      const { code, stderr } = await run('signals', 'export');
      expect({ hour, code }, stderr).toEqual({ hour, code: 0 });
      perRun.push(asked() - before);
    }
    expect(perRun).toEqual([3, 1, 1, 0, 0, 0, 1, 0]);
    const before = asked();
    expect((await run('access')).code).toBe(8);
    expect(asked() - before).toBe(3);
  });
});
