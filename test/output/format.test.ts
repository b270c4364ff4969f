import { describe, expect, it } from 'vitest';
import {
  age,
  duration,
  funding,
  isoTime,
  minuteTime,
  percent,
  percentagePoints,
  span,
  timeOf,
  timeWithAge,
  usd,
} from '../../src/output/format.ts';
import { colourStyles } from '../../src/output/table/styles.ts';

const NOW = Date.UTC(2026, 10, 20, 18, 5);

describe('figures', () => {
  it.each([
    [1.234, '+1.23%'],
    [-0.5, '-0.50%'],
    [0, '0.00%'],
    [340.46, '+340.5%'],
    [-12345.6, '-12346%'],
    [1e300, '+1.0e+300%'],
    [null, '–'],
  ])('percent %s is %s', (value, text) => expect(percent(value)).toBe(text));

  it('colours by sign, and nothing where there is none', () => {
    expect(percent(1, colourStyles)).toBe('\x1b[32m+1.00%\x1b[39m');
    expect(percent(-1, colourStyles)).toBe('\x1b[31m-1.00%\x1b[39m');
    expect(percent(0, colourStyles)).toBe('0.00%');
    expect(percentagePoints(0.8, colourStyles)).toBe('\x1b[32m+0.80 pp\x1b[39m');
  });

  it('names percentage points', () => {
    expect(percentagePoints(0.8)).toBe('+0.80 pp');
    expect(percentagePoints(null)).toBe('–');
  });

  it.each([
    [0.0001, '0.01%'],
    [0.000125, '0.0125%'],
    [-0.0003, '-0.03%'],
    [0.00001234, '0.0012%'],
    [0.0000000123, '0.0000012%'],
    [0, '0%'],
    [null, '–'],
  ])('funding %s is %s', (value, text) => expect(funding(value)).toBe(text));

  it.each([
    [52_100_000, '52.1M'],
    [1_200_000_000, '1.2B'],
    [830_000, '830K'],
    [999_949, '999.9K'],
    [999_960, '1M'],
    [12.34, '12.3'],
    [0, '0'],
    [-0.01, '0'],
    [-4_500, '-4.5K'],
    [3e15, '3000T'],
    [1e30, '1.0e+18T'],
    [null, '–'],
  ])('usd %s is %s', (value, text) => expect(usd(value)).toBe(text));
});

describe('times', () => {
  it('shows UTC whatever the offset', () => {
    expect(minuteTime('2026-11-20T20:05:33+02:00')).toBe('2026-11-20 18:05');
    expect(isoTime('2026-11-20T18:05:33.123Z')).toBe('2026-11-20 18:05:33');
    expect(minuteTime('\x1b[2J')).toBe('\\u001b[2J');
    expect(timeOf(NOW)).toBe('2026-11-20 18:05:00 UTC');
    expect(timeOf(1e300)).toBe('the end of time');
  });

  it.each([
    ['2026-11-20T18:05:00Z', 'now'],
    ['2026-11-20T18:04:15Z', '45s ago'],
    ['2026-11-20T15:00:00Z', '3h ago'],
    ['2026-11-18T15:00:00Z', '2d ago'],
    ['2026-11-25T18:05:00Z', 'in 5d'],
    ['no time', ''],
  ])('%s is %s', (iso, text) => expect(age(iso, NOW)).toBe(text));

  it('puts both together', () => {
    expect(timeWithAge('2026-11-20T15:00:00Z', NOW)).toBe('2026-11-20 15:00 UTC (3h ago)');
    expect(timeWithAge(null, NOW)).toBe('–');
  });

  it.each([
    [0, '0s'],
    [1, '1s'],
    [45_000, '45s'],
    [90_000, '1m 30s'],
    [3_600_000, '1h'],
    [7_500_000, '2h 5m'],
    [100_000_000, '1d 3h'],
  ])('a wait of %s ms is %s', (millis, text) => expect(duration(millis)).toBe(text));

  it('spans one unit', () => expect([span(59_999), span(60_000), span(86_400_000)]).toEqual(['59s', '1m', '1d']));
});
