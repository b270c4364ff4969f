/** Durations and days, as they are read and as they are said. */
import { describe, expect, it } from 'vitest';
import {
  ageInWords,
  DAY,
  dayAndMonth,
  dayNumber,
  distanceInWords,
  durationInWords,
  endOfMonth,
  HOUR,
  MINUTE,
  nextDay,
  pluralize,
  readDuration,
  readDurationOrSeconds,
  SECOND,
  utcDay,
} from '../../src/base/units.ts';

it('a duration that is typed is read in its units, and nothing else is', () => {
  const texts = ['500ms', '90s', '1h30m', '1.5h', '2d', '2w', '0.4ms'];
  expect(Object.fromEntries(texts.map((text) => [text, readDuration(text)]))).toEqual({
    '500ms': 500,
    '90s': 90_000,
    '1h30m': 5_400_000,
    '1.5h': 5_400_000,
    '2d': 172_800_000,
    '2w': 1_209_600_000,
    '0.4ms': 0,
  });
  const none = ['', '90', 'h', '1y', '1h 30m', '-1h', '1.h', ' 1h'];
  expect(none.filter((text) => readDuration(text) !== undefined)).toEqual([]);
});

it('seconds may be typed without a unit', () => {
  const texts = ['90', '1.5', '2m', '', '-1', '1e3', '9'.repeat(20), `${'9'.repeat(20)}w`];
  expect(texts.map((text) => ({ text, millis: readDurationOrSeconds(text) }))).toEqual([
    { text: '90', millis: 90_000 },
    { text: '1.5', millis: 1500 },
    { text: '2m', millis: 120_000 },
    { text: '', millis: undefined },
    { text: '-1', millis: undefined },
    { text: '1e3', millis: undefined },
    { text: '9'.repeat(20), millis: undefined },
    { text: `${'9'.repeat(20)}w`, millis: undefined },
  ]);
});

it('the last second of a month is in UTC, that of December, too', () => {
  const lastSecondOf = (day: string) => new Date(endOfMonth(Date.parse(day))).toISOString();
  expect([lastSecondOf('2026-02-01'), lastSecondOf('2026-12-31')]).toEqual([
    '2026-02-28T23:59:59.000Z',
    '2026-12-31T23:59:59.000Z',
  ]);
});

it.each([
  { millis: -5, words: '0 seconds' },
  { millis: 0, words: '0 seconds' },
  { millis: 1, words: '1 second' },
  { millis: 59 * SECOND, words: '59 seconds' },
  { millis: 59 * SECOND + 1, words: '1 minute' },
  { millis: MINUTE + SECOND, words: '1 minute 1 second' },
  { millis: 9 * MINUTE + 59 * SECOND, words: '9 minutes 59 seconds' },
  { millis: 10 * MINUTE, words: '10 minutes' },
  { millis: 10 * MINUTE + SECOND, words: '11 minutes' },
  { millis: HOUR - SECOND, words: '1 hour' },
  { millis: HOUR, words: '1 hour' },
  { millis: HOUR + 30 * MINUTE, words: '1 hour 30 minutes' },
  { millis: 2 * HOUR - SECOND, words: '2 hours' },
  { millis: 10 * HOUR, words: '10 hours' },
  { millis: 10 * HOUR + SECOND, words: '11 hours' },
  { millis: DAY, words: '1 day' },
  { millis: DAY + SECOND, words: '1 day 1 hour' },
  { millis: 2 * DAY - HOUR, words: '1 day 23 hours' },
  { millis: 2 * DAY, words: '2 days' },
  { millis: 2 * DAY + SECOND, words: '3 days' },
])('a wait of $millis ms is announced as $words, never too short', ({ millis, words }) => {
  expect(durationInWords(millis)).toBe(words);
});

describe('how far a time is from now', () => {
  const now = Date.UTC(2026, 10, 29, 12);
  it.each([
    { millis: 0, words: 'now' },
    { millis: SECOND - 1, words: 'now' },
    { millis: 1 - SECOND, words: 'now' },
    { millis: -SECOND, words: '1 second ago' },
    { millis: -119 * SECOND, words: '1 minute ago' },
    { millis: -47 * HOUR, words: '1 day ago' },
    { millis: -3 * HOUR, words: '3 hours ago' },
    { millis: SECOND, words: 'in 1 second' },
    { millis: 90 * MINUTE, words: 'in 1 hour 30 minutes' },
    { millis: 9 * DAY, words: 'in 9 days' },
  ])('of $millis ms is "$words"', ({ millis, words }) => {
    expect(distanceInWords(now + millis, now)).toBe(words);
  });
});

it('a day of UTC has a number, a name and an end', () => {
  const morning = Date.UTC(2026, 10, 4, 0, 0, 0);
  const night = morning + DAY - 1;
  const of = (at: number) => ({
    number: dayNumber(at),
    name: utcDay(at),
    short: dayAndMonth(at),
    next: nextDay(at),
  });
  const fourth = { number: 20_761, name: '2026-11-04', short: '4 Nov', next: night + 1 };
  expect({ morning: of(morning), night: of(night) }).toEqual({ morning: fourth, night: fourth });
  expect(dayNumber(-1), 'the last day of 1969').toBe(-1);
});

it('one thing has no s', () => {
  expect([0, 1, 2].map((count) => pluralize(count, 'card'))).toEqual([
    '0 cards',
    '1 card',
    '2 cards',
  ]);
});

it.each([
  { millis: 40 * MINUTE, words: '40 minutes' },
  { millis: HOUR, words: '1 hour' },
  { millis: 61 * MINUTE, words: '1 hour' },
  { millis: 47.9 * HOUR, words: '47 hours' },
  { millis: 2 * DAY, words: '2 days' },
  { millis: 11.9 * DAY, words: '11 days' },
])('an age of $words is rounded down', ({ millis, words }) => {
  expect(ageInWords(millis)).toBe(words);
});
