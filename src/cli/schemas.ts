/** JSON Schema (draft 2020-12) of what commands take and print, by valibot's own converter. */
import { type ConversionConfig, type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import { OPERATIONS, type OperationName } from '../api/operations.ts';
import { type OptionDeclaration, schemaFor } from '../commands/parts/option.ts';
import type { Field } from '../output/types.ts';
import { UTC } from '../runtime/zone.ts';

/** The schema of an option's value as a user types it. It is a text, except that a whole number is an integer of JSON. */
export function typedSchema({
  schema,
  default: defaultValue,
}: Pick<OptionDeclaration, 'schema' | 'default'>) {
  if (schema === undefined) return undefined;
  const valueSchema = schemaFor(schema, { now: 0, env: {}, zone: UTC });
  const parsedSchema = converted(valueSchema, 'output', {});
  // The whole schema is searched, because a whole number may be one of several alternatives (`-` or an id).
  const isInteger = JSON.stringify(parsedSchema).includes('"integer"');
  const schemaAsTyped = isInteger ? parsedSchema : converted(valueSchema, 'input', {});
  if (defaultValue === undefined) return schemaAsTyped;
  return { ...schemaAsTyped, default: isInteger ? Number(defaultValue) : defaultValue };
}

/** The schemas of one document. A schema that has a name is in `defs` once; each place that uses it has a reference to it. */
export interface Schemas {
  readonly defs: Readonly<Record<string, JsonSchema>>;
  ofFields(fields: readonly Field[]): JsonSchema;
  /** Gives a schema a name (`Item3`). @returns a reference to it */
  shared(schema: JsonSchema): JsonSchema;
  ofResource(operation: OperationName): JsonSchema;
  /** @param head the fields beside `items` */
  ofList(item: JsonSchema, head: readonly Field[]): JsonSchema;
}

export function createSchemas(): Schemas {
  const defs: Record<string, JsonSchema> = {};

  function ofFields(fields: readonly Field[]): JsonSchema {
    const topFields = fields.filter(({ name }) => !name.includes('.'));
    const properties = topFields.map(({ name, schema }) => [
      name,
      converted(schema, 'input', defs),
    ]);
    const requiredFields = topFields.filter(({ optional }) => optional !== true);
    const required = requiredFields.map(({ name }) => name);
    return { type: 'object', properties: Object.fromEntries(properties), required };
  }

  return {
    defs,
    ofFields,
    shared(schema: JsonSchema): JsonSchema {
      if (schema.$ref !== undefined) return schema;
      const name = `Item${Object.keys(defs).length}`;
      defs[name] = schema;
      return { $ref: `#/$defs/${name}` };
    },
    ofResource: (operation: OperationName) =>
      converted(OPERATIONS[operation].schema, 'input', defs),
    ofList(item: JsonSchema, head: readonly Field[]): JsonSchema {
      const { properties, required = [] } = ofFields(head);
      const items = { type: 'array', items: item } as const;
      return {
        type: 'object',
        properties: { ...properties, items },
        required: [...required, 'items'],
      };
    },
  };
}

function converted(
  schema: GenericSchema<unknown>,
  typeMode: 'input' | 'output',
  defs: Record<string, JsonSchema>,
): JsonSchema {
  const config: ConversionConfig = {
    typeMode,
    target: 'draft-2020-12',
    // What JSON Schema cannot say is left out.
    errorMode: 'ignore',
    overrideAction({ valibotAction, jsonSchema }) {
      switch (valibotAction.type) {
        case 'title': {
          const { title, ...rest } = jsonSchema;
          defs[String(title)] = rest;
          return { $ref: `#/$defs/${title}` };
        }
        case 'safe_integer':
          return { type: 'integer' };
        // `maxItems` is left out, because several pages are printed as one list. `allowed` is left out, because the program only
        // warns of other values.
        case 'max_length':
        case 'metadata': {
          const { maxItems, allowed, ...rest } = jsonSchema as JsonSchema & { allowed?: unknown };
          return rest;
        }
        default:
          return undefined;
      }
    },
  };
  const { $schema: _, ...rest } = toJsonSchema(schema, config);
  return rest;
}
