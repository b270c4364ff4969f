/** A table of fields that were named: each value as exact as it was given, and readable. */
import * as v from 'valibot';
import { expect, it } from 'vitest';
import type { Field, View } from '../../src/output/types.ts';
import { outputTo, pagesOf } from './written.ts';

interface Item {
  readonly id: number;
  readonly at: string;
  readonly names: readonly string[];
  readonly inner: object | null;
}

const fieldOf = (name: string, kind: Field['kind']): Field => ({
  name,
  kind,
  about: name,
  schema: v.unknown(),
});

const view = {
  fields: [
    fieldOf('id', 'number'),
    fieldOf('at', 'time'),
    fieldOf('names', 'text'),
    fieldOf('inner', 'text'),
  ],
  columns: [],
} as unknown as View<Item>;

it('times are cut to the second, lists have commas, objects are JSON, and nothing is a dash', async () => {
  const { context, output } = outputTo('table', {}, ['at', 'names', 'inner', 'id']);
  const items: readonly Item[] = [
    { id: 1.234_567_89, at: '2026-11-20T18:05:09.5Z', names: ['a', 'b'], inner: { x: [1] } },
    { id: 7, at: 'soon', names: [], inner: null },
  ];
  await output.list(view, pagesOf([items]));
  const rows = context.stdout.text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.trim().split(/ {2,}/));
  expect(rows).toEqual([
    ['at', 'names', 'inner', 'id'],
    ['2026-11-20 18:05:09', 'a, b', '{"x":[1]}', '1.23456789'],
    ['soon', '–', '7'],
  ]);
});

it('the field that a list is sorted by has a column, the second, if it had none', async () => {
  const headerOf = async (sorted: string | undefined, fields?: readonly string[]) => {
    const columns = ['id', 'at'].map((field) => ({
      header: field.toUpperCase(),
      field,
      align: 'left' as const,
      priority: 1,
      cell: () => 'x',
    }));
    const { context, output } = outputTo('table', {}, fields);
    const items: readonly Item[] = [{ id: 1, at: 'soon', names: [], inner: null }];
    await output.list({ ...view, columns, sorted } as View<Item>, pagesOf([items]));
    return context.stdout.text.split('\n')[0]?.trim().split(/ {2,}/);
  };
  expect({
    unsorted: await headerOf(undefined),
    shown: await headerOf('-at'),
    added: await headerOf('-names'),
    named: await headerOf('names', ['id']),
  }).toEqual({
    unsorted: ['ID', 'AT'],
    shown: ['ID', 'AT'],
    added: ['ID', 'names', 'AT'],
    named: ['id'],
  });
});
