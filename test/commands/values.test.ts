import { safeParse } from 'valibot';
import { describe, expect, it, test } from 'vitest';
import { DURATION_UNITS } from '../../src/base/units.ts';
import { cursor, duration, positive, typedTime } from '../../src/commands/parts/values.ts';
import { UTC, zoneNamed } from '../../src/runtime/zone.ts';

const now = Date.UTC(2026, 10, 20, 18, 30, 0);
const reading = { now, env: {}, zone: UTC };

/** What comes of a text: the value, or the sentence without the option's name. */
function read(schema: Parameters<typeof safeParse>[0], typed: string): unknown {
  const { success, output, issues } = safeParse(schema, typed);
  return success ? output : (issues[0]?.message ?? '').split('\n')[0];
}

test.each([
  ['90m', 5_400_000],
  ['5', 5000],
  ['0', 0],
  ['soon', "takes a duration, not 'soon'."],
  [`${'9'.repeat(20)}w`, `takes a duration, not '${'9'.repeat(20)}w'.`],
])('the duration %s', (typed, expected) => expect(read(duration(), typed)).toBe(expected));

test('a duration, and the number of --least, have a digit before their point', () => {
  const typed = { seconds: duration(), hours: duration(), least: positive };
  const texts = { seconds: '.5', hours: '.5h', least: '.5' };
  const isTaken = (name: keyof typeof texts, text: string) => safeParse(typed[name], text).success;
  const names = ['seconds', 'hours', 'least'] as const;
  expect(
    names.map((name) => [isTaken(name, texts[name]), isTaken(name, `0${texts[name]}`)]),
  ).toEqual(names.map(() => [false, true]));
});

test.each(DURATION_UNITS)(
  'the unit %s is read in a duration, beside others, and in a time',
  (unit) => {
    const millis = Number(read(duration(), `1${unit}`));
    expect({
      isLonger: millis > 0,
      two: read(duration(), `2${unit}`),
      half: read(duration(), `2.5${unit}0.5${unit}`),
      besideSeconds: read(duration(), `1${unit}1s`),
      time: read(typedTime(reading), `1${unit}`),
    }).toEqual({
      isLonger: true,
      two: 2 * millis,
      half: 3 * millis,
      besideSeconds: millis + 1000,
      time: now - millis,
    });
  },
);

describe('times', () => {
  it.each([
    ['2026-11-20T18:00:00Z', '2026-11-20T18:00:00.000Z'],
    ['2026-11-20T18:00+01:00', '2026-11-20T17:00:00.000Z'],
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
    ['2026-11-20 18:00', '2026-11-20T18:00:00.000Z'],
    ['2026-11-20T18:00', '2026-11-20T18:00:00.000Z'],
    ['2026-11-20T18:00:05', '2026-11-20T18:00:05.000Z'],
    ['2026-11-20 18:00:05', '2026-11-20T18:00:05.000Z'],
    ['11-20 18:00', '2026-11-20T18:00:00.000Z'],
    ['11-20', '2026-11-20T00:00:00.000Z'],
    // Of last year: no table shows a card of the future.
    ['12-24 18:00', '2025-12-24T18:00:00.000Z'],
    ['24h', '2026-11-19T18:30:00.000Z'],
    ['today', '2026-11-20T00:00:00.000Z'],
    ['yesterday', '2026-11-19T00:00:00.000Z'],
  ])('%s', (typed, iso) =>
    expect(new Date(Number(read(typedTime(reading), typed))).toISOString()).toBe(iso),
  );

  it.each([
    '',
    'tomorrow',
    '2026-11-20T18',
    '2026-11-20T18:00Q',
    '2026-02-30',
    '20.11.2026',
    '9999999d',
    '1969-12-31',
  ])('%s is none', (typed) =>
    expect(read(typedTime(reading), typed)).toBe(`takes a time, not '${typed}'.`),
  );

  it.each([
    { place: 'Europe/Berlin', typed: 'today', iso: '2026-11-19T23:00:00.000Z' },
    // Clocks are put back in this night, and forward in that one.
    { place: 'Europe/Berlin', typed: '2026-10-25', iso: '2026-10-24T22:00:00.000Z' },
    { place: 'Europe/Berlin', typed: '2026-10-26', iso: '2026-10-25T23:00:00.000Z' },
    // A day that begins at 01:00, and one whose first hour comes twice.
    { place: 'America/Sao_Paulo', typed: '2018-11-04', iso: '2018-11-04T03:00:00.000Z' },
    { place: 'Atlantic/Azores', typed: '2026-10-25', iso: '2026-10-25T00:00:00.000Z' },
    { place: 'Europe/Berlin', typed: '11-20 18:00', iso: '2026-11-20T17:00:00.000Z' },
    { place: 'Europe/Berlin', typed: '2026-11-20T18:00', iso: '2026-11-20T17:00:00.000Z' },
  ])('in $place $typed is $iso', ({ place, typed, iso }) => {
    const zone = zoneNamed(place);
    if (zone === undefined) throw new Error(place);
    expect(new Date(Number(read(typedTime({ ...reading, zone }), typed))).toISOString()).toBe(iso);
  });

  it('may not lie in the future where no card can be', () => {
    expect(read(typedTime(reading), '2026-11-21')).toBe(Date.UTC(2026, 10, 21));
    expect(read(typedTime(reading, { isPast: true }), '2026-11-21')).toBe(
      '2026-11-21 lies in the future.',
    );
  });
});

test('a cursor has 1 to 220 characters', () => {
  const isTaken = (length: number) => safeParse(cursor, 'x'.repeat(length)).success;
  expect([0, 1, 220, 221].map(isTaken)).toEqual([false, true, true, false]);
});
