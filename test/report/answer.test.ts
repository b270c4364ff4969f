/** What is said below the picture of the types: types that fire on the same cards, and those that are not shown. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import { formatApiTime } from '../../src/api/time.ts';
import { DAY, MINUTE } from '../../src/base/units.ts';
import type { PastVerdict, Standing } from '../../src/outcomes/standing.ts';
import { writeCards } from '../support/history.ts';
import { createHome } from '../support/home.ts';
import { runHere } from '../support/in-process.ts';
import { judged, standing, sure } from '../support/standing.ts';
import { answerTextOf } from './answer-of.ts';
import { report, world } from './histories.ts';

const home = createHome();
afterAll(() => home.remove());

/** The sentences below the picture of the types. */
async function notesOf(name: string, cards: readonly SignalDetail[]): Promise<string> {
  const page = readFileSync(await report(home, name, cards), 'utf8');
  const [, section = ''] = page.split('<section id="answer"');
  return (section.split('</section>')[0] ?? '')
    .replace(/<[^>]*>/g, '')
    .replaceAll('\u00a0', ' ')
    .replaceAll('\u202f', ' ');
}

const cards = world(40, 12);

it('the share that beat BTC stands where what was bought decides, and both medians agree', async () => {
  const page = readFileSync(await report(home, 'bought', cards), 'utf8');
  const [row = ''] =
    /<li[^>]*>\s*<div class="name"><b>oi_<wbr>surge[\s\S]*?<\/li>/.exec(page) ?? [];
  expect(row).toMatch(/>\d+\u00a0% beat BTC</);
  const inSpread = /<section id="spread"[\s\S]*?surge<\/b>[\s\S]*?>median (.+?)</.exec(page)?.[1];
  expect(inSpread).toMatch(/^[+−]\d/);
  expect(row).toContain(`>${inSpread} pp<`);
});

it('types that fire on the same cards are named, and nothing is said of others', async () => {
  const surges = cards.filter((card) => card.source_bot_type === 'oi_surge');
  const twins = surges.map((card, i) => ({
    ...card,
    id: cards.length + i + 1,
    source_bot_type: 'twin',
    created_at: formatApiTime(Date.parse(card.created_at) + MINUTE),
  }));
  const sentence = 'twin: 100 % of its cards coincide with oi_surge.';
  expect({
    usual: (await notesOf('usual', cards)).includes('coincide'),
    twins: (await notesOf('twins', [...cards, ...twins])).includes(sentence),
  }).toEqual({ usual: false, twins: true });
});

it('the page says what types are compared with, if some of them are compared with BTC, too', async () => {
  const alone = cards
    .filter((card) => card.source_bot_type === 'oi_surge')
    .map((card, i) => ({
      ...card,
      id: cards.length + i + 1,
      source_bot_type: 'alone',
      created_at: formatApiTime(Date.parse(card.created_at) - 60 * DAY),
    }));
  const methodsOf = async (name: string, shown: readonly SignalDetail[]) => {
    const page = readFileSync(await report(home, name, shown), 'utf8');
    const [, methods = ''] = page.split('How the figures are made');
    return {
      others: methods.includes('is compared with the median of your other types'),
      btc: methods.includes('your other types have too few cards to compare with.'),
      both: methods.includes('A type is compared with BTC if too few such cards came on its days.'),
    };
  };
  expect({
    together: await methodsOf('together', cards),
    alone: await methodsOf('alone', alone),
    mixed: await methodsOf('mixed', [...cards, ...alone]),
  }).toEqual({
    together: { others: true, btc: false, both: false },
    alone: { others: false, btc: true, both: false },
    mixed: { others: true, btc: false, both: true },
  });
});

it('the page says by which options its cards are chosen', async () => {
  const directory = path.join(home.folder, 'chosen');
  writeCards(directory, cards);
  const file = path.join(home.folder, 'chosen.html');
  const words = [
    '--type',
    'oi_surge',
    '--symbol',
    'ETHUSDT',
    '--where',
    'rsi_14>=-5',
    '--where',
    'rsi_14<=90',
  ];
  const ran = await runHere(['report', file, '--from', directory, ...words], { home });
  const page = readFileSync(file, 'utf8').replaceAll('<wbr>', '');
  expect({
    code: ran.code,
    type: page.includes('Only oi_surge.'),
    symbol: page.includes('Only ETHUSDT.'),
    condition: page.includes('Only cards with rsi_14&#62;=-5 and rsi_14&#60;=90.'),
  }).toEqual({ code: 0, type: true, symbol: true, condition: true });
});

it('types beyond the twentieth are counted, if there are any', async () => {
  const ofTypes = (count: number) =>
    cards.map((card, i) => ({ ...card, source_bot_type: `type_${i % count}` }));
  const notShownIn = async (count: number) =>
    /Not shown: [^.]*\./.exec(await notesOf(`of ${count}`, ofTypes(count)))?.[0];
  expect({ few: await notShownIn(20), many: await notShownIn(22) }).toEqual({
    few: undefined,
    many: 'Not shown: 2 types.',
  });
});

it('a type without a verdict has no words below its name', () => {
  const none: Standing['base'] = { ...sure, sample: 0, median: null, interval: null };
  const standings = [standing('known'), standing('none', { verdict: null, base: none })];
  const rows = rowsOf(standings);
  const verdicts = rows.map((row) => /<div class="verdict">(.*?)<\/div>/.exec(row)?.[1]);
  expect(verdicts).toEqual([expect.stringContaining('unclear'), '']);
});

it('a small difference is said by the heading of its rows, which then say only of how few days it is', () => {
  const rows = rowsOf([
    judged('known', 'small', { isWeak: false }),
    judged('weak', 'small', { isWeak: true }),
    judged('ahead', 'small', { isWeak: false, verdictVsBtc: 'above' }),
  ]);
  const verdicts = rows.map((row) => {
    const [, name] = /<div class="name"><b>(\w+)/.exec(row) ?? [];
    const [, verdict] = /<div class="verdict">(.*?)<\/div>/.exec(row) ?? [];
    return [name, verdict?.replaceAll(/<[^>]*>/g, '')];
  });
  expect(Object.fromEntries(verdicts)).toEqual({ known: '', weak: 'few days bought', ahead: '' });
});

const NOVEMBER = Date.UTC(2026, 10, 2, 6);
const FOUND = { foundAt: NOVEMBER - 20 * DAY };
const stands: PastVerdict = { type: 'pump', ...FOUND, ending: 'stands', endedAt: undefined };
const again: PastVerdict = { ...stands, foundAt: NOVEMBER + 44 * DAY };

it.each<{ what: string; record: PastVerdict[]; endedAt?: number; words: string }>([
  {
    what: 'and those that ended by name',
    record: [
      stands,
      { type: 'spike', ...FOUND, ending: 'withdrawn', endedAt: NOVEMBER },
      { ...stands, type: 'breakout' },
      { type: 'dump', ...FOUND, ending: 'reset', endedAt: NOVEMBER + DAY },
    ],
    words:
      '4 verdicts above or below were found in these 40 days; 2 still stand. Ended: spike on 2 Nov (withdrawn), dump on 3 Nov (new settings).',
  },
  {
    what: 'if there is one',
    record: [stands],
    words: '1 verdict above or below was found in these 40 days; 1 still stands.',
  },
  {
    what: 'two of one type',
    record: [{ type: 'pump', ...FOUND, ending: 'withdrawn', endedAt: NOVEMBER }, again],
    words:
      '2 verdicts above or below were found in these 40 days; 1 still stands. Ended: pump on 2 Nov (withdrawn).',
  },
  {
    what: 'if none is any more',
    record: [{ type: 'pump', ...FOUND, ending: 'withdrawn', endedAt: NOVEMBER }],
    words:
      '1 verdict above or below was found in these 40 days; none still stands. Ended: pump on 2 Nov (withdrawn).',
  },
  {
    what: 'as of the day on which the history ends',
    record: [stands, { ...stands, type: 'dump' }],
    endedAt: NOVEMBER,
    words: '2 verdicts above or below were found in these 40 days; 2 still stood on 2 Nov.',
  },
])('verdicts above or below are counted by what became of them, $what', (about) => {
  const { record, endedAt, words } = about;
  const text = answerTextOf([standing('known')], { record, endedAt });
  expect(text.replaceAll('\u00a0', ' ')).toContain(words);
});

it('verdicts above or below are not counted where the row of each says that it still is', () => {
  const text = answerTextOf([judged('pump', 'above')], { record: [stands] });
  expect(text).toContain('pump');
  expect(text).not.toMatch(/verdicts? above or below w(?:as|ere) found in/);
});

/** The rows of a picture of these types, each without its tags. */
function rowsOf(standings: readonly Standing[]): string[] {
  const text = answerTextOf(standings);
  const rows = text.split(/<li[ >]/).slice(1);
  return rows.map((row) => row.split('</li>')[0] ?? '');
}

it('a type that changed its settings this morning has the rate before, and no outcome yet', () => {
  const none: Standing['base'] = { ...sure, sample: 0, median: null, interval: null };
  const groupFigures = { settings_since: '2026-09-29T06:00:00Z' } as Standing['groupFigures'];
  const rate = { now: 3.7, beforeSilence: undefined, isFromBeforeChange: true };
  const changed = standing('changed', { verdict: null, base: none, groupFigures, rate });
  const [row = ''] = rowsOf([changed]);
  expect(row).toContain('<span>no outcome yet</span>');
  expect(row).toContain('3.7 a day before');
});

it("the service's medians vs BTC have a dot, and a colour if the page says that verdict", () => {
  const ofService = (
    group: string,
    verdict: 'above' | 'small',
    verdictVsBtc: Standing['verdictVsBtc'],
  ) => judged(group, verdict, { verdictVsBtc, base: { ...sure, source: 'service', vsBtc: 1.43 } });
  const rows = rowsOf([
    ofService('a', 'above', 'above'),
    ofService('b', 'small', 'above'),
    ofService('c', 'small', 'too_few_days'),
  ]);
  const found = rows.map((row) => {
    const picture = /<svg class="draw draw-2".*?<\/svg>/s.exec(row)?.[0] ?? '';
    return { hasDot: picture.includes('<circle'), isTinted: picture.includes('<g class=') };
  });
  expect(found).toEqual([
    { hasDot: true, isTinted: false },
    { hasDot: true, isTinted: true },
    { hasDot: true, isTinted: false },
  ]);
});

it('a type below has the interval vs BTC of what was bought below its name, where the dot is of the service', () => {
  const figures = {
    median_vs_btc_percentage_points: -1.52,
    median_vs_btc_interval_95: { low: -2.6, high: -0.4 },
  } as Standing['figures'];
  const base: Standing['base'] = { ...sure, source: 'service', vsBtc: -1.7 };
  const saysOf = (verdict: 'below' | 'above', more: Partial<Standing> = {}) => {
    const [row = ''] = rowsOf([judged('pump', verdict, { figures, base, ...more })]);
    return /vs BTC, of those you bought: [^<]*/.exec(row)?.[0].replaceAll('\u00a0', ' ');
  };
  expect({
    open: saysOf('below'),
    toDrop: saysOf('below', { verdictVsBtc: 'below' }),
    above: saysOf('above'),
    bought: saysOf('below', { base: { ...base, source: 'bought' } }),
  }).toEqual({
    open: 'vs BTC, of those you bought: −1.52 pp, 95 %: −2.60 to −0.40',
    toDrop: 'vs BTC, of those you bought: −1.52 pp, 95 %: −2.60 to −0.40',
    above: undefined,
    bought: undefined,
  });
});

it('a verdict vs BTC goes with the verdict that was taken back', () => {
  const until = Date.UTC(2026, 10, 2, 6);
  const withdrawn = {
    verdict: 'above',
    comparedWith: 'others',
    from: until - 50 * DAY,
    until,
  } as const;
  const range = { low: 0.34, high: 2.6 };
  const figures = {
    btc_sample: 90,
    median_vs_btc_percentage_points: 1.48,
    median_vs_btc_interval_95: range,
    median_vs_btc_interval_997: range,
  } as Standing['figures'];
  const rows = rowsOf([
    judged('spike', 'unclear', { verdictVsBtc: 'above', figures, withdrawn }),
    judged('pump', 'above', { verdictVsBtc: 'above', figures }),
  ]);
  const found = rows.map((row) => {
    const [, name] = /<b>(.*?)<\/b>/.exec(row) ?? [];
    const picture = /<svg class="draw draw-2".*?<\/svg>/s.exec(row)?.[0] ?? '';
    return {
      name,
      isTinted: picture.includes('<g class="above"'),
      isSaid: row.includes('<span class="range">above'),
    };
  });
  expect(found.toSorted((one, other) => (one.name ?? '').localeCompare(other.name ?? ''))).toEqual([
    { name: 'pump', isTinted: true, isSaid: true },
    { name: 'spike', isTinted: false, isSaid: false },
  ]);
});

it('the cards of each day are drawn from three days on', async () => {
  const drawnOf = async (days: number) => {
    const first = Date.parse(String(cards.at(-1)?.created_at).slice(0, 10)) - (days - 1) * DAY;
    const some = cards.filter(({ created_at }) => Date.parse(created_at) >= first);
    return readFileSync(await report(home, `of ${days} days`, some), 'utf8').includes('id="cards"');
  };
  expect({ two: await drawnOf(2), three: await drawnOf(3) }).toEqual({ two: false, three: true });
});

it.each([
  { low: -0.6, high: 0.9, rule: 'Within 1 pp: the thick line is within ±1.' },
  {
    low: -0.88,
    high: 1.33,
    rule: 'Within 1 pp begins when the thick line is within ±1, and ends when it leaves ±1.5.',
  },
])('the group of small differences has its rule: $low to $high', ({ low, high, rule }) => {
  const standings = [judged('known', 'small', { base: { ...sure, interval: { low, high } } })];
  const text = answerTextOf(standings);
  expect(text.replaceAll('\u00a0', ' ')).toContain(rule);
});

it('a row of a type that is below both names the day since when it is below the others', () => {
  const [row] = rowsOf([
    judged('dump', 'below', { verdictVsBtc: 'below', verdictSince: NOVEMBER }),
  ]);
  expect(row).toContain('below since 2 Nov, below BTC, too');
});

it.each([
  {
    what: 'the other cards and BTC',
    comparedWith: 'others',
    whom: "your other types' cards of the same day, and with BTC",
    columns: 2,
  },
  { what: 'BTC', comparedWith: 'btc', whom: 'BTC', columns: 1 },
] as const)('types are compared with $what', ({ comparedWith, whom, columns }) => {
  const text = answerTextOf([judged('pump', 'above', { comparedWith, verdictVsBtc: 'above' })]);
  const said = /compared with ([^<]*?), in percentage points/.exec(text)?.[1];
  expect({
    whom: said?.replaceAll('&#39;', "'"),
    columns: new Set(text.match(/class="value value-\d/g)).size,
    // The first picture of the page says what its marks mean.
    legend: text.includes('95\u00a0% sure') || text.includes('95 % sure'),
  }).toEqual({ whom, columns, legend: true });
});
