import { describe, expect, it } from 'vitest';
import { OutputClosed } from '../../../src/errors.ts';
import { createOutput } from '../../../src/output/output.ts';
import { cardView } from '../../../src/output/views/card-lists.ts';
import { statsView } from '../../../src/output/views/stats.ts';
import { testContext } from '../../support/context.ts';
import { pagesOf } from '../../support/lists.ts';
import { card, stats } from '../../support/resources.ts';

function setup(fields?: string[]) {
  const context = testContext();
  return { context, output: createOutput({ context, format: 'json', fields, notes: { note: () => {} } }) };
}
const failure = new Error('page 3 failed');
const ids = (text: string) => JSON.parse(text).items.map(({ id }: { id: number }) => id);

describe('json', () => {
  it('is the resource unchanged, pretty, with unknown fields', async () => {
    const { context, output } = setup();
    const value = { new_field: { deep: [1] }, ...stats() };
    await output.one(statsView, value);
    expect(context.stdout.text).toBe(`${JSON.stringify(value, null, 2)}\n`);
  });

  it.each([true, false])('merges pages into one document, items where the API has them (local: %s)', async (local) => {
    const { context, output } = setup();
    const cards = [1, 2, 3].map((id) => card({ id }));
    const head = { scope: 'own', new_field: '\x9b', next_cursor: 'c', since: 's', until: 'u' };
    await output.list(cardView, pagesOf([cards.slice(0, 2), [], cards.slice(2)], { local, head }));
    const { scope, ...rest } = head;
    const expected = JSON.stringify({ scope, items: cards, ...rest }, null, 2).replace('\x9b', '\\u009b');
    expect(context.stdout.text).toBe(`${expected}\n`);
    expect(context.stdout.writes.length).toBe(local ? 3 : 1);
  });

  it.each([true, false])('takes the place of items from the head, and empty lists (local: %s)', async (local) => {
    const { context, output } = setup();
    await output.list(cardView, pagesOf([[]], { local, head: { a: 1, items: 'ignored', scope: 'own' } }));
    expect(JSON.parse(context.stdout.text)).toEqual({ a: 1, items: [], scope: 'own' });
    expect(Object.keys(JSON.parse(context.stdout.text))).toEqual(['a', 'items', 'scope']);
  });

  it.each([true, false])('writes several ids as an array (local: %s)', async (local) => {
    const { context, output } = setup();
    await output.list(cardView, pagesOf([[card()], [card({ id: 2 })]], { shape: 'array', local }));
    expect(context.stdout.text).toBe(`${JSON.stringify([card(), card({ id: 2 })], null, 2)}\n`);
  });

  it.each([true, false])('writes what had arrived, then throws on (local: %s)', async (local) => {
    const { context, output } = setup();
    const list = pagesOf([[card({ id: 1 })], [card({ id: 2 })]], { local, fails: failure });
    await expect(output.list(cardView, list)).rejects.toBe(failure);
    expect(ids(context.stdout.text)).toEqual([1, 2]);
  });

  it.each([true, false])('writes nothing where nothing had arrived (local: %s)', async (local) => {
    const { context, output } = setup();
    await expect(output.list(cardView, pagesOf([], { local, fails: failure }))).rejects.toBe(failure);
    expect(context.stdout.text).toBe('');
  });

  it('keeps the page around projected items', async () => {
    const { context, output } = setup(['source_symbol']);
    await output.list(cardView, pagesOf([[card()]], { head: { scope: 'own', next_cursor: null } }));
    expect(JSON.parse(context.stdout.text)).toEqual({
      scope: 'own',
      items: [{ source_symbol: 'BTCUSDT' }],
      next_cursor: null,
    });
  });

  it('stops a local list when the reader leaves', async () => {
    const { context, output } = setup();
    context.stdout.closed = true;
    const list = pagesOf([[card()], [card()]], { local: true });
    await expect(output.list(cardView, list)).rejects.toBeInstanceOf(OutputClosed);
    expect([list.pulled, list.returned]).toEqual([1, 1]);
  });

  it('refuses an unknown field', async () => {
    const { output } = setup(['nonsense']);
    await expect(output.one(statsView, stats())).rejects.toMatchObject({ code: 'usage' });
  });
});
