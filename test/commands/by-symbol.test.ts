import { describe, expect } from 'vitest';
import { TestClock } from '../support/context.ts';
import { demoFolder } from '../support/demo.ts';
import { it } from '../support/fixtures.ts';

const clock = new TestClock();
const demo = demoFolder(clock.now());

const byType = (...words: string[]) => ['stats', '--from', demo(), '--by', 'type', ...words];

it('reckons cards a day to the end of the history, as the page of screeners does', async ({
  here,
}) => {
  const [stats, own] = await Promise.all(
    ['stats --by type', 'screeners'].map((words) =>
      here([...words.split(' '), '--from', demo(), '--json'], { clock }),
    ),
  );
  const rates = JSON.parse(own?.stdout ?? '').items.map(
    (item: { cards_per_day: number }) => item.cards_per_day,
  );
  for (const group of JSON.parse(stats?.stdout ?? '').items)
    expect(rates, group.group).toContain(group.cards_per_day);
});

it('promises no word of a time that is over: no more of its cards come', async ({ here }) => {
  for (const until of ['20d', '26d', '30d']) {
    const window = ['--since', '50d', '--until', until];
    const { stdout } = await here(byType(...window, '--json'), { clock });
    const waits = JSON.parse(stdout).items.map(
      ({ horizons }: { horizons: Record<string, Record<string, unknown>> }) =>
        horizons['24h']?.days_until_least_shows,
    );
    expect({ until, waits }).toEqual({ until, waits: waits.map(() => null) });
  }
});

it('answers --since all as the default question where no card is older than its days', async ({
  here,
}) => {
  const ask = async (...words: string[]) => {
    const page = await here(byType(...words), { clock });
    const json = await here(byType(...words, '--json'), { clock });
    return {
      items: JSON.parse(json.stdout).items,
      isOneLook: page.stdout.includes('One look at this question;'),
    };
  };
  expect(await ask('--since', 'all')).toEqual(await ask());
});

describe('stats --by symbol, and on one symbol', () => {
  it.for([
    { words: ['--by', 'symbol'], isSaid: false },
    { words: [], isSaid: false },
    { words: ['--by', 'symbol', '--since', '30d'], isSaid: true },
    { words: ['--horizon', '1h'], isSaid: true },
    { words: ['--least', '2'], isSaid: true },
  ])('$words says that it is one look: $isSaid', async ({ words, isSaid }, { here }) => {
    const { stdout } = await here(['stats', '--from', demo(), ...words], { clock });
    expect(stdout.includes('One look at this question;')).toBe(isSaid);
  });

  it('compares the types on one symbol with BTC, because its other cards of a day are too few', async ({
    here,
  }) => {
    const { stdout } = await here(byType('--symbol', 'solusdt'), { clock });
    expect(stdout).toMatch(
      /^SOLUSDT: 24 h after the trigger, in pp\. Picture and verdict: against BTC\nTYPE/,
    );
    expect(stdout).toMatch(/^ {2}oi_growth +\d+ .*━.*(pp would show|within 1 pp|above BTC)/m);
    // The service's medians are of all symbols.
    expect(stdout).not.toMatch(/OTHERS|medians/);
    const page = await here(['stats', 'oi_growth', '--from', demo(), '--symbol', 'SOLUSDT'], {
      clock,
    });
    expect(page.stdout).toMatch(/^oi_growth on SOLUSDT: /);
  });

  it('fits a screen with all symbols, and offers the rest', async ({ here }) => {
    const all = await here(['--demo', 'stats', '--local', '--by', 'symbol'], {
      tty: 80,
      env: { NO_COLOR: '1' },
    });
    expect(all.stdout.trimEnd().split('\n').length, 'within a screen').toBeLessThanOrEqual(24);
    expect(all.stdout).toMatch(
      /^\d+ more:\r?\n {2}screener --demo stats --local --by symbol --sort -group\r?$/m,
    );
    expect(all.stdout).toMatch(
      /^ {2}screener --demo stats --local --by symbol --since [-\d]+T\d\d:\d\dZ\r?$/m,
    );
  });
});
