import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatApiTime, parseApiTime } from '../../src/api/time.ts';

describe('API times', () => {
  it.each([
    ['2026-11-20T18:05:00Z', '2026-11-20T18:05:00.000Z'],
    ['2026-11-20T18:05:00.123456Z', '2026-11-20T18:05:00.123Z'],
    ['2026-11-20T18:05:00+00:00', '2026-11-20T18:05:00.000Z'],
    ['2026-11-20T18:05:00+05:30', '2026-11-20T12:35:00.000Z'],
    ['2026-11-20T18:05:00-0800', '2026-11-21T02:05:00.000Z'],
    ['2026-11-20T18:05:00', '2026-11-20T18:05:00.000Z'],
    ['2026-11-20T18:05Z', '2026-11-20T18:05:00.000Z'],
    ['2026-12-31T23:59:60Z', '2027-01-01T00:00:00.000Z'],
    ['2024-02-29t00:00:00z', '2024-02-29T00:00:00.000Z'],
  ])('%s', (text, iso) => expect(new Date(parseApiTime(text) ?? Number.NaN).toISOString()).toBe(iso));

  it.each([
    '',
    'now',
    '2026-11-20',
    '2026-13-01T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-11-20T18:60:00Z',
    '2026-11-20T25:00:00Z',
    '2026-11-20T18:60:00Z',
    '1795202797',
  ])('%s is none', (text) => expect(parseApiTime(text)).toBeUndefined());

  it('reads what it writes', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }), (date) => {
        expect(parseApiTime(formatApiTime(date.getTime()))).toBe(date.getTime());
      }),
    );
  });
});
