import { describe, expect, it } from 'vitest';
import type { Client } from '../../src/api/client.ts';
import { pages } from '../../src/api/pages.ts';

type Query = Record<string, unknown>;

/** A list of `total` cards whose cursors are offsets. */
function listOf(total: number, asked: Query[]): Client {
  const call = async (_name: string, query: Query) => {
    asked.push(query);
    const from = Number(query.cursor ?? 0);
    const to = Math.min(total, from + Number(query.limit));
    const items = Array.from({ length: to - from }, (_, index) => ({ id: from + index + 1 }));
    return { items, next_cursor: to < total ? String(to) : null };
  };
  return { call } as unknown as Client;
}

async function walk(client: Client, cards: number, cursor?: string) {
  const found: { ids: number[]; next: string | null }[] = [];
  const wanted = () => cards - found.reduce((sum, { ids }) => sum + ids.length, 0);
  for await (const { page } of pages(client, { filters: { symbol: 'BTCUSDT' }, from: { cursor }, wanted })) {
    found.push({ ids: page.items.map((card) => card.id), next: page.next_cursor });
  }
  return found;
}

describe('pages of /signals', () => {
  it('asks the last page for just what is missing, so that its cursor is exact', async () => {
    const asked: Query[] = [];
    const found = await walk(listOf(60, asked), 30);
    expect(asked.map((query) => query.limit)).toEqual([25, 5]);
    expect(asked.every((query) => query.symbol === 'BTCUSDT')).toBe(true);
    expect(found.at(-1)?.next).toBe('30');
  });

  it('walks to the end', async () => {
    const found = await walk(listOf(60, []), Number.POSITIVE_INFINITY);
    expect(new Set(found.flatMap((page) => page.ids)).size).toBe(60);
    expect(found).toHaveLength(3);
  });

  it.each(['', 'x'.repeat(221), '\ud800'])(
    'ends with an error where a cursor is none to send back: %o',
    async (cursor) => {
      const client = { call: async () => ({ items: [{ id: 1 }], next_cursor: cursor }) } as unknown as Client;
      await expect(walk(client, 50)).rejects.toMatchObject({ code: 'bad_answer' });
      // Where nothing more is wanted the cursor is nobody's business.
      expect(await walk(client, 1)).toHaveLength(1);
    },
  );

  it('sends back a cursor as long as the document allows', async () => {
    const longest = 'x'.repeat(220);
    const asked: Query[] = [];
    const call = async (_name: string, query: Query) => {
      asked.push(query);
      return { items: [{ id: asked.length }], next_cursor: asked.length === 1 ? longest : null };
    };
    await walk({ call } as unknown as Client, 50);
    expect(asked[1]?.cursor).toBe(longest);
  });
});
