/** What the fields of the API document are made of. */
import * as v from 'valibot';
import { parseApiTime } from '../time.ts';

export function described<S extends v.GenericSchema<unknown>>(schema: S, about: string) {
  return v.pipe(schema, v.description(about));
}

/** Gives a schema a name. In the JSON Schemas of help it stands once in each document, and is referred to. */
export function named<S extends v.GenericSchema<unknown>>(name: string, schema: S) {
  return v.pipe(schema, v.title(name));
}

/** Another value than those allowed is a warning, no error: the API is a beta. */
export function listed<T extends string | number>(
  schema: v.GenericSchema<T>,
  allowed: readonly T[],
  about: string,
) {
  return v.pipe(schema, v.metadata({ allowed }), v.description(about));
}

/** What an object, an array, or a schema around another one has in it. */
interface InnerSchemas {
  readonly entries?: Record<string, v.GenericSchema>;
  readonly item?: v.GenericSchema;
  readonly wrapped?: v.GenericSchema;
}

interface UnlistedValue {
  readonly field: string;
  readonly value: unknown;
}

/**
 * Values that the document does not list among those allowed.
 * @param value what has passed the schema
 * @param field the name of the field that has this value; empty for the value as a whole
 */
export function unlistedValues(
  schema: v.GenericSchema,
  value: unknown,
  field = '',
): UnlistedValue[] {
  const { entries = {}, item, wrapped } = schema as InnerSchemas;
  if (value === null || value === undefined) return [];
  if (wrapped !== undefined) return unlistedValues(wrapped, value, field);
  if (item !== undefined)
    return (value as unknown[]).flatMap((element) => unlistedValues(item, element, field));
  const { allowed } = v.getMetadata(schema) as { readonly allowed?: readonly unknown[] };
  if (allowed !== undefined) return allowed.includes(value) ? [] : [{ field, value }];
  return Object.entries(entries).flatMap(([name, entry]) =>
    unlistedValues(entry, (value as Record<string, unknown>)[name], name),
  );
}

/** A bigint (`parseExactly`) is refused. */
export const integerFrom = (least: number) =>
  v.pipe(
    v.number(),
    v.safeInteger(`expected a whole number within ±${Number.MAX_SAFE_INTEGER}`),
    v.minValue(least, `expected at least ${least}`),
  );

export const count = integerFrom(0);

/** JSON has no infinity, but `1e999` parses to one. */
export const finite = v.pipe(v.number(), v.finite('expected a finite number'));

/** ISO 8601 (part 1). */
export const time = v.pipe(
  v.string(),
  v.check((text) => parseApiTime(text) !== undefined, 'expected an ISO 8601 date-time'),
  v.metadata({ format: 'date-time' }),
);

/** No card was recorded before, or later: epoch milliseconds UTC. */
const CENTURY = { begins: Date.UTC(2000, 0, 1), ends: Date.UTC(2100, 0, 1) };

/**
 * When a card was recorded. A program that has no time often sends an end of its calendar, the year 1, 1970 or 9999: an
 * export would ask for the list back to then.
 */
export const timeOfRecord = v.pipe(
  time,
  v.check(
    (text) => (parseApiTime(text) ?? CENTURY.begins) >= CENTURY.begins,
    ({ input }) => `${input} is too long ago`,
  ),
  v.check(
    (text) => (parseApiTime(text) ?? CENTURY.begins) < CENTURY.ends,
    ({ input }) => `${input} is in the future`,
  ),
);

/** valibot alone would take an array for an object without required fields. */
export const anyObject = v.pipe(
  v.custom<Record<string, unknown>>(
    (value) => value !== null && typeof value === 'object' && !Array.isArray(value),
    'expected an object',
  ),
  v.metadata({ type: 'object' }),
);

/** `parseExactly` reads an integer that no number can hold as a bigint: it passes here, with every digit. */
const anyNumber = v.lazy((value) => (typeof value === 'bigint' ? v.bigint() : finite));

/** An object of numbers whose names the document does not show. */
export const numbers = v.pipe(
  anyObject,
  v.metadata({ additionalProperties: { type: 'number' } }),
  v.record(v.string(), anyNumber),
);
