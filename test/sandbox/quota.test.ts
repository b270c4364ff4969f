import { describe, expect, it } from 'vitest';
import { worldOf } from '../support/resources.ts';
import { bench, details, errorOf } from './support.ts';

const world = worldOf(details(3));

it('requests of the last 60 seconds count, free ones too, refused ones not', () => {
  const { get, clock } = bench({ world, allowances: { per_minute: 3 } });
  expect(get('/access').status).toBe(200);
  clock.now += 10_000;
  expect(get('/signals/99').status).toBe(404);
  clock.now += 10_000;
  expect(get('/signals').status).toBe(200);
  const refused = get('/access');
  expect([refused.status, refused.headers['retry-after'], errorOf(refused)]).toEqual([
    429,
    '40',
    'Quota exhausted: 3 requests per minute.',
  ]);
  clock.now += 39_999;
  expect(get('/access').headers['retry-after']).toBe('1');
  clock.now += 1;
  expect(get('/access').status).toBe(200);
  expect(get('/access').headers['retry-after']).toBe('10');
});

describe('credits', () => {
  it('are charged for answers with 200 only: 0, 1 or 5', () => {
    const { get, api } = bench({ world });
    for (const path of ['/access', '/signals/99', '/signals?limit=0', '/nothing']) get(path);
    for (const path of ['/market-snapshot', '/screeners', '/signals', '/signals/1', '/signal-stats']) get(path);
    expect(api.quota).toEqual({ month: 9, day: 9 });
    expect(api.requests.map((entry) => entry.credits)).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 5]);
  });

  it.each([
    ['a day', { dayCredits: 2 }, 'per day', '2026-11-21T00:00:00.000Z'],
    ['a month, which outlasts the day', { dayCredits: 2, monthCredits: 2 }, 'per month', '2026-12-01T00:00:00.000Z'],
  ])('of %s end with 429 until it turns at UTC midnight', (_, limits, named, turn) => {
    const { get, clock } = bench({ world, ...limits });
    get('/signals');
    get('/signals');
    const refused = get('/signals');
    expect({ status: refused.status, error: errorOf(refused) }).toEqual({
      status: 429,
      error: expect.stringContaining(named),
    });
    expect(get('/access').status).toBe(200);
    clock.now += Number(refused.headers['retry-after']) * 1000;
    expect(new Date(clock.now).toISOString()).toBe(turn);
    expect(get('/signals').status).toBe(200);
  });

  it('must suffice for the whole request, but are not needed to be told of a mistake', () => {
    const { get } = bench({ world, monthCredits: 1 });
    expect(get('/signal-stats').status).toBe(429);
    expect(get('/signals').status).toBe(200);
    expect(get('/signals?limit=0').status).toBe(422);
    expect(get('/signals').status).toBe(429);
  });
});
