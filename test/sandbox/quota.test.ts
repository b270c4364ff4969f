import { describe, expect, it } from 'vitest';
import { worldOf } from '../support/resources.ts';
import { bench, details, errorOf } from './support.ts';

const MINUTE = 60_000;
const world = worldOf(details(3));

describe('requests per minute', () => {
  it('counts all requests, the free one included, in a sliding window', () => {
    const { get, clock } = bench({ world, perMinute: 3 });
    expect(get('/access').status).toBe(200);
    clock.now += 10_000;
    expect(get('/signals/99').status).toBe(404);
    clock.now += 10_000;
    expect(get('/signals').status).toBe(200);
    const refused = get('/access');
    expect(refused.status).toBe(429);
    expect(errorOf(refused)).toContain('per minute');
    expect(refused.headers['retry-after']).toBe('40');
    clock.now += 39_999;
    expect(get('/access').headers['retry-after']).toBe('1');
    clock.now += 1;
    expect(get('/access').status).toBe(200);
    expect(get('/access').headers['retry-after']).toBe('10');
  });

  it('has room again exactly when Retry-After said, rounded up', () => {
    const { get, clock } = bench({ world, perMinute: 1 });
    get('/access');
    clock.now += 1;
    expect(get('/access').headers['retry-after']).toBe('60');
    clock.now += MINUTE - 1;
    expect(get('/access').status).toBe(200);
  });

  it('does not count what was refused', () => {
    const { get, clock } = bench({ world, perMinute: 1 });
    get('/access');
    for (let i = 0; i < 20; i++) get('/access');
    clock.now += MINUTE;
    expect(get('/access').status).toBe(200);
  });
});

describe('credits', () => {
  it('are charged for answers with 200 only: 0, 1 or 5', () => {
    const { get, api } = bench({ world });
    for (const path of ['/access', '/signals/99', '/signals?limit=0', '/nothing']) get(path);
    expect(api.quota.month).toBe(0);
    for (const path of ['/market-snapshot', '/screeners', '/signals', '/signals/1', '/signal-stats']) get(path);
    expect(api.quota).toEqual({ month: 9, day: 9 });
    expect(api.requests.map((entry) => entry.credits)).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 5]);
  });

  it('of a day end with 429 until UTC midnight', () => {
    const { get, clock } = bench({ world, dayCredits: 2 });
    get('/signals');
    get('/signals');
    const refused = get('/signals');
    expect(refused.status).toBe(429);
    expect(errorOf(refused)).toContain('per day');
    expect(Number(refused.headers['retry-after'])).toBe((4 * 60 + 56) * 60 + 40);
    expect(get('/access').status).toBe(200);
    clock.now += Number(refused.headers['retry-after']) * 1000;
    expect(get('/signals').status).toBe(200);
  });

  it('of a month end with 429 until the next month, which outlasts the day', () => {
    const { get, clock, resource } = bench({ world, dayCredits: 2, monthCredits: 2 });
    get('/signals');
    get('/signals');
    const refused = get('/signals');
    expect(errorOf(refused)).toContain('per month');
    clock.now += Number(refused.headers['retry-after']) * 1000;
    expect(new Date(clock.now).toISOString()).toBe('2026-12-01T00:00:00.000Z');
    expect(resource('/access')).toMatchObject({ credits: { used: 0, remaining: 2 } });
    expect(get('/signals').status).toBe(200);
  });

  it('must suffice for the whole request', () => {
    const { get } = bench({ world, monthCredits: 4 });
    expect(get('/signal-stats').status).toBe(429);
    expect(get('/signals').status).toBe(200);
  });

  it('are not needed to be told of a mistake', () => {
    const { get } = bench({ world, monthCredits: 0 });
    expect(get('/signals?limit=0').status).toBe(422);
    expect(get('/signals').status).toBe(429);
  });

  it('spent by another client count, in this month or this day too', () => {
    const { api } = bench({ world });
    api.spend(100, { today: false });
    api.spend(7);
    expect(api.quota).toEqual({ month: 107, day: 7 });
  });
});
