import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { fieldsOf } from '../../src/output/described-fields.ts';
import { hasField, leafFields, project } from '../../src/output/fields.ts';
import { cardFields, detailFields, listedFields } from '../../src/output/views/card-lists.ts';
import { detailView } from '../../src/output/views/card-page.ts';
import { detail } from '../support/samples.ts';

describe('the fields of a view', () => {
  it.each(['id', 'outcome', 'outcome.move_1h_pct', 'entry_context.rsi.14'])('%s', (field) => {
    expect(hasField(detailView.fields, field), field).toBe(true);
  });

  it.each(['xyzzy', 'outcome.nothing', 'entry_context.', 'id.x', '', 'ID '])('not %j', (field) => {
    expect(hasField(detailView.fields, field), field).toBe(false);
  });

  it('have a value each: an object stands there as what is in it', () => {
    const names = leafFields(detailView.fields);
    expect(names).toContain('outcome.move_1h_pct');
    expect(names).not.toContain('outcome');
  });
});

it.each([
  {
    what: 'in the order of the option',
    fields: ['outcome.move_24h_pct', 'id', 'outcome.move_1h_pct'],
    picked: { outcome: { move_24h_pct: null, move_1h_pct: 1.5 }, id: 48211 },
  },
  {
    what: 'a missing key is left out',
    fields: ['entry_context.nothing'],
    picked: { entry_context: {} },
  },
  {
    what: 'a whole object',
    fields: ['entry_context', 'entry_context.rsi_14'],
    picked: { entry_context: { rsi_14: 31.25 } },
  },
])('--fields: $what', ({ fields, picked }) => {
  expect(JSON.stringify(project(detail(), fields))).toBe(JSON.stringify(picked));
});

it('a null parent is null; a key may contain dots, or be a trap', () => {
  expect(project(detail({ outcome: null }), ['outcome.move_1h_pct'])).toEqual({ outcome: null });
  const value = { entry_context: JSON.parse('{"rsi.14":1,"__proto__":2}') };
  expect(project(value, ['entry_context.rsi.14'])).toEqual({ entry_context: { 'rsi.14': 1 } });
  expect(JSON.stringify(project(value, ['entry_context.__proto__']))).toBe(
    '{"entry_context":{"__proto__":2}}',
  );
  expect(project(value, ['entry_context.toString'])).toEqual({ entry_context: {} });
});

it('a list may lack what a card may, what a card has since its outcome was bought, and nothing else', () => {
  const namesOfCard = new Set(cardFields.map(({ name }) => name));
  const isPart = (name: string) => name.includes('.');
  const optional = listedFields.filter((field) => field.optional).map(({ name }) => name);
  const optionalOfCard = cardFields.filter((field) => field.optional);
  const ofDetail = detailFields.filter(({ name }) => !namesOfCard.has(name) && !isPart(name));
  expect(optional).toEqual([...optionalOfCard, ...ofDetail].map(({ name }) => name));
  expect(optional).toContain('outcome');
});

it('a field that may be absent is told as one, and no other: a schema asks for the rest', () => {
  const described = v.object({
    always: v.string(),
    none: v.nullable(v.string()),
    absent: v.optional(v.number()),
  });
  expect(fieldsOf(described).map(({ name, optional = false }) => ({ name, optional }))).toEqual([
    { name: 'always', optional: false },
    { name: 'none', optional: false },
    { name: 'absent', optional: true },
  ]);
});
