import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { count, described, time } from '../../src/api/contract/primitives.ts';
import { fieldsOf } from '../../src/output/described-fields.ts';
import { hasField, nearest, project } from '../../src/output/fields.ts';
import { read } from '../../src/output/paths.ts';
import { detailView } from '../../src/output/views/card-page.ts';
import { detail } from '../support/samples.ts';

describe('the fields of a view', () => {
  it.each(['id', 'outcome', 'outcome.move_1h_pct', 'entry_context.rsi.14'])('%s', (field) => {
    expect(hasField(detailView.fields, field)).toBe(true);
  });

  it.each(['xyzzy', 'outcome.nothing', 'entry_context.', 'id.x', '', 'ID '])('not %j', (field) => {
    expect(hasField(detailView.fields, field)).toBe(false);
  });

  it('are near a slip', () => {
    const names = detailView.fields.map(({ name }) => name);
    expect(['source_symbl', 'move_1h_pct', 'xyzzy'].map((word) => nearest(word, names))).toEqual([
      'source_symbol',
      'outcome.move_1h_pct',
      undefined,
    ]);
  });

  it('are read from a description, with their kinds', () => {
    const inner = v.object({ low: described(v.number(), 'its end') });
    const schema = v.object({
      id: described(count, 'an id'),
      at: described(v.nullable(time), 'a time'),
      word: described(v.nullable(v.picklist(['a', 'b'])), 'a word'),
      left: described(v.optional(time), 'it may be left out'),
      range: described(v.nullable(inner), 'a range'),
      names: described(v.array(v.string()), 'names'),
      list: described(v.optional(v.array(inner)), 'a list'),
      open: described(v.record(v.string(), inner), 'any keys'),
    });
    const told = fieldsOf(schema).map(({ name, kind, optional }) => `${name} ${kind}${optional ? ' optional' : ''}`);
    expect(told.join(', ')).toBe(
      'id integer, at time, word text, left time optional, range object, range.low number, names texts, list objects optional, open object',
    );
  });
});

it.each([
  [
    'in the order asked for',
    ['outcome.move_24h_pct', 'id', 'outcome.move_1h_pct'],
    { outcome: { move_24h_pct: null, move_1h_pct: 1.5 }, id: 48211 },
  ],
  ['a missing key is left out', ['entry_context.nothing'], { entry_context: {} }],
  ['a whole object', ['entry_context', 'entry_context.rsi_14'], { entry_context: { rsi_14: 31.25 } }],
])('--fields: %s', (_, fields, picked) => {
  expect(JSON.stringify(project(detail(), fields))).toBe(JSON.stringify(picked));
});

it('a null parent is null; a key may contain dots, or be a trap', () => {
  expect(project(detail({ outcome: null }), ['outcome.move_1h_pct'])).toEqual({ outcome: null });
  const value = { entry_context: JSON.parse('{"rsi.14":1,"__proto__":2}') };
  expect(project(value, ['entry_context.rsi.14'])).toEqual({ entry_context: { 'rsi.14': 1 } });
  expect(JSON.stringify(project(value, ['entry_context.__proto__']))).toBe('{"entry_context":{"__proto__":2}}');
  expect(project(value, ['entry_context.toString'])).toEqual({ entry_context: {} });
});

it('a dotted name is that of a nested field, or of a key with dots', () => {
  expect([read({ a: { b: 1 } }, 'a.b'), read({ 'a.b': 2 }, 'a.b'), read({ a: 1 }, 'a.b')]).toEqual([1, 2, undefined]);
});
