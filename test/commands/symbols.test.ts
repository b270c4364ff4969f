import { expect } from 'vitest';
import { TestClock } from '../support/context.ts';
import { it } from '../support/fixtures.ts';

it.for([
  { words: ['symbols'], same: ['stats', '--local', '--by', 'symbol'] },
  {
    words: ['symbols', 'btcusdt'],
    same: ['stats', '--local', '--by', 'type', '--symbol', 'BTCUSDT'],
  },
])('$words gives the figures of $same', async ({ words, same }, { server, here }) => {
  const clock = new TestClock();
  const [symbols, stats] = await Promise.all(
    [words, same].map((args) => here(['--demo', ...args, '--json'], { clock })),
  );
  expect(symbols).toMatchObject({ code: 0, stdout: stats?.stdout });
  expect(JSON.parse(symbols?.stdout ?? '').items.length).toBeGreaterThan(3);
  expect(server.requests).toEqual([]);
});

it('reckons cards a day to the end of the history, as the page of screeners does', async ({
  here,
}) => {
  const clock = new TestClock();
  const [stats, own] = await Promise.all(
    ['stats --by type', 'screeners'].map((words) =>
      here(`--demo ${words} --local --json`.split(' '), { clock }),
    ),
  );
  const rates = JSON.parse(own?.stdout ?? '').items.map(
    (one: { cards_per_day: number }) => one.cards_per_day,
  );
  for (const one of JSON.parse(stats?.stdout ?? '').items)
    expect(rates).toContain(one.cards_per_day);
});

it('takes a symbol that is one slip from a known one for a mistake', async ({ here }) => {
  const [page, list, strange] = await Promise.all(
    [
      ['symbols', 'SOLUSTD'],
      ['signals', 'ls', '--local', '--symbol', 'SOLUSTD'],
      ['symbols', 'NOTHERE'],
    ].map((words) => here(['--demo', ...words])),
  );
  expect(page).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining("Did you mean 'SOLUSDT'?"),
  });
  // Scripts filter lists.
  expect({ list: list?.code, strange: strange?.code }, 'exit codes').toEqual({
    list: 0,
    strange: 0,
  });
});

it('compares the types on one symbol with BTC, because its other cards of a day are too few', async ({
  here,
}) => {
  const { stdout } = await here(['--demo', 'symbols', 'solusdt']);
  expect(stdout).toMatch(
    /^SOLUSDT: 24 h after the trigger, in pp against BTC\nStands out +none yet\n/,
  );
  expect(stdout).toMatch(/^oi_growth +\d+ .*━.*(unclear|no difference|above BTC)/m);
  // The service's medians are of all symbols.
  expect(stdout).not.toMatch(/OTHERS|medians/);
  const one = await here(['--demo', 'stats', 'oi_growth', '--local', '--symbol', 'SOLUSDT']);
  expect(one.stdout).toMatch(/^oi_growth on SOLUSDT: /);
  const all = await here(['--demo', 'symbols'], { tty: 80, env: { NO_COLOR: '1' } });
  expect(all.stdout.trimEnd().split('\n').length, 'within a screen').toBeLessThanOrEqual(23);
  expect(all.stdout).toMatch(
    /^\d+ more:\r?\n {2}screener --demo stats --local --by symbol --sort -group\r?$/m,
  );
  expect(all.stdout).toMatch(/^ {2}screener --demo symbols --since [-\d]+T\d\d:\d\dZ$/m);
});
