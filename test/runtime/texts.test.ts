/** JSON to the digit, words for shells, and the clocks of zones. */
import { describe, expect, it } from 'vitest';
import { HOUR } from '../../src/base/units.ts';
import { jsonText, parseExactly, whyNotKept } from '../../src/runtime/json-text.ts';
import { setVariable, shellLine, shellWord, usualShell } from '../../src/runtime/shell-words.ts';
import { dateOf, momentOf, UTC, type Zone, zoneNamed } from '../../src/runtime/zone.ts';

describe('JSON', () => {
  it.each([
    { text: '9007199254740991', value: 9_007_199_254_740_991 },
    { text: '9007199254740993', value: 9_007_199_254_740_993n },
    { text: '[9007199254740993]', value: [9_007_199_254_740_993n] },
    { text: '{"id":-9007199254740993}', value: { id: -9_007_199_254_740_993n } },
    { text: '[12345678901234567890]', value: [12_345_678_901_234_567_890n] },
    { text: '[0.12345678901234566]', value: [0.123_456_789_012_345_66] },
    { text: '[1,1234567890123456.5]', value: [1, 1_234_567_890_123_456.5] },
    { text: '{"a":1,"a":9007199254740993}', value: { a: 9_007_199_254_740_993n } },
  ])('$text is read to the digit, and written so', ({ text, value }) => {
    expect(parseExactly(text)).toEqual(value);
    expect(parseExactly(jsonText(value))).toEqual(value);
  });

  it('is on one line, or indented, also with a long integer', () => {
    expect({
      line: jsonText({ id: 9_007_199_254_740_993n }),
      indented: jsonText({ id: 9_007_199_254_740_993n }, 2),
      short: jsonText({ id: 7 }, 2),
    }).toEqual({
      line: '{"id":9007199254740993}',
      indented: '{\n  "id": 9007199254740993\n}',
      short: '{\n  "id": 7\n}',
    });
  });

  it('of another service is kept up to a depth and a width, and without infinity', () => {
    const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);
    const wide = (entries: number) => Array.from({ length: entries }, () => 1);
    expect({
      deep: whyNotKept(deep(64)),
      deeper: whyNotKept(deep(65)),
      wide: whyNotKept({ list: wide(1000) }),
      wider: whyNotKept({ list: wide(1001) }),
      infinite: whyNotKept({ a: [1, Number.POSITIVE_INFINITY] }),
      null: whyNotKept(null),
    }).toEqual({
      deep: undefined,
      deeper: 'is nested more than 64 levels deep',
      wide: undefined,
      wider: 'holds a list or an object of 1001 entries',
      infinite: 'holds a number too large to be kept',
      null: undefined,
    });
  });
});

describe('words for a shell', () => {
  it.each([
    { word: 'BTCUSDT', sh: 'BTCUSDT', powershell: 'BTCUSDT' },
    { word: '/a/b-c.json', sh: '/a/b-c.json', powershell: '/a/b-c.json' },
    { word: 'a b', sh: "'a b'", powershell: '"a b"' },
    { word: "it's", sh: "'it'\\''s'", powershell: '"it\'s"' },
    { word: 'a\\b\\', sh: "'a'\\\\'b'\\\\''", powershell: '"a\\b\\\\"' },
    { word: '=ls', sh: "'=ls'", powershell: '"=ls"' },
    { word: '-x y', sh: "'-x y'", powershell: '"-x y"' },
    { word: '', sh: "''", powershell: '""' },
    { word: 'a@b', sh: 'a@b', powershell: '"a@b"' },
  ])('$word', ({ word, sh, powershell }) => {
    expect({ word, sh: shellWord(word), powershell: shellWord(word, 'powershell') }).toEqual({
      word,
      sh,
      powershell,
    });
  });

  it('make a line, unless Windows has no spelling of it for both of its shells', () => {
    expect({
      sh: shellLine(['--type', 'a b', '--', '--limit', 5], 'sh'),
      dollar: shellLine(['$x'], 'sh'),
      powershell: shellLine(['--type', 'a b', 5], 'powershell'),
      windows: ['$x', '%x%', 'a"b', '`', 'a!'].map((word) => shellLine([word], 'powershell')),
    }).toEqual({
      sh: "--type 'a b' -- --limit 5",
      dollar: "'$x'",
      powershell: '--type "a b" 5',
      windows: [undefined, undefined, undefined, undefined, undefined],
    });
  });

  it('are those of the shell that is usual on a system', () => {
    expect({
      linux: usualShell({ platform: 'linux', env: {} }),
      windows: usualShell({ platform: 'win32', env: {} }),
      gitBash: usualShell({ platform: 'win32', env: { MSYSTEM: 'MINGW64' } }),
      elsewhere: usualShell({ platform: 'linux', env: { MSYSTEM: 'MINGW64' } }),
    }).toEqual({ linux: 'sh', windows: 'powershell', gitBash: 'sh', elsewhere: 'sh' });
  });

  it('set a variable in each of them', () => {
    const line = (shell: Parameters<typeof setVariable>[2]) => setVariable('KEY', "a'b c", shell);
    expect({
      sh: line('sh'),
      fish: line('fish'),
      powershell: line('powershell'),
      cmd: line('cmd'),
    }).toEqual({
      sh: "export KEY='a'\\''b c'",
      fish: "set -gx KEY 'a'\\''b c'",
      powershell: "$env:KEY = 'a''b c'",
      cmd: 'set "KEY=a\'b c"',
    });
  });
});

describe('the clocks of a zone', () => {
  const berlin = zoneNamed('Europe/Berlin') as Zone;

  it('are UTC’s under each of its names, and none under a name that is none', () => {
    expect({ utc: zoneNamed('UTC'), no: zoneNamed('Nowhere/Land') }).toEqual({
      utc: UTC,
      no: undefined,
    });
    expect({ name: berlin.name, clock: berlin.clock(Date.UTC(2026, 6, 1, 12, 5, 9)) }).toEqual({
      name: 'Europe/Berlin',
      clock: '2026-07-01 14:05:09',
    });
    expect(UTC.clock(Date.UTC(2026, 6, 1, 12, 5, 9, 999))).toBe('2026-07-01 12:05:09');
  });

  it.each([
    { name: 'in winter', shown: Date.UTC(2026, 0, 5, 12), at: Date.UTC(2026, 0, 5, 11) },
    { name: 'in summer', shown: Date.UTC(2026, 6, 5, 12), at: Date.UTC(2026, 6, 5, 10) },
    {
      name: 'that comes twice, the first time',
      shown: Date.UTC(2026, 9, 25, 2, 30),
      at: Date.UTC(2026, 9, 25, 0, 30),
    },
    {
      name: 'that the clocks leave out, as before the change',
      shown: Date.UTC(2026, 2, 29, 2, 30),
      at: Date.UTC(2026, 2, 29, 1, 30),
    },
    {
      name: 'just before the change',
      shown: Date.UTC(2026, 2, 29, 1, 59),
      at: Date.UTC(2026, 2, 29, 0, 59),
    },
    {
      name: 'just after the change',
      shown: Date.UTC(2026, 2, 29, 3),
      at: Date.UTC(2026, 2, 29, 1),
    },
  ])('show a time $name', ({ shown, at }) => {
    expect(momentOf(shown, berlin) - at).toBe(0);
  });

  it('have a date of their own', () => {
    const night = Date.UTC(2026, 6, 1, 22, 30, 0, 500);
    expect({
      berlin: dateOf(night, berlin),
      before: dateOf(night - HOUR, berlin),
      utc: dateOf(night, UTC),
    }).toEqual({
      berlin: Date.UTC(2026, 6, 2),
      before: Date.UTC(2026, 6, 1),
      utc: Date.UTC(2026, 6, 1),
    });
  });
});
