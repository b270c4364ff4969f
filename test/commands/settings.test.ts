import { rmSync, writeFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { byHorizon } from '../../src/api/contract/horizons.ts';
import type { ScreenerItem } from '../../src/api/contract/resources.ts';
import { DAY } from '../../src/base/units.ts';
import { appendScreeners } from '../../src/history/store/answers.ts';
import { detailOf } from '../outcomes/support.ts';
import { TestClock } from '../support/context.ts';
import { errorLine, it } from '../support/fixtures.ts';
import { normalOf, randomOf, writeCards } from '../support/history.ts';
import type { Ran } from '../support/run.ts';

const FIRST = Date.UTC(2026, 7, 1);
const CHANGE = 30;

/** A line of the notebook: what the change of `told` did was not known on day 50. */
const UNCLEAR_CHANGE = {
  at: new Date(FIRST + 50 * DAY).toISOString(),
  about: 'change',
  type: 'told',
  settings_since: new Date(FIRST + CHANGE * DAY).toISOString(),
  verdict: 'unclear',
};

/** A line of the notebook: on day 50 a type was known to differ by less than 1 pp. */
const SMALL_TYPE = {
  at: UNCLEAR_CHANGE.at,
  about: 'type',
  verdict: 'small',
  to: 'others',
  vs_btc: 'unclear',
  difference_percentage_points: 0,
  interval_95: null,
  sample: 300,
  source: 'bought',
  settings_since: null,
  least: 1,
  weak: false,
  shows_at: null,
};

/** Of the line Change. */
const OPEN =
  /told: not known yet whether your change of 31 Aug helped; keep its settings until 30 Oct/;

const settings = (level: number) => ({
  scope: 'current_settings' as const,
  items: Object.entries({ told: level, other: 1 }).map(([type, level]) => ({
    type,
    active: true,
    conditions: { level },
  })),
});

/**
 * The market turns with the change of told's settings, on day 30 if not said otherwise; after it told's cards have `effect` more. Before it they
 * have `before` more than those of the other type.
 */
async function historyIn(
  folder: string,
  effect: number,
  days = 60,
  before = 0,
  change = CHANGE,
): Promise<string> {
  const random = randomOf(11);
  const normal = normalOf(random);
  const ofTold = (day: number) => (day >= change ? effect : before);
  const cards = Array.from({ length: days }, (_, day) => {
    const market = normal() + (day < change ? -3 : 3);
    return Array.from({ length: 24 }, (_, i) => {
      const type = i % 2 === 0 ? 'told' : 'other';
      const move = market + 2 * normal() + (type === 'told' ? ofTold(day) : 0);
      const outcome = { state: 'available', move, btc: 0 };
      return detailOf({
        id: day * 100 + i + 1,
        symbol: `S${Math.floor(random() * 20)}USDT`,
        type,
        at: FIRST + day * DAY + Math.floor(random() * DAY),
        isBought: true,
        outcomes: byHorizon(() => outcome),
      });
    });
  }).flat();
  writeCards(folder, cards);
  await appendScreeners(folder, settings(1), FIRST, null);
  const lastLook = new Date(FIRST + (change - 1) * DAY).toISOString();
  await appendScreeners(folder, settings(2), FIRST + change * DAY, lastLook);
  return folder;
}

describe.concurrent('stats --by settings', () => {
  it.for([['--horizon', '1h'], ['--sort', 'rows'], ['--min-sample', '5'], ['--detail']])(
    'refuses what would change nothing: %s',
    async (option, { home, here }) => {
      const dir = await historyIn(`${home.folder}/${option[0]}`, 0, 2);
      const words = ['stats', '--from', dir, '--by', 'settings', '--type', 'told', '--json'];
      const ran = await here([...words, ...option]);
      expect({ code: ran.code, message: errorLine(ran.stderr).message }).toEqual({
        code: 2,
        message: `${option[0]} and --by settings exclude each other: the page shows all settings of one type, in the order of time.`,
      });
    },
  );

  it('says what a change did beside the other types, where the market turned with it', async ({
    home,
    here,
  }) => {
    // The p of 0.7 is .03.
    for (const [verdict, effect] of Object.entries({ higher: 3, lower: -3, unclear: 0.7 })) {
      const dir = await historyIn(`${home.folder}/${verdict}`, effect);
      const { stdout } = await here([
        'stats',
        '--from',
        dir,
        '--by',
        'settings',
        '--type',
        'told',
        '--json',
      ]);
      const { items, changes } = JSON.parse(stdout);
      const page = (await here(['stats', '--from', dir, '--by', 'settings', '--type', 'told']))
        .stdout;
      // The page of the type leads here, and this one back.
      expect(page, verdict).toContain(
        `\nHow it does now:\n  screener screeners told --from ${dir}\n`,
      );
      expect(changes, verdict).toHaveLength(1);
      expect({ seen_after: changes[0].seen_after, seen_by: changes[0].seen_by }).toEqual({
        seen_after: '2026-08-30T00:00:00Z',
        seen_by: '2026-08-31T00:00:00Z',
      });
      const { difference_interval_95: interval, ...found } = changes[0].horizons['24h'];
      const holdsTruth = interval.low < effect && effect < interval.high;
      expect({ effect, verdict: found.verdict, holdsTruth }).toEqual({
        ...{ effect, verdict },
        holdsTruth: true,
      });
      // A day of cards lies between the two looks.
      expect(
        items.map((item: { rows: number }) => item.rows),
        `outcomes before and after: ${verdict}`,
      ).toEqual([29 * 12, 30 * 12]);
      const levels = items.map(
        (item: { settings: { conditions: { level: number } }[] }) =>
          item.settings[0]?.conditions.level,
      );
      expect(levels, `oi_min before and after: ${verdict}`).toEqual([1, 2]);
    }
  });

  it('of an unclear change has the interval that decides alone, and no date', async ({
    home,
    here,
  }) => {
    const dir = await historyIn(home.folder, 0.7);
    const finding = {
      ...UNCLEAR_CHANGE,
      difference_percentage_points: 0.7,
      interval_95: { low: 0.1, high: 1.3 },
    };
    writeFileSync(`${dir}/findings.ndjson`, `${JSON.stringify(finding)}\n`);
    const { stdout } = await here(['stats', '--from', dir, '--by', 'settings', '--type', 'told']);
    expect(stdout).toMatch(
      /^So far its cards did \d\.\d\d pp better than before, compared with 1 other type \(99 %: -\d\.\d\d to \+\d\.\d\d\)\. The answer is known once the whole 99 % range lies above \+0\.1 \(it helped\) or below -0\.1 \(it hurt\) on two days\. An effect of \d(\.5)? pp or more would likely show\. /m,
    );
    expect(stdout).not.toMatch(/95 %|found on|Not sure enough|likely by/);
  });

  it.for([3, -3])(
    'is not known yet on every page while the notebook says so, also where the range of today is sure: effect %d',
    async (effect, { home, here }) => {
      const dir = await historyIn(home.folder, effect);
      const finding = {
        ...UNCLEAR_CHANGE,
        difference_percentage_points: effect,
        interval_95: { low: -5, high: 5 },
      };
      writeFileSync(`${dir}/findings.ndjson`, `${JSON.stringify(finding)}\n`);
      const on = async (...args: string[]) =>
        (await here([...args, '--from', dir])).stdout.replace(/\s+/g, ' ');
      const pages = {
        settings: await on('stats', '--by', 'settings', '--type', 'told'),
        ofType: await on('screeners', 'told'),
        report: await on('report', '-'),
      };
      const range = effect > 0 ? /99 %: \+\d/ : /99 %: -\d\.\d\d to -/;
      expect(pages).toEqual({
        settings: expect.stringMatching(
          new RegExp(
            `^Did your change of told help\\? Not known yet .*\\(${range.source}.*on two days\\.`,
          ),
        ),
        ofType: expect.stringContaining(' so far, 99 %: '),
        report: expect.stringContaining('told on 31 Aug: not known yet whether it helped<'),
      });
    },
  );

  it.for([
    { case: 'is unclear in the notebook', isJudged: true, days: 60, isAdvised: true },
    // The history ends with its last card, some hours before that day ends.
    { case: 'is unclear in the notebook', isJudged: true, days: 61, isAdvised: false },
    { case: 'no export has judged', isJudged: false, days: 5, isAdvised: true },
  ])(
    'advises for 60 days to keep the settings of a change that $case: after $days days',
    async ({ isJudged, days, isAdvised }, { home, here }) => {
      const dir = await historyIn(home.folder, 0.7, CHANGE + days);
      const change = { ...UNCLEAR_CHANGE, difference_percentage_points: 0.7, interval_95: null };
      const notebook = [
        change,
        { ...SMALL_TYPE, type: 'told', settings_since: change.settings_since },
        { ...SMALL_TYPE, type: 'other' },
      ].map((line) => JSON.stringify(line));
      if (isJudged) writeFileSync(`${dir}/findings.ndjson`, notebook.join('\n'));
      const clock = new TestClock(FIRST + (CHANGE + days) * DAY);
      const on = async (...words: string[]) =>
        (await here([...words, '--from', dir], { clock })).stdout;
      const pages = {
        settings: /Keep its settings until 30 Oct\./.test(
          await on('stats', 'told', '--by', 'settings'),
        ),
        ofType: /: keep its settings until 30 Oct\)$/m.test(await on('screeners', 'told')),
        ofAll: /: keep these settings until 30 Oct\)$/m.test(await on('screeners')),
        today: OPEN.test(await on('today')),
        stats: OPEN.test(await on('stats', '--by', 'type')),
        report: OPEN.test((await on('report', '-')).replaceAll(/<[^>]*>/g, '')),
      };
      const all = Object.keys(pages).map((page) => [page, isAdvised]);
      expect(pages).toEqual(Object.fromEntries(all));
    },
  );

  it.for([
    { case: 'while the notebook says so', isWithdrawn: false },
    { case: 'once the notebook has taken it back', isWithdrawn: true },
  ])(
    'says on every page that a change hurt, and to undo it, or on none: $case',
    async ({ isWithdrawn }, { home, here }) => {
      // The range of today reaches 0.
      const dir = await historyIn(home.folder, 0.3);
      const hurt = {
        ...UNCLEAR_CHANGE,
        verdict: 'lower',
        difference_percentage_points: -2.4,
        interval_95: { low: -3, high: -1.8 },
      };
      const withdrawal = { ...UNCLEAR_CHANGE, at: new Date(FIRST + 59 * DAY).toISOString() };
      const unclear = { ...withdrawal, difference_percentage_points: 0.3, interval_95: null };
      const lines = isWithdrawn ? [hurt, unclear] : [hurt];
      writeFileSync(`${dir}/findings.ndjson`, lines.map((line) => JSON.stringify(line)).join('\n'));
      const clock = new TestClock(FIRST + 60 * DAY);
      const on = async (...words: string[]) =>
        (await here([...words, '--from', dir], { clock })).stdout.replace(/\s+/g, ' ');
      const pages = {
        settings: await on('stats', '--by', 'settings', '--type', 'told'),
        ofType: await on('screeners', 'told'),
        ofAll: await on('screeners'),
        today: await on('today'),
        stats: await on('stats', '--by', 'type'),
        report: await on('report', '-'),
      };
      const inFull = 'told: your change of 31 Aug hurt. Undo the change, or try other settings.';
      const said = {
        settings: '? No, it hurt ',
        ofType: '(hurt: undo the change, or try other settings)',
        ofAll: 'change hurt',
        today: inFull,
        stats: inFull,
        report: 'Undo the change, or try other settings.',
      };
      const pagesThatSay = Object.entries(said)
        .filter(([page, words]) => pages[page as keyof typeof pages].includes(words))
        .map(([page]) => page);
      expect(pagesThatSay).toEqual(isWithdrawn ? [] : Object.keys(said));
      expect(
        pages.today.includes(
          'told: it is no longer sure that your change of 31 Aug hurt. There is no reason to undo it any more.',
        ),
      ).toBe(isWithdrawn);
      const { changes } = JSON.parse(
        await on('stats', '--by', 'settings', '--type', 'told', '--json'),
      );
      expect(changes[0].horizons['24h'].verdict).toBe(isWithdrawn ? 'unclear' : 'lower');
      const all = Object.values(pages).join(' ');
      expect(/[Uu]ndo the change/.test(all)).toBe(!isWithdrawn);
    },
  );

  it('says that nothing changed where only the market did', async ({ home, here }) => {
    const dir = await historyIn(home.folder, 0);
    const { stdout } = await here(['stats', '--from', dir, '--by', 'settings', '--type', 'told']);
    expect(stdout.replace(/\s+/g, ' ')).toMatch(
      /^Did your change of told help\? It made less than 1 pp 31 Aug: level 2 instead of 1\. It made less than 1 pp: its cards did 0\.\d\d pp \w+ than before, compared with 1 other type\. /,
    );
    expect(stdout).toMatch(/^since 31 Aug .* level 2$/m);
    const other = async () =>
      (await here(['stats', '--from', dir, '--by', 'settings', '--type', 'other'])).stdout;
    expect(await other()).toBe(
      [
        'Settings of other',
        'Unchanged since they were first recorded on 1 Aug: level 1.',
        'If you change them, this page will say whether that helped. It needs 12 days of outcomes or more after the change.',
        '',
        'How it does now:',
        `  screener screeners other --from ${dir}`,
        '',
      ].join('\n'),
    );
  });

  it('says what its figures rest on', async ({ here, home }) => {
    const dir = await historyIn(home.folder, 3);
    const changed = await here(['stats', '--from', dir, '--by', 'settings', '--type', 'told']);
    expect(changed.stdout).toMatch(
      /^Medians, 24 h after the trigger, in pp\. A DAY: cards a day in all that time\. N, VS BTC, VS 1 TYPE: from what you bought so far\.$/m,
    );
  });

  it('has each difference with its interval on the page of a type whose outcomes are all bought', async ({
    home,
    here,
  }) => {
    const dir = await historyIn(home.folder, 3);
    const page = (await here(['screeners', 'told', '--from', dir])).stdout;
    const { items } = JSON.parse(
      (await here(['screeners', 'told', '--from', dir, '--json'])).stdout,
    );
    const figures = items[0].horizons['24h'];
    const shown = (value: number) => `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(2)}`;
    const differenceText = (value: number, { low, high }: { low: number; high: number }) =>
      `${shown(value)} pp after 24 h (95 %: ${shown(low)} to ${shown(high)})`;
    const value = (label: string) => new RegExp(`^${label} +(.*)$`, 'm').exec(page)?.[1];
    expect({ others: value('vs others'), btc: value('vs BTC'), change: value('Change') }).toEqual({
      others: differenceText(
        figures.median_vs_others_percentage_points,
        figures.median_vs_others_interval_95,
      ),
      btc: differenceText(
        figures.median_vs_btc_percentage_points,
        figures.median_vs_btc_interval_95,
      ),
      change: expect.stringMatching(/^31 Aug: level 2 instead of 1 \(helped\)$/),
    });
  });

  it('says on the page of a type since when its cards a day are counted, and what to do', async ({
    home,
    here,
  }) => {
    const dir = await historyIn(home.folder, 0, CHANGE + 10);
    const clock = new TestClock(FIRST + (CHANGE + 10) * DAY);
    const pageOf = async (type: string) =>
      (await here(['screeners', type, '--from', dir], { clock })).stdout;
    const told = await pageOf('told');
    expect(told).toMatch(/^Cards a day +\d+\.\d since 31 Aug$/m);
    expect(told).toMatch(
      /^Change +31 Aug: level 2 instead of 1 \(too early to say whether it helped: keep its settings until 30 Oct\)$/m,
    );
    expect(await pageOf('other')).toMatch(/^Cards a day +\d+\.\d in the last 28 days$/m);
    const list = (await here(['screeners', '--from', dir], { clock })).stdout;
    expect(list).toMatch(/ level 2 \(since 31 Aug: keep these settings until 30 Oct\)$/m);
    expect(list).toMatch(/^other .* level 1$/m);
  });

  it('gives the rate of the days before on the morning of a change, and says so', async ({
    home,
    here,
  }) => {
    const dir = await historyIn(home.folder, 0, CHANGE);
    const morning = FIRST + CHANGE * DAY + 6 * 3_600_000;
    const on = (words: string[]) =>
      here([...words, '--from', dir], { clock: new TestClock(morning) });
    expect((await on(['today'])).stdout).toMatch(
      /^Last 24 h +\d+ cards; usually 24 a day before the change of 31 Aug/m,
    );
    const changed = await on(['stats', '--by', 'settings', '--type', 'told']);
    expect(changed.stdout).toMatch(/^since 31 Aug +– /m);
    expect((await on(['screeners'])).stdout).toMatch(
      /^told +12\.0 before +.* level 2 \(since 31 Aug: keep these settings until 30 Oct\)$/m,
    );
    expect((await on(['screeners', 'told'])).stdout).toMatch(
      /^Cards a day +12\.0 before the change of settings$/m,
    );
    const { items } = JSON.parse((await on(['stats', '--by', 'type', '--json'])).stdout);
    const rates = items.map(({ group, cards_per_day }: Record<string, unknown>) => ({
      group,
      cards_per_day,
    }));
    expect(rates).toEqual(
      expect.arrayContaining([
        { group: 'told', cards_per_day: 12 },
        { group: 'other', cards_per_day: expect.closeTo(12, 0) },
      ]),
    );
  });

  /** A history whose type `told` the screeners show so on the days since its first one. */
  const historyOf = async (folder: string, told: Readonly<Record<number, object>>) => {
    const dir = await historyIn(folder, 0);
    rmSync(`${dir}/screeners.ndjson`);
    const seen = Object.entries(told).map(([day, screener]) => ({ day: Number(day), screener }));
    for (const { day, screener } of seen) {
      const [first, ...others] = settings(1).items;
      const items = [{ ...(first as ScreenerItem), ...screener }, ...others];
      const before = day === 0 ? null : new Date(FIRST + (day - 1) * DAY).toISOString();
      await appendScreeners(dir, { scope: 'current_settings', items }, FIRST + day * DAY, before);
    }
    return dir;
  };

  /** The pages of `told` that speak of its settings. */
  const pagesOf = async (here: (args: string[]) => Promise<Pick<Ran, 'stdout'>>, dir: string) => {
    const pageOf = async (...words: string[]) =>
      (await here([...words, '--from', dir])).stdout.replace(/\s+/g, ' ');
    return {
      bySettings: await pageOf('stats', '--by', 'settings', '--type', 'told'),
      screener: await pageOf('screeners', 'told'),
      byType: await pageOf('stats', '--by', 'type'),
      report: (await pageOf('report', '-')).replaceAll(/<[^>]*>/g, ' '),
    };
  };

  it.for<[what: string, told: Readonly<Record<number, object>>]>([
    ['a new field of the service that is null', { 40: { conditions: { level: 1, note: null } } }],
    ['off, and on again', { 20: { active: false }, 23: { active: true } }],
  ])('sees no change in %s', async ([, told], { home, here }) => {
    const pages = await pagesOf(here, await historyOf(home.folder, { 0: {}, ...told }));
    expect(pages.bySettings).toContain(
      'Unchanged since they were first recorded on 1 Aug: level 1.',
    );
    expect(pages.screener).toMatch(/ Settings level 1(; note none)? Cards a day /);
    expect(pages.byType).toMatch(/ told 7\d\d /);
    expect(pages.report).not.toContain('Your change of told');
  });

  it('says that a type is off, and which settings it had when it was on', async ({
    home,
    here,
  }) => {
    const dir = await historyOf(home.folder, { 0: {}, 55: { active: false } });
    const { bySettings, screener, report } = await pagesOf(here, dir);
    expect(bySettings).toContain(
      'Settings of told Unchanged since they were first recorded on 1 Aug: level 1. Switched off on 25 Sep. ',
    );
    expect(screener).toMatch(/^told \(off since \d+ \w{3}\) .* Settings level 1 Cards a day /);
    expect(report).toMatch(/ told +off: level 1 /);
  });

  it('judges and says by the smallest difference that was typed', async ({ home, here }) => {
    const dir = await historyIn(home.folder, 0);
    const line = ['stats', 'told', '--from', dir, '--by', 'settings', '--least', '4.5'];
    const { stdout } = await here(line);
    expect(stdout.replace(/\s+/g, ' ')).toContain('It made less than 4.5 pp: its cards did');
    const { changes } = JSON.parse((await here([...line, '--json'])).stdout);
    expect(changes[0].horizons['24h'].verdict).toBe('small');
  });

  it('needs a type, and names those that changed', async ({ home, here }) => {
    const dir = await historyIn(home.folder, 0);
    const { code, stderr } = await here(['stats', '--from', dir, '--by', 'settings', '--json']);
    expect({ code, hint: errorLine(stderr).hint }).toEqual({
      code: 2,
      hint: `Changed settings:\nscreener stats --from ${dir} --type told --by settings`,
    });
  });
});
