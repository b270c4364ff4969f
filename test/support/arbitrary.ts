/** Random resources by the document's own schemas (fast-check), with hostile text in every string. */
import fc from 'fast-check';
import type * as v from 'valibot';
import { time } from '../../src/api/contract/primitives.ts';

/** Text that tries to act on a terminal, a spreadsheet or a parser. */
export const hostileText = fc.oneof(
  { weight: 3, arbitrary: fc.string({ maxLength: 12 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  fc.constantFrom(
    '\x1b[31mred\x1b[0m',
    '\x1b]0;title\x07',
    '\x9b2J',
    'a\u202eb\u2066c',
    'zero\u200bwidth\ufeff',
    '=1+1',
    "'=1+1",
    '＝cmd',
    '-2+3',
    '@SUM(A1)',
    '\tx',
    '\r\n=x',
    'two\nlines\r',
    'quo"te,comma',
    ' padded ',
    '\\u001b',
    '币安人生USDT',
    '👨‍👩‍👧USDT',
    'กำไร',
    'e\u0301',
    '\ud800',
    '__proto__',
    '',
  ),
);

const keys = fc.oneof(fc.constantFrom('min', 'rsi_14', 'a.b', 'new_field', '__proto__', '\x1b[1m'), hostileText);

/** Finite, and not -0, which JSON does not tell from 0. */
const figure = fc
  .oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.double({ min: -100, max: 100, noNaN: true }))
  .map((value) => (value === 0 ? 0 : value));

/** Any JSON value a later version of the API may send. */
export const json: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    hostileText,
    fc.boolean(),
    fc.constant(null),
    fc.integer(),
    figure,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(keys, tie('value')), { maxLength: 3 }).map((entries) => Object.fromEntries(entries)),
  ),
})).value;

const moment = fc
  .date({ min: new Date('2000-01-01T00:00:00Z'), max: new Date('2099-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString());

/** As much of a valibot schema as is needed to make values of it. */
export interface SchemaNode {
  readonly type: string;
  readonly entries?: Record<string, SchemaNode>;
  readonly item?: SchemaNode;
  readonly wrapped?: SchemaNode;
  readonly value?: SchemaNode;
  readonly requirement?: unknown;
  readonly pipe?: readonly SchemaNode[];
}

/** A schema and everything piped into it, also where a pipe begins with a pipe. */
export function stagesOf(node: SchemaNode): SchemaNode[] {
  return [node, ...(node.pipe ?? []).filter((stage) => stage !== node).flatMap(stagesOf)];
}

/** @param extra adds fields the document does not know, as a beta may */
export function resource<S extends v.GenericSchema>(schema: S, extra = true): fc.Arbitrary<v.InferOutput<S>> {
  return build(schema as unknown as SchemaNode, extra) as fc.Arbitrary<v.InferOutput<S>>;
}

function build(node: SchemaNode, extra: boolean): fc.Arbitrary<unknown> {
  if (node === (time as unknown)) return moment;
  const stages = stagesOf(node);
  const limit = (type: string) => stages.find((stage) => stage.type === type)?.requirement as number | undefined;
  const record = stages.find((stage) => stage.type === 'record');
  if (record !== undefined) return dictionary(build(record.value as SchemaNode, extra));
  switch (node.type) {
    case 'string':
      return fc.oneof(hostileText, fc.constantFrom('pending', 'missing', 'available'));
    case 'boolean':
      return fc.boolean();
    case 'number':
      if (stages.some((stage) => stage.type === 'safe_integer')) {
        const max = limit('max_value') ?? Number.MAX_SAFE_INTEGER;
        return fc.oneof(fc.integer({ min: limit('min_value') ?? 0, max: Math.min(max, 2000) }), fc.constant(max));
      }
      return figure;
    case 'lazy':
      return figure;
    case 'nullable':
      return fc.option(build(node.wrapped as SchemaNode, extra));
    case 'array':
      return fc.array(build(node.item as SchemaNode, extra), { maxLength: 4 });
    case 'custom':
      return dictionary(json);
    case 'loose_object': {
      const entries = Object.entries(node.entries ?? {});
      const known = fc.record(Object.fromEntries(entries.map(([key, inner]) => [key, build(inner, extra)])));
      const more = extra ? fc.array(fc.tuple(keys, json), { maxLength: 2 }) : fc.constant([]);
      return fc
        .tuple(known, more)
        .map(([object, unknown]) => ({ ...Object.fromEntries(unknown), ...object }) as Record<string, unknown>);
    }
    default:
      throw new Error(`No arbitrary for a schema of type ${node.type}`);
  }
}

/** An object whose keys the document does not show. */
function dictionary(value: fc.Arbitrary<unknown>): fc.Arbitrary<Record<string, unknown>> {
  return fc.array(fc.tuple(keys, value), { maxLength: 4 }).map((entries) => Object.fromEntries(entries));
}
