import { expect, it } from 'vitest';
import type { Client } from '../../src/api/client.ts';
import { pages } from '../../src/api/pages.ts';

/** Walks a list of as many cards as are wanted, a card a page, each with this cursor. @returns the cursors sent back */
async function walk(cursor: string, wanted: number): Promise<unknown[]> {
  const asked: unknown[] = [];
  const call = async (_name: string, query: { cursor?: string }) => {
    asked.push(query.cursor);
    return { items: [{ id: asked.length }], next_cursor: asked.length === 1 ? cursor : null };
  };
  let left = wanted;
  for await (const _ of pages({ call } as unknown as Client, { from: {}, wanted: () => left })) left -= 1;
  return asked;
}

it.each(['', 'x'.repeat(221), '\ud800'])(
  'ends with an error where a cursor is none to send back: %o',
  async (cursor) => {
    await expect(walk(cursor, 50)).rejects.toMatchObject({ code: 'bad_answer' });
    // Where nothing more is wanted the cursor is nobody's business.
    expect(await walk(cursor, 1)).toEqual([undefined]);
  },
);

it('sends back a cursor as long as the document allows', async () => {
  expect(await walk('x'.repeat(220), 50)).toEqual([undefined, 'x'.repeat(220)]);
});
