import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvText } from '../../src/output/formats/csv.ts';
import { escapeJson, safeText } from '../../src/output/safe-text.ts';
import { text as hostileText, unheardOf } from '../support/arbitrary.ts';

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
  ])('%j is shown as %j', (given, shown) => {
    expect(safeText(given)).toBe(shown);
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
    const points = Array.from({ length: 0x110000 }, (_, point) => point).filter((point) => point >> 11 !== 0x1b);
    const hidden = points
      .map((point) => String.fromCodePoint(point))
      .filter((one) => /\p{Default_Ignorable_Code_Point}/u.test(one));
    expect(hidden.length).toBeGreaterThan(4000);
    for (const text of [escapeJson(JSON.stringify(hidden.join(''))), `"${csvText(hidden.join(''))}"`]) {
      expect(text).toMatch(/^[\x20-\x7e]+$/);
      expect(JSON.parse(text)).toBe(hidden.join(''));
    }
    expect(escapeJson('"\u{e0041}"')).toBe('"\\udb40\\udc41"');
  });
});
