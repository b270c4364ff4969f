import { describe, expect, it } from 'vitest';
import { cardView } from '../../../src/output/views/card-lists.ts';
import { statsView } from '../../../src/output/views/stats.ts';
import { card, stats } from '../../support/samples.ts';
import { outputTo, pagesOf } from '../written.ts';

const setup = (fields?: readonly string[]) => outputTo('json', {}, fields);
const failure = new Error('page 3 failed');
const ids = (text: string) => JSON.parse(text).items.map(({ id }: { id: number }) => id);

describe('json', () => {
  it('is the resource unchanged, pretty, with unknown fields', async () => {
    const { context, output } = setup();
    const value = { new_field: { deep: [1] }, ...stats() };
    await output.one(statsView, value);
    expect(context.stdout.text).toBe(`${JSON.stringify(value, null, 2)}\n`);
  });

  it('merges pages into one document, items where the API has them', async () => {
    const cards = [1, 2, 3].map((id) => card({ id }));
    const head = { scope: 'own', items: 'ignored', new_field: '\x9b', next_cursor: 'c', since: 's', until: 'u' };
    for (const pages of [[cards.slice(0, 2), [], cards.slice(2)], [[]]]) {
      const { context, output } = setup();
      await output.list(cardView, pagesOf(pages, { head }));
      const expected = JSON.stringify({ ...head, items: pages.flat() }, null, 2).replace('\x9b', '\\u009b');
      expect(context.stdout.text).toBe(`${expected}\n`);
    }
  });

  it('writes several ids as an array', async () => {
    const { context, output } = setup();
    await output.list(cardView, pagesOf([[card()], [card({ id: 2 })]], { head: null }));
    expect(context.stdout.text).toBe(`${JSON.stringify([card(), card({ id: 2 })], null, 2)}\n`);
  });

  it('writes what had arrived, and nothing where nothing had, then throws on', async () => {
    for (const arrived of [[1, 2], []]) {
      const { context, output } = setup();
      const list = pagesOf(
        arrived.map((id) => [card({ id })]),
        { fails: failure },
      );
      await expect(output.list(cardView, list)).rejects.toBe(failure);
      expect(context.stdout.text === '' ? [] : ids(context.stdout.text)).toEqual(arrived);
    }
  });

  it('keeps the page around projected items', async () => {
    const { context, output } = setup(['source_symbol']);
    await output.list(cardView, pagesOf([[card()]], { head: { scope: 'own', items: [], next_cursor: null } }));
    expect(JSON.parse(context.stdout.text)).toEqual({
      scope: 'own',
      items: [{ source_symbol: 'BTCUSDT' }],
      next_cursor: null,
    });
  });
});
