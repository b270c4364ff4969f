/**
 * The API document as OpenAPI: parts 2 (fields, from the table in test/support/document.ts), 4 (endpoints), 5 (key) and 7
 * (errors). What it calls "not shown" is left open.
 */
import { DOCUMENT, type DocumentedField, fieldsOf, type ResourceName } from '../support/document.ts';
import { PART_4 } from '../support/operations.ts';

type Schema = Record<string, unknown>;

const time = { type: 'string', format: 'date-time' };

/** Part 4: what a parameter of a query may be. */
const PARAMETERS: Readonly<Record<string, Schema>> = {
  since: time,
  until: time,
  symbol: { type: 'string', pattern: '^[A-Z0-9]{1,32}$' },
  screener_type: { type: 'string' },
  cursor: { type: 'string', maxLength: 220 },
  limit: { type: 'integer', minimum: 1, maximum: 25, default: 25 },
};
const ID = { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } };

const STATUSES = [401, 403, 404, 422, 429, 503];

/** The Envelope. */
function answer(properties: Schema, headers?: Schema): Schema {
  const either = {
    hasError: { type: 'boolean' },
    response: { type: ['object', 'null'] },
    errors: { type: ['string', 'null'] },
  };
  const schema = { type: 'object', required: Object.keys(either), properties: { ...either, ...properties } };
  return { description: 'An Envelope', headers, content: { 'application/json': { schema } } };
}

const failure = answer(
  { hasError: { const: true }, errors: { type: 'string' } },
  { 'Retry-After': { description: 'Seconds', schema: { type: 'integer', minimum: 0 } } },
);
const failures = Object.fromEntries(STATUSES.map((status) => [status, failure]));

/** @param prefix stands before every path */
export function openApi(prefix: string): Schema {
  const paths = Object.values(PART_4).map(({ path, resource, parameters: names }) => {
    const query = names.map((name) => ({ name, in: 'query', schema: PARAMETERS[name] }));
    const success = answer({ hasError: { const: false }, response: schemaOf(resource) });
    const parameters = path.includes('{id}') ? [ID] : query;
    return [prefix + path, { get: { parameters, responses: { 200: success, ...failures } } }];
  });
  const schemas = Object.keys(DOCUMENT).map((name) => [name, resourceOf(name as ResourceName)]);
  return {
    openapi: '3.1.0',
    info: { title: 'Read-only external API of a screener service', version: '0.1.0-beta' },
    security: [{ key: [] }],
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
      schemas: Object.fromEntries(schemas),
    },
  };
}

function resourceOf(name: ResourceName): Schema {
  const fields = fieldsOf(name);
  const required = fields.filter(({ optional }) => !optional).map((field) => field.name);
  const properties = fields.map((field): [string, Schema] => {
    const schema = fieldOf(field);
    return [field.name, field.nullable ? { anyOf: [schema, { type: 'null' }] } : schema];
  });
  return { type: 'object', required, properties: Object.fromEntries(properties) };
}

function fieldOf({ type, least, most, allowed }: Omit<DocumentedField, 'name' | 'nullable' | 'optional'>): Schema {
  if (type === 'time') return time;
  if (type === 'numbers') return { type: 'object', additionalProperties: { type: 'number' } };
  if (type === 'integer') return { type, minimum: least, maximum: most, enum: allowed?.map(Number) };
  if (/^[a-z]/.test(type)) return { type, enum: allowed };
  if (!type.startsWith('[')) return schemaOf(type as ResourceName);
  const items = fieldOf({ type: type.slice(1, -1), least, most, allowed: undefined });
  return { type: 'array', items, maxItems: type === '[SignalCard]' ? 25 : undefined };
}

const schemaOf = (name: ResourceName): Schema => ({ $ref: `#/components/schemas/${name}` });
