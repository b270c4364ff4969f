/**
 * JSON Schema (draft 2020-12) of what commands print: of the service's resources from the contract that checks them, of
 * what this program works out itself from the fields it declares.
 */
import { type ConversionConfig, type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import { OPERATIONS, type OperationName } from '../api/operations.ts';
import type { Field, FieldKind } from '../output/types.ts';

const CONVERSION: ConversionConfig = {
  // What JSON Schema cannot say is left out: the schema then allows more than the contract, never less.
  errorMode: 'ignore',
  target: 'draft-2020-12',
  overrideSchema: ({ valibotSchema, jsonSchema }) => {
    if (valibotSchema.type === 'custom') return { type: 'object' };
    // The contract has one lazy schema: a number that may be larger than JavaScript's.
    return valibotSchema.type === 'lazy' ? { type: 'number' } : jsonSchema;
  },
  overrideAction: ({ valibotAction, jsonSchema }) => {
    if (valibotAction.type === 'safe_integer') return { ...jsonSchema, type: 'integer' };
    // Several pages are merged into one.
    if (valibotAction.type === 'max_length') return { ...jsonSchema, maxItems: undefined };
    // The contract checks no other text by a function than a time.
    const isTime = valibotAction.type === 'check' && jsonSchema.type === 'string';
    return isTime ? { ...jsonSchema, format: 'date-time' } : jsonSchema;
  },
};

/** The resource of an operation; several details are an array. */
export function resourceSchema(operation: OperationName, fields: readonly Field[]): JsonSchema {
  const { $schema: _, $defs: __, ...schema } = toJsonSchema(OPERATIONS[operation].schema, CONVERSION);
  describe(itemOf(schema) ?? schema, fields);
  return schema;
}

/** One item of a page, else the whole: what a line of NDJSON holds. */
export function lineSchema(schema: JsonSchema): JsonSchema {
  return itemOf(schema) ?? schema;
}

function itemOf(schema: JsonSchema): JsonSchema | undefined {
  const items = property(schema, 'items')?.items;
  return typeof items === 'object' && !Array.isArray(items) ? (items as JsonSchema) : undefined;
}

function property(schema: JsonSchema, name: string): JsonSchema | undefined {
  const found = schema.properties?.[name];
  return typeof found === 'object' ? found : undefined;
}

/** The words of the help beside each field that it names. */
function describe(schema: JsonSchema, fields: readonly Field[]): void {
  for (const { name, about } of fields) {
    let at: JsonSchema | undefined = schema;
    for (const key of name.split('.')) at = at && property(nonNull(at), key);
    if (at !== undefined) at.description = about;
  }
}

function nonNull(schema: JsonSchema): JsonSchema {
  const [first] = schema.anyOf ?? [];
  return typeof first === 'object' ? first : schema;
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

/** From declared fields alone: where they do not say which may be null, each may. */
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
