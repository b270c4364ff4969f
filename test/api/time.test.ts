import { describe, expect, it } from 'vitest';
import { formatApiTime, parseApiTime, timeOf } from '../../src/api/time.ts';

describe('API times', () => {
  it.each([
    ['2026-11-20T18:05:00Z', '2026-11-20T18:05:00.000Z'],
    ['2026-11-20T18:05:00.123456Z', '2026-11-20T18:05:00.123Z'],
    ['2026-11-20T18:05:00+00:00', '2026-11-20T18:05:00.000Z'],
    ['2026-11-20T18:05:00+05:30', '2026-11-20T12:35:00.000Z'],
    ['2026-11-20T18:05:00-0800', '2026-11-21T02:05:00.000Z'],
    ['2026-11-20T18:05:00', '2026-11-20T18:05:00.000Z'],
    ['2026-11-20T18:05Z', '2026-11-20T18:05:00.000Z'],
    ['2024-02-29t00:00:00z', '2024-02-29T00:00:00.000Z'],
  ])('%s', (text, iso) =>
    expect(new Date(parseApiTime(text) ?? Number.NaN).toISOString()).toBe(iso),
  );

  it.each([
    ...[
      '',
      'now',
      '2026-11-20',
      '2026-13-01T00:00:00Z',
      '2026-02-29T00:00:00Z',
      '2026-02-30T00:00:00Z',
      '2026-11-20T25:00:00Z',
    ],
    ...['2026-11-20T18:60:00Z', '1795202797'],
  ])('%s is none', (text) => expect(parseApiTime(text)).toBeUndefined());

  it('without an offset are UTC, whatever zone this machine is in', () => {
    const { TZ } = process.env;
    process.env.TZ = 'Asia/Kolkata';
    try {
      expect(parseApiTime('2026-11-20T18:05:00')).toBe(Date.UTC(2026, 10, 20, 18, 5));
    } finally {
      if (TZ === undefined) delete process.env.TZ;
      else process.env.TZ = TZ;
    }
  });

  it('are sent with milliseconds only where there are some', () => {
    const time = Date.UTC(2026, 10, 20, 18, 5);
    expect({ whole: formatApiTime(time), broken: formatApiTime(time + 7) }).toEqual({
      whole: '2026-11-20T18:05:00Z',
      broken: '2026-11-20T18:05:00.007Z',
    });
  });
});

it('a time for people is rounded up to the second', () => {
  const time = Date.UTC(2026, 10, 20, 18, 5);
  expect({ whole: timeOf(time), later: timeOf(time + 1) }).toEqual({
    whole: '2026-11-20 18:05:00 UTC',
    later: '2026-11-20 18:05:01 UTC',
  });
});
