import { expect, it } from 'vitest';
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import { OPERATIONS } from '../support/operations.ts';
import { measuredDetail } from '../support/samples.ts';
import { worldOf } from '../support/sandbox.ts';
import { bench, detail, details, errorOf, KEY, START } from './support.ts';

const PATHS = OPERATIONS.map(({ path }) => path.replace('{id}', '1'));
const world = worldOf(details(3));

it.each([{}, { authorization: 'Bearer another' }, { authorization: KEY }, { authorization: `Basic ${KEY}` }])(
  'every path is refused with 401 for %o, before anything else',
  (headers) => {
    const { get, api } = bench();
    for (const path of [...PATHS, '/nothing']) expect(get(path, headers as Record<string, string>).status).toBe(401);
    expect(get('/signals', { authorization: `Bearer ${KEY}` }, 'POST').status).toBe(405);
    expect(api.quota.month).toBe(0);
  },
);

it.each([
  ['/nothing', 404],
  ['/signals/1/outcome', 404],
  ['/signals/', 404],
  ['', 404],
  ['/signals/4', 404],
  [`/signals/${'9'.repeat(60)}`, 404],
  ['/signals/0', 422],
  ['/signals/abc', 422],
  ['/signals/1.5', 422],
])('%s is %i', (path, status) => {
  const answer = bench({ world }).get(path);
  expect(answer.status).toBe(status);
  expect(errorOf(answer)).toMatch(status === 404 ? /^NOT_FOUND$/ : 'id');
});

it('a card is served as it is, with fields the document does not know', () => {
  const own = detail(7, { novelty: { deep: [1] }, entry_context: { rsi: 31.5 } } as never);
  const { resource } = bench({ world: worldOf([own]) });
  expect(resource('/signals/7')).toEqual(own);
  const { outcome: _o, entry_context: _c, context_scope: _s, ...card } = own;
  expect(resource<{ items: unknown[] }>('/signals').items).toEqual([card]);
});

// What the statistics are is held against those of a history: `test/outcomes/stats-from.test.ts`.
it('statistics are of cards of 30 days, at most the latest 2000', () => {
  const one = measuredDetail(detail(1), () => ({ state: 'available', move: 1, btc: 0 }));
  const statsOf = (all: readonly SignalDetail[]) => bench({ world: worldOf(all) }).resource('/signal-stats');
  for (const more of [0, 1]) {
    const created_at = new Date(START - 30 * 86_400_000 - more).toISOString();
    expect(statsOf([{ ...one, created_at }])).toMatchObject({ sampled_rows: 1 - more, screener_type: 'all' });
  }
  for (const count of [2000, 2001]) {
    const rows = Array.from({ length: count }, (_, i) => ({ ...one, id: count - i }));
    expect(statsOf(rows)).toMatchObject({ sampled_rows: 2000, sample_limited: count > 2000 });
  }
});
