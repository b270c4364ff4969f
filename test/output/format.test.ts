import { describe, expect, it } from 'vitest';
import { timeOf } from '../../src/api/time.ts';
import {
  age,
  countdown,
  funding,
  minuteTime,
  percent,
  percentagePoints,
  shortAge,
  timeWithAge,
  usd,
} from '../../src/output/format.ts';
import { stylesOf } from '../../src/output/terminal.ts';
import { durationInWords } from '../../src/runtime/durations.ts';
import { UTC, zoneNamed } from '../../src/runtime/zone.ts';

const colours = stylesOf(true);
const NOW = Date.UTC(2026, 10, 20, 18, 5);

describe('figures', () => {
  it.each([
    [1.234, '+1.23%'],
    [-0.5, '-0.50%'],
    [0, '0.00%'],
    [340.46, '+340.46%'],
    [-12345.6, '-12345.60%'],
    [0.004, '0.00%'],
    [-0.004, '0.00%'],
    [null, '–'],
  ])('percent %s is %s', (value, text) => expect(percent(value)).toBe(text));

  it('colours by sign, and nothing where there is none', () => {
    expect(percent(1, colours)).toBe('\x1b[32m+1.00%\x1b[39m');
    expect(percent(-1, colours)).toBe('\x1b[31m-1.00%\x1b[39m');
    for (const zero of [0, 0.004, -0.004]) expect(percent(zero, colours)).toBe('0.00%');
    expect(percent(0.04, colours, 1)).toBe('0.0%');
    expect(percentagePoints(0.8, colours)).toBe('\x1b[32m+0.80 pp\x1b[39m');
  });

  it('names percentage points', () => {
    expect(percentagePoints(0.8)).toBe('+0.80 pp');
    expect(percentagePoints(null)).toBe('–');
  });

  it.each([
    [0.0001, '0.0100%'],
    [0.000125, '0.0125%'],
    [-0.0003, '-0.0300%'],
    [0.00001234, '0.0012%'],
    [0, '0.0000%'],
    [null, '–'],
  ])('funding %s is %s', (value, text) => expect(funding(value)).toBe(text));

  it.each([
    [52_100_000, '52.1M'],
    [1_200_000_000, '1.2B'],
    [830_000, '830.0K'],
    [999_949, '999.9K'],
    [999_960, '1.0M'],
    [12.34, '12.3'],
    [0, '0.0'],
    [-0.01, '0.0'],
    [-4_500, '-4.5K'],
    [3e15, '3000.0T'],
    [null, '–'],
  ])('usd %s is %s', (value, text) => expect(usd(value)).toBe(text));
});

describe('times', () => {
  it('shows UTC whatever the offset', () => {
    expect(minuteTime('2026-11-20T20:05:33+02:00')).toBe('2026-11-20 18:05');
    expect(minuteTime('2026-11-20T18:05:33.123Z', UTC, 19)).toBe('2026-11-20 18:05:33');
    expect(minuteTime('\x1b[2J')).toBe('\\u001b[2J');
    expect(timeOf(NOW)).toBe('2026-11-20 18:05:00 UTC');
    expect(timeOf(1e300)).toBe('the end of time');
  });

  it.each([
    ['2026-11-20T18:05:00Z', 'now', '0s'],
    ['2026-11-20T18:04:15Z', '45 seconds ago', '45s'],
    ['2026-11-20T15:00:00Z', '3 hours ago', '3h'],
    ['2026-11-19T15:00:00Z', '1 day ago', '1d'],
    ['2026-11-25T18:05:00Z', 'in 5 days', '5d'],
    ['no time', '', ''],
  ])('%s is %s, %s for short', (iso, text, short) =>
    expect([age(iso, NOW), shortAge(iso, NOW)]).toEqual([text, short]),
  );

  it('shows another zone, and names it', () => {
    const zone = zoneNamed('Asia/Kolkata') ?? UTC;
    expect(minuteTime('2026-11-20T20:05:33Z', zone)).toBe('2026-11-21 01:35');
    expect(timeWithAge('2026-11-20T15:00:00Z', { now: NOW, zone })).toBe('2026-11-20 20:30 Asia/Kolkata (3 hours ago)');
    expect(zoneNamed('Nowhere/Else')).toBeUndefined();
    expect(zoneNamed('Etc/UTC')).toBe(UTC);
  });

  it('puts both together', () => {
    expect(timeWithAge('2026-11-20T15:00:00Z', { now: NOW, zone: UTC })).toBe('2026-11-20 15:00 UTC (3 hours ago)');
    expect(timeWithAge(null, { now: NOW, zone: UTC })).toBe('–');
  });

  it.each([
    [0, '0s', '0 seconds'],
    [1, '1s', '1 second'],
    [45_000, '45s', '45 seconds'],
    [60_000, '1m', '1 minute'],
    [90_000, '1m 30s', '1 minute 30 seconds'],
    [599_001, '10m', '10 minutes'],
    [3_599_500, '1h', '1 hour'],
    [7_500_000, '2h 5m', '2 hours 5 minutes'],
    [100_000_000, '1d 3h', '1 day 4 hours'],
    [823_395_000, '9d 12h', '10 days'],
  ])('%s ms to wait are %s, in words %s', (millis, short, words) =>
    expect([countdown(millis), durationInWords(millis)]).toEqual([short, words]),
  );
});
