/** Random resources by the table in `document.ts` (fast-check), with hostile text in every string. */
import fc from 'fast-check';
import { type DocumentedField, fieldsOf, type ResourceName } from './document.ts';

export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

export const text: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      'BTCUSDT',
      'price',
      'binance',
      'price +3.1%',
      'https://example.com/?a=1',
    ),
  },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 10 }) },
  fc.constantFrom(
    '',
    '\u001b[2J\u001b]0;x\u0007',
    '=1+1',
    'two\nlines\r',
    '币安人生',
    '\u202eevil\u2069',
    '\ud800',
    'a"b\\c',
    ' padded ',
    'zero\u200bwidth\ufeff',
    '\u009b2J',
  ),
);

/**
 * Numbers that are hard to keep. Not those that JSON writes as an integer beyond 2^53: their digits are not their value,
 * and in a field of the document the program refuses them.
 */
const figure: fc.Arbitrary<number> = fc
  .oneof(
    fc.constantFrom(
      0,
      0.1 + 0.2,
      1e21,
      5e-324,
      1.7976931348623157e308,
      -1e-7,
      1e-7,
      123456789.12345679,
      0.0001,
      -0,
    ),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.double({ min: -100, max: 100, noNaN: true }),
  )
  .filter((value) => !/^-?\d{16,}$/.test(String(value)) || Number.isSafeInteger(value));

function timeBetween(first: string, last: string): fc.Arbitrary<string> {
  return fc
    .date({ min: new Date(first), max: new Date(last), noInvalidDate: true })
    .chain((date) =>
      fc.constantFrom(date.toISOString(), date.toISOString().replace(/\.\d+Z$/, '+00:00')),
    );
}

const time = timeBetween('2001-01-01T00:00:00Z', '2098-12-31T00:00:00Z');

/** A card that was created after the end of its page, or before this century, is no valid one. */
const timeOfCard = timeBetween('2000-01-01T00:00:00Z', '2000-12-31T00:00:00Z');

/** Any JSON value: what a later version of the API may add. */
export const unheardOf: fc.Arbitrary<Json> = fc.letrec<{ any: Json }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    text,
    figure,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('any'), { maxLength: 3 }),
    fc
      .array(
        fc.tuple(fc.oneof(text, fc.constantFrom('a.b', '__proto__', 'constructor')), tie('any')),
        { maxLength: 3 },
      )
      .map((entries) => Object.fromEntries(entries)),
  ),
})).any;

/** Any valid resource of that name, with fields the document does not know. */
export function validResource(name: ResourceName): fc.Arbitrary<{ [key: string]: Json }> {
  const fields = fieldsOf(name);
  const requiredKeys = fields.filter(({ optional }) => !optional).map((field) => field.name);
  const known = fc.record(
    Object.fromEntries(fields.map((field) => [field.name, arbitraryOf(field)])),
    {
      requiredKeys,
    },
  );
  const more = fc.array(
    fc.tuple(fc.oneof(text, fc.constantFrom('a.b', '__proto__', 'new_field')), unheardOf),
    {
      maxLength: 2,
    },
  );
  return fc.tuple(known, more).map(([own, extra]) => ({ ...Object.fromEntries(extra), ...own }));
}

function arbitraryOf(field: DocumentedField): fc.Arbitrary<Json> {
  const value = plainArbitraryOf(field);
  return field.nullable ? fc.option(value, { freq: 4 }) : value;
}

function plainArbitraryOf(field: DocumentedField): fc.Arbitrary<Json> {
  const { name, type, least, most, allowed } = field;
  if (name === 'created_at') return timeOfCard;
  if (type.startsWith('[')) {
    const inner = {
      name: '',
      type: type.slice(1, -1),
      nullable: false,
      optional: false,
      least,
      most,
      allowed,
    };
    if (type === '[SignalCard]') {
      // A card that stands twice in a list is printed once.
      const id = (card: Json) => (card as { id: Json }).id;
      return fc.uniqueArray(plainArbitraryOf(inner), { maxLength: 4, selector: id });
    }
    return fc.array(plainArbitraryOf(inner), { maxLength: type === '[string]' ? 3 : 4 });
  }
  if (type === 'string' && allowed !== undefined) return fc.constantFrom(...allowed);
  if (type !== 'integer') return PLAIN[type] ?? validResource(type as ResourceName);
  if (allowed !== undefined) return fc.constantFrom(...allowed.map(Number));
  return fc.oneof(
    fc.integer({ min: least ?? 0, max: most ?? 5000 }),
    fc.constant(most ?? Number.MAX_SAFE_INTEGER),
  );
}

function dictionary(value: fc.Arbitrary<Json>): fc.Arbitrary<{ [key: string]: Json }> {
  return fc
    .array(fc.tuple(fc.oneof(text, fc.constantFrom('rsi_14', 'a.b', '__proto__')), value), {
      maxLength: 3,
    })
    .map((entries) => Object.fromEntries(entries));
}

const PLAIN: Readonly<Record<string, fc.Arbitrary<Json>>> = {
  ...{ string: text, boolean: fc.boolean(), time, number: figure },
  ...{ object: dictionary(unheardOf), numbers: dictionary(figure) },
};
