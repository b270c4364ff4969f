/** A type below the other cards: every page of verdicts says how to learn whether it is below BTC, too. */
import { writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { byHorizon } from '../../src/api/contract/horizons.ts';
import { DAY } from '../../src/base/units.ts';
import { detailOf } from '../outcomes/support.ts';
import { TestClock } from '../support/context.ts';
import { it } from '../support/fixtures.ts';
import { normalOf, randomOf, writeCards } from '../support/history.ts';
import { card } from '../support/samples.ts';

const FIRST = Date.UTC(2026, 7, 1);
const DAYS = 40;

/** `low` is 2 pp below the other type; the market moves so much that its difference to BTC is not clear. */
function writeHistory(folder: string, boughtOf: (type: string) => number): void {
  const random = randomOf(5);
  const normal = normalOf(random);
  const cards = Array.from({ length: DAYS }, (_, day) => {
    const market = 5 * normal();
    return Array.from({ length: 24 }, (_, i) => {
      const type = i % 2 === 0 ? 'low' : 'other';
      const move = market + normal() - (type === 'low' ? 2 : 0);
      const id = day * 100 + i + 1;
      const symbol = `S${Math.floor(random() * 20)}USDT`;
      const at = FIRST + day * DAY + i * (DAY / 24);
      const outcomes = byHorizon(() => ({ state: 'available', move, btc: 0 }));
      if (random() < boughtOf(type))
        return detailOf({ id, symbol, type, at, isBought: true, outcomes });
      const created_at = new Date(at).toISOString();
      return card({ id, created_at, source_symbol: symbol, source_bot_type: type });
    });
  }).flat();
  writeCards(folder, cards);
  const line = {
    // Lately: `today` tells of it for a week.
    at: new Date(FIRST + 35 * DAY).toISOString(),
    about: 'type',
    to: 'others',
    vs_btc: 'unclear',
    difference_percentage_points: -2,
    interval_95: null,
    sample: 300,
    source: 'bought',
    settings_since: null,
    least: 1,
    weak: false,
    shows_at: null,
  };
  const lines = [
    { ...line, type: 'low', verdict: 'below' },
    { ...line, type: 'other', verdict: 'above' },
  ];
  writeFileSync(`${folder}/findings.ndjson`, lines.map((each) => JSON.stringify(each)).join('\n'));
}

it.for([
  { case: 'as long as exports leave out outcomes of it', share: 0.6, isOffered: true },
  { case: 'but not once its outcomes are bought', share: 1, isOffered: false },
])('is offered on every page of verdicts, $case', async ({ share, isOffered }, { home, here }) => {
  writeHistory(home.folder, (type) => (type === 'low' ? share : 0.6));
  const clock = new TestClock(FIRST + DAYS * DAY);
  const on = async (...words: string[]) => {
    const { stdout } = await here([...words, '--from', home.folder], { clock });
    return stdout.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ');
  };
  const pages = {
    today: await on('today'),
    stats: await on('stats', '--by', 'type'),
    ofType: await on('screeners', 'low'),
    report: await on('report', '-'),
    tune: await on('tune'),
  };
  const question = `To know sooner whether to drop low, [^\`]*: \`?screener signals export ${home.folder} --focus low`;
  const offered = Object.entries(pages).map(([page, text]) => {
    return [page, new RegExp(question).test(text)];
  });
  const expected = Object.keys(pages).map((page) => [page, isOffered]);
  expect(Object.fromEntries(offered)).toEqual(Object.fromEntries(expected));
  expect(await on('screeners', 'other')).not.toContain('--focus');
});

const SYMBOLS = ['LOWUSDT', 'MIDUSDT', 'TOPUSDT'] as const;

it('names symbols, not types, in the rule on dropping below their figures', async ({
  home,
  here,
}) => {
  const normal = normalOf(randomOf(5));
  const cards = Array.from({ length: DAYS }, (_, day) => {
    const market = 5 * normal();
    return Array.from({ length: 24 }, (_, i) => {
      const symbol = SYMBOLS[i % SYMBOLS.length] ?? SYMBOLS[0];
      const move = market + normal() - (symbol === 'LOWUSDT' ? 2 : 0);
      return detailOf({
        id: day * 100 + i + 1,
        symbol,
        type: 'pump',
        at: FIRST + day * DAY + i * (DAY / 24),
        isBought: true,
        outcomes: byHorizon(() => ({ state: 'available', move, btc: 0 })),
      });
    });
  }).flat();
  writeCards(home.folder, cards);
  const clock = new TestClock(FIRST + DAYS * DAY);
  const words = ['stats', '--from', home.folder, '--by', 'symbol', '--detail'];
  const { stdout } = await here(words, { clock });
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain('Drop a symbol only if it is below BTC, too');
});
