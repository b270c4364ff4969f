/** What a terminal shows: colours, signs, lines, columns, and nothing that acts on it. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvText } from '../../src/output/formats/csv.ts';
import { escapeJson, safeText } from '../../src/output/safe-text.ts';
import { wrap } from '../../src/output/table/measure.ts';
import { type Column, RenderContext } from '../../src/output/table/render.ts';
import { linesFor, usesColor, usesUnicode } from '../../src/output/terminal.ts';
import { text as hostileText, unheardOf } from '../support/arbitrary.ts';
import { testContext } from '../support/context.ts';

it.each<{
  readonly isTTY: boolean;
  readonly env: Record<string, string>;
  readonly flag?: boolean;
  readonly colored: boolean;
}>([
  { isTTY: true, env: {}, colored: true },
  { isTTY: true, env: {}, flag: true, colored: true },
  { isTTY: false, env: {}, colored: false },
  { isTTY: true, env: {}, flag: false, colored: false },
  { isTTY: true, env: { NO_COLOR: '1' }, colored: false },
  { isTTY: true, env: { NO_COLOR: '' }, colored: true },
  { isTTY: true, env: { TERM: 'dumb' }, colored: false },
  { isTTY: false, env: { FORCE_COLOR: '1' }, colored: true },
  { isTTY: true, env: { FORCE_COLOR: '0' }, colored: false },
  { isTTY: true, env: { FORCE_COLOR: 'false' }, colored: false },
  { isTTY: true, env: { TERM: 'dumb', FORCE_COLOR: '1' }, colored: true },
  { isTTY: true, env: { NO_COLOR: '1', FORCE_COLOR: '1' }, colored: false },
  { isTTY: false, env: { FORCE_COLOR: '3' }, flag: false, colored: false },
  { isTTY: false, env: { CLICOLOR_FORCE: '1', CLICOLOR: '0' }, colored: true },
  { isTTY: true, env: { CLICOLOR_FORCE: '1', NO_COLOR: '1' }, colored: false },
  { isTTY: true, env: { CLICOLOR_FORCE: '1', FORCE_COLOR: '0' }, colored: false },
  { isTTY: true, env: { CLICOLOR: '0' }, colored: false },
  { isTTY: false, env: { CLICOLOR: '1' }, colored: false },
])('usesColor: terminal $isTTY, $env, --color $flag: $colored', ({ isTTY, env, flag, colored }) => {
  expect(usesColor(isTTY, env, flag)).toBe(colored);
});

it.each<[Record<string, string>, boolean]>([
  [{}, true],
  [{ LANG: 'en_US.UTF-8' }, true],
  [{ LANG: 'de_DE.utf8' }, true],
  [{ LANG: 'C' }, false],
  [{ LC_ALL: 'POSIX', LANG: 'en_US.UTF-8' }, false],
  [{ LC_ALL: '', LANG: 'en_US.UTF-8' }, true],
  [{ TERM: 'dumb', LANG: 'en_US.UTF-8' }, false],
])('usesUnicode: %j: %s', (env, unicode) => expect(usesUnicode(env)).toBe(unicode));

it.each([
  { text: 'one two three', wrapping: { width: 7 }, lines: ['one two', 'three'] },
  { text: 'one two three', wrapping: { width: undefined }, lines: ['one two three'] },
  { text: '币安 人生 x', wrapping: { width: 7 }, lines: ['币安', '人生 x'] },
  { text: 'see /a/very/long/path', wrapping: { width: 8 }, lines: ['see', '/a/very/long/path'] },
  { text: 'a abcdefgh b', wrapping: { width: 4, cut: true }, lines: ['a', 'abcd', 'efgh', 'b'] },
  { text: '币安人生', wrapping: { width: 5, cut: true }, lines: ['币安', '人生'] },
  {
    text: '  one two three',
    wrapping: { width: 9, indent: 4 },
    lines: ['  one two', '    three'],
  },
  {
    text: '    abcdefghij k',
    wrapping: { width: 8, cut: true },
    lines: ['    abcd', 'efgh ij', 'k'],
  },
  {
    text: '  abcdefgh',
    wrapping: { width: 6, indent: 4, cut: true },
    lines: ['  ab', '    cd', '    ef', '    gh'],
  },
  {
    text: 'Ask `screener access`, for 0 credits.',
    wrapping: { width: 20 },
    lines: ['Ask', '`screener access`,', 'for 0 credits.'],
  },
])('$text within $wrapping', ({ text, wrapping, lines }) => {
  expect(wrap(text, wrapping)).toEqual(lines);
});

it.each([
  [undefined, 'AA        BBBB  CC  DDDD\naaaaaaaa  x      x  x'],
  [24, 'AA        BBBB  CC  DDDD\naaaaaaaa  x      x  x'],
  [23, 'AA        BBBB  CC\naaaaaaaa  x      x'],
  [17, 'AA        CC\naaaaaaaa   x'],
  [6, 'AA\naaaaa…'],
])('in %s columns the most important ones are shown', (width, text) => {
  const column = (
    header: string,
    priority: number,
    align: 'left' | 'right' = 'left',
  ): Column<string> => {
    return { header, priority, align, cell: (row) => (header === 'AA' ? row : 'x') };
  };
  const columns = [column('AA', 0), column('BBBB', 2), column('CC', 1, 'right'), column('DDDD', 3)];
  const render = new RenderContext({
    context: testContext(width === undefined ? {} : { width }),
    color: false,
  });
  expect(render.table(columns, ['aaaaaaaa'])).toBe(text);
});

const DANGEROUS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/u;

describe('safeText', () => {
  it.each([
    ['plain BTCUSDT', 'plain BTCUSDT'],
    ['\x1b[31mred', '\\u001b[31mred'],
    ['\x9b2J\x07', '\\u009b2J\\u0007'],
    ['two\r\nlines\there', 'two\\r\\nlines\\there'],
    ['a\u202eb\u2066', 'a\\u202eb\\u2066'],
    ['zero\u200bwidth\ufeff\u00ad', 'zero\\u200bwidth\\ufeff\\u00ad'],
    ['tag\u{e0041}', 'tag\\u{e0041}'],
    ['\ud800', '\\ud800'],
    ['币安人生 กำไร e\u0301', '币安人生 กำไร e\u0301'],
    ['👨\u200d👩\u200d👧', '👨👩👧'],
    ['👍🏽 👩🏽\u200d🚀 1\ufe0f\u20e3 ☎\ufe0f', '👍 👩🚀 1 ☎'],
    ['❤\ufe0f', '❤'],
    ['a\u200db', 'a\\u200db'],
  ])('%j is shown as %j', (text, shown) => {
    expect(safeText(text)).toBe(shown);
  });

  it('leaves nothing that a terminal acts on', () => {
    fc.assert(fc.property(hostileText, (text) => !DANGEROUS.test(safeText(text))));
  });
});

describe('escapeJson', () => {
  it('keeps the value and hides every control and format character', () => {
    fc.assert(
      fc.property(unheardOf, (value) => {
        const text = escapeJson(JSON.stringify(value));
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(text).not.toMatch(DANGEROUS);
      }),
    );
  });

  it('and a cell of CSV escape every character that shows nothing', () => {
    const points = Array.from({ length: 0x110000 }, (_, point) => point).filter(
      (point) => point >> 11 !== 0x1b,
    );
    const hidden = points
      .map((point) => String.fromCodePoint(point))
      .filter((character) => /\p{Default_Ignorable_Code_Point}/u.test(character));
    expect(hidden.length, 'how many hidden characters there are').toBeGreaterThan(4000);
    const texts = {
      json: escapeJson(JSON.stringify(hidden.join(''))),
      csv: `"${csvText(hidden.join(''))}"`,
    };
    for (const [format, text] of Object.entries(texts)) {
      expect(text, format).toMatch(/^[\x20-\x7e]+$/);
      expect(JSON.parse(text), format).toBe(hidden.join(''));
    }
    expect(escapeJson('"\u{e0041}"')).toBe('"\\udb40\\udc41"');
  });
});

describe('a sentence for standard error', () => {
  const sentence = 'One two three four five.';
  const lines = (errorWidth?: number) => {
    const context = testContext(errorWidth === undefined ? {} : { errorWidth });
    return linesFor(context, sentence, { label: 'note: ', commands: ['screener signals export'] });
  };

  it('is broken between words on a terminal, commands are not', () => {
    expect(lines(20)).toEqual([
      'note: One two three',
      '      four five.',
      '  screener signals export',
    ]);
  });

  it('is one line in a pipe', () => {
    expect(lines()).toEqual([`note: ${sentence}`, '  screener signals export']);
  });
});
