import { describe, expect, it } from 'vitest';
import { interruptedError, OutputClosed } from '../../../src/errors.ts';
import { cardView } from '../../../src/output/views/card-lists.ts';
import { TestClock, type TestContextOptions } from '../../support/context.ts';
import { pagesOf } from '../../support/lists.ts';
import { card } from '../../support/resources.ts';
import { outputTo } from '../written.ts';

const page = (first: number) => [card({ id: first }), card({ id: first + 1 }), card({ id: first + 2 })];

function setup(options: TestContextOptions = {}) {
  const clock = new TestClock();
  return { clock, ...outputTo('ndjson', { clock, ...options }) };
}
const lines = (text: string) => text.split('\n').length - 1;

describe('ndjson', () => {
  it('is one compact line an item, each page as it arrives', async () => {
    const { context, output } = setup();
    await output.list(cardView, pagesOf([page(1), page(4)]));
    expect(context.stdout.text).toBe([...page(1), ...page(4)].map((item) => `${JSON.stringify(item)}\n`).join(''));
  });

  it('holds back the last line of a page while another page would be bought', async () => {
    const { context, clock, output } = setup();
    await output.list(cardView, pagesOf([page(1), page(4), page(7)]));
    expect(context.stdout.writes.map(lines)).toEqual([2, 1, 2, 1, 3]);
    expect(clock.sleeps).toEqual([100, 25]);
  });

  it('buys no further page when the reader has left', async () => {
    const { context, clock, output } = setup();
    const sleep = clock.sleep.bind(clock);
    clock.sleep = async (millis, signal) => {
      await sleep(millis, signal);
      context.stdout.closed = true;
    };
    const list = pagesOf([page(1), page(4)]);
    await expect(output.list(cardView, list)).rejects.toBeInstanceOf(OutputClosed);
    expect([list.pulled, list.returned]).toEqual([1, 1]);
  });

  it('holds nothing back on a terminal', async () => {
    const { context, clock, output } = setup({ width: 80 });
    await output.list(cardView, pagesOf([page(1), page(4)]));
    expect(context.stdout.writes.map(lines)).toEqual([3, 3]);
    expect(clock.sleeps).toEqual([]);
  });

  it('writes the held line also when interrupted', async () => {
    const stop = new AbortController();
    stop.abort(interruptedError());
    const { context, output } = setup({ signal: stop.signal });
    await expect(output.list(cardView, pagesOf([page(1), page(4)]))).rejects.toMatchObject({ code: 'interrupted' });
    expect(lines(context.stdout.text)).toBe(3);
  });

  it('is nothing for an empty list, and keeps the lines of pages before a failure', async () => {
    const { context, output } = setup();
    await output.list(cardView, pagesOf([[]]));
    expect(context.stdout.text).toBe('');
    const failure = new Error('later');
    await expect(output.list(cardView, pagesOf([page(1)], { fails: failure }))).rejects.toBe(failure);
    expect(lines(context.stdout.text)).toBe(3);
  });
});
