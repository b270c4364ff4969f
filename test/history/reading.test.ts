import { describe, expect, it } from 'vitest';
import { run as list } from '../../src/commands/signals-ls-local.ts';
import { History } from '../../src/history/store/history.ts';
import { cardsAnHourApart, directory, exportInto, HOUR, invocationOf, NOW, Service } from './support.ts';

async function listFrom(dir: string, options: Partial<Parameters<typeof list>[1]> = {}) {
  const invocation = invocationOf({});
  await list(invocation, { history: new History(dir, invocation.notes), limit: 25, ...options });
  const page = invocation.said.results[0] as { items: { id: number }[] };
  return { page, ids: page.items.map(({ id }) => id), said: invocation.said };
}

async function history(count: number): Promise<string> {
  const dir = directory();
  await exportInto(dir, new Service({ details: cardsAnHourApart(count) }));
  return dir;
}

describe('signals ls --from', () => {
  it('filters as online', async () => {
    const dir = await history(600);
    const all = cardsAnHourApart(600);
    const since = NOW - 300.5 * HOUR;
    const until = NOW - 10.5 * HOUR;
    const expected = all.filter(
      (one) =>
        one.source_symbol === 'S3USDT' &&
        one.source_bot_type === 'pump' &&
        Date.parse(one.created_at) >= since &&
        Date.parse(one.created_at) <= until,
    );
    const filter = { since, until, symbol: 'S3USDT', type: 'pump', limit: 600 };
    expect((await listFrom(dir, filter)).ids).toEqual(expected.map(({ id }) => id));
    expect(expected.length).toBeGreaterThan(10);
  });
});
