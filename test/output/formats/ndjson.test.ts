import { describe, expect, it } from 'vitest';
import { cardView } from '../../../src/output/views/card-lists.ts';
import { card } from '../../support/samples.ts';
import { outputTo, pagesOf } from '../written.ts';

const page = (first: number) => [card({ id: first }), card({ id: first + 1 }), card({ id: first + 2 })];

const lines = (text: string) => text.split('\n').length - 1;

describe('ndjson', () => {
  it('is one compact line an item, each page as it arrives', async () => {
    const { context, output } = outputTo('ndjson');
    await output.list(cardView, pagesOf([page(1), page(4)]));
    expect(context.stdout.text).toBe([...page(1), ...page(4)].map((item) => `${JSON.stringify(item)}\n`).join(''));
    expect(context.stdout.writes.map(lines)).toEqual([3, 3]);
  });

  it('is nothing for an empty list, and keeps the lines of pages before a failure', async () => {
    const { context, output } = outputTo('ndjson');
    await output.list(cardView, pagesOf([[]]));
    expect(context.stdout.text).toBe('');
    const failure = new Error('later');
    await expect(output.list(cardView, pagesOf([page(1)], { fails: failure }))).rejects.toBe(failure);
    expect(lines(context.stdout.text)).toBe(3);
  });
});
