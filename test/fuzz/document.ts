/**
 * Valid answers by the API document, and an independent judge of answers. Both go by the table in
 * `test/support/document.ts`, copied from the document by hand: the program's own schemas are not asked.
 */
import fc from 'fast-check';
import { DOCUMENT, type DocumentedField, fieldsOf, type ResourceName } from '../support/document.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export const text: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('BTCUSDT', 'price', 'binance', 'price +3.1%', 'https://example.com/?a=1') },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 10 }) },
  fc.constantFrom(
    '',
    '\u001b[2J\u001b]0;x\u0007',
    '=1+1',
    'two\nlines',
    '币安人生',
    '\u202eevil\u2069',
    '\ud800',
    'a"b\\c',
  ),
);

/**
 * Numbers that are hard to keep. Not those that JSON writes as an integer beyond 2^53: their digits are not their value,
 * and in a field of the document the program refuses them.
 */
export const figure: fc.Arbitrary<number> = fc
  .oneof(
    fc.constantFrom(0, 0.1 + 0.2, 1e21, 5e-324, 1.7976931348623157e308, -1e-7, 1e-7, 123456789.12345679, 0.0001, -0),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.double({ min: -100, max: 100, noNaN: true }),
  )
  .filter((value) => !/^-?\d{16,}$/.test(String(value)) || Number.isSafeInteger(value));

const time: fc.Arbitrary<string> = fc
  .date({ min: new Date('2001-01-01T00:00:00Z'), max: new Date('2098-12-31T00:00:00Z'), noInvalidDate: true })
  .chain((date) => fc.constantFrom(date.toISOString(), date.toISOString().replace(/\.\d+Z$/, '+00:00')));

/** What a later version of the API may add. */
const unheardOf: fc.Arbitrary<Json> = fc.letrec<{ any: Json }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    text,
    figure,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('any'), { maxLength: 3 }),
    fc
      .array(fc.tuple(fc.oneof(text, fc.constantFrom('a.b', '__proto__', 'constructor')), tie('any')), { maxLength: 3 })
      .map((entries) => Object.fromEntries(entries)),
  ),
})).any;

/** Any valid resource of that name, with fields the document does not know. */
export function validResource(name: ResourceName): fc.Arbitrary<{ [key: string]: Json }> {
  const known = fc.record(Object.fromEntries(fieldsOf(name).map((field) => [field.name, arbitraryOf(field)])));
  const more = fc.array(fc.tuple(fc.oneof(text, fc.constantFrom('a.b', '__proto__', 'new_field')), unheardOf), {
    maxLength: 2,
  });
  return fc.tuple(known, more).map(([fields, extra]) => ({ ...Object.fromEntries(extra), ...fields }));
}

function arbitraryOf(field: DocumentedField): fc.Arbitrary<Json> {
  const value = plainArbitraryOf(field);
  return field.nullable ? fc.option(value, { freq: 4 }) : value;
}

function plainArbitraryOf({ type, least, most, allowed }: DocumentedField): fc.Arbitrary<Json> {
  if (type.startsWith('[')) {
    const inner = { name: '', type: type.slice(1, -1), nullable: false, least, most, allowed };
    if (type === '[SignalCard]') {
      // A card that stands twice in a list is printed once.
      const id = (card: Json) => (card as { id: Json }).id;
      return fc.uniqueArray(plainArbitraryOf(inner), { maxLength: 4, selector: id });
    }
    return fc.array(plainArbitraryOf(inner), { maxLength: type === '[string]' ? 3 : 4 });
  }
  switch (type) {
    case 'string':
      return allowed === undefined ? text : fc.constantFrom(...allowed);
    case 'boolean':
      return fc.boolean();
    case 'time':
      return time;
    case 'integer':
      if (allowed !== undefined) return fc.constantFrom(...allowed.map(Number));
      return fc.oneof(fc.integer({ min: least ?? 0, max: most ?? 5000 }), fc.constant(most ?? Number.MAX_SAFE_INTEGER));
    case 'number':
      return figure;
    case 'object':
      return dictionary(unheardOf);
    case 'numbers':
      return dictionary(figure);
    default:
      return validResource(type as ResourceName);
  }
}

function dictionary(value: fc.Arbitrary<Json>): fc.Arbitrary<{ [key: string]: Json }> {
  return fc
    .array(fc.tuple(fc.oneof(text, fc.constantFrom('rsi_14', 'a.b', '__proto__')), value), { maxLength: 3 })
    .map((entries) => Object.fromEntries(entries));
}

/** Whether a parsed value is what the document says of `name`. */
export function matches(name: ResourceName, value: unknown): boolean {
  return (
    isObject(value) &&
    fieldsOf(name).every((field) => fits(field, Object.hasOwn(value, field.name) ? value[field.name] : undefined))
  );
}

function fits(field: DocumentedField, value: unknown): boolean {
  if (value === null) return field.nullable;
  const { type, least, most } = field;
  if (type.startsWith('[')) {
    const inner = { ...field, type: type.slice(1, -1), nullable: false };
    const limit = type === '[SignalCard]' ? 25 : Number.POSITIVE_INFINITY;
    return Array.isArray(value) && value.length <= limit && value.every((one) => fits(inner, one));
  }
  switch (type) {
    case 'string':
    case 'boolean':
      return typeof value === type;
    case 'time':
      return typeof value === 'string' && isTime(value);
    case 'integer':
      return (
        Number.isSafeInteger(value) && (value as number) >= (least ?? 0) && (value as number) <= (most ?? Infinity)
      );
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'object':
      return isObject(value);
    case 'numbers':
      return isObject(value) && Object.values(value).every((one) => typeof one === 'bigint' || Number.isFinite(one));
    default:
      return type in DOCUMENT && matches(type as ResourceName, value);
  }
}

function isTime(text: string): boolean {
  const [, day = '', clock = ''] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)$/.exec(text) ?? [];
  const at = new Date(`${day}T${clock}Z`);
  // A day that the month does not have is read as one of the next month.
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** Whether a whole answer with status 200 is a success by the document: an Envelope with the resource. */
export function isSuccess(name: ResourceName, answer: unknown): boolean {
  if (!isObject(answer)) return false;
  const { hasError, errors, response } = answer;
  return hasError === false && (errors === null || typeof errors === 'string') && matches(name, response);
}
