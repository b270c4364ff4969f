/** The fields of a described value: names, kinds and words are read from the schema that gives its type. */
import type { GenericSchema } from 'valibot';
import type { Field, FieldKind } from './types.ts';

/** What of a valibot schema is looked at. */
interface Schema {
  readonly type: string;
  /** Of a pipe: the schema itself, then what is checked and said of it. */
  readonly pipe?: readonly (Schema & { readonly description?: string })[];
  /** Of an object. */
  readonly entries?: Readonly<Record<string, Schema>>;
  /** Of what may be null or absent. */
  readonly wrapped?: Schema;
  /** Of an array. */
  readonly item?: Schema;
}

/**
 * The fields of an object in its order, those of objects within it by dotted names after it.
 * @param schema of valibot: an object, each field of which has a `description`
 */
export function fieldsOf(schema: object): readonly Field[] {
  return Object.entries(coreOf(schema as Schema).entries ?? {}).flatMap(([name, entry]) => fieldOf(name, entry));
}

function fieldOf(name: string, schema: Schema): Field[] {
  const layers = layersOf(schema);
  const core = coreOf(schema);
  const field: Field = {
    name,
    kind: kindOf(core, layers),
    about: layers.find(({ description }) => description !== undefined)?.description ?? '',
    ...(layers.some(({ type }) => type === 'optional') ? { optional: true } : {}),
    schema: schema as unknown as GenericSchema<unknown>,
  };
  const inner = core.entries === undefined ? [] : fieldsOf(core);
  return [field, ...inner.map((one) => ({ ...one, name: `${name}.${one.name}` }))];
}

/** The schema, what it wraps, and what their pipes say. */
function layersOf(schema: Schema): NonNullable<Schema['pipe']> {
  const { pipe: [self, ...said] = [schema], wrapped } = schema;
  const further = self === undefined || self === schema ? [] : layersOf(self);
  return [...said, schema, ...further, ...(wrapped === undefined ? [] : layersOf(wrapped))];
}

/** Without what may be null or absent. */
function coreOf({ wrapped, ...schema }: Schema): Schema {
  return wrapped === undefined ? schema : coreOf(wrapped);
}

function kindOf({ type, item }: Schema, layers: NonNullable<Schema['pipe']>): FieldKind {
  const checks = layers.map((layer) => layer.type);
  switch (type) {
    case 'string':
      // No other text is checked by a function than a time.
      return checks.includes('check') ? 'time' : 'text';
    case 'picklist':
    case 'literal':
      return 'text';
    case 'number':
      return checks.includes('safe_integer') ? 'integer' : 'number';
    case 'boolean':
      return 'boolean';
    case 'array':
      return item?.entries === undefined ? 'texts' : 'objects';
    default:
      return 'object';
  }
}
