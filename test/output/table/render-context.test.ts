import { expect, it } from 'vitest';
import { makeRenderContext } from '../../../src/output/table/render-context.ts';
import { plainStyles } from '../../../src/output/terminal.ts';
import { UTC } from '../../../src/runtime/zone.ts';

it('keeps the lines of a text that is broken already', () => {
  const render = makeRenderContext({ width: 9, now: 0, styles: plainStyles, unicode: true, zone: UTC });
  expect(render.paragraph('one two\nthree four')).toBe('one two\nthree\nfour');
});
