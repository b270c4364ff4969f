import { describe, expect, it } from 'vitest';
import type { SignalPage } from '../../src/api/contract/resources.ts';
import { worldOf } from '../support/sandbox.ts';
import { type Bench, bench, detail, details, errorOf, START, walkAll } from './support.ts';

const withCards = (count: number): Bench => bench({ world: worldOf(details(count)) });
const ids = (page: SignalPage): number[] => page.items.map((item) => item.id);
const at = (id: number): string => detail(id).created_at;
const query = (params: Record<string, string>): string => `/signals?${new URLSearchParams(params)}`;

describe('pages', () => {
  it('end with a null cursor, also where the last one is full', () => {
    expect(withCards(25).resource<SignalPage>('/signals').next_cursor).toBeNull();
    expect(withCards(26).resource<SignalPage>('/signals').next_cursor).not.toBeNull();
    expect(withCards(0).resource<SignalPage>('/signals')).toMatchObject({
      items: [],
      next_cursor: null,
    });
  });

  it.each([7, 25])('of %i give every card once', (limit) => {
    const all = walkAll(withCards(60), `limit=${limit}`);
    expect(all).toEqual(Array.from({ length: 60 }, (_, i) => 60 - i));
  });

  it('lose none of many cards of one second; their cursors are safe in a URL', () => {
    const same = details(60).map((card) => ({ ...card, created_at: at(1) }));
    const here = bench({ world: worldOf(same) });
    expect(new Set(walkAll(here, 'limit=10')).size).toBe(60);
    expect(here.resource<SignalPage>('/signals').next_cursor).toMatch(/^[\w-]{1,220}$/);
  });

  it('stay stable while new cards arrive', () => {
    const { world, resource, clock } = withCards(60);
    const first = resource<SignalPage>('/signals');
    world.set(worldOf(details(64)));
    clock.now += 3_600_000;
    const second = resource<SignalPage>(query({ cursor: first.next_cursor ?? '' }));
    expect(ids(second)).toEqual(Array.from({ length: 25 }, (_, i) => 35 - i));
    expect({ since: second.since, until: second.until }).toEqual({
      since: first.since,
      until: first.until,
    });
  });
});

describe('filters', () => {
  it('by symbol and screener type', () => {
    const mixed = [
      detail(1, { source_symbol: 'ETHUSDT' }),
      detail(2, { source_bot_type: 'oi_growth' }),
      detail(3, { source_symbol: 'ETHUSDT', source_bot_type: 'oi_growth' }),
    ];
    const { resource } = bench({ world: worldOf(mixed) });
    expect(ids(resource('/signals?symbol=ETHUSDT'))).toEqual([3, 1]);
    expect(ids(resource('/signals?screener_type=oi_growth'))).toEqual([3, 2]);
    expect(ids(resource('/signals?symbol=ETHUSDT&screener_type=price_spike'))).toEqual([1]);
    expect(ids(resource('/signals?screener_type=unheard_of'))).toEqual([]);
  });

  it('by a type with a question mark, which does not end the query', () => {
    const { resource } = bench({
      world: worldOf([detail(1), detail(2, { source_bot_type: 'a?b' })]),
    });
    expect(ids(resource('/signals?screener_type=a?b&limit=5'))).toEqual([2]);
  });

  it('by time, both ends inclusive, and the page says its window', () => {
    const { resource } = withCards(20);
    const page = resource<SignalPage>(query({ since: at(5), until: at(9) }));
    expect(ids(page)).toEqual([9, 8, 7, 6, 5]);
    expect({ since: Date.parse(page.since), until: Date.parse(page.until) }).toEqual({
      since: Date.parse(at(5)),
      until: Date.parse(at(9)),
    });
  });

  it('by the last 30 days where no time is given, or the 30 days before until', () => {
    const old = detail(1, { created_at: new Date(START - 31 * 86_400_000).toISOString() });
    const { resource } = bench({ world: worldOf([old, detail(2)]) });
    expect(ids(resource('/signals'))).toEqual([2]);
    expect(ids(resource(query({ until: new Date(START - 2 * 86_400_000).toISOString() })))).toEqual(
      [1],
    );
    expect(resource('/signals')).toMatchObject({
      since: '2026-10-21T19:03:20Z',
      until: '2026-11-20T19:03:20Z',
    });
  });
});

it.each([
  ['limit=0', 'limit'],
  ['limit=26', 'limit'],
  ['symbol=btcusdt', 'symbol'],
  [`symbol=${'A'.repeat(33)}`, 'symbol'],
  ['since=2026-11-20', 'since'],
  ['since=2026-02-30T00:00:00Z', 'since'],
  // RFC 3339 requires the colon of an offset.
  ['since=2026-11-20T00:00:00%2B0200', 'since'],
  ['since=2026-11-20T00:00:01Z&until=2026-11-20T00:00:00Z', 'until'],
  [`cursor=${'x'.repeat(221)}`, '220'],
  ['cursor=nonsense', 'cursor'],
  // Its numbers are no times: 0.9000000000000000.0.1
  ['cursor=MC45MDAwMDAwMDAwMDAwMDAwLjAuMQ', 'cursor'],
])('invalid arguments are 422, name the parameter and cost nothing: %s', (text, named) => {
  const { get, api } = withCards(60);
  const answer = get(`/signals?${text}`);
  expect(answer.status).toBe(422);
  expect(errorOf(answer)).toContain(named);
  expect(api.quota).toEqual({ month: 0, day: 0 });
});
