import { expect, it } from 'vitest';
import { safeText } from '../../src/output/safe-text.ts';
import { html } from '../../src/report/markup.ts';

it('a page hides what a terminal hides', () => {
  const hidden = [
    '\u0007',
    '\u115f',
    '\u1160',
    '\u3164',
    '\uffa0',
    '\u2060',
    '\u180b',
    '\u202e',
    '\u{e0041}',
    '\ud800',
  ];
  for (const character of hidden) {
    expect(html`${`a${character}b`}`.text, safeText(character)).toBe('a\ufffdb');
    expect(safeText(character)).toMatch(/^\\u/);
  }
});
