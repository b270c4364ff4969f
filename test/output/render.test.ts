/** What pages are drawn with, at the widths where their drawing changes. */
import { describe, expect, it } from 'vitest';
import { measure } from '../../src/output/table/measure.ts';
import { type Column, RenderContext } from '../../src/output/table/render.ts';
import { testContext } from '../support/context.ts';

function renderAt(width: number | undefined, env: Record<string, string> = {}): RenderContext {
  const context = testContext(width === undefined ? { env } : { env, width });
  return new RenderContext({ context, color: false });
}

describe('two texts', () => {
  const left = 'aa\nbbb';
  const right = 'cccc\nd\ne';

  it('stand side by side where both fit exactly', () => {
    expect(renderAt(12).beside(left, right)).toBe('aa      cccc\nbbb     d\n        e');
  });

  it.each([11, undefined])('stand one below the other in %s columns', (width) => {
    expect(renderAt(width).beside(left, right)).toBe('aa\nbbb\n\ncccc\nd\ne');
  });
});

describe('labels and values', () => {
  it('leave half of the terminal to the values, however long a label is', () => {
    const text = renderAt(20).pairs([
      ['Short', 'one two three four'],
      ['A label of a service', 'value'],
      ['Without a value', undefined],
    ]);
    expect(text.split('\n')).toEqual([
      'Short       one two',
      '            three',
      '            four',
      'A label o…  value',
    ]);
  });

  it('are whole in a pipe', () => {
    const label = 'A label that is longer than the half of any terminal that people use';
    expect(renderAt(undefined).pairs([[label, 'value']])).toBe(`${label}  value`);
  });
});

it.each([
  { share: 0, cells: '--------------------' },
  // Of a budget of 0, nothing is spent.
  { share: 0 / 0, cells: '--------------------' },
  { share: 0.001, cells: '#-------------------' },
  { share: 0.5, cells: '##########----------' },
  { share: 0.999, cells: '###################-' },
  { share: 1, cells: '####################' },
])('only 0 is an empty bar, and only 1 a full one: $share', ({ share, cells }) => {
  expect(renderAt(undefined, { LANG: 'C' }).bar(share)).toBe(`[${cells}]`);
});

it.each([
  { what: 'Hindi, whose marks take no column', name: 'मूल्य' },
  { what: 'Thai', name: 'กำลังขึ้น' },
  { what: 'a sign of 2020', name: '🪙 coin' },
  { what: 'Tangut', name: '𗀀𗀀' },
])('a table keeps names whole and columns in line: $what', ({ name }) => {
  const columns: Column<string>[] = [
    { header: 'TYPE', align: 'left', priority: 0, cell: (type) => type },
    { header: 'CARDS', align: 'right', priority: 0, cell: () => '7' },
  ];
  const names = ['plain', name, 'another', name];
  const [header, ...lines] = renderAt(undefined).table(columns, names).split('\n');
  const nameWidth = Math.max(...names.map((each) => measure(each)));
  const endsOf = (line: string) => measure(line);
  expect({
    ends: [header ?? '', ...lines].map(endsOf),
    names: lines.map((line) => line.slice(0, -1).trim()),
  }).toEqual({ ends: Array(5).fill(nameWidth + 2 + 'CARDS'.length), names });
});

describe('a table that is too wide', () => {
  const columnOf = (header: string, align: 'left' | 'right', cell: string): Column<object> => ({
    header,
    align,
    priority: 0,
    cell: () => cell,
  });
  const columns = [columnOf('TEXT', 'left', 'abcdef'), columnOf('N', 'right', '123456')];

  it.each([
    { width: 12, text: 'TEXT       N\nabc…  123456' },
    { width: 11, text: 'TEXT      N\nabc…  1234…' },
    { width: 7, text: 'T…    N\na…  12…' },
    { width: 4, text: '…  N\n…  …' },
  ])('narrows words to four columns, then what is widest: $width', ({ width, text }) => {
    expect(renderAt(width).table(columns, [{}])).toBe(text);
  });

  it('leaves the rest of the terminal to what stands beside it', () => {
    const room = (width?: number) => renderAt(width).roomBeside(columns, [{}]);
    expect({ wide: room(40), inAPipe: room() }).toEqual({
      wide: 40 - 'abcdef  123456  '.length,
      inAPipe: Number.POSITIVE_INFINITY,
    });
  });
});
