/** `stats` of the service: what it costs is said before it is spent, and what is switched off is not asked. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { DAY } from '../../src/base/units.ts';
import { OutputClosed } from '../../src/errors.ts';
import { TestClock } from '../support/context.ts';
import { errorLine, it } from '../support/fixtures.ts';
import { runHere } from '../support/in-process.ts';
import * as samples from '../support/samples.ts';
import { type ApiServer, ok } from '../support/server.ts';

/** Types with whether each is switched on. */
function settings(types: Readonly<Record<string, boolean>>): samples.Json {
  const items = Object.entries(types).map(([type, active]) => ({ type, active, conditions: {} }));
  return { ...samples.screeners(), items };
}

const pathsOf = (server: ApiServer): string[] => server.requests.map(({ path }) => path);

/** Spends until the server has charged so many credits, in few commands. */
async function spendUpTo(
  credits: number,
  server: ApiServer,
  here: (words: readonly string[]) => Promise<unknown>,
): Promise<void> {
  while (server.credits + 5 <= credits) await here(['stats', '--json']);
  while (server.credits < credits) await here(['snapshot', '--json']);
}

const BY_TYPE = ['stats', '--by', 'type'];

describe.concurrent('stats of the service', () => {
  it('says what it costs, and what is left, before it asks', async ({ here, server }) => {
    const { code, stderr } = await here(['stats']);
    const [quote, ...rest] = stderr.split('\n');
    expect({ code, paths: pathsOf(server), quote, rest }).toEqual({
      code: 0,
      paths: ['/access', '/signal-stats'],
      quote: '900 of 1000 credits left this month, resets 2026-12-01 00:00 UTC; this costs 5.',
      rest: expect.arrayContaining(['  screener signals export --plan']),
    });
  });

  it.for([
    { words: ['stats'], left: 5, code: 0 },
    { words: ['stats'], left: 4, code: 7 },
    { words: BY_TYPE, left: 11, code: 0 },
    { words: BY_TYPE, left: 0, code: 7 },
  ])('$words with $left credits left ends with $code', async (one, { here, server }) => {
    const { words, left, code } = one;
    server
      .always('/access', ok(samples.access(1000 - left)))
      .always('/screeners', ok(settings({ price: true, funding: true })));
    const ran = await here([...words, '--json']);
    expect({ code: ran.code, asksOnlyAccess: server.requests.length === 1 }).toEqual({
      code,
      asksOnlyAccess: code !== 0,
    });
    if (code === 0) return;
    expect({ stdout: ran.stdout, paths: pathsOf(server), credits: server.credits }).toEqual({
      stdout: '',
      paths: ['/access'],
      credits: 0,
    });
    expect(errorLine(ran.stderr)).toMatchObject({
      code: 'quota_exhausted',
      message: expect.stringMatching(
        `^${left} of 1000 credits are left this month, and this costs .*\\. Nothing was asked for\\.$`,
      ),
      hint: expect.stringContaining('`screener stats --local` needs none: it reads your history.'),
    });
  });

  it('--by type first needs the credits of the list and of one type', async ({ here, server }) => {
    server
      .always('/access', ok(samples.access(1000 - 6)))
      .always('/screeners', ok(settings({ price: true, funding: false })));
    const { code } = await here([...BY_TYPE, '--json']);
    expect({ code, paths: pathsOf(server) }).toEqual({
      code: 0,
      paths: ['/access', '/screeners', '/access', '/signal-stats'],
    });
  });

  it('says the cost once, if the last look has shown as many types', async ({ here, server }) => {
    server.always('/screeners', ok(settings({ a: true, b: true })));
    await here(['signals', 'export', '--quiet', '--no-outcomes', '--no-stats']);
    const before = server.credits;
    const { code, stderr } = await here([...BY_TYPE, '--json']);
    expect({ code, stderr, credits: server.credits - before }).toEqual({
      code: 0,
      stderr:
        '896 of 1000 credits left this month, resets 2026-12-01 00:00 UTC; this costs 11: 1 for the list of screeners, 5 for each type.\n' +
        '11 credits spent; 135 left today, 885 this month.\n',
      credits: 11,
    });
  });

  it('finds out after the list that the credits do not suffice for all types', async ({
    here,
    server,
  }) => {
    server
      .always('/access', ok(samples.access(990)))
      .always('/screeners', ok(settings({ a: true, b: true, c: true })));
    const { code, stdout, stderr } = await here([...BY_TYPE, '--json']);
    expect({ code, stdout, message: errorLine(stderr).message, credits: server.credits }).toEqual({
      code: 7,
      stdout: expect.not.stringContaining('group'),
      message:
        '9 of 1000 credits are left this month, and this costs 15 more for 3 types. No statistics were asked for.',
      credits: 1,
    });
  });

  /** Each of these limits leaves 12 credits: the list of 3 types, and their statistics, cost 16. */
  it.for([
    {
      limit: "the API's day",
      spend: 138,
      env: {},
      words: [],
      message:
        /^12 of 150 credits are left today, and this costs 16: .*\. Nothing was asked for\.$/,
    },
    {
      limit: 'SCREENER_DAILY',
      spend: 8,
      env: { SCREENER_DAILY: '20' },
      words: [],
      message: /^SCREENER_DAILY=20 is reached: 12 credits left today, and this costs 16: /,
    },
    {
      limit: '--keep',
      spend: 0,
      env: {},
      words: ['--keep', '984'],
      message: /^--keep 984 is reached: 996 credits left this month, and this costs 16: /,
    },
  ])(
    'asks for nothing if $limit leaves too few credits for all types',
    async (one, { here, server }) => {
      const { spend, env, words, message } = one;
      server
        .always('/access', ok({ ...samples.access(0), per_minute: 600 }))
        .always('/screeners', ok(settings({ a: true, b: true, c: true })));
      // The pages of the stand-in end shortly before.
      const clock = new TestClock();
      const now = (typed: readonly string[], of = {}) => here(typed, { clock, env: of });
      await now(['signals', 'export', '--quiet', '--no-outcomes', '--no-stats']);
      await spendUpTo(spend, server, now);
      const before = server.credits;
      const { code, stdout, stderr } = await now([...BY_TYPE, ...words, '--json'], env);
      expect({ code, stdout, credits: server.credits - before }).toEqual({
        code: 7,
        stdout: '',
        credits: 0,
      });
      expect(errorLine(stderr).message).toMatch(message);
    },
  );

  it('of one type are refused if the day leaves fewer credits than they cost', async ({
    here,
    server,
  }) => {
    server.always('/access', ok({ ...samples.access(0), per_minute: 600 }));
    await spendUpTo(147, server, here);
    const { code, stderr } = await here(['stats', '--json']);
    expect({ code, message: errorLine(stderr).message, credits: server.credits }).toEqual({
      code: 7,
      message: '3 of 150 credits are left today, and this costs 5. Nothing was asked for.',
      credits: 147,
    });
  });

  it('are not refused for types that were on when a look was taken days ago', async ({
    here,
    server,
  }) => {
    const clock = new TestClock();
    server.always('/screeners', ok(settings({ a: true, b: true, c: true, d: true, e: true })));
    await here(['signals', 'export', '--quiet', '--no-outcomes', '--no-stats'], { clock });
    await clock.sleep(3 * DAY);
    server
      .always('/access', ok(samples.access(990)))
      .always('/screeners', ok(settings({ a: true, b: false, c: false, d: false, e: false })));
    const before = server.credits;
    const { code } = await here([...BY_TYPE, '--json'], { clock });
    expect({ code, credits: server.credits - before }).toEqual({ code: 0, credits: 6 });
  });

  it('say that all types are switched off, and offer nothing', async ({ here, server }) => {
    const clock = new TestClock();
    server.always('/screeners', ok(settings({ a: false, b: false })));
    await here(['signals', 'export', '--quiet', '--no-outcomes', '--no-stats'], { clock });
    server.always('/access', ok(samples.access(996)));
    const { code, stdout, stderr } = await here(BY_TYPE, { clock });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain('\nAll your screeners are switched off.\n');
    expect(stderr).not.toMatch(/more for 0 types|a local history does/);
    expect(stderr).toContain('a, b: switched off, so not asked.');
  });

  it('keep the list of screeners, which was paid for, also where there is no history yet', async ({
    here,
    home,
  }) => {
    await here([...BY_TYPE, '--json']);
    const kept = path.join(home.folder, 'data', 'history', 'screeners.ndjson');
    expect(existsSync(kept)).toBe(true);
  });

  it('say what is left before they ask whether to go on', async ({ here, server }) => {
    server.always('/access', ok(samples.access(990)));
    const { stderr } = await here(BY_TYPE, { tty: 100, isTyped: true, stdin: 'n\n' });
    const quote = stderr.indexOf('10 of 1000 credits left');
    expect({ isSaid: quote >= 0, isFirst: quote < stderr.indexOf('Go on?') }).toEqual({
      isSaid: true,
      isFirst: true,
    });
  });

  it.for([
    { types: { a: true, b: true }, off: undefined, asked: ['a', 'b'] },
    { types: { a: true, b: false, c: false }, off: 'b, c', asked: ['a'] },
    { types: { a: false }, off: 'a', asked: [] },
  ])('names only what is switched off: $types', async ({ types, off, asked }, { here, server }) => {
    server.always('/screeners', ok(settings(types)));
    const { code, stderr } = await here([...BY_TYPE, '--json']);
    const [, named] = /^(.*): switched off, so not asked\.$/m.exec(stderr) ?? [];
    expect({ code, named, asked: server.to('/signal-stats').map(({ query }) => query) }).toEqual({
      code: 0,
      named: off,
      asked: asked.map((type) => ({ screener_type: type })),
    });
  });

  it('asks for one type, and keeps the answer where there is a history', async ({
    here,
    server,
  }) => {
    await here(['signals', 'export', '--quiet', '--no-outcomes', '--no-stats']);
    const { code, stdout } = await here(['stats', 'price', '--json']);
    expect({ code, type: JSON.parse(stdout).screener_type }).toEqual({ code: 0, type: 'price' });
    expect(server.to('/signal-stats').map(({ query }) => query)).toEqual([
      { screener_type: 'price' },
    ]);
  });

  it.for([
    { words: ['stats', 'price', '--json'], file: 'stats.ndjson', operation: '/signal-stats' },
    {
      words: ['stats', '--by', 'type', '--ndjson'],
      file: 'stats.ndjson',
      operation: '/signal-stats',
    },
    { words: ['screeners', '--json'], file: 'screeners.ndjson', operation: '/screeners' },
  ])(
    '$words keeps the answer before it is printed, for its reader may have gone',
    async (row, { here, server, home }) => {
      const { words, file, operation } = row;
      const withoutBoth = ['--no-outcomes', '--no-screeners', '--no-stats'];
      await here(['signals', 'export', '--quiet', ...withoutBoth]);
      const kept = path.join(home.folder, 'data', 'history', file);
      rmSync(kept, { force: true });
      let isKept = false;
      const closed = () => {
        isKept = existsSync(kept);
        throw new OutputClosed();
      };
      await runHere(words, { home, env: server.env, onOutput: closed });
      expect({ asked: server.to(operation).length, isKept }).toEqual({
        asked: 1,
        isKept: true,
      });
    },
  );

  it('asks a price of what is certain, not of types that another account had', async ({
    here,
    server,
    home,
  }) => {
    server
      .always('/access', ok(samples.access(970)))
      .always('/screeners', ok(settings({ a: true, b: true })));
    const seen = { symbol: [], type: ['u', 'v', 'w', 'x', 'y', 'z'] };
    mkdirSync(home.state, { recursive: true });
    writeFileSync(path.join(home.state, 'seen.json'), JSON.stringify(seen));
    const { code } = await here([...BY_TYPE, '--json']);
    expect({ code, credits: server.credits }).toEqual({ code: 0, credits: 11 });
  });

  it('offers the verdicts of the history there is, else an export with its price', async ({
    here,
  }) => {
    const offered = async () => (await here(['stats'])).stderr.match(/^ {2}screener .*$/gm);
    expect(await offered()).toEqual(['  screener signals export --plan']);
    await here(['signals', 'export', '--quiet', '--no-outcomes', '--no-stats']);
    expect(await offered()).toEqual(['  screener stats --local --by type']);
    expect((await here(['stats', '--json'])).stderr).not.toContain('a local history does');
  });

  it.for([
    { words: ['--by', 'symbol'], option: '--by symbol', why: 'are by type, of the last 30 days' },
    {
      words: ['--by', 'type', '--sort', 'sampled_rows'],
      option: '--sort',
      why: 'are listed by their median',
    },
    {
      words: ['--by', 'type', '--sort=-rows'],
      option: '--sort',
      why: 'are listed by their median',
    },
    {
      words: ['--by', 'type', '--min-sample', '0'],
      option: '--min-sample',
      why: 'are listed for every type',
    },
    {
      words: ['--by', 'type', '--type', 'price'],
      option: '--type',
      why: 'are listed for every type',
    },
  ])('$option needs a history', async ({ words, option, why }, { here, server }) => {
    const { code, stderr } = await here(['stats', ...words, '--json']);
    const { message, hint } = errorLine(stderr);
    const ofType = option === '--type' ? '`screener stats TYPE` asks for one type. ' : '';
    expect({ code, message, hint, requests: server.requests }).toEqual({
      code: 2,
      message: `${option} needs --local or --from: the service's own statistics ${why}.`,
      hint: `${ofType}\`screener signals export\` keeps a local history.`,
      requests: [],
    });
  });
});
