import { describe, expect, it } from 'vitest';
import { durationFlag } from '../../src/commands/flags/duration.ts';
import { momentFlag } from '../../src/commands/flags/moment.ts';
import { cardId, cursorFlag, symbolFlag, wholeNumberFlag } from '../../src/commands/flags/values.ts';
import { readDuration } from '../../src/runtime/durations.ts';

const now = Date.UTC(2026, 10, 20, 18, 30, 0);

describe('durations', () => {
  it.each([
    ['90m', 5_400_000],
    ['1h30m', 5_400_000],
    ['24h', 86_400_000],
    ['7d', 604_800_000],
    ['2w', 1_209_600_000],
    ['500ms', 500],
    ['1.5h', 5_400_000],
  ])('%s', (text, millis) => expect(readDuration(text)).toBe(millis));

  it.each(['', '5', 'm', '1h30', '1x', '-5m', '1h 30m', 'h1'])('%s is none', (text) =>
    expect(readDuration(text)).toBeUndefined(),
  );

  it('takes a bare number of an option as seconds', () => {
    expect(durationFlag('--max-wait', '5')).toBe(5000);
    expect(durationFlag('--max-wait', '0')).toBe(0);
    expect(() => durationFlag('--max-wait', 'soon')).toThrow("--max-wait takes a duration, not 'soon'");
  });
});

describe('moments', () => {
  it.each([
    ['2026-11-20T18:00:00Z', '2026-11-20T18:00:00.000Z'],
    ['2026-11-20T18:00+01:00', '2026-11-20T17:00:00.000Z'],
    ['2026-11-20 18:00Z', '2026-11-20T18:00:00.000Z'],
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
    ['24h', '2026-11-19T18:30:00.000Z'],
    ['today', '2026-11-20T00:00:00.000Z'],
    ['yesterday', '2026-11-19T00:00:00.000Z'],
  ])('%s', (text, iso) => expect(new Date(momentFlag('--since', text, now)).toISOString()).toBe(iso));

  it.each(['', 'tomorrow', '2026-11-20T18:00', '2026-02-30', '20.11.2026'])('%s is none', (text) =>
    expect(() => momentFlag('--since', text, now)).toThrow('--since takes a time'),
  );
});

describe('values', () => {
  it.each(['99999999w', '9999999d', '1969-12-31', '600000h'])(
    '%s is out of range, and nothing is sent for it',
    (text) => expect(() => momentFlag('--since', text, now)).toThrow('is not between 1970 and 9999'),
  );

  it('takes small letters of a symbol as capitals', () => expect(symbolFlag('btcusdt')).toBe('BTCUSDT'));
  it.each(['', 'BTC/USDT', 'A'.repeat(33), 'BTC USDT', 'ÄTH'])('symbol %s is refused', (text) =>
    expect(() => symbolFlag(text)).toThrow('--symbol'),
  );
  it('takes a cursor of 220 characters and no more', () => {
    expect(cursorFlag('x'.repeat(220))).toHaveLength(220);
    expect(() => cursorFlag('x'.repeat(221))).toThrow('221');
    expect(() => cursorFlag('')).toThrow('--cursor');
  });
  it.each(['0', '-1', 'abc', '1.5', '', '9007199254740993', '1e3'])('id %s is refused', (text) =>
    expect(() => cardId(text)).toThrow("card's id"),
  );
  it('reads an id', () => expect(cardId('4711')).toBe(4711));
  it('keeps whole numbers in range', () => {
    expect(wholeNumberFlag('--limit', '1', 1)).toBe(1);
    expect(() => wholeNumberFlag('--limit', '0', 1)).toThrow('--limit takes a whole number from 1');
    expect(() => wholeNumberFlag('--port', '70000', 0, 65_535)).toThrow('from 0 to 65535');
  });
});
