/** `signals export --check`, for cron, and what the next export mends of it. */
import system, { existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { run } from '../../src/commands/signals-export-check.ts';
import { lockHistory } from '../../src/history/export/working-history.ts';
import { History } from '../../src/history/store/history.ts';
import { failure } from '../../src/sandbox/response.ts';
import { writeCards } from '../support/history.ts';
import { programPath, startCommand } from '../support/run.ts';
import { livedOnce, startCron } from './cron.ts';
import {
  cardOf,
  cardsAnHourApart,
  directory,
  exportInto,
  exports,
  HOUR,
  invocationOf,
  monthFiles,
  NOW,
  type Service,
  setUp,
  started,
  stateOf,
  stored,
} from './support.ts';

/** Fails where it connects. @returns what it says; undefined where all is well */
async function check(
  dir: string,
  service: Service,
  maxAge = 26 * HOUR,
): Promise<string | undefined> {
  const invocation = invocationOf({});
  const {
    last_success = null,
    remaining,
    counts = null,
  } = existsSync(join(dir, 'export.json')) ? stateOf(dir) : {};
  const known = {
    directory: dir,
    last_success,
    outcomes_due: remaining?.outcomes_due ?? 0,
    counts,
    files: expect.any(Array),
    not_asked: expect.any(Array),
  };
  const context = { ...invocation.context, clock: service.clock };
  try {
    await run(
      { ...invocation, context },
      { history: new History(dir, invocation.notes, service.clock), maxAge },
    );
    expect({ notes: invocation.said.notes, closing: invocation.closing }).toEqual({
      notes: [],
      closing: [],
    });
    expect(invocation.said.results).toEqual([{ ...known, healthy: true, found: null }]);
    return undefined;
  } catch (error) {
    const { message } = error as Error;
    const brings = 'An export brings it up to date:\nscreener signals export';
    const begins = 'An export begins it (--plan says what that costs):\nscreener signals export';
    const isOld = /^The last successful export into .* ago\.$/.test(message);
    const hintOfPast = isOld ? brings : undefined;
    const hint = last_success === null ? begins : hintOfPast;
    expect(error).toMatchObject({ code: 'stale', exitCode: 1, hint });
    expect(invocation.said.results).toEqual([{ ...known, healthy: false, found: message }]);
    return message;
  }
}

describe('signals export --check', () => {
  it('is silent while the history is kept, and says since when it is not', async () => {
    const { service, dir } = setUp({ details: cardsAnHourApart(5) });
    expect(await check(dir, service)).toContain('no history');
    await exportInto(dir, service);
    expect(await check(dir, service)).toBeUndefined();
    const people = invocationOf({ format: 'table' });
    await run(people, {
      history: new History(dir, people.notes, service.clock),
      maxAge: Number.POSITIVE_INFINITY,
    });
    expect(people.said.results).toEqual([]);
    await service.clock.sleep(40 * 60_000);
    expect(await check(dir, service, 1000)).toMatch(/ was 40 minutes ago/);
    service.intercept = () => 503;
    await service.clock.sleep(25 * HOUR - 40 * 60_000);
    expect((await exportInto(dir, service)).error).toBeDefined();
    expect(await check(dir, service)).toBeUndefined();
    await service.clock.sleep(2 * HOUR);
    expect(await check(dir, service)).toMatch(
      /The last successful export into .* was 27 hours ago/,
    );
    expect(await check(dir, service, 30 * HOUR)).toBeUndefined();
    expect(service.billable().length, 'requests that cost credits').toBeGreaterThan(0);
  });

  it('is not silent while the last success lies in the future', async () => {
    const { service, dir } = setUp({ details: cardsAnHourApart(5) });
    await service.clock.sleep(40 * 24 * HOUR);
    await exportInto(dir, service);
    await service.clock.sleep(-40 * 24 * HOUR);
    expect(await check(dir, service)).toMatch(
      /^The last successful export into .* is 40 days in the future: this machine's clock/,
    );
    // The next run sets it right.
    await exportInto(dir, service);
    expect(await check(dir, service)).toBeUndefined();
  });

  it('notices a killed run, but not one under way', async () => {
    const { service, dir } = await started(cardsAnHourApart(5));
    const { spans } = stateOf(dir);
    const page = { kind: 'page', items: [], coverage: { spans } };
    writeFileSync(join(dir, '.journal.ndjson'), `${JSON.stringify(page)}\n`);
    expect(await check(dir, service)).toContain('did not end: it was killed, or could not write.');
    const lock = lockHistory(dir);
    expect(await check(dir, service)).toBeUndefined();
    lock.release();
    await exportInto(dir, service);
    expect(await check(dir, service)).toBeUndefined();
  });

  it.each(['', 'half'])(
    'notices a month file that lost whole lines (%s of it is left)',
    async (left) => {
      const { service, dir } = await started(cardsAnHourApart(6));
      const path = join(dir, 'signals-2026-11.ndjson');
      if (left === '') rmSync(path);
      else writeFileSync(path, readFileSync(path, 'utf8').split('\n').slice(3).join('\n'));
      const message = `${path} lacks cards: it has ${left === '' ? 0 : 3} of 6. Append a backup to it: a card that is there twice counts once.`;
      expect(await check(dir, service)).toBe(message);
    },
  );

  it('notices a backlog that has grown for a week, and not that of the pace', async () => {
    for (const [options, message] of [
      [{ maxCredits: 3 }, /: \d+ due outcomes are not bought; this number has grown for a week/],
      [{ allCredits: false }, undefined],
    ] as const) {
      const details = cardsAnHourApart(700);
      const { service, dir } = setUp({ details, monthCredits: 300 });
      await service.clock.sleep(-400 * HOUR);
      await exportInto(dir, service, { outcomes: false });
      await service.clock.sleep(24 * HOUR);
      let said: string | undefined;
      for await (const { run } of exports(dir, service, 8, options)) {
        said = await check(dir, service);
        if (run < 6) expect(said, `run ${run} with ${JSON.stringify(options)}`).toBeUndefined();
      }
      if (message === undefined) expect(said, JSON.stringify(options)).toBeUndefined();
      else expect(said, JSON.stringify(options)).toMatch(message);
    }
  });
});

/** The ways in which lines of files are damaged. */
const DAMAGE = [
  (line: string) => line.slice(0, line.length / 3),
  (line: string) => `\0${line.slice(1)}`,
  (line: string) => line.replace('"created_at"', '"created at"'),
  (line: string) => line.replace(/[{}]/g, ''),
];

describe('a damaged line', () => {
  it('is named by --check, set aside by the next export, and its card is listed and bought again', async () => {
    const { service, dir } = await started(cardsAnHourApart(60));
    const whole = stored(dir);
    const path = join(dir, 'signals-2026-11.ndjson');
    const text = readFileSync(path, 'utf8').split('\n');
    const torn = text[9]?.slice(0, 300) ?? '';
    writeFileSync(path, text.with(9, torn).join('\n'));
    // As a backup gives it back.
    utimesSync(path, 1.7e9, 1.7e9);
    const what = `${path}: line 10 is damaged (card 10)`;
    expect(await check(dir, service)).toBe(
      `${what}. The next export gets what was lost again, for about 2 credits.`,
    );
    const { error, summary, said, sent } = await exportInto(dir, service);
    expect({
      error,
      newCards: summary.new_cards,
      cards: summary.cards_total,
      complete: summary.complete,
    }).toEqual({ error: undefined, newCards: 0, cards: 60, complete: true });
    expect(said.warnings).toEqual([
      `${path}: 1 damaged line set aside in ${path}.damaged; fetching them again.`,
    ]);
    expect(readFileSync(`${path}.damaged`, 'utf8')).toBe(`${torn}\n`);
    expect(stored(dir)).toEqual(whole);
    // What is new, the hours around the line, and its outcome.
    expect(sent.map(({ name }) => name)).toEqual(['signals', 'signals', 'signal']);
    expect(await check(dir, service)).toBeUndefined();
  });

  it('in a file that cannot be marked as changed is promised to no export', async () => {
    const { service, dir } = await started(cardsAnHourApart(3));
    const path = join(dir, 'signals-2026-11.ndjson');
    const text = readFileSync(path, 'utf8').split('\n');
    writeFileSync(path, text.with(1, '{').join('\n'));
    vi.spyOn(system, 'utimesSync').mockImplementation(() => {
      throw Object.assign(new Error('EPERM'), { code: 'EPERM' });
    });
    syncBuiltinESMExports();
    const found = await check(dir, service);
    vi.restoreAllMocks();
    syncBuiltinESMExports();
    expect(found).toBe(`${path}: line 2 is damaged (unknown card).`);
  });

  it('two of three lines of each month: after the exports that the credits allow no card is missing', async () => {
    const details = Array.from({ length: 300 }, (_, i) => cardOf(300 - i, 30 + i * 2));
    const { service, dir } = await started(details, { allCredits: true });
    const nextExport = () => {
      service.refill();
      return exportInto(dir, service, { allCredits: true });
    };
    await nextExport();
    for (const path of monthFiles(dir).map((name) => join(dir, name))) {
      const lines = readFileSync(path, 'utf8').split('\n');
      writeFileSync(
        path,
        lines.map((line, i) => (i % 3 === 0 ? line : DAMAGE[i % 4]?.(line))).join('\n'),
      );
    }
    const { error, summary } = await nextExport();
    expect({ error, cards: summary.cards_total, lines: stored(dir).length }).toEqual({
      error: undefined,
      cards: 300,
      lines: 300,
    });
    await nextExport();
    await nextExport();
    expect(stored(dir)).toEqual(details.toReversed());
  });
});

describe('a line of JSON that the service could not have sent', () => {
  const exportedHistory = livedOnce(async (start) => {
    const cron = await start({ details: cardsAnHourApart(60), start: NOW });
    await cron.export('--no-screeners', '--no-stats');
    return cron;
  });

  /** An exported history in which one line is changed. */
  function withLine(change: (line: string) => string) {
    const cron = exportedHistory();
    const path = join(cron.dir, 'signals-2026-11.ndjson');
    const lines = readFileSync(path, 'utf8').split('\n');
    const changed = change(lines[9] ?? '');
    expect(changed).not.toBe(lines[9]);
    writeFileSync(path, lines.with(9, changed).join('\n'));
    return { cron, path };
  }

  it.each([
    {
      what: 'without a type',
      change: (line: string) => line.replace(/"source_bot_type":"\w+",/, ''),
    },
    {
      what: 'without a symbol',
      change: (line: string) => line.replace(/"source_symbol":"\w+",/, ''),
    },
    {
      what: 'with a number that no number holds',
      change: (line: string) => line.replace(/"fact_oi_usd":[\d.e+]+/, '"fact_oi_usd":1e999'),
    },
    {
      what: 'with one in a field that the document does not name',
      change: (line: string) => line.replace('"id":', '"later":[{"a":-1E+400}],"id":'),
    },
  ])(
    '$what is damaged: --check names it, lists leave it out, an export gets the card again',
    async ({ change }) => {
      const { cron, path } = withLine(change);
      const { code, stderr } = await cron.command('signals', 'export', '--check');
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: `error: ${path}: line 10 is damaged (card 10). The next export gets what was lost again, for about 2 credits.\n`,
      });
      const listed = await cron.command('signals', 'ls', '--local', '--csv');
      expect(listed.code).toBe(0);
      expect(listed.stderr).toContain('1 damaged line left out');
      expect(listed.stdout).not.toMatch(/Infinity|undefined/);
      expect(listed.stdout.trimEnd().split('\r\n')).toHaveLength(1 + 59);
      const types = await cron.command('stats', '--local', '--by', 'type', '--json');
      expect(types.stdout).not.toContain('"undefined"');
      expect((await cron.export('--no-screeners', '--no-stats')).code).toBe(0);
      expect(cron.cards()).toEqual(
        cardsAnHourApart(60)
          .toReversed()
          .map((card) =>
            expect.objectContaining({ id: card.id, source_bot_type: card.source_bot_type }),
          ),
      );
      expect((await cron.command('signals', 'export', '--check')).code).toBe(0);
    },
  );
});

it('--check says what it read, and what is not asked for and why, also where all is well', async () => {
  const cron = await startCron({ details: cardsAnHourApart(60), start: NOW });
  expect((await cron.export('--no-stats')).code).toBe(0);
  cron.answerInstead(({ operation }) => (operation === 'signal' ? failure(503) : undefined));
  await cron.clock.sleep(12 * HOUR);
  const refused = await cron.export('--no-stats');
  expect(refused.code).toBe(8);
  expect(refused.stderr).toContain('Details refused since 21 Nov (503): 12 outcomes wait.');
  const { code, stdout, stderr } = await cron.command('signals', 'export', '--check', '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({
    healthy: true,
    files: ['export.json', 'signals-2026-11.ndjson', 'findings.ndjson', 'screeners.ndjson'],
    not_asked: [
      { part: 'details', reason: 'refused', again_at: expect.any(String) },
      { part: 'details', reason: 'failed', cards: 3 },
    ],
  });
  for (let hours = 0; hours < 30; hours += 6) {
    await cron.clock.sleep(6 * HOUR);
    await cron.export('--no-stats');
  }
  const check = await cron.command('signals', 'export', '--check', '--max-age', '2d');
  expect({ code: check.code, stderr: check.stderr }).toEqual({ code: 0, stderr: '' });
  const late = await cron.command('signals', 'export', '--check');
  expect(late).toMatchObject({ code: 1 });
  expect(late.stderr).toMatch(/: Details refused since 21 Nov \(503\): \d+ outcomes wait\./);
  const verbose = await cron.command('signals', 'export', '--check', '--max-age', '2d', '-v');
  expect(verbose.stderr).toContain(`Read in ${cron.dir}: export.json, signals-2026-11.ndjson`);
});

it.each(['stats.ndjson', 'screeners.ndjson', 'findings.ndjson'])(
  'pages of a history say that a line of %s is damaged',
  async (name) => {
    const cron = await startCron({ details: cardsAnHourApart(60), start: NOW });
    expect((await cron.export('--no-stats')).code).toBe(0);
    const file = join(cron.dir, name);
    writeFileSync(file, '{"asked_at":"2026-11-2');
    const warning = `warning: ${file}: 1 damaged line left out.\n`;
    for (const words of [['stats', '--local', '--by', 'type'], ['today']]) {
      const { code, stderr } = await cron.command(...words);
      expect({ words, code, stderr }).toEqual({
        words,
        code: 0,
        stderr: expect.stringContaining(warning),
      });
    }
  },
);

it.each([
  { name: 'findings.ndjson', lost: 'the finding in it is lost' },
  { name: 'stats.ndjson', lost: "the service's answer in it is lost" },
  { name: 'screeners.ndjson', lost: 'the settings in it are lost' },
])('--check names a damaged line of $name, and says what is lost', async ({ name, lost }) => {
  const cron = await startCron({ details: cardsAnHourApart(60), start: NOW });
  expect((await cron.export('--no-stats')).code).toBe(0);
  writeFileSync(join(cron.dir, name), '{"asked_at":"2026-11-2');
  const { code, stderr } = await cron.command('signals', 'export', '--check');
  expect(code).toBe(1);
  const path = join(cron.dir, name);
  expect(stderr).toContain(`${path}: line 1 is damaged, and left out: ${lost}.`);
});

it('damaged lines in the notebook take no memory, however many there are', async () => {
  const dir = writeCards(directory(), cardsAnHourApart(30));
  const damagedLine = `{"text":"${'x'.repeat(400)}"}\n`;
  writeFileSync(join(dir, 'findings.ndjson'), damagedLine.repeat(150_000));
  const words = ['stats', '--from', dir, '--by', 'type', '--json'];
  // Kept as strings they do not fit.
  const { code, stderr } = await startCommand([
    process.execPath,
    '--max-old-space-size=40',
    programPath(),
    ...words,
  ]).done;
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stderr).toContain('150000 damaged lines left out');
});
