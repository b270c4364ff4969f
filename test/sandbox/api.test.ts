import { describe, expect, it } from 'vitest';
import { byHorizon } from '../../src/api/contract/horizons.ts';
import type { SignalDetail, SignalStats } from '../../src/api/contract/resources.ts';
import { missingIn } from '../support/document.ts';
import { OPERATIONS } from '../support/operations.ts';
import { measuredDetail } from '../support/samples.ts';
import { worldOf } from '../support/sandbox.ts';
import { bench, detail, details, errorOf, KEY, marketWorld, START } from './support.ts';

const PATHS = OPERATIONS.map(({ path }) => path.replace('{id}', '1'));
const world = worldOf(details(3));

it.each([
  {},
  { authorization: 'Bearer another' },
  { authorization: KEY },
  { authorization: `Basic ${KEY}` },
])('every path is refused with 401 for %o, before anything else', (headers) => {
  const { get, api } = bench();
  for (const path of [...PATHS, '/nothing'])
    expect(get(path, headers as Record<string, string>).status, path).toBe(401);
  expect(get('/signals', { authorization: `Bearer ${KEY}` }, 'POST').status).toBe(405);
  expect(api.quota.month).toBe(0);
});

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

it('every resource of the market has each field of the document', () => {
  const market = bench({ world: marketWorld(1, 60) });
  const { items } = market.resource<{ items: { id: number }[] }>('/signals');
  const [card] = items.slice(-1);
  for (const { path, resource } of OPERATIONS) {
    const answer = market.resource<object>(path.replace('{id}', String(card?.id)));
    expect({ path, missing: missingIn(answer, resource) }).toEqual({ path, missing: [] });
  }
});

it('a card is served as it is, with fields the document does not know', () => {
  const served = detail(7, { novelty: { deep: [1] }, entry_context: { rsi: 31.5 } } as never);
  const { resource } = bench({ world: worldOf([served]) });
  expect(resource('/signals/7')).toEqual(served);
  const { outcome: _o, entry_context: _c, context_scope: _s, ...card } = served;
  expect(resource<{ items: unknown[] }>('/signals').items).toEqual([card]);
});

// What the statistics are is held against those of a history: `test/outcomes/stats-from.test.ts`.
it('statistics are of cards of 30 days, at most the latest 2000', () => {
  const measured = measuredDetail(detail(1), () => ({ state: 'available', move: 1, btc: 0 }));
  const statsOf = (all: readonly SignalDetail[]) =>
    bench({ world: worldOf(all) }).resource('/signal-stats');
  for (const more of [0, 1]) {
    const created_at = new Date(START - 30 * 86_400_000 - more).toISOString();
    expect(statsOf([{ ...measured, created_at }]), `${more} too old`).toMatchObject({
      sampled_rows: 1 - more,
      screener_type: 'all',
    });
  }
  for (const count of [2000, 2001]) {
    const rows = Array.from({ length: count }, (_, i) => ({ ...measured, id: count - i }));
    expect(statsOf(rows), `${count} cards`).toMatchObject({
      sampled_rows: 2000,
      sample_limited: count > 2000,
    });
  }
});

it('requests of the last 60 seconds count, free ones too, refused ones not', () => {
  const { get, clock } = bench({ world, allowances: { per_minute: 3 } });
  const requests = [
    [0, '/access', 200, undefined],
    [10_000, '/signals/99', 404, undefined],
    [20_000, '/signals', 200, undefined],
    [20_000, '/access', 429, '40'],
    [59_999, '/access', 429, '1'],
    [60_000, '/access', 200, undefined],
    [60_000, '/access', 429, '10'],
  ] as const;
  const start = clock.now;
  for (const [after, path, status, retryAfter] of requests) {
    clock.now = start + after;
    const answer = get(path);
    expect({ after, status: answer.status, retryAfter: answer.headers['retry-after'] }).toEqual({
      after,
      status,
      retryAfter,
    });
  }
  expect(errorOf(get('/access'))).toBe('Quota exhausted: 3 requests per minute.');
});

it('statistics of no outcome are null, not 0', () => {
  const { horizons } = bench({ world }).resource<SignalStats>('/signal-stats?screener_type=none');
  const none = {
    ...{ sample: 0, pending: 0, missing: 0, median_move_pct: null },
    ...{ btc_sample: 0, median_vs_btc_percentage_points: null },
  };
  expect(horizons).toEqual(byHorizon(() => none));
});

describe('credits', () => {
  it.each([{ dayCredits: 6 }, { monthCredits: 6 }])('can be spent to the last: %o', (limits) => {
    const { get, api } = bench({ world, ...limits });
    const statuses = ['/signal-stats', '/signals', '/signals'].map((path) => get(path).status);
    expect({ statuses, spent: api.quota.month }).toEqual({ statuses: [200, 200, 429], spent: 6 });
  });

  it('are charged for answers with 200 only: 0, 1 or 5', () => {
    const { get, api, resource } = bench({ world, monthCredits: 1000 });
    for (const path of ['/access', '/signals/99', '/signals?limit=0', '/nothing']) get(path);
    for (const path of [
      '/market-snapshot',
      '/screeners',
      '/signals',
      '/signals/1',
      '/signal-stats',
    ])
      get(path);
    expect(api.quota).toEqual({ month: 9, day: 9 });
    expect(api.requests.map((entry) => entry.credits)).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 5]);
    const credits = { used: 9, limit: 1000, remaining: 991, resets_at: '2026-12-01T00:00:00Z' };
    expect(resource('/access')).toMatchObject({ plan: 'PRO', credits });
  });

  it.each([
    {
      time: 'a day',
      limits: { dayCredits: 2 },
      named: 'per day',
      turn: '2026-11-21T00:00:00.000Z',
    },
    {
      time: 'a month, which outlasts the day',
      limits: { dayCredits: 2, monthCredits: 2 },
      named: 'per month',
      turn: '2026-12-01T00:00:00.000Z',
    },
  ])('of $time end with 429 until it turns at UTC midnight', ({ limits, named, turn }) => {
    const { get, clock } = bench({ world, ...limits });
    get('/signals');
    expect(get('/signal-stats').status).toBe(429);
    get('/signals');
    const refused = get('/signals');
    expect({ status: refused.status, error: errorOf(refused) }).toEqual({
      status: 429,
      error: expect.stringContaining(named),
    });
    expect({ free: get('/access').status, wrong: get('/signals?limit=0').status }).toEqual({
      free: 200,
      wrong: 422,
    });
    clock.now += Number(refused.headers['retry-after']) * 1000;
    expect(new Date(clock.now).toISOString()).toBe(turn);
    expect(get('/signals').status).toBe(200);
  });
});
