/** Makes the fields of a value (`Field`) from its schema: their names, kinds and descriptions. */
import * as v from 'valibot';
import { byHorizon, horizonOf } from '../api/contract/horizons.ts';
import { described } from '../api/contract/primitives.ts';
import type { Field, FieldKind } from './types.ts';

/**
 * A schema of valibot with the schemas that it may be made of: the entries of an object, the schema that it wraps, the
 * items of a list.
 */
type AnySchema = v.GenericSchema<unknown> & {
  readonly entries?: Readonly<Record<string, AnySchema>>;
  readonly wrapped?: AnySchema;
  readonly item?: AnySchema;
};

/**
 * The fields of an object in its order. A field that is itself an object is followed by the fields within it, by dotted names:
 * `outcome`, `outcome.entry_price`.
 * @param schema of an object, each field of which has a `description`
 */
export function fieldsOf(schema: v.GenericSchema<unknown>): readonly Field[] {
  const fields: Field[] = [];
  for (const [name, entry] of Object.entries(coreOf(schema).entries ?? {})) {
    const core = coreOf(entry);
    fields.push({
      name,
      kind: kindOf(core),
      about: v.getDescription(entry) ?? v.getDescription(core) ?? '',
      ...(entry.type === 'optional' ? { optional: true } : {}),
      schema: entry,
    });
    for (const within of fieldsOf(core)) fields.push({ ...within, name: `${name}.${within.name}` });
  }
  return fields;
}

/** The schema that `nullable`, `optional` and the like are wrapped around. */
function coreOf(schema: AnySchema): AnySchema {
  return schema.wrapped === undefined ? schema : coreOf(schema.wrapped);
}

function kindOf(schema: AnySchema): FieldKind {
  if (schema.type === 'number') return 'number';
  if (schema.type === 'array') return schema.item?.entries === undefined ? 'text' : 'objects';
  if (v.getMetadata(schema).format === 'date-time') return 'time';
  return ['string', 'picklist', 'literal', 'boolean'].includes(schema.type) ? 'text' : 'object';
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
