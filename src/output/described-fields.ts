/** The fields of a described value: names, kinds and words are read from the schema that gives its type. */
import * as v from 'valibot';
import { byHorizon, horizonOf } from '../api/contract/horizons.ts';
import { described } from '../api/contract/primitives.ts';
import type { Field, FieldKind } from './types.ts';

interface DescribedSchema {
  readonly type: string;
  readonly description?: string;
  /** The parts of a pipe: the schema itself, then its checks and descriptions. */
  readonly pipe?: readonly DescribedSchema[];
  readonly entries?: Readonly<Record<string, DescribedSchema>>;
  readonly wrapped?: DescribedSchema;
  readonly item?: DescribedSchema;
}

/**
 * The fields of an object in its order, those of objects within it by dotted names after it.
 * @param schema of valibot: an object, each field of which has a `description`
 */
export function fieldsOf(schema: object): readonly Field[] {
  return Object.entries(coreOf(schema as DescribedSchema).entries ?? {}).flatMap(([name, entry]) => {
    const layers = layersOf(entry);
    const field: Field = {
      name,
      kind: kindOf(coreOf(entry), layers),
      about: layers.find(({ description }) => description !== undefined)?.description ?? '',
      ...(layers.some(({ type }) => type === 'optional') ? { optional: true } : {}),
      schema: entry as unknown as v.GenericSchema<unknown>,
    };
    return [field, ...fieldsOf(entry).map((one) => ({ ...one, name: `${name}.${one.name}` }))];
  });
}

function layersOf(schema: DescribedSchema): DescribedSchema[] {
  const { pipe: [first, ...said] = [], wrapped } = schema;
  return [...said, schema, ...[first, wrapped].flatMap((one) => (one === undefined ? [] : layersOf(one)))];
}

function coreOf({ wrapped, ...schema }: DescribedSchema): DescribedSchema {
  return wrapped === undefined ? schema : coreOf(wrapped);
}

function kindOf({ type, item }: DescribedSchema, layers: readonly DescribedSchema[]): FieldKind {
  const isChecked = (check: string) => layers.some((layer) => layer.type === check);
  if (['string', 'picklist', 'literal'].includes(type)) return isChecked('check') ? 'time' : 'text';
  if (type === 'number') return isChecked('safe_integer') ? 'integer' : 'number';
  if (type === 'boolean') return 'boolean';
  if (type === 'array') return item?.entries === undefined ? 'texts' : 'objects';
  return 'object';
}

export function objectOf<E extends v.ObjectEntries>(about: string, entries: E) {
  return described(v.object(entries), about);
}

export function nullableObjectOf<E extends v.ObjectEntries>(about: string, entries: E) {
  return described(v.nullable(v.object(entries)), about);
}

export function listOf<E extends v.ObjectEntries>(about: string, entries: E) {
  return described(v.array(v.object(entries)), about);
}

export function objectByHorizon<S extends v.GenericSchema<unknown>>(about: string, schema: S) {
  return objectOf(
    about,
    byHorizon((name) => described(schema, `after ${horizonOf(name).words}`)),
  );
}
