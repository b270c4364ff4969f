/** The page and `--json` of one line say the same words, whatever is asked of a history. */
import { describe, expect } from 'vitest';
import { type HorizonName, horizonOf } from '../../src/api/contract/horizons.ts';
import { DAY, dayAndMonth, monthName } from '../../src/base/units.ts';
import type { GroupFigures, HorizonFigures } from '../../src/outcomes/figure-table.ts';
import type { ToDo } from '../../src/outcomes/to-do.ts';
import type { ShownVerdict } from '../../src/outcomes/types.ts';
import { TestClock } from '../support/context.ts';
import { demoFolder } from '../support/demo.ts';
import { it } from '../support/fixtures.ts';
import { rankedLines } from '../support/ranking.ts';

const NOW = Date.UTC(2026, 10, 20, 18);
const demo = demoFolder(NOW);

interface Asked {
  readonly by: 'type' | 'symbol';
  readonly least?: string;
  readonly minSample?: string;
  readonly horizon?: HorizonName;
  readonly since?: string;
  readonly where?: string;
}

const GRID: readonly Asked[] = [
  { by: 'type' },
  { by: 'type', least: '0.5' },
  { by: 'type', least: '2' },
  { by: 'type', least: '5' },
  { by: 'type', minSample: '10' },
  { by: 'type', minSample: '300' },
  { by: 'type', least: '2', minSample: '300' },
  // Of many symbols each one by itself: types have shown what becomes of both.
  { by: 'symbol' },
  { by: 'symbol', least: '5' },
  { by: 'symbol', minSample: '300' },
  { by: 'type', horizon: '1h' },
  { by: 'type', horizon: '1h', least: '2' },
  { by: 'type', since: 'all' },
  { by: 'type', since: '2026-10-01', least: '2' },
  { by: 'type', since: '2026-10-20' },
  { by: 'type', where: 'oi_change_pct>=2' },
  { by: 'symbol', horizon: '1h', minSample: '50' },
];

const wordsOf = ({ by, least, minSample, horizon, since, where }: Asked): string[] => [
  ...['stats', '--from', demo(), '--by', by],
  ...(least === undefined ? [] : ['--least', least]),
  ...(minSample === undefined ? [] : ['--min-sample', minSample]),
  ...(horizon === undefined ? [] : ['--horizon', horizon]),
  ...(since === undefined ? [] : ['--since', since]),
  ...(where === undefined ? [] : ['--where', where]),
  // All lines, not the best alone.
  ...(by === 'symbol' ? ['--sort', '-group'] : []),
];

const NAMES: Readonly<Record<ShownVerdict, string>> = {
  above_others: 'above',
  below_others: 'below',
  above_btc: 'above BTC',
  below_btc: 'below BTC',
  small: 'within LEAST pp',
  unclear: 'unclear',
  too_few_days: 'too few days',
};

/** The verdict of a line as JSON has it, in the words of the page; what an unclear one waits for is checked by `waitOf`. */
function verdictOf(figures: HorizonFigures, least: number, hasHeadings: boolean): string {
  const { shown_verdict: verdict, verdict_since: since } = figures;
  if (verdict === null) return figures.cards_of_btc > 0 ? 'BTC itself' : '–';
  if (verdict === 'too_few_days') {
    const needed = 6 * figures.cluster_days;
    const days = figures.distinct_days;
    return days < needed ? `${days} of ${needed} days` : NAMES[verdict];
  }
  const name = NAMES[verdict].replace('LEAST', String(least));
  const isSide = verdict !== 'small' && verdict !== 'unclear';
  if (!isSide || since === null) return name;
  const date = `since ${dayAndMonth(Date.parse(since))}`;
  // Where there are headings, they say the name.
  return hasHeadings ? date : `${name} ${date}`;
}

const HEADINGS: Readonly<Record<ToDo, string>> = {
  keep: 'Above your other cards',
  drop: 'Below your other cards and BTC',
  behind_others_ahead_of_btc: 'Below your other cards',
  ahead_of_btc: 'Above BTC',
  behind_btc: 'Below BTC',
};

/** That outcomes without a figure keep it unclear: that reason comes before any date. */
const MISSING = String.raw`(\d+ %|others'|some) missing`;

/** What an unclear line says it waits for; undefined where nothing bounds it. */
function waitOf(figures: HorizonFigures, hasHeadings: boolean): RegExp | undefined {
  const { days_until_least_shows: days, would_show_percentage_points: shows } = figures;
  const month = monthName(NOW + (days ?? 0) * DAY);
  if (days !== null) {
    const date = hasHeadings ? `likely by end of ${month}` : `unclear; by end of ${month}`;
    return new RegExp(`^(${date}|(unclear: )?${MISSING})$`);
  }
  if (shows === null) return undefined;
  const points = String(Math.ceil(2 * Number(shows.toFixed(1))) / 2);
  const size = hasHeadings ? `${points} pp would show` : `unclear \\(${points} pp\\)`;
  return new RegExp(`^(${size}|(unclear: )?${MISSING})$`);
}

describe('the page and --json of one line', () => {
  it.for(GRID)('say the same words: %j', async (gridCase, { here }) => {
    const horizon = gridCase.horizon ?? '24h';
    const least = Number(gridCase.least ?? 1) * horizonOf(horizon).shareOfLeast;
    const [page, json] = await Promise.all(
      [[], ['--json']].map((format) =>
        here([...wordsOf(gridCase), ...format], { clock: new TestClock(NOW) }),
      ),
    );
    expect(page).toMatchObject({ code: 0 });
    const items: readonly GroupFigures[] = JSON.parse(json?.stdout ?? '').items;
    const header = gridCase.by.toUpperCase();
    const lines = items.length === 0 ? [] : rankedLines(page?.stdout ?? '', header);
    for (const { group, horizons } of items) {
      const figures = horizons[horizon];
      const line = lines.find((ranked) => ranked.group.replace('*', '') === group);
      const verdict = line?.verdict ?? '';
      const isOpen = ['unclear', 'too_few_days'].includes(figures.shown_verdict ?? '');
      if (isOpen && /^no card for \d+ days$/.test(verdict)) continue;
      const hasHeadings = gridCase.by === 'type';
      if (figures.shown_verdict === 'unclear') {
        const wait = waitOf(figures, hasHeadings) ?? /^unclear$/;
        expect(verdict, `the verdict of ${group}`).toMatch(wait);
      } else {
        // A silent type may have a verdict, too.
        const nameOnLine = verdict.replace(/(^|, )silent$/, '');
        // The line leaves out what its heading says.
        const isInHeading = nameOnLine === '' && line !== undefined;
        const nameInHeading =
          /^Within [\d.]+ pp/.exec(line?.heading ?? '')?.[0].toLowerCase() ?? '';
        const name = isInHeading ? nameInHeading : nameOnLine;
        // It may have come to be below BTC, too, later than the day of its verdict.
        const expectedName =
          figures.to_do === 'drop'
            ? expect.stringMatching(
                hasHeadings ? /^below( since \d{1,2} \w{3})?$/ : /^below( since \d{1,2} \w{3})?$/,
              )
            : verdictOf(figures, least, hasHeadings);
        expect({ group, name }).toEqual({ group, name: expectedName });
      }
      // In an order that was asked for there are no headings.
      if (figures.to_do === null || gridCase.by === 'symbol') continue;
      expect({ group, heading: line?.heading }).toEqual({
        group,
        heading: HEADINGS[figures.to_do],
      });
    }
  });

  it('with sections that say of symbols where they stand, and nothing to do', async ({ here }) => {
    const words = ['stats', '--from', demo(), '--by', 'symbol', '--least', '5'];
    const [page, json] = await Promise.all(
      [[], ['--json']].map((format) => here([...words, ...format], { clock: new TestClock(NOW) })),
    );
    const items: readonly GroupFigures[] = JSON.parse(json?.stdout ?? '').items;
    const toDos = new Map(items.map(({ group, horizons }) => [group, horizons['24h'].to_do]));
    const lines = rankedLines(page?.stdout ?? '', 'SYMBOL');
    expect(lines.length, 'lines').toBeGreaterThan(0);
    expect(page?.stdout).not.toMatch(/^(Keep|Drop|Change|To do) /m);
    for (const { group, heading } of lines) {
      expect(heading).not.toMatch(/worth|keep|drop/i);
      const toDo = toDos.get(group) ?? null;
      if (toDo !== null) expect(heading, group).toMatch(new RegExp(`^${HEADINGS[toDo]}`));
    }
  });

  it('and those of one type', async ({ here }) => {
    for (const type of ['oi_growth', 'funding_extreme', 'volume_burst', 'price_spike']) {
      const words = ['stats', '--from', demo(), '--type', type];
      const [page, json] = await Promise.all(
        [[], ['--json']].map((format) =>
          here([...words, ...format], { clock: new TestClock(NOW) }),
        ),
      );
      const figures: HorizonFigures = JSON.parse(json?.stdout ?? '').horizons['24h'];
      const row = (name: string) =>
        new RegExp(`^${name} {2,}(.+?)(?: {2,}|$)`, 'm').exec(page?.stdout ?? '')?.[1];
      const name = (verdict: ShownVerdict | null) =>
        verdict === null ? '–' : NAMES[verdict].replace('LEAST', '1');
      expect({ type, btc: row('Verdict vs BTC'), others: row('Verdict vs others') }).toEqual({
        type,
        btc: name(figures.verdict),
        others: name(figures.verdict_vs_others),
      });
      expect(figures.shown_verdict, type).toBe(figures.verdict_vs_others);
    }
  });
});
