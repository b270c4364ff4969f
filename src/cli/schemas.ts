/** JSON Schema (draft 2020-12) of what commands print, from the descriptions that give its type and its fields. */
import { type ConversionConfig, type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import { OPERATIONS, type OperationName } from '../api/operations.ts';
import { type OptionDeclaration, schemaFor } from '../commands/option.ts';
import { fieldsOf } from '../output/described-fields.ts';
import type { Field, FieldKind } from '../output/types.ts';
import { UTC } from '../runtime/zone.ts';

const OF_VALUES: ConversionConfig = {
  // What JSON Schema cannot say is left out.
  errorMode: 'ignore',
  target: 'draft-2020-12',
  overrideAction: ({ valibotAction, jsonSchema }) => {
    if (valibotAction.type !== 'metadata') return jsonSchema;
    return { ...jsonSchema, ...(valibotAction as unknown as { readonly metadata: JsonSchema }).metadata };
  },
};

/** The resource of an operation. */
export function resourceSchema(operation: OperationName): JsonSchema {
  return fieldsSchema(fieldsOf(OPERATIONS[operation].schema));
}

/** Of a value as it is typed; a number as JSON would write it. */
export function typedSchema({ schema, default: absent }: Pick<OptionDeclaration, 'schema' | 'default'>) {
  if (schema === undefined) return undefined;
  const made = schemaFor(schema, { now: 0, env: {}, zone: UTC });
  const asRead = converted(made, 'output');
  const isNumber = JSON.stringify(asRead).includes('"integer"');
  const typed = isNumber ? asRead : converted(made, 'input');
  return { ...typed, ...(absent === undefined ? {} : { default: isNumber ? Number(absent) : absent }) };
}

function converted(schema: Parameters<typeof toJsonSchema>[0], typeMode: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = toJsonSchema(schema, { ...OF_VALUES, typeMode });
  return rest;
}

/** One item of a page, else the whole: what a line of NDJSON holds. */
export function lineSchema(schema: JsonSchema): JsonSchema {
  const items = property(schema, 'items')?.items;
  return typeof items === 'object' && !Array.isArray(items) ? (items as JsonSchema) : schema;
}

function property(schema: JsonSchema, name: string): JsonSchema | undefined {
  const found = schema.properties?.[name];
  return typeof found === 'object' ? found : undefined;
}

const TYPES: Readonly<Record<FieldKind, JsonSchema>> = {
  text: { type: 'string' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  time: { type: 'string', format: 'date-time' },
  texts: { type: 'array', items: { type: 'string' } },
  object: { type: 'object' },
  objects: { type: 'array' },
};

/** Of an object with these fields; where they do not say which may be null, each may. */
export function fieldsSchema(fields: readonly Field[]): JsonSchema {
  const root: JsonSchema = { type: 'object' };
  for (const { name, kind, about, items, optional, nullable = true, words } of fields) {
    let at = root;
    const keys = name.split('.');
    for (const key of keys.slice(0, -1)) at = inner(at, key);
    const { type, ...rest } = TYPES[kind];
    const allowed = words === undefined ? {} : { enum: nullable ? [...words, null] : words };
    const within =
      items === undefined ? {} : { [kind === 'object' ? 'additionalProperties' : 'items']: fieldsSchema(items) };
    const types = nullable ? [type, 'null'] : type;
    const value = { ...rest, ...allowed, ...within, type: types, description: about } as JsonSchema;
    setProperty(at, keys.at(-1) ?? name, value, optional);
  }
  return root;
}

/** Of a list: the object with `items`, and what stands beside them. */
export function listSchema(item: JsonSchema, head: readonly Field[]): JsonSchema {
  const list = fieldsSchema(head);
  setProperty(list, 'items', { type: 'array', items: item });
  return list;
}

function inner(schema: JsonSchema, key: string): JsonSchema {
  const found = property(schema, key);
  if (found !== undefined) return found;
  const made = { type: ['object', 'null'] } as unknown as JsonSchema;
  setProperty(schema, key, made);
  return made;
}

function setProperty(schema: JsonSchema, key: string, value: JsonSchema, optional?: boolean): void {
  schema.properties = { ...schema.properties, [key]: value };
  if (optional !== true) schema.required = [...new Set([...(schema.required ?? []), key])];
}
