import { describe, expect, it } from 'vitest';
import { ScreenerError } from '../../src/errors.ts';
import { checkFields, project } from '../../src/output/fields.ts';
import { keysOf, pathOf, read } from '../../src/output/paths.ts';
import { cardView } from '../../src/output/views/card-lists.ts';
import { detailView } from '../../src/output/views/card-page.ts';
import { screenersView } from '../../src/output/views/screeners.ts';
import { detail } from '../support/resources.ts';

function refusal(fields: string[]): ScreenerError {
  try {
    checkFields(detailView, fields);
  } catch (error) {
    if (error instanceof ScreenerError) return error;
  }
  throw new Error('not refused');
}

describe('checkFields', () => {
  it('takes names, parents and keys of open objects', () => {
    checkFields(detailView, ['id', 'outcome', 'outcome.move_1h_pct', 'entry_context', 'entry_context.rsi.14']);
    checkFields(screenersView, ['conditions.price.min']);
    checkFields(cardView, undefined);
  });

  it('names the valid ones and the nearest', () => {
    const error = refusal(['source_symbl']);
    expect(error.code).toBe('usage');
    expect(error.message).toBe('There is no field "source_symbl" here. Did you mean "source_symbol"?');
    expect(error.hint).toMatch(/^Valid fields: id, source_symbol, .*, outcome\.move_1h_pct, .*, entry_context\.<key>$/);
    expect(refusal(['move_1h_pct']).message).toContain('"outcome.move_1h_pct"');
  });

  it.each([['xyzzy'], ['outcome.nothing'], ['entry_context.'], ['id.x'], [''], ['ID ']])('refuses %j', (field) => {
    expect(refusal([field]).exitCode).toBe(2);
  });

  it('refuses none at all', () => expect(refusal([]).exitCode).toBe(2));
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

describe('dotted names', () => {
  it('tell a dot in a key from nesting', () => {
    expect(read({ a: { b: 1 } }, 'a.b')).toBe(1);
    expect(read({ 'a.b': 2 }, 'a\\.b')).toBe(2);
    expect(read({ a: 1 }, 'a.b')).toBeUndefined();
  });

  it.each([['a'], ['a.b', 'c'], ['\\', '.'], ['a\\.b', 'x\\']])('are read back: %j', (...keys) => {
    expect(keysOf(pathOf(keys))).toEqual(keys);
  });
});
