/** CSV, JSON and NDJSON. */
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { OUTCOME_FIELDS } from '../../src/api/contract/horizons.ts';
import { csvCell, csvText } from '../../src/output/formats/csv.ts';
import type { Field, View } from '../../src/output/types.ts';
import { cardFields, cardView } from '../../src/output/views/card-lists.ts';
import { detailView } from '../../src/output/views/card-page.ts';
import { screenersView } from '../../src/output/views/screeners.ts';
import { statsView } from '../../src/output/views/stats.ts';
import { text as hostileText } from '../support/arbitrary.ts';
import { parseCsv, textOf } from '../support/csv.ts';
import { card, detail, stats } from '../support/samples.ts';
import { outputTo, pagesOf } from './written.ts';

const namesByHorizon = Object.values(OUTCOME_FIELDS).flatMap((names) => Object.values(names));
const outcomeNames = ['entry_at', 'entry_price', ...namesByHorizon].map(
  (name) => `outcome.${name}`,
);
const failure = new Error('page 3 failed');

describe('csv', () => {
  it('has the fields of the document as columns, nested ones by dotted name', async () => {
    const columns = async (fields?: readonly string[]) => {
      const { context, output } = outputTo('csv', {}, fields);
      await output.one(detailView, detail());
      return parseCsv(context.stdout.text)[0]?.map(({ text }) => text);
    };
    const names = cardFields.map(({ name }) => name);
    expect(await columns()).toEqual([...names, ...outcomeNames, 'entry_context', 'context_scope']);
    expect(await columns(['outcome', 'id', 'entry_context'])).toEqual([
      ...outcomeNames,
      'id',
      'entry_context',
    ]);
  });

  it('has the same columns whatever the rows hold, and a key of an open object where it is asked for', async () => {
    const items = [
      { type: 'a', active: true, conditions: { z: 1, b: { c: [1] } } },
      { type: 'b', active: null as never, conditions: { a: null }, new_field: {} },
    ];
    for (const [fields, rows] of [
      [
        undefined,
        [
          'type,active,conditions\r\na,true,"{""z"":1,""b"":{""c"":[1]}}"\r\n',
          'b,,"{""a"":null}"\r\n',
        ],
      ],
      [
        ['type', 'conditions.b.c'],
        ['type,conditions.b.c\r\na,[1]\r\n', 'b,\r\n'],
      ],
    ] as const) {
      const { context, output } = outputTo('csv', {}, fields);
      await output.list(screenersView, pagesOf(items.map((item) => [item])));
      expect(context.stdout.writes, `--fields ${fields}`).toEqual(rows);
    }
  });

  it('has a column once that two names bring', async () => {
    const { context, output } = outputTo('csv', {}, ['outcome.entry_at', 'outcome', 'id', 'id']);
    await output.one(detailView, detail());
    const [header = []] = parseCsv(context.stdout.text);
    const names = header.map(({ text }) => text);
    expect(names.toSorted()).toEqual([...outcomeNames, 'id'].toSorted());
  });

  it('is a row for each item of a list within, unless a field around them is named', async () => {
    const fieldOf = (name: string): Field => ({
      name,
      kind: 'text',
      about: '',
      schema: v.unknown(),
    });
    const view: View<{ note: string; items: { id: string }[] }> = {
      fields: [fieldOf('note')],
      rows: { fields: [fieldOf('id')], of: ({ items }) => items },
    };
    const written = async (fields?: readonly string[]) => {
      const { context, output } = outputTo('csv', {}, fields);
      await output.one(view, { note: 'two', items: [{ id: 'a' }, { id: 'b' }] });
      return context.stdout.text;
    };
    expect({
      all: await written(),
      ofItems: await written(['id']),
      around: await written(['note']),
      ofBoth: await written(['id', 'note']),
    }).toEqual({
      all: 'id\r\na\r\nb\r\n',
      ofItems: 'id\r\na\r\nb\r\n',
      around: 'note\r\ntwo\r\n',
      ofBoth: 'id,note\r\n,two\r\n',
    });
  });

  it('is a header alone where nothing came, and nothing where that failed', async () => {
    const textOfPages = async (pages: readonly never[][], fails?: Error) => {
      const { context, output } = outputTo('csv', {}, ['id']);
      const written = output.list(detailView, pagesOf(pages, fails && { fails }));
      if (fails === undefined) await written;
      else await expect(written).rejects.toThrow(fails);
      return context.stdout.text;
    };
    expect({
      withoutPages: await textOfPages([]),
      failedAtOnce: await textOfPages([], failure),
      failedBehindAnEmptyPage: await textOfPages([[]], failure),
    }).toEqual({ withoutPages: 'id\r\n', failedAtOnce: '', failedBehindAnEmptyPage: '' });
  });
});

describe('a text cell', () => {
  it.each([
    ['', '""'],
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    [' a', '" a"'],
    ['a ', '"a "'],
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
    expect(JSON.parse(cell.slice(1, -1).replaceAll('""', '"'))).toEqual([
      'a;=1+1',
      'b\t-2',
      { 'c;@d': -3 },
    ]);
  });

  it('is no formula, no command, and can be read back', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const [[cell = { text: '?', quoted: false }] = []] = parseCsv(`${csvText(text)}\r\n`);
        expect(cell.text).not.toMatch(/^\s*[=+\-@＝＋－＠]|^[\t\r]/);
        expect(cell.text).not.toMatch(
          /(?!\r\n)[\x00-\x08\x0b-\x1f\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u,
        );
        expect(textOf(cell.text)).toBe(text);
      }),
      { numRuns: 500 },
    );
  });
});

const cards = [1, 2, 3].map((id) => card({ id }));
const HEAD = {
  scope: 'own',
  items: 'ignored',
  new_field: '\x9b',
  next_cursor: 'c',
  since: 's',
  until: 'u',
};

it('json is the resource unchanged, pretty, with unknown fields', async () => {
  const { context, output } = outputTo('json');
  const value = { new_field: { deep: [1] }, ...stats() };
  await output.one(statsView, value);
  expect(context.stdout.text).toBe(`${JSON.stringify(value, null, 2)}\n`);
});

it.each([
  {
    what: 'pages as one document',
    pages: [cards.slice(0, 2), [], cards.slice(2)],
    head: HEAD,
    expected: { ...HEAD, items: cards },
  },
  { what: 'an empty one', pages: [[]], head: HEAD, expected: { ...HEAD, items: [] } },
  {
    what: 'several ids as an array',
    pages: [cards.slice(0, 1), cards.slice(1)],
    head: null,
    expected: cards,
  },
])('json writes $what', async ({ pages, head, expected }) => {
  for (const isLate of [true, false]) {
    const { context, output } = outputTo('json');
    await output.list(cardView, pagesOf(pages, { head, isLate }));
    expect(context.stdout.text, isLate ? 'late' : 'early').toBe(
      `${JSON.stringify(expected, null, 2).replace('\x9b', '\\u009b')}\n`,
    );
  }
});

it('json writes each page as it is read where all around them is known', async () => {
  const { context, output } = outputTo('json');
  const pages = [...cards, { ...card({ id: 4 }), new_field: 2n ** 64n }].map((card) => [card]);
  await expect(output.list(cardView, pagesOf(pages, { head: HEAD, fails: failure }))).rejects.toBe(
    failure,
  );
  expect(context.stdout.writes.map((text) => text.split('"id"').length - 1)).toEqual([
    1, 1, 1, 1, 0,
  ]);
  const { items, ...around } = JSON.parse(context.stdout.text);
  expect({ ...around, items: items.length }).toEqual({ ...HEAD, items: 4 });
  expect(context.stdout.text).toContain('\n      "new_field": 18446744073709551616\n    }\n  ],');
});

it('json keeps the page around projected items', async () => {
  const { context, output } = outputTo('json', {}, ['id']);
  await output.list(cardView, pagesOf([cards.slice(0, 1)], { head: { scope: 'own', items: [] } }));
  expect(JSON.parse(context.stdout.text)).toEqual({ scope: 'own', items: [{ id: 1 }] });
});

it.each(['json', 'ndjson'] as const)(
  '%s writes what had arrived, then throws on',
  async (format) => {
    for (const arrived of [cards, []]) {
      const { context, output } = outputTo(format);
      await expect(
        output.list(cardView, pagesOf([arrived], { fails: failure })),
        `after ${arrived.length} cards`,
      ).rejects.toBe(failure);
      expect(
        [...context.stdout.text.matchAll(/"id": ?(\d)/g)].map(([, id]) => Number(id)),
        `after ${arrived.length} cards`,
      ).toEqual(arrived.map(({ id }) => id));
    }
  },
);

it('ndjson is one compact line an item, each page as it arrives; nothing for an empty list', async () => {
  const { context, output } = outputTo('ndjson');
  await output.list(cardView, pagesOf([cards.slice(0, 2), [], cards.slice(2)]));
  const lines = cards.map((item) => `${JSON.stringify(item)}\n`);
  expect(context.stdout.writes).toEqual([lines.slice(0, 2).join(''), lines[2]]);
});
