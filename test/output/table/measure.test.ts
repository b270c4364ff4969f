import { describe, expect, it } from 'vitest';
import { measure, shorten } from '../../../src/output/table/measure.ts';
import { createRenderContext } from '../../../src/output/table/render-context.ts';
import { fitColumns, measureColumns } from '../../../src/output/table/table.ts';
import type { Column } from '../../../src/output/types.ts';
import { wrap } from '../../../src/output/wrap.ts';
import { testContext } from '../../support/context.ts';

describe('measure', () => {
  it.each([
    ['BTC', 3],
    ['币安', 4],
    ['e\u0301', 1],
    ['\x1b[1mกำไร\x1b[22m', 4],
    ['\u0e33', 1],
    ['ນຳ', 2],
  ])('%j takes %i columns', (text, columns) => expect(measure(text)).toBe(columns));
});

describe('shorten', () => {
  it.each([
    ['BTCUSDT', 7, 'BTCUSDT'],
    ['BTCUSDT', 4, 'BTC…'],
    ['币安人生', 4, '币…'],
    ['\x1b[32m+1.00%\x1b[39m', 3, '\x1b[32m+1…\x1b[39m'],
    ['abc', 0, ''],
  ])('%j to %i columns is %j', (text, width, short) => expect(shorten(text, width)).toBe(short));
});

describe('wrap', () => {
  it.each([
    ['one two three', { width: 7 }, ['one two', 'three']],
    ['one two three', { width: undefined }, ['one two three']],
    ['币安 人生 x', { width: 7 }, ['币安', '人生 x']],
    ['see /a/very/long/path', { width: 8 }, ['see', '/a/very/long/path']],
    ['a abcdefgh b', { width: 4, cut: true }, ['a', 'abcd', 'efgh', 'b']],
    ['币安人生', { width: 5, cut: true }, ['币安', '人生']],
    ['  one two three', { width: 9, indent: 4 }, ['  one two', '    three']],
    ['Ask `screener access`, for 0 credits.', { width: 20 }, ['Ask', '`screener access`,', 'for 0 credits.']],
    ['a ` b `c', { width: 4 }, ['a', '` b `c']],
  ])('%j within %j is %j', (text, wrapping, lines) => expect(wrap(text, wrapping)).toEqual(lines));
});

describe('bar', () => {
  it.each([
    [0, '[░░░░]'],
    [0.001, '[█░░░]'],
    [0.5, '[██░░]'],
    [0.999, '[███░]'],
    [7, '[████]'],
  ])('%s is %s', (share, text) => {
    const shown = (env: Record<string, string>) => createRenderContext(testContext({ env }), false).bar(share, 4);
    expect(shown({})).toBe(text);
    expect(shown({ LANG: 'C' })).toBe(text.replaceAll('█', '#').replaceAll('░', '-'));
  });
});

describe('fitColumns', () => {
  const column = (header: string, priority: number, align: 'left' | 'right' = 'left'): Column<string> => ({
    ...{ header, priority, align },
    cell: (text) => (priority === 0 && align === 'left' ? text : 'x'),
  });
  const columns = [column('AA', 0), column('BBBB', 2), column('CC', 1, 'right'), column('DDDD', 3)];
  const at = (width: number | undefined) => {
    const render = createRenderContext(testContext(), false);
    const shown = fitColumns(measureColumns(columns, ['aaaaaaaa'], render), width);
    return shown.map(({ column, width }) => `${column.header}:${width}`).join(' ');
  };

  it.each([
    [undefined, 'AA:8 BBBB:4 CC:2 DDDD:4'],
    [24, 'AA:8 BBBB:4 CC:2 DDDD:4'],
    [23, 'AA:8 BBBB:4 CC:2'],
    [17, 'AA:8 CC:2'],
    [11, 'AA:8'],
    [6, 'AA:6'],
    [2, 'AA:2'],
  ])('in %s columns shows %s', (width, shown) => expect(at(width)).toBe(shown));
});
