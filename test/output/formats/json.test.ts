/** JSON and NDJSON. */
import { expect, it } from 'vitest';
import { cardView } from '../../../src/output/views/card-lists.ts';
import { statsView } from '../../../src/output/views/stats.ts';
import { card, stats } from '../../support/samples.ts';
import { outputTo, pagesOf } from '../written.ts';

const failure = new Error('page 3 failed');
const cards = [1, 2, 3].map((id) => card({ id }));
const HEAD = { scope: 'own', items: 'ignored', new_field: '\x9b', next_cursor: 'c', since: 's', until: 'u' };

it('json is the resource unchanged, pretty, with unknown fields', async () => {
  const { context, output } = outputTo('json');
  const value = { new_field: { deep: [1] }, ...stats() };
  await output.one(statsView(['']), value);
  expect(context.stdout.text).toBe(`${JSON.stringify(value, null, 2)}\n`);
});

it.each([
  ['pages as one document', [cards.slice(0, 2), [], cards.slice(2)], HEAD, { ...HEAD, items: cards }],
  ['an empty one', [[]], HEAD, { ...HEAD, items: [] }],
  ['several ids as an array', [cards.slice(0, 1), cards.slice(1)], null, cards],
])('json writes %s', async (_, pages, head, expected) => {
  for (const isLate of [true, false]) {
    const { context, output } = outputTo('json');
    await output.list(cardView, pagesOf(pages, { head, isLate }));
    expect(context.stdout.text).toBe(`${JSON.stringify(expected, null, 2).replace('\x9b', '\\u009b')}\n`);
  }
});

it('json writes each page as it is read where all around them is known', async () => {
  const { context, output } = outputTo('json');
  const written: number[] = [];
  async function* batches() {
    for (const one of [...cards, { ...card({ id: 4 }), new_field: 2n ** 64n }]) {
      yield [one];
      written.push(context.stdout.text.split('"id"').length - 1);
    }
    throw failure;
  }
  await expect(output.list(cardView, { batches: batches(), head: HEAD })).rejects.toBe(failure);
  expect(written).toEqual([1, 2, 3, 4]);
  const { items, ...around } = JSON.parse(context.stdout.text);
  expect([items.length, { ...around, items: HEAD.items }]).toEqual([4, HEAD]);
  expect(context.stdout.text).toContain('\n      "new_field": 18446744073709551616\n    }\n  ],');
});

it('json keeps the page around projected items', async () => {
  const { context, output } = outputTo('json', {}, ['id']);
  await output.list(cardView, pagesOf([cards.slice(0, 1)], { head: { scope: 'own', items: [] } }));
  expect(JSON.parse(context.stdout.text)).toEqual({ scope: 'own', items: [{ id: 1 }] });
});

it.each(['json', 'ndjson'] as const)('%s writes what had arrived, then throws on', async (format) => {
  for (const arrived of [cards, []]) {
    const { context, output } = outputTo(format);
    await expect(output.list(cardView, pagesOf([arrived], { fails: failure }))).rejects.toBe(failure);
    expect([...context.stdout.text.matchAll(/"id": ?(\d)/g)].map(([, id]) => Number(id))).toEqual(
      arrived.map(({ id }) => id),
    );
  }
});

it('ndjson is one compact line an item, each page as it arrives; nothing for an empty list', async () => {
  const { context, output } = outputTo('ndjson');
  await output.list(cardView, pagesOf([cards.slice(0, 2), [], cards.slice(2)]));
  const lines = cards.map((item) => `${JSON.stringify(item)}\n`);
  expect(context.stdout.writes).toEqual([lines.slice(0, 2).join(''), lines[2]]);
});
