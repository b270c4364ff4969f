import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OUTCOME_FIELDS } from '../../../src/api/contract/horizons.ts';
import { csvCell, csvText } from '../../../src/output/formats/csv.ts';
import { cardFields } from '../../../src/output/views/card-fields.ts';
import { detailView } from '../../../src/output/views/card-page.ts';
import { screenersView } from '../../../src/output/views/screeners.ts';
import { text as hostileText } from '../../support/arbitrary.ts';
import { parseCsv, textOf } from '../../support/csv.ts';
import { detail } from '../../support/samples.ts';
import { outputTo, pagesOf } from '../written.ts';

const outcomeNames = ['entry_at', 'entry_price', ...Object.values(OUTCOME_FIELDS).flat()].map(
  (name) => `outcome.${name}`,
);
const setup = (fields?: readonly string[]) => outputTo('csv', {}, fields);

describe('csv', () => {
  it('has the fields of the document as columns, nested ones by dotted name', async () => {
    const { context, output } = setup();
    await output.list(detailView, pagesOf([[detail(), detail({ outcome: null, entry_context: {} })]]));
    const [header = [], first = [], second = []] = parseCsv(context.stdout.text);
    const names = header.map((cell) => cell.text);
    expect(names.slice(0, 18)).toEqual(cardFields.map(({ name }) => name));
    expect(names.slice(18)).toEqual([...outcomeNames, 'entry_context', 'context_scope']);
    const at = (row: { text: string }[], name: string) => row[names.indexOf(name)]?.text;
    expect(at(first, 'exchanges')).toBe('["binance","bybit"]');
    expect(at(first, 'fact_oi_pct')).toBe('-0.5');
    expect(at(first, 'fact_volume_pct')).toBe('');
    expect(at(first, 'entry_context')).toBe('{"rsi_14":31.25}');
    expect(at(second, 'outcome.entry_at')).toBe('');
    expect(at(second, 'context_scope')).toBe('entry_snapshot');
  });

  it('is written batch by batch, and a header stands alone where nothing came', async () => {
    const { context, output } = setup(['id']);
    const written: string[] = [];
    async function* batches() {
      for (const id of [1, 2]) {
        yield [detail({ id })];
        written.push(context.stdout.text);
      }
    }
    await output.list(detailView, { batches: batches() });
    expect(written).toEqual(['id\r\n1\r\n', 'id\r\n1\r\n2\r\n']);
    const empty = setup(['id']);
    await empty.output.list(detailView, pagesOf([]));
    expect(empty.context.stdout.text).toBe('id\r\n');
    const failed = setup(['id']);
    await expect(failed.output.list(detailView, pagesOf([], { fails: new Error('no') }))).rejects.toThrow('no');
    expect(failed.context.stdout.text).toBe('');
  });

  it('has the same columns whatever the rows hold, and a key of an open object where it is asked for', async () => {
    const items = [
      { type: 'a', active: true, conditions: { z: 1, b: { c: [1] } } },
      { type: 'b', active: false, conditions: { a: null }, new_field: {} },
    ];
    for (const [fields, text] of [
      [undefined, 'type,active,conditions\r\na,true,"{""z"":1,""b"":{""c"":[1]}}"\r\nb,false,"{""a"":null}"\r\n'],
      [['type', 'conditions.b.c'], 'type,conditions.b.c\r\na,[1]\r\nb,\r\n'],
    ] as const) {
      const { context, output } = setup(fields);
      await output.list(screenersView, pagesOf(items.map((item) => [item])));
      expect(context.stdout.text).toBe(text);
    }
  });

  it('takes just the asked columns, an object as its fields, an open one as JSON', async () => {
    const { context, output } = setup(['outcome', 'id', 'entry_context']);
    await output.one(detailView, detail());
    const [header = [], row = []] = parseCsv(context.stdout.text);
    expect(header.map((cell) => cell.text).slice(-2)).toEqual(['id', 'entry_context']);
    expect(header).toHaveLength(outcomeNames.length + 2);
    expect(row.at(-1)?.text).toBe('{"rsi_14":31.25}');
  });
});

describe('a text cell', () => {
  it.each([
    ['', '""'],
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "x"', '"say ""x"""'],
    ['two\nlines', '"two\nlines"'],
    ['=1+1', "'=1+1"],
    ["'=1+1", "''=1+1"],
    ["it's", "it's"],
    [' =1', "' =1"],
    ['＝cmd', "'＝cmd"],
    ['@x', "'@x"],
    ['-5', "'-5"],
    ['\tx', "'\tx"],
    ['a;=1+1', 'a;\\u003d1+1'],
    ['a\t=1+1', 'a\t\\u003d1+1'],
    ["a; '@x;-5", "a; '\\u0040x;\\u002d5"],
    ['a;"＝1', '"a;""\\uff1d1"'],
    ['a;b=1', 'a;b=1'],
    ['\x1b[2J', '\\u001b[2J'],
    ['\\u001b', '\\u005cu001b'],
    ['C:\\users', 'C:\\users'],
    ['a\u115fb\u3164', 'a\\u115fb\\u3164'],
    ['a\n\n"=1', '"a\n\n""\\u003d1"'],
  ])('%j is %j', (text, cell) => expect(csvText(text)).toBe(cell));

  it('is no formula within JSON either, and stays the same JSON', () => {
    const cell = csvCell(['a;=1+1', 'b\t-2', { 'c;@d': -3 }]);
    expect(cell).not.toMatch(/[;\t][=@-]/);
    expect(JSON.parse(cell.slice(1, -1).replaceAll('""', '"'))).toEqual(['a;=1+1', 'b\t-2', { 'c;@d': -3 }]);
  });

  it('is no formula, no command, and can be read back', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const [[cell = { text: '?', quoted: false }] = []] = parseCsv(`${csvText(text)}\r\n`);
        expect(cell.text).not.toMatch(/^\s*[=+\-@＝＋－＠]|^[\t\r]/);
        expect(cell.text).not.toMatch(/(?!\r\n)[\x00-\x08\x0b-\x1f\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
        expect(textOf(cell.text)).toBe(text);
      }),
      { numRuns: 500 },
    );
  });
});
