import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { count, described, time } from '../../src/api/contract/primitives.ts';
import { fieldsOf } from '../../src/output/described-fields.ts';
import { hasField, nearest, project } from '../../src/output/fields.ts';
import { keysOf, read } from '../../src/output/paths.ts';
import { detailView } from '../../src/output/views/card-page.ts';
import { screenersView } from '../../src/output/views/screeners.ts';
import { detail } from '../support/samples.ts';

describe('hasField', () => {
  it.each(['id', 'outcome', 'outcome.move_1h_pct', 'entry_context', 'entry_context.rsi.14'])('%s', (field) => {
    expect(hasField(detailView.fields, field)).toBe(true);
  });

  it('takes keys of open objects', () => expect(hasField(screenersView.fields, 'conditions.price.min')).toBe(true));

  it.each([['xyzzy'], ['outcome.nothing'], ['entry_context.'], ['id.x'], [''], ['ID ']])('not %j', (field) => {
    expect(hasField(detailView.fields, field)).toBe(false);
  });
});

describe('the nearest names', () => {
  const names = detailView.fields.map(({ name }) => name);

  it('are a few', () => {
    expect(nearest('source_symbl', names)).toBe('source_symbol');
    expect(nearest('move_1h_pct', names)).toBe('outcome.move_1h_pct');
  });
});

describe('project', () => {
  it('keeps the nesting and takes the order asked for', () => {
    const picked = project(detail(), ['outcome.move_24h_pct', 'id', 'outcome.move_1h_pct']);
    expect(JSON.stringify(picked)).toBe('{"outcome":{"move_24h_pct":null,"move_1h_pct":1.5},"id":48211}');
  });

  it('gives a null parent as null, a missing key not at all, a whole object whole', () => {
    expect(project(detail({ outcome: null }), ['outcome.move_1h_pct'])).toEqual({ outcome: null });
    expect(project(detail(), ['entry_context.nothing'])).toEqual({ entry_context: {} });
    expect(project(detail(), ['entry_context', 'entry_context.rsi_14'])).toEqual({ entry_context: { rsi_14: 31.25 } });
    expect(project(detail(), ['outcome.state_1h', 'outcome'])).toEqual({ outcome: detail().outcome });
  });

  it('finds a key that contains dots, and one that is a trap', () => {
    const value = { entry_context: JSON.parse('{"rsi.14":1,"__proto__":2}') };
    expect(project(value, ['entry_context.rsi.14'])).toEqual({ entry_context: { 'rsi.14': 1 } });
    expect(JSON.stringify(project(value, ['entry_context.__proto__']))).toBe('{"entry_context":{"__proto__":2}}');
    expect(project(value, ['entry_context.toString'])).toEqual({ entry_context: {} });
  });
});

describe('fieldsOf', () => {
  it('reads names and kinds from a description', () => {
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
    expect(told).toEqual([
      'id integer',
      'at time',
      'word text',
      'left time optional',
      'range object',
      'range.low number',
      'names texts',
      'list objects optional',
      'open object',
    ]);
  });
});

describe('dotted names', () => {
  it('tell a dot in a key from nesting', () => {
    expect(read({ a: { b: 1 } }, 'a.b')).toBe(1);
    expect(read({ 'a.b': 2 }, 'a\\.b')).toBe(2);
    expect(read({ a: 1 }, 'a.b')).toBeUndefined();
  });

  it.each([
    ['a.b', ['a', 'b']],
    ['a\\.b.x\\\\', ['a.b', 'x\\']],
  ])('%j names %j', (path, keys) => expect(keysOf(path)).toEqual(keys));
});
