import { describe, expect, it } from 'vitest';
import { worldOf } from '../support/sandbox.ts';
import { bench, details, errorOf } from './support.ts';

const world = worldOf(details(3));

it('requests of the last 60 seconds count, free ones too, refused ones not', () => {
  const { get, clock } = bench({ world, allowances: { per_minute: 3 } });
  const asked = [
    [0, '/access', 200, undefined],
    [10_000, '/signals/99', 404, undefined],
    [20_000, '/signals', 200, undefined],
    [20_000, '/access', 429, '40'],
    [59_999, '/access', 429, '1'],
    [60_000, '/access', 200, undefined],
    [60_000, '/access', 429, '10'],
  ] as const;
  const start = clock.now;
  for (const [after, path, status, retryAfter] of asked) {
    clock.now = start + after;
    const answer = get(path);
    expect([after, answer.status, answer.headers['retry-after']]).toEqual([after, status, retryAfter]);
  }
  expect(errorOf(get('/access'))).toBe('Quota exhausted: 3 requests per minute.');
});

describe('credits', () => {
  it('are charged for answers with 200 only: 0, 1 or 5', () => {
    const { get, api, resource } = bench({ world, monthCredits: 1000 });
    for (const path of ['/access', '/signals/99', '/signals?limit=0', '/nothing']) get(path);
    for (const path of ['/market-snapshot', '/screeners', '/signals', '/signals/1', '/signal-stats']) get(path);
    expect(api.quota).toEqual({ month: 9, day: 9 });
    expect(api.requests.map((entry) => entry.credits)).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 5]);
    const credits = { used: 9, limit: 1000, remaining: 991, resets_at: '2026-12-01T00:00:00Z' };
    expect(resource('/access')).toMatchObject({ plan: 'PRO', credits });
  });

  it.each([
    ['a day', { dayCredits: 2 }, 'per day', '2026-11-21T00:00:00.000Z'],
    ['a month, which outlasts the day', { dayCredits: 2, monthCredits: 2 }, 'per month', '2026-12-01T00:00:00.000Z'],
  ])('of %s end with 429 until it turns at UTC midnight', (_, limits, named, turn) => {
    const { get, clock } = bench({ world, ...limits });
    get('/signals');
    expect(get('/signal-stats').status).toBe(429);
    get('/signals');
    const refused = get('/signals');
    expect([refused.status, errorOf(refused)]).toEqual([429, expect.stringContaining(named)]);
    expect([get('/access').status, get('/signals?limit=0').status]).toEqual([200, 422]);
    clock.now += Number(refused.headers['retry-after']) * 1000;
    expect(new Date(clock.now).toISOString()).toBe(turn);
    expect(get('/signals').status).toBe(200);
  });
});
