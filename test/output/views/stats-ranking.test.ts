/** What a line of the ranking has room for: the name and the verdict always, the picture before more figures. */
import { describe, expect } from 'vitest';
import { DAY } from '../../../src/base/units.ts';
import type { Standing } from '../../../src/outcomes/standing.ts';
import { RenderContext } from '../../../src/output/table/render.ts';
import { rankingVerdict } from '../../../src/output/views/sections.ts';
import { type Ranking, rankingPage } from '../../../src/output/views/stats-ranking.ts';
import { VERDICTS } from '../../../src/statistics/rule.ts';
import { testContext } from '../../support/context.ts';
import { NOW } from '../../support/date.ts';
import { demoFolder } from '../../support/demo.ts';
import { it } from '../../support/fixtures.ts';
import { rankedLines } from '../../support/ranking.ts';
import { AT, judged, sure } from '../../support/standing.ts';

/** In the order of the page: what is above, what is below, what is not known, what is silent. */
const SECTIONS = [
  { heading: 'Above your other cards', group: 'oi_growth' },
  { heading: 'Below your other cards and BTC', group: 'funding_extreme' },
  { heading: 'Within 1 pp of your other cards', group: 'volume_burst' },
  { heading: 'Not known yet', group: 'price_spike*' },
  { heading: 'Silent: switched on, but no new card', group: 'breakout' },
];

const demo = demoFolder(NOW);

const ranking = (by: 'type' | 'symbol', ...more: readonly string[]) => [
  ...['stats', '--from', demo(), '--by', by, '--no-pager', '--no-color'],
  ...more,
];

const headerIn = (page: string) => page.split('\n').find((line) => line.startsWith('TYPE ')) ?? '';

/** A type with a name and figures of the usual width for each verdict that is drawn, in every state that has words of its own. */
function everyVerdict(): Standing[] {
  const groupFigures = {
    ...figuresOfGroup,
    settings_since: null,
  } as unknown as Standing['groupFigures'];
  const figures = { missing_share: 0.04 } as Standing['figures'];
  const onNoOutcome = { missing_share: 0 } as Standing['figures'];
  const states: Partial<Standing>[] = [
    {},
    { isWeak: true },
    { silentDays: 119 },
    { silentDays: 119, isWeak: true },
    { verdictExpected: AT + 10 * DAY },
    { wouldShow: 12.3 },
    { isUnclearByMissing: true },
    { isUnclearByMissing: true, figures: onNoOutcome },
    { withdrawn: { verdict: 'above', comparedWith: 'others', from: AT - 50 * DAY, until: AT } },
    { withdrawn: { verdict: 'below', comparedWith: 'btc', from: AT - 50 * DAY, until: AT } },
  ];
  const base = { ...sure, sample: 571, vsBtc: -1.48, vsOthers: -2.07 };
  const since = { verdictSince: AT };
  const standings: Standing[] = [];
  for (const verdict of VERDICTS.filter((verdict) => verdict !== 'too_few_days')) {
    for (const verdictVsBtc of VERDICTS) {
      for (const comparedWith of ['others', 'btc'] as const) {
        for (const state of states) {
          const more = {
            groupFigures,
            figures,
            base,
            ...since,
            verdictVsBtc,
            comparedWith,
            ...state,
          };
          standings.push(judged('momentum_break', verdict, more));
        }
      }
    }
  }
  return standings;
}

const figuresOfGroup = { due: 600, bought: 571, coincides_with: [] };

function rankingOf(standings: readonly Standing[]): Ranking {
  const ranking: Partial<Ranking> = {
    by: 'type',
    horizon: '24h',
    head: {
      symbol: null,
      groups_left_out: 0,
      bought_first: [],
      settings_changes: [],
    } as unknown as Ranking['head'],
    groups: [],
    standings,
    answers: [],
    prospects: [],
    actions: undefined,
    isSorted: false,
    hasWhere: true,
    exportCommand: '',
    caveats: '',
    period: { since: AT - 90 * DAY, until: AT },
  };
  return ranking as Ranking;
}

describe('a ranking', () => {
  it('says in words when a verdict starts and ends; marks of ASCII are no thick or thin lines', () => {
    const groupFigures = {
      ...figuresOfGroup,
      settings_since: null,
    } as unknown as Standing['groupFigures'];
    const standings = [judged('pump', 'above', { groupFigures })];
    const ruleIn = (LANG: string) => {
      const context = testContext({ width: 200, env: { LANG } });
      const page = rankingPage(rankingOf(standings), new RenderContext({ context, color: false }));
      return /Above or below begins .*$/m.exec(page)?.[0];
    };
    expect({ words: ruleIn('C.UTF-8'), ascii: ruleIn('C') }).toEqual({
      words:
        'Above or below begins when the thin line leaves the band, and ends when the thick line touches 0.',
      ascii: 'Above or below begins when "-" leaves ":", and ends when "=" touches 0.',
    });
  });

  it('names no type that is compared with BTC before any has an interval', () => {
    const groupFigures = {
      ...figuresOfGroup,
      settings_since: null,
    } as unknown as Standing['groupFigures'];
    const titleWith = (interval: Standing['base']['interval']) => {
      const more = { groupFigures, base: { ...sure, interval } };
      const standings = [
        judged('a', 'unclear', more),
        judged('b', 'unclear', more),
        judged('c', 'unclear', { ...more, comparedWith: 'btc' }),
      ];
      const render = new RenderContext({ context: testContext({ width: 100 }), color: false });
      return /against (.*)$/m.exec(rankingPage(rankingOf(standings), render))?.[1];
    };
    expect({ none: titleWith(null), some: titleWith({ low: -1, high: 1 }) }).toEqual({
      none: 'your other cards',
      some: 'your other cards (c: BTC)',
    });
  });

  it('explains no column that it does not have', async ({ here }) => {
    const { stdout } = await here(ranking('symbol'), { tty: 120 });
    expect(stdout).toContain('BEAT BTC');
    expect(stdout).not.toContain('LATEST 30 D');
  });

  it.for([
    { columns: 60, more: [] },
    { columns: 80, more: [] },
    { columns: 99, more: [] },
    { columns: 100, more: ['LATEST 30 D'] },
    { columns: 120, more: ['95 % INTERVAL', 'LATEST 30 D'] },
    { columns: 140, more: ['95 % INTERVAL', 'LATEST 30 D'] },
  ])('in $columns columns has $more', async ({ columns, more }, { here }) => {
    const { stdout } = await here(ranking('type'), { tty: columns });
    const header = headerIn(stdout);
    const lines = rankedLines(stdout);
    const names = ['95 % INTERVAL', 'BEAT BTC', 'LATEST 30 D'];
    expect(names.filter((name) => header.includes(name))).toEqual(more);
    expect(header).toContain('VERDICT');
    // A column whose name does not explain itself is explained below.
    expect(/^LATEST 30 D: /m.test(stdout)).toBe(more.includes('LATEST 30 D'));
    // The marks are told where they are drawn.
    const isDrawn = columns >= 80;
    expect(stdout.includes('● median; ━ 95 % interval')).toBe(isDrawn);
    expect(lines.map(({ heading, group }) => ({ heading, group }))).toEqual(SECTIONS);
    const widths = [header, ...lines.map(({ line }) => line)].map((line) => line.length);
    expect(Math.max(...widths), 'columns of the widest line').toBeLessThanOrEqual(columns);
    for (const { text, verdict } of lines) {
      expect(verdict, text).toMatch(
        /^((below )?since \d+ \w+|[\d.]+ pp would show|no card for \d+ days)?$/,
      );
      if (isDrawn) expect(text, text).toMatch(/━*●/);
    }
  });

  it.for([
    { columns: 72, hasSize: false },
    { columns: 80, hasSize: true },
  ])(
    'in $columns columns draws 12 characters or more, and counts outcomes beside it: $hasSize',
    async ({ columns, hasSize }, { here }) => {
      const { stdout } = await here(ranking('type'), { tty: columns });
      const header = headerIn(stdout);
      const [scale = ''] = /-\d\.\d +0 +\+\d\.\d/.exec(header) ?? [];
      expect({ hasSize: / N /.test(header), isReadable: scale.length >= 12 }, header).toEqual({
        hasSize,
        isReadable: true,
      });
    },
  );

  it('draws the intervals in 80 columns whatever the verdicts are', () => {
    const render = new RenderContext({ context: testContext({ width: 80 }), color: false });
    const withoutPicture: string[] = [];
    for (const standing of everyVerdict()) {
      const page = rankingPage(rankingOf([standing]), render);
      if (!page.includes('●')) withoutPicture.push(rankingVerdict(standing, true));
    }
    expect(new Set(withoutPicture)).toEqual(new Set());
  });

  it.for([
    { width: 100, names: ['LATEST 30 D'] },
    { width: 120, names: ['95 % INTERVAL', 'LATEST 30 D'] },
    { width: 180, names: ['95 % INTERVAL', 'LATEST 30 D'] },
  ])(
    'has in $width columns the same columns whether a type is above, and whose figures decide',
    ({ width, names }) => {
      const render = new RenderContext({ context: testContext({ width }), color: false });
      const interval = { low: -1, high: 1 };
      const part = (points: number) => ({ percentage_points: points, interval_95: interval });
      const inParts = { share_above_btc: 0.6, last_30_days: part(0.2), before: part(2) };
      const figures = inParts as Standing['figures'];
      const groupFigures = {
        ...figuresOfGroup,
        settings_since: null,
      } as unknown as Standing['groupFigures'];
      const above = judged('pump', 'above', { figures, groupFigures });
      for (const source of ['bought', 'service'] as const) {
        for (const verdict of ['above', 'small', 'unclear'] as const) {
          const base = { ...sure, sample: 571, vsOthers: 1.2, vsBtc: 1.2, source };
          const other = judged('dump', verdict, { figures, groupFigures, base });
          const page = rankingPage(rankingOf([above, other]), render);
          const header = headerIn(page);
          const shown = ['95 % INTERVAL', 'BEAT BTC', 'LATEST 30 D'].filter((name) =>
            header.includes(name),
          );
          expect(shown, `${source}, ${verdict}`).toEqual(names);
          // Why the other line has none.
          expect(page).toMatch(
            /^LATEST 30 D: VS OTHERS in the last 30 days \(was: before that\), for types/m,
          );
        }
      }
    },
  );

  it('says until when the last 30 days were, if the service counted them some time ago', () => {
    const interval = { low: -1, high: 1 };
    const part = (points: number) => ({ percentage_points: points, interval_95: interval });
    const figures = { last_30_days: part(0.2), before: part(2) } as Standing['figures'];
    const groupFigures = {
      ...figuresOfGroup,
      settings_since: null,
    } as unknown as Standing['groupFigures'];
    const render = new RenderContext({ context: testContext({ width: 140 }), color: false });
    const timesOf = (...ends: readonly (number | undefined)[]) => {
      const standings = ends.map((lastDaysUntil, i) =>
        judged(`pump_${i}`, 'above', { figures, groupFigures, lastDaysUntil }),
      );
      return /LATEST 30 D: VS OTHERS ([^(]*) \(was: before that\)/.exec(
        rankingPage(rankingOf(standings), render),
      )?.[1];
    };
    const [second, sixteenth] = [2, 16].map((day) => Date.UTC(2026, 8, day));
    expect({
      today: timesOf(undefined),
      sameDay: timesOf(second, second),
      several: timesOf(second, sixteenth),
    }).toEqual({
      today: 'in the last 30 days',
      sameDay: 'in the 30 days to 2 Sep',
      several: 'in the last 30 days that are known',
    });
  });

  it('tells the last 30 days of a type that is less bad now once: in a column, or below the table', () => {
    const part = (points: number) => ({
      percentage_points: points,
      interval_95: { low: -1, high: 1 },
    });
    const figures = { last_30_days: part(-0.2), before: part(-2) } as Standing['figures'];
    const groupFigures = {
      ...figuresOfGroup,
      settings_since: null,
    } as unknown as Standing['groupFigures'];
    const lately: Standing['lessLately'] = { last30Days: part(-0.2), earlier: part(-2) };
    const pump = judged('pump', 'below', { figures, groupFigures, lessLately: lately });
    const placesIn = (width: number) => {
      const render = new RenderContext({ context: testContext({ width }), color: false });
      const page = rankingPage(rankingOf([pump]), render);
      return {
        column: page.includes('LATEST 30 D'),
        note: page.includes('pump: -0.20 in the last 30 days, -2.00 before.'),
      };
    };
    expect({ wide: placesIn(140), narrow: placesIn(72) }).toEqual({
      wide: { column: true, note: false },
      narrow: { column: false, note: true },
    });
  });

  it('says the share that beat BTC of groups that are no types', async ({ here }) => {
    const ofTypes = await here(ranking('type'), { tty: 120 });
    expect(ofTypes.stdout).not.toContain('BEAT BTC');
    const ofSymbols = await here(ranking('symbol'), { tty: 120 });
    expect(ofSymbols.stdout).toMatch(/^SYMBOL .* BEAT BTC .*\n.+\n.* \d\d\.\d% /m);
  });

  it('says the last 30 days of what is above or below beside the time before, as JSON has them', async ({
    here,
  }) => {
    const { stdout } = await here(ranking('type'), { tty: 120 });
    const json = JSON.parse((await here(ranking('type', '--json'))).stdout);
    for (const { group, horizons } of json.items) {
      const { last_30_days: last, before, shown_verdict: word } = horizons['24h'];
      const line = rankedLines(stdout).find((ranked) => ranked.group.replace('*', '') === group);
      const signed = (value: number) => `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(1)}`;
      const said =
        last === null || !['above_others', 'below_others'].includes(word)
          ? '–'
          : `${signed(last.percentage_points)}, was ${signed(before.percentage_points)}`;
      expect(`${line?.text}  `, group).toContain(` ${said}  `);
    }
  });

  it('names the lines whose comparison is not that of the others', async ({ here }) => {
    const { stdout } = await here(ranking('symbol', '--where', 'oi_change_pct>=3.9'), { tty: 120 });
    expect(stdout).toContain('Picture and verdict: against BTC (DOGEUSDT: your other cards)\n');
  });

  it.for([
    {
      name: 'too few columns',
      by: 'type' as const,
      more: [],
      columns: 50,
      against: 'your other cards',
    },
    {
      name: 'BTC alone',
      by: 'symbol' as const,
      more: ['--symbol', 'BTCUSDT'],
      columns: 120,
      against: 'BTC',
    },
  ])(
    'without a picture ($name) has none in its title',
    async ({ by, more, columns, against }, { here }) => {
      const { stdout } = await here(ranking(by, ...more), { tty: columns });
      expect(stdout.replace(/\s+/g, ' ')).toContain(
        `after the trigger, in pp. Verdict: against ${against} `,
      );
    },
  );

  it.for([[], ['--detail']])(
    'that --min-sample leaves without a line says so (%j)',
    async (more, { here }) => {
      const { code, stdout } = await here(ranking('type', '--min-sample', '5000', ...more));
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout: 'All 5 groups have fewer outcomes than --min-sample.\n',
      });
    },
  );

  it('counts what the command that it offers lists more', async ({ here }) => {
    const { stdout } = await here(ranking('symbol', '--where', 'oi_change_pct>=3.9'), { tty: 120 });
    const [, more] = /^(\d+) more:$/m.exec(stdout) ?? [];
    const all = await here(ranking('symbol', '--where', 'oi_change_pct>=3.9', '--sort=-group'), {
      tty: 120,
    });
    expect(rankedLines(stdout, 'SYMBOL').length + Number(more)).toBe(
      rankedLines(all.stdout, 'SYMBOL').length,
    );
  });

  it('says below the lines the day of the last change, and above them nothing of what it did long ago', async ({
    here,
  }) => {
    const since = /\* only cards since the last change of settings: price_spike \d+ \w{3}\./;
    const { stdout } = await here(ranking('type'), { tty: 120 });
    expect(stdout).toMatch(since);
    expect(stdout).toMatch(/^Change +oi_growth: /m);
    expect(stdout).not.toContain('helped');
    const ownQuestion = await here(ranking('type', '--least', '2'), { tty: 120 });
    expect(ownQuestion.stdout).toMatch(since);
    expect(ownQuestion.stdout).not.toContain('helped');
  });

  it.for([
    { question: [], labels: ['Keep', 'Drop', 'Change'] },
    { question: ['--least', '2'], labels: ['Keep', 'Drop', 'Change'] },
    { question: ['--sort', '-group'], labels: ['Keep', 'Drop', 'Change'] },
    // Stricter settings are looked for after 24 h, and of all types.
    { question: ['--horizon', '1h'], labels: ['Keep', 'Drop'] },
    { question: ['--type', 'price_spike'], labels: ['To do'] },
    // By some of its cards no type is kept or dropped.
    { question: ['--symbol', 'SOLUSDT'], labels: [] },
    { question: ['--where', 'oi_change_pct>=3'], labels: [] },
  ])('asked $question begins with $labels', async ({ question, labels }, { here }) => {
    const { stdout } = await here(ranking('type', ...question), { tty: 120 });
    const [head = ''] = stdout.replaceAll('\r', '').split(/^TYPE /m);
    expect([...head.matchAll(/^(Keep|Drop|Change|To do) /gm)].map(([, label]) => label)).toEqual(
      labels,
    );
  });
});
