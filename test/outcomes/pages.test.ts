import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shellWord } from '../../src/runtime/shell-words.ts';
import { cardOf, cardsAnHourApart, directory, exportInto, Service } from '../history/support.ts';
import { writeCards } from '../support/history.ts';
import * as samples from '../support/samples.ts';
import { placeboHistory } from './placebo.ts';
import { detailOf, statsPage } from './support.ts';

/** Thirty days of ten types, the first of which truly moves more than BTC. */
function tenTypes(effect = 1.5): string {
  const rows = placeboHistory(
    { days: 30, perDay: () => 40, correlation: 0.3, types: 10, effect },
    3,
  );
  return writeCards(directory(), rows.map(detailOf));
}

const linesOf = (text: string) => text.trimEnd().split('\n');

it('stats for people begin with the finding, and have every figure with --detail', async () => {
  const dir = writeCards(directory(), cardsAnHourApart(60));
  const short = await statsPage({ directory: dir }, undefined);
  expect(short).toMatch(
    /^All cards: too few days \(3 of 12\)\n60 cards, 18 Nov to 20 Nov; after 24 hours, against BTC\.\n.*24 HOURS \(95 %\).* +1 HOUR \(95 %\)\nMedian vs BTC/,
  );
  const text = await statsPage({ directory: dir, detail: true }, undefined);
  for (const words of ['Measured', 'Median vs BTC', 'Verdict'])
    expect(text, words).toContain(words);
  expect(text).toMatch(/^Blocks of days +2 of 2 days, needs 6.* +3, needs 6$/m);
  expect(text).not.toMatch(/profit|\bwin|P&L|[a-z]_(btc|others|days)/i);
});

describe('stats --by as a ranking', () => {
  it("shows the service's medians before there is a verdict, and how to go on", async () => {
    const dir = writeCards(directory(), [{ ...cardOf(1, 2), outcome: null }]);
    const line = {
      asked_at: '2026-11-19T00:00:00Z',
      type: 'told',
      stats: samples.stats({ screener_type: 'told' }),
    };
    writeFileSync(join(dir, 'stats.ndjson'), `${JSON.stringify(line)}\n`);
    const text = await statsPage({ directory: dir, by: 'type', from: dir }, 80);
    expect(text).toContain(`\`screener signals export ${shellWord(dir)}\``);
    expect(text).toMatch(
      /No verdict yet {2}needs 12 days of outcomes[\s\S]*The service's medians over all outcomes[\s\S]*\nTYPE .*\ntold +– +118 .*-0\.31 pp +118$/m,
    );
  });

  it('ten types fit 80 columns and 24 lines, with verdicts on one axis', async () => {
    const text = await statsPage({ directory: tenTypes(), by: 'type' }, 80);
    const lines = linesOf(text);
    expect(lines.length, 'lines of the page').toBeLessThan(24);
    for (const line of lines) expect(line.length, `columns of '${line}'`).toBeLessThanOrEqual(80);
    const groups = lines.filter((line) => line.startsWith('  type_'));
    expect(groups).toHaveLength(10);
    expect(groups[0]).toMatch(/^ {2}type_0 +\d+ +\+\d\.\d\d +\+\d\.\d\d .*above$/);
    expect(groups.slice(1).join('\n')).not.toMatch(/above|below/);
    // What to do stands first; what is above the others, and what is small below it.
    expect(text).toMatch(
      /\nKeep +type_0 \(\+\d\.\d pp vs your other cards\); for now also the other 9 types\nDrop +nothing yet\nChange +nothing found yet\n\nTYPE /,
    );
    expect(text).toMatch(/^TYPE .*\nAbove your other cards\n {2}type_0 /m);
    expect(text).toMatch(/^Within 1 pp of your other cards\n {2}type_\d /m);
    expect(groups.slice(1).join('\n'), 'the heading says it').not.toContain('within');
    expect(text).toContain('● median; ━ 95 % interval; ─ 99.7 %; ░ within ±0.1 pp');
    expect(text).toMatch(
      /░ within ±0\.1 pp\. Above\s+or\s+below\s+begins\s+when\s+the\s+thin\s+line\s+leaves\s+the\s+band,\s+and\s+ends\s+when\s+the\s+thick\s+line\s+touches\s+0\./,
    );
    expect(text).not.toMatch(/profit/);
    // Zero is in one column for all; the interval that leaves it out is drawn beside it.
    const zero = (lines.find((line) => line.startsWith('TYPE')) ?? '').indexOf(' 0 ') + 1;
    expect(groups[0]?.[zero]).toBe('│');
    for (const group of groups.slice(1))
      expect(group[zero], `the column of zero in '${group}'`).toMatch(/[┿┼●│]/);
  });

  it.each([40, 59, 80])(
    'in %i columns drops the picture before a verdict or a name',
    async (width) => {
      const text = await statsPage({ directory: tenTypes(), by: 'type' }, width);
      for (const line of linesOf(text))
        expect(line.length, `columns of '${line}'`).toBeLessThanOrEqual(width);
      expect(text).toMatch(/^Above your other cards\n {2}type_0 .*above$/m);
      // A small difference is said by the heading above its types.
      expect(text).toMatch(/^Within 1 pp of your other cards\n( {2}type_\d .*\n){9}/m);
      expect(text.includes('●')).toBe(width >= 60);
    },
  );

  it('says that an order of noise is noise', async () => {
    const text = await statsPage({ directory: tenTypes(0), by: 'type' }, 80);
    expect(text).toMatch(/^To do +nothing to drop or change yet: keep all 10 for now$/m);
    expect(text).not.toMatch(/^(Keep|Drop|Below|Above)/m);
  });

  it('puts in order by verdict, median or name, and draws the horizon of the order', async () => {
    const dir = tenTypes();
    const medians = async (horizon: string) => {
      const sort = `horizons.${horizon}.median_vs_btc_percentage_points`;
      const text = await statsPage({ directory: dir, by: 'type', sort }, undefined);
      expect(text).toMatch(horizon === '1h' ? /^1 h after the trigger/ : /^24 h after the trigger/);
      return linesOf(text)
        .flatMap((line) => /^type_\d +\d+ +([+-]?[\d.]+)/.exec(line)?.[1] ?? [])
        .map(Number);
    };
    for (const horizon of ['24h', '1h']) {
      const found = await medians(horizon);
      expect(found, `medians after ${horizon}`).toHaveLength(10);
      expect(found, `medians after ${horizon}`).toEqual([...found].sort((a, b) => b - a));
    }
    const text = await statsPage({ directory: dir, by: 'type', sort: '-group' }, undefined);
    expect(text.match(/^type_\d/gm)).toEqual(Array.from({ length: 10 }, (_, i) => `type_${i}`));
  });
});

it('says what share of the due was bought, and which types first', async () => {
  const details = cardsAnHourApart(100);
  const service = new Service({ details, monthCredits: 24 });
  const dir = directory();
  await exportInto(dir, service, { focus: ['pump'], allCredits: true });
  expect(await statsPage({ directory: dir }, undefined)).toMatch(
    /^You bought 20 of 76 outcomes \(pump first, so no random sample of all types\)\.$/m,
  );
});

it.each([
  { changed: ['18', '18'], words: 'pump, oi_surge changed on 18 Nov' },
  { changed: ['18', '19'], words: 'pump changed on 18 Nov, oi_surge on 19 Nov' },
  { changed: ['19', '18'], words: 'oi_surge changed on 18 Nov, pump on 19 Nov' },
])('names changes of settings of types each with its day: $words', async ({ changed, words }) => {
  const dir = writeCards(directory(), cardsAnHourApart(100));
  const look = (day: string) => {
    const items = ['pump', 'oi_surge'].map((type, n) => {
      const hasChanged = day >= (changed[n] ?? '');
      return { type, active: true, conditions: { limit: hasChanged ? 2 : 1 } };
    });
    const at = `2026-11-${day}T10:00:00Z`;
    return JSON.stringify({ at, screeners: { scope: 'current_settings', items } });
  };
  writeFileSync(join(dir, 'screeners.ndjson'), ['10', '18', '19'].map(look).join('\n'));
  const text = await statsPage({ directory: dir, by: 'symbol' }, undefined);
  expect(text).toContain(`These figures mix settings: ${words}. Cards since then:\n`);
});

it('names a change of settings within the window, and the command that avoids it', async () => {
  const dir = writeCards(directory(), cardsAnHourApart(100));
  const look = (at: string, limit: number) => {
    const items = [
      { type: 'pump', active: true, conditions: { limit } },
      { type: 'oi_surge', active: true, conditions: {} },
    ];
    return JSON.stringify({ at, screeners: { scope: 'current_settings', items } });
  };
  const log = [
    look('2026-11-01T00:00:00Z', 1),
    look('2026-11-18T10:00:00Z', 2),
    look('2026-11-18T11:00:00Z', 2),
  ];
  writeFileSync(join(dir, 'screeners.ndjson'), `${log.join('\n')}\n`);
  const text = await statsPage({ directory: dir, from: dir, by: 'symbol' }, undefined);
  expect(text).toContain('These figures mix settings: pump changed on 18 Nov');
  expect(linesOf(text)).toContain(
    `  screener stats --from ${shellWord(dir)} --by symbol --since 2026-11-18T10:00Z`,
  );
  const after = await statsPage(
    { directory: dir, since: Date.parse('2026-11-18T10:00:00Z') },
    undefined,
  );
  expect(after).not.toContain('mix settings');
  expect(await statsPage({ directory: dir, type: 'oi_surge' }, undefined)).not.toContain(
    'mix settings',
  );
});
