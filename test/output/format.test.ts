import { expect, it } from 'vitest';
import { timeOf } from '../../src/api/time.ts';
import { age, minuteTime, percent, percentagePoints, shortAge, timeWithAge, usd } from '../../src/output/format.ts';
import { stylesOf } from '../../src/output/terminal.ts';
import { durationInWords } from '../../src/runtime/durations.ts';
import { UTC, zoneNamed } from '../../src/runtime/zone.ts';

const colours = stylesOf(true);
const NOW = Date.UTC(2026, 10, 20, 18, 5);
const KOLKATA = zoneNamed('Asia/Kolkata') ?? UTC;

it.each([
  ['percent', percent(1.234), '+1.23%'],
  ['of a loss', percent(-12345.6), '-12345.60%'],
  ['too small for a sign', percent(-0.004), '0.00%'],
  ['that is null', percent(null), '–'],
  ['with one decimal', percent(0.04, colours, 1), '0.0%'],
  ['in colour', percent(1, colours), '\x1b[32m+1.00%\x1b[39m'],
  ['of a loss in colour', percent(-1, colours), '\x1b[31m-1.00%\x1b[39m'],
  ['percentage points', percentagePoints(0.8), '+0.80 pp'],
  ['USD', usd(52_100_000), '52.1M'],
  ['USD below a thousand', usd(12.34), '12.3'],
  ['USD that round up', usd(999_960), '1.0M'],
  ['USD that do not', usd(999_940), '999.9K'],
  ['negative USD', usd(-4_500), '-4.5K'],
  ['USD too small for a sign', usd(-0.01), '0.0'],
  ['a time in UTC', minuteTime('2026-11-20T20:05:33+02:00'), '2026-11-20 18:05'],
  ['a time with seconds', minuteTime('2026-11-20T18:05:33.123Z', UTC, 19), '2026-11-20 18:05:33'],
  ['what is no time', minuteTime('\x1b[2J'), '\\u001b[2J'],
  ['a time in another zone', minuteTime('2026-11-20T20:05:33Z', KOLKATA), '2026-11-21 01:35'],
  [
    'a time with its age',
    timeWithAge('2026-11-20T15:00:00Z', { now: NOW, zone: UTC }),
    '2026-11-20 15:00 UTC (3 hours ago)',
  ],
  ['a moment', timeOf(NOW), '2026-11-20 18:05:00 UTC'],
])('%s', (_, shown, text) => expect(shown).toBe(text));

it.each([
  ['2026-11-20T18:05:00Z', 'now', '0s'],
  ['2026-11-20T18:04:15Z', '45 seconds ago', '45s'],
  ['2026-11-19T15:00:00Z', '1 day ago', '1d'],
  ['2026-11-25T18:05:00Z', 'in 5 days', '5d'],
  ['no time', '', ''],
])('%s is %s, %s for short', (iso, text, short) => expect([age(iso, NOW), shortAge(iso, NOW)]).toEqual([text, short]));

it.each([
  [0, '0 seconds'],
  [1, '1 second'],
  [90_000, '1 minute 30 seconds'],
  [3_599_500, '1 hour'],
  [100_000_000, '1 day 4 hours'],
  [823_395_000, '10 days'],
])('%s ms are %s', (millis, words) => expect(durationInWords(millis)).toBe(words));
