/** JSON Schema (draft 2020-12) of what commands take and print, by valibot's own converter. */
import { type ConversionConfig, type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import { OPERATIONS, type OperationName } from '../api/operations.ts';
import { type OptionDeclaration, schemaFor } from '../commands/parts/option.ts';
import type { Field } from '../output/types.ts';
import { UTC } from '../runtime/zone.ts';

/** The schema of a value as it is typed; a number as JSON would write it. */
export function typedSchema({
  schema,
  default: absent,
}: Pick<OptionDeclaration, 'schema' | 'default'>) {
  if (schema === undefined) return undefined;
  const made = schemaFor(schema, { now: 0, env: {}, zone: UTC });
  const asRead = converted(made, 'output', {});
  const isNumber = JSON.stringify(asRead).includes('"integer"');
  const typed = isNumber ? asRead : converted(made, 'input', {});
  return {
    ...typed,
    ...(absent === undefined ? {} : { default: isNumber ? Number(absent) : absent }),
  };
}

/** Schemas of one document: those with a name stand in `defs`, others refer to them. */
export interface Schemas {
  readonly defs: Readonly<Record<string, JsonSchema>>;
  ofFields(fields: readonly Field[]): JsonSchema;
  /** Gives a schema a name. @returns a reference to it */
  shared(schema: JsonSchema): JsonSchema;
  ofResource(operation: OperationName): JsonSchema;
  /** @param head the fields beside `items` */
  ofList(item: JsonSchema, head: readonly Field[]): JsonSchema;
}

export function createSchemas(): Schemas {
  const defs: Record<string, JsonSchema> = {};

  function ofFields(fields: readonly Field[]): JsonSchema {
    const top = fields.filter(({ name }) => !name.includes('.'));
    const properties = top.map(({ name, schema }) => [name, converted(schema, 'input', defs)]);
    const required = top.filter(({ optional }) => optional !== true).map(({ name }) => name);
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
        required: [...new Set([...required, 'items'])],
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
        // Several pages are printed as one, and a value that the document does not list is a warning.
        case 'max_length':
        case 'metadata': {
          const {
            maxItems: _,
            allowed: __,
            ...rest
          } = jsonSchema as JsonSchema & { allowed?: unknown };
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
