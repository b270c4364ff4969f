import { expect, it } from 'vitest';
import { wrap } from '../../../src/output/table/measure.ts';
import { type Column, RenderContext } from '../../../src/output/table/render.ts';
import { testContext } from '../../support/context.ts';

it.each([
  ['one two three', { width: 7 }, ['one two', 'three']],
  ['one two three', { width: undefined }, ['one two three']],
  ['币安 人生 x', { width: 7 }, ['币安', '人生 x']],
  ['see /a/very/long/path', { width: 8 }, ['see', '/a/very/long/path']],
  ['a abcdefgh b', { width: 4, cut: true }, ['a', 'abcd', 'efgh', 'b']],
  ['币安人生', { width: 5, cut: true }, ['币安', '人生']],
  ['  one two three', { width: 9, indent: 4 }, ['  one two', '    three']],
  ['Ask `screener access`, for 0 credits.', { width: 20 }, ['Ask', '`screener access`,', 'for 0 credits.']],
])('%j within %j is %j', (text, wrapping, lines) => expect(wrap(text, wrapping)).toEqual(lines));

it.each([
  [undefined, 'AA        BBBB  CC  DDDD\naaaaaaaa  x      x  x'],
  [24, 'AA        BBBB  CC  DDDD\naaaaaaaa  x      x  x'],
  [23, 'AA        BBBB  CC\naaaaaaaa  x      x'],
  [17, 'AA        CC\naaaaaaaa   x'],
  [6, 'AA\naaaaa…'],
])('in %s columns the most important ones are shown', (width, text) => {
  const column = (header: string, priority: number, align: 'left' | 'right' = 'left'): Column<string> => {
    return { header, priority, align, cell: (row) => (header === 'AA' ? row : 'x') };
  };
  const columns = [column('AA', 0), column('BBBB', 2), column('CC', 1, 'right'), column('DDDD', 3)];
  const render = new RenderContext({ context: testContext(width === undefined ? {} : { width }), color: false });
  expect(render.table(columns, ['aaaaaaaa'])).toBe(text);
});
