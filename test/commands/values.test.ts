import { safeParse } from 'valibot';
import { describe, expect, it } from 'vitest';
import { cardIdOrDash, cursor, duration, names, symbol, text, time, whole, words } from '../../src/commands/values.ts';
import { readDuration } from '../../src/runtime/durations.ts';
import { UTC, zoneNamed } from '../../src/runtime/zone.ts';

const now = Date.UTC(2026, 10, 20, 18, 30, 0);
const reading = { now, env: {}, zone: UTC };

/** What comes of a text: the value, or the sentence without the option's name. */
function read(schema: Parameters<typeof safeParse>[0], typed: string): unknown {
  const { success, output, issues } = safeParse(schema, typed);
  return success ? output : (issues[0]?.message ?? '').split('\n')[0];
}

describe('durations', () => {
  it.each([
    ['90m', 5_400_000],
    ['1h30m', 5_400_000],
    ['24h', 86_400_000],
    ['7d', 604_800_000],
    ['2w', 1_209_600_000],
    ['500ms', 500],
    ['1.5h', 5_400_000],
  ])('%s', (typed, millis) => expect(readDuration(typed)).toBe(millis));

  it.each(['', '5', 'm', '1h30', '1x', '-5m', '1h 30m', 'h1'])('%s is none', (typed) =>
    expect(readDuration(typed)).toBeUndefined(),
  );

  it('takes a bare number of an option as seconds', () => {
    expect(read(duration(), '5')).toBe(5000);
    expect(read(duration(), '0')).toBe(0);
    expect(read(duration(), 'soon')).toBe("takes a duration, not 'soon'.");
    expect(read(duration(), `${'9'.repeat(20)}w`)).toMatch(/^takes a duration/);
  });
});

describe('times', () => {
  it.each([
    ['2026-11-20T18:00:00Z', '2026-11-20T18:00:00.000Z'],
    ['2026-11-20T18:00+01:00', '2026-11-20T17:00:00.000Z'],
    ['2026-11-20 18:00Z', '2026-11-20T18:00:00.000Z'],
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
    ['America/New_York', 'yesterday', '2026-11-19T05:00:00.000Z'],
    ['Asia/Kolkata', '2026-11-20', '2026-11-19T18:30:00.000Z'],
    // Clocks are put back in this night, and forward in that one.
    ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z'],
    ['Europe/Berlin', '2026-10-26', '2026-10-25T23:00:00.000Z'],
    // A day that begins at 01:00, and one whose first hour comes twice.
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z'],
    ['Atlantic/Azores', '2026-10-25', '2026-10-25T00:00:00.000Z'],
    ['Europe/Berlin', '2026-11-20T18:00Z', '2026-11-20T18:00:00.000Z'],
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

describe('values', () => {
  it('takes small letters of a symbol as capitals', () => expect(read(symbol, 'btcusdt')).toBe('BTCUSDT'));
  it.each(['', 'BTC/USDT', 'A'.repeat(33), 'BTC USDT', 'ÄTH'])('symbol %s is refused', (typed) =>
    expect(read(symbol, typed)).toBe(`takes 1 to 32 letters and digits, not '${typed}'.`),
  );
  it('takes a cursor of 220 characters and no more', () => {
    expect(read(cursor, 'x'.repeat(220))).toHaveLength(220);
    expect(read(cursor, 'x'.repeat(221))).toMatch('this one has 221');
    expect(read(cursor, '')).toMatch('this one has 0');
  });
  it.each(['0', '-1', 'abc', '1.5', '', '9007199254740993', '1e3'])('id %s is refused', (typed) =>
    expect(read(cardIdOrDash, typed)).toMatch(/^takes a whole number from 1/),
  );
  it('reads an id, or a dash', () => {
    expect(read(cardIdOrDash, '4711')).toBe(4711);
    expect(read(cardIdOrDash, '-')).toBe('-');
  });
  it('keeps whole numbers in range', () => {
    expect(read(whole(1), '1')).toBe(1);
    expect(read(whole(1), '0')).toBe("takes a whole number from 1, not '0'.");
    expect(read(whole(0, 65_535), '70000')).toMatch('from 0 to 65535');
  });
  it('takes names once, and no empty text', () => {
    expect(read(names, 'id, id,created_at')).toEqual(['id', 'created_at']);
    expect(read(names, ' ,')).toMatch('takes field names');
    expect(read(text, ' ')).toBe('must not be empty.');
  });
  it('takes one of a few words, and guesses', () => {
    expect(read(words(['bash', 'fish']), 'fish')).toBe('fish');
    expect(safeParse(words(['bash', 'fish']), 'fihs').issues?.[0].message).toBe(
      "takes bash, fish, not 'fihs'.\nDid you mean 'fish'?",
    );
  });
});
