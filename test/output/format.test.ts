/** Figures, times and ranges as people read them. */
import { describe, expect, it } from 'vitest';
import {
  age,
  dayAndTime,
  daysText,
  estimateText,
  figureText,
  minuteFrom,
  minuteTime,
  numberText,
  percent,
  percentagePoints,
  points,
  rangeText,
  shortAge,
  signed,
  timePartText,
  timeWithAge,
  usd,
  waitingText,
} from '../../src/output/format.ts';
import { rateText } from '../../src/output/views/parts.ts';
import { UTC, zoneNamed } from '../../src/runtime/zone.ts';

const NOW = Date.UTC(2026, 10, 20, 18, 5);

describe('a figure', () => {
  it('has a sign and two decimals; what is 0.00 as shown has no sign', () => {
    const values = [1.234, -0.5, 0, -0.004, 0.005];
    expect(values.map((value) => signed(value))).toEqual([
      '+1.23',
      '-0.50',
      '0.00',
      '0.00',
      '+0.01',
    ]);
    expect({ one: signed(1.25, 1), none: signed(-3.6, 0), minus: signed(-1, 2, '−') }).toEqual({
      one: '+1.3',
      none: '-4',
      minus: '−1.00',
    });
  });

  it('has its unit, and a dash where there is none', () => {
    expect({
      percent: percent(1.234),
      decimals: percent(1.234, undefined, 0),
      points: percentagePoints(0.8),
      bare: points(-0.8),
      range: rangeText({ low: 0.2, high: 1.9 }),
      estimate: estimateText(1, { low: 0.2, high: 1.9 }),
    }).toEqual({
      percent: '+1.23%',
      decimals: '+1%',
      points: '+0.80 pp',
      bare: '-0.80',
      range: '+0.20 to +1.90',
      estimate: '+1.00 (+0.20 to +1.90)',
    });
    const none = [
      ...[percent(null), percentagePoints(null), points(undefined), rangeText(null)],
      ...[estimateText(null, { low: 0, high: 1 }), estimateText(1, null)],
    ];
    expect(new Set(none)).toEqual(new Set(['–']));
  });

  it('is told in the unit of its field', () => {
    expect({
      percent: figureText(1.5, 'percent'),
      points: figureText(-1.5, 'percentage points'),
      fraction: figureText(0.1234, 'fraction'),
      count: figureText(12, undefined),
      bare: figureText(1.5, 'percent', true),
      interval: figureText({ low: -1, high: 2 }, 'percentage points'),
      none: figureText(null, 'percent'),
      text: figureText('above', undefined),
    }).toEqual({
      percent: '+1.50%',
      points: '-1.50 pp',
      fraction: '12.3%',
      count: '12',
      bare: '+1.50',
      interval: '-1.00 pp to +2.00 pp',
      none: '–',
      text: 'above',
    });
  });

  it('of the service has no noise of binary fractions', () => {
    const values = [0.1 + 0.2, 1e-7, 123_456.789, 2n ** 64n];
    expect(values.map(numberText)).toEqual(['0.3', '1e-7', '123456.789', '18446744073709551616']);
  });

  it('of USD is short', () => {
    const values = [52_100_000, 999, 1_500, -2e9, 0];
    expect(values.map(usd)).toEqual(['52.1M', '999.0', '1.5K', '-2.0B', '0.0']);
  });

  it('of cards a day is what it was where the type fell silent', () => {
    expect({
      now: rateText({ now: 11, beforeSilence: undefined, isFromBeforeChange: false }),
      silent: rateText({ now: 0.3, beforeSilence: 2.94, isFromBeforeChange: false }),
      changedToday: rateText({ now: 43, beforeSilence: undefined, isFromBeforeChange: true }),
      unknown: rateText({ now: null, beforeSilence: undefined, isFromBeforeChange: false }),
      absent: rateText(undefined),
    }).toEqual({
      now: '11.0',
      silent: 'was 2.9',
      changedToday: '43.0 before',
      unknown: '–',
      absent: '–',
    });
  });
});

describe('a time', () => {
  const TIME = '2026-11-20T15:05:59Z';

  it('is cut to what is shown of it, in the zone', () => {
    const berlin = zoneNamed('Europe/Berlin');
    expect({
      minute: minuteTime(TIME),
      year: timePartText(TIME, UTC, 'year'),
      day: timePartText(TIME, UTC, 'up to the day'),
      second: timePartText(TIME, UTC, 'up to the second'),
      ofTheYear: timePartText(TIME, UTC, 'without the year'),
      clock: timePartText(TIME, UTC, 'clock'),
      zoned: timePartText(TIME, berlin ?? UTC, 'up to the minute'),
      none: minuteTime(null),
      strange: minuteTime('soon\u001b[2J'),
    }).toEqual({
      minute: '2026-11-20 15:05',
      year: '2026',
      day: '2026-11-20',
      second: '2026-11-20 15:05:59',
      ofTheYear: '11-20 15:05',
      clock: '15:05',
      zoned: '2026-11-20 16:05',
      none: '–',
      strange: expect.not.stringContaining('\u001b'),
    });
  });

  it('has its distance from now', () => {
    expect({
      past: age('2026-11-20T15:05:00Z', NOW),
      future: age('2026-11-25T18:05:00Z', NOW),
      whole: timeWithAge('2026-11-20T15:05:00Z', { now: NOW, zone: UTC }),
      strange: age('soon', NOW),
      none: age(null, NOW),
    }).toEqual({
      past: '3 hours ago',
      future: 'in 5 days',
      whole: '2026-11-20 15:05 UTC (3 hours ago)',
      strange: '',
      none: '',
    });
  });

  it('is named by its day, with its year if that is another one, in the zone', () => {
    const berlin = zoneNamed('Europe/Berlin') ?? UTC;
    const textOf = (iso: string | null, zone = UTC) => dayAndTime(iso, { now: NOW, zone });
    expect({
      thisYear: textOf('2026-12-01T00:00:00Z'),
      nextYear: textOf('2027-01-01T00:00:00Z'),
      inZone: textOf('2026-12-01T23:30:00Z', berlin),
      strange: textOf('soon'),
      none: textOf(null),
    }).toEqual({
      thisYear: '1 Dec, 00:00 UTC (in 11 days)',
      nextYear: '1 Jan 2027, 00:00 UTC (in 42 days)',
      inZone: '2 Dec, 00:30 Europe/Berlin (in 12 days)',
      strange: 'soon',
      none: '–',
    });
  });

  it.each([
    { seconds: 0, short: '0s' },
    { seconds: 59, short: '59s' },
    { seconds: 60, short: '1m' },
    { seconds: 3_599, short: '59m' },
    { seconds: 3_600, short: '1h' },
    { seconds: 86_399, short: '23h' },
    { seconds: 86_400, short: '1d' },
    { seconds: 172_800, short: '2d' },
    { seconds: -200, short: '0s' },
    { seconds: -4 * 3_600, short: '' },
  ])('$seconds s ago is $short in a narrow column', ({ seconds, short }) => {
    expect(shortAge(new Date(NOW - seconds * 1000).toISOString(), NOW)).toBe(short);
  });

  it('of a range of days has years from a year on', () => {
    const since = Date.UTC(2026, 7, 25);
    const days = (count: number) => daysText({ since, until: since + count * 86_400_000 });
    expect([0, 90, 364, 365].map(days)).toEqual([
      '25 Aug',
      '25 Aug to 23 Nov',
      '25 Aug to 24 Aug',
      '2026-08-25 to 2027-08-25',
    ]);
  });

  it('for a command line is rounded up to the minute', () => {
    expect(minuteFrom('2026-10-09T04:44:01Z')).toBe('2026-10-09T04:45Z');
    expect(minuteFrom('2026-10-09T04:44:00Z')).toBe('2026-10-09T04:44Z');
  });
});

it.each([
  { least: 0, most: 0, said: 'no waiting' },
  { least: 0, most: 60, said: 'up to 1 minute of waiting' },
  { least: 60, most: 60, said: '1 minute of waiting' },
  { least: 60, most: 180, said: '1 minute to 3 minutes of waiting' },
])('$least to $most s of pacing are $said', ({ least, most, said }) => {
  expect(waitingText({ least, most })).toBe(said);
});
