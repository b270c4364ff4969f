/** What is said below the picture of the types: types that fire on the same cards, and those that are not shown. */
import { readFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import { formatApiTime } from '../../src/api/time.ts';
import { DAY, MINUTE } from '../../src/base/units.ts';
import type { Ending, Standing } from '../../src/outcomes/standing.ts';
import { type Answer, answerSection } from '../../src/report/answer.ts';
import { createHome } from '../support/home.ts';
import { standing, sure } from '../support/standing.ts';
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
  const standings = [standing('known'), standing('none', { word: null, base: none })];
  const { text } = answerSection({
    judgements: { standings } as unknown as Answer['judgements'],
    differences: [],
    days: 40,
    rated: '',
    record: [],
  });
  const rows = text.split(/<li[ >]/).slice(1);
  const verdicts = rows.map((row) => /<div class="verdict">(.*?)<\/div>/.exec(row)?.[1]);
  expect(verdicts).toEqual([expect.stringContaining('unclear'), '']);
});

it.each<{ record: Ending[]; words: string }>([
  {
    record: ['stands', 'withdrawn', 'stands'],
    words: '3 verdicts above or below found in these 40 days: 2 still true, 1 withdrawn.',
  },
  {
    record: ['stands'],
    words: '1 verdict above or below found in these 40 days: still true.',
  },
])('verdicts that were found are counted by what became of them: $record', ({ record, words }) => {
  const { text } = answerSection({
    judgements: { standings: [standing('known')] } as unknown as Answer['judgements'],
    differences: [],
    days: 40,
    rated: '',
    record,
  });
  expect(text.replaceAll('\u00a0', ' ')).toContain(words);
});

it('the cards of each day are drawn from three days on', async () => {
  const drawnOf = async (days: number) => {
    const first = Date.parse(String(cards.at(-1)?.created_at).slice(0, 10)) - (days - 1) * DAY;
    const some = cards.filter(({ created_at }) => Date.parse(created_at) >= first);
    return readFileSync(await report(home, `of ${days} days`, some), 'utf8').includes('id="cards"');
  };
  expect({ two: await drawnOf(2), three: await drawnOf(3) }).toEqual({ two: false, three: true });
});
