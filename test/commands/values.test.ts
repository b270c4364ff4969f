import { safeParse } from 'valibot';
import { describe, expect, it, test } from 'vitest';
import { cardIdOrDash, cursor, duration, names, symbol, text, time, whole, words } from '../../src/commands/values.ts';
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
  ['1h30m', 5_400_000],
  ['2w', 1_209_600_000],
  ['500ms', 500],
  ['1.5h', 5_400_000],
  ['5', 5000],
  ['0', 0],
  ['soon', "takes a duration, not 'soon'."],
  ['1h 30m', "takes a duration, not '1h 30m'."],
  ['-5m', "takes a duration, not '-5m'."],
  [`${'9'.repeat(20)}w`, `takes a duration, not '${'9'.repeat(20)}w'.`],
])('the duration %s', (typed, expected) => expect(read(duration(), typed)).toBe(expected));

describe('times', () => {
  it.each([
    ['2026-11-20T18:00:00Z', '2026-11-20T18:00:00.000Z'],
    ['2026-11-20T18:00+01:00', '2026-11-20T17:00:00.000Z'],
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
    ['2026-11-20 18:00', '2026-11-20T18:00:00.000Z'],
    ['11-20 18:00', '2026-11-20T18:00:00.000Z'],
    // Of last year: no table shows a card of the future.
    ['12-24 18:00', '2025-12-24T18:00:00.000Z'],
    ['24h', '2026-11-19T18:30:00.000Z'],
    ['today', '2026-11-20T00:00:00.000Z'],
    ['yesterday', '2026-11-19T00:00:00.000Z'],
  ])('%s', (typed, iso) => expect(new Date(Number(read(time(reading), typed))).toISOString()).toBe(iso));

  it.each(['', 'tomorrow', '2026-11-20T18:00', '2026-02-30', '20.11.2026'])('%s is none', (typed) =>
    expect(read(time(reading), typed)).toBe(`takes a time, not '${typed}'.`),
  );

  it.each(['99999999w', '9999999d', '1969-12-31', '600000h'])(
    '%s is out of range, and nothing is sent for it',
    (typed) => expect(read(time(reading), typed)).toMatch('is not between 1970 and 9999'),
  );

  it.each([
    ['Europe/Berlin', 'today', '2026-11-19T23:00:00.000Z'],
    ['Asia/Tokyo', 'today', '2026-11-20T15:00:00.000Z'],
    ['Asia/Kolkata', '2026-11-20', '2026-11-19T18:30:00.000Z'],
    // Clocks are put back in this night, and forward in that one.
    ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z'],
    ['Europe/Berlin', '2026-10-26', '2026-10-25T23:00:00.000Z'],
    // A day that begins at 01:00, and one whose first hour comes twice.
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z'],
    ['Atlantic/Azores', '2026-10-25', '2026-10-25T00:00:00.000Z'],
    ['Europe/Berlin', '11-20 18:00', '2026-11-20T17:00:00.000Z'],
    ['Europe/Berlin', '2026-07-20 18:00', '2026-07-20T16:00:00.000Z'],
  ])('in %s %s is %s', (name, typed, iso) => {
    const zone = zoneNamed(name);
    if (zone === undefined) throw new Error(name);
    expect(new Date(Number(read(time({ ...reading, zone }), typed))).toISOString()).toBe(iso);
  });

  it('may not lie in the future where no card can be', () => {
    expect(read(time(reading), '2026-11-21')).toBe(Date.UTC(2026, 10, 21));
    expect(read(time(reading, true), '2026-11-21')).toBe('2026-11-21 lies in the future.');
  });
});

test.each<[string, Parameters<typeof safeParse>[0], string, unknown]>([
  ['a symbol in small letters', symbol, 'btcusdt', 'BTCUSDT'],
  ['a symbol with a sign', symbol, 'BTC/USDT', "takes 1 to 32 letters and digits, not 'BTC/USDT'."],
  ['a long symbol', symbol, 'A'.repeat(33), expect.stringMatching('takes 1 to 32 letters')],
  ['a cursor of 220', cursor, 'x'.repeat(220), 'x'.repeat(220)],
  ['a cursor of 221', cursor, 'x'.repeat(221), expect.stringMatching('this one has 221')],
  ['no cursor', cursor, '', expect.stringMatching('this one has 0')],
  ['an id', cardIdOrDash, '4711', 4711],
  ['a dash for ids', cardIdOrDash, '-', '-'],
  ['an id of 0', cardIdOrDash, '0', expect.stringMatching('takes a whole number from 1')],
  ['an id beyond 2^53', cardIdOrDash, '9007199254740993', expect.stringMatching('takes a whole number from 1')],
  ['a whole number below', whole(1), '0', "takes a whole number from 1, not '0'."],
  ['a whole number above', whole(0, 65_535), '70000', expect.stringMatching('from 0 to 65535')],
  ['names', names, 'id, id,created_at', ['id', 'created_at']],
  ['no names', names, ' ,', expect.stringMatching('takes field names')],
  ['no text', text, ' ', 'must not be empty.'],
  ['a word', words(['bash', 'fish']), 'fish', 'fish'],
  ['a wrong word', words(['bash', 'fish']), 'fihs', "takes bash, fish, not 'fihs'."],
])('%s', (_, schema, typed, expected) => expect(read(schema, typed)).toEqual(expected));
