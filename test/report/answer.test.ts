/** What is said below the picture of the types: types that fire on the same cards, and those that are not shown. */
import { readFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import { formatApiTime } from '../../src/api/time.ts';
import { MINUTE } from '../../src/base/units.ts';
import { createHome } from '../support/home.ts';
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
