/** The page and `--json` of one line say the same words, whatever is asked of a history. */
import { beforeAll, describe, expect } from 'vitest';
import { type HorizonName, horizonOf } from '../../src/api/contract/horizons.ts';
import { dayAndMonth } from '../../src/base/units.ts';
import type { GroupFigures, HorizonFigures } from '../../src/outcomes/figure-table.ts';
import type { ToDo } from '../../src/outcomes/to-do.ts';
import type { ShownVerdict } from '../../src/outcomes/types.ts';
import { demoHistory } from '../../src/sandbox/demo-history.ts';
import { TestClock } from '../support/context.ts';
import { it } from '../support/fixtures.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 20, 18);
const atEnd: (() => Promise<void>)[] = [];
let directory: string;
beforeAll(async () => {
  directory = await demoHistory(NOW, atEnd);
  return async () => {
    for (const end of atEnd) await end();
  };
});

interface Asked {
  readonly by: 'type' | 'symbol';
  readonly least?: string;
  readonly minSample?: string;
  readonly horizon?: HorizonName;
  readonly since?: string;
  readonly where?: string;
}

const BASE: readonly Asked[] = (['type', 'symbol'] as const).flatMap((by) =>
  [undefined, '0.5', '2', '5'].flatMap((least) =>
    [undefined, '10', '300'].map(
      (minSample): Asked => ({ by, ...(least && { least }), ...(minSample && { minSample }) }),
    ),
  ),
);
const GRID: readonly Asked[] = [
  ...BASE,
  { by: 'type', horizon: '1h' },
  { by: 'type', horizon: '1h', least: '2' },
  { by: 'type', since: 'all' },
  { by: 'type', since: '2026-10-01', least: '2' },
  { by: 'type', since: '2026-10-20' },
  { by: 'type', where: 'oi_change_pct>=2' },
  { by: 'symbol', horizon: '1h', minSample: '50' },
];

const wordsOf = ({ by, least, minSample, horizon, since, where }: Asked): string[] => [
  ...['stats', '--from', directory, '--by', by],
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
  small: 'under LEAST pp',
  unclear: 'unclear',
  too_few_days: 'too few days',
};

/** The verdict of a line as JSON has it, in the words of the page. */
function verdictOf(figures: HorizonFigures, least: number): string {
  const { shown_verdict: verdict, verdict_since: since, weak } = figures;
  if (verdict === null) return figures.cards_of_btc > 0 ? 'BTC itself' : '–';
  const name = NAMES[verdict].replace('LEAST', String(least));
  if (verdict === 'too_few_days') {
    const needed = 6 * figures.cluster_days;
    const days = figures.distinct_days;
    return days < needed ? `${name} (${days} of ${needed})` : name;
  }
  if (verdict === 'unclear') return name;
  const isSide = verdict !== 'small';
  const date = isSide && since !== null ? ` since ${dayAndMonth(Date.parse(since))}` : '';
  return `${name}${date}${weak ? ', weak' : ''}`;
}

const LABELS: Readonly<Record<ToDo, { readonly type: string; readonly symbol: string }>> = {
  keep: { type: 'Worth keeping', symbol: 'Above' },
  drop: { type: 'Worth dropping', symbol: 'Below' },
  behind_others_ahead_of_btc: { type: 'Behind others', symbol: 'Below' },
  ahead_of_btc: { type: 'Ahead of BTC', symbol: 'Ahead of BTC' },
  behind_btc: { type: 'Behind BTC', symbol: 'Behind BTC' },
};

describe('the page and --json of one line', () => {
  it.for(GRID)('say the same words: %j', async (asked, { here }) => {
    const horizon = asked.horizon ?? '24h';
    const least = Number(asked.least ?? 1) * horizonOf(horizon).least;
    const [page, json] = await Promise.all(
      [[], ['--json']].map((format) =>
        here([...wordsOf(asked), ...format], { clock: new TestClock(NOW) }),
      ),
    );
    expect(page).toMatchObject({ code: 0 });
    const items: readonly GroupFigures[] = JSON.parse(json?.stdout ?? '').items;
    const lines = (page?.stdout ?? '').split('\n');
    const shown = items.map(({ group }) => {
      const line = lines.find(
        (line) => line.startsWith(`${group} `) || line.startsWith(`${group}* `),
      );
      return `${group}: ${line
        ?.split(/ {2,}/)
        .at(-1)
        ?.replace(/(, silent \d+ days|; change .*)$/, '')}`;
    });
    expect(shown).toEqual(
      items.map(({ group, horizons }) => `${group}: ${verdictOf(horizons[horizon], least)}`),
    );
    const waits = lines.find((line) => line.startsWith('unclear: ')) ?? '';
    for (const { group, horizons } of items) {
      const { shown_verdict, to_do, days_until_least_shows: days, ...figures } = horizons[horizon];
      if (to_do !== null) {
        const label = LABELS[to_do][asked.by];
        expect(
          lines.find((line) => line.startsWith(`${label} `)),
          `${label} of ${group}`,
        ).toMatch(new RegExp(`\\b${group}\\b|\\d+ ${asked.by}s`));
      }
      const isSilent = lines.some((line) => line.includes(`${group}: switched on, but no card`));
      if (shown_verdict !== 'unclear' || isSilent) continue;
      const shows = figures.would_show_percentage_points?.toFixed(1);
      const date = days === null ? undefined : dayAndMonth(NOW + days * DAY);
      // Without a 99.7 % interval, nothing bounds what would show.
      if (date === undefined && shows === undefined) continue;
      const isSaid =
        date === undefined
          ? waits.includes(`${group} ${shows} pp`) ||
            new RegExp(`decide either way \\([^)]*\\b${group}\\b`).test(waits)
          : new RegExp(`a word is likely by ${date} \\([^)]*\\b${group}\\b`).test(waits);
      expect({ group, date, shows, isSaid, waits }).toMatchObject({ isSaid: true });
    }
  });

  it('and those of one type', async ({ here }) => {
    for (const type of ['oi_growth', 'funding_extreme', 'volume_burst', 'price_spike']) {
      const words = ['stats', '--from', directory, '--type', type];
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
