/** What the fields of the API document are made of. */
import * as v from 'valibot';
import { at, parseApiTime } from '../time.ts';

export function described<S extends v.GenericSchema<unknown>>(schema: S, about: string) {
  return v.pipe(schema, v.description(about));
}

/** Gives a schema a name. The JSON Schemas that `help` prints write a named schema once, and refer to it by its name. */
export function named<S extends v.GenericSchema<unknown>>(name: string, schema: S) {
  return v.pipe(schema, v.title(name));
}

/** A field for which the document lists the allowed values. Another value is a warning, no error: the API is a beta. */
export function listed<T extends string | number>(
  schema: v.GenericSchema<T>,
  allowed: readonly T[],
  about: string,
) {
  return v.pipe(schema, v.metadata({ allowed }), v.description(about));
}

/** The inner schemas of an object (`entries`), an array (`item`), or a schema around another one (`wrapped`). */
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
 * Finds the values that the document does not list as allowed.
 * @param value a value that has passed the schema
 * @param field the name of the field that holds the value; empty for a whole resource
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

/** An integer that a number can hold exactly. `parseExactly` reads a larger integer as a bigint, which is refused here. */
export const integerFrom = (least: number) =>
  v.pipe(
    v.number(),
    v.safeInteger(`expected a whole number within ±${Number.MAX_SAFE_INTEGER}`),
    v.minValue(least, `expected at least ${least}`),
  );

export const count = integerFrom(0);

/** A number of JSON. (`1e999` is JSON, too, but is read as infinity.) */
export const finite = v.pipe(v.number(), v.finite('expected a finite number'));

/** ISO 8601 (part 1). */
export const time = v.pipe(
  v.string(),
  v.check((text) => parseApiTime(text) !== undefined, 'expected an ISO 8601 date-time'),
  v.metadata({ format: 'date-time' }),
);

/** Every card is recorded between these times, epoch milliseconds UTC. */
const POSSIBLE_TIMES = { from: Date.UTC(2000, 0, 1), until: Date.UTC(2100, 0, 1) };

// Both are false for a text that is no time: `time` has refused it already, but valibot still runs these checks.
const isTooEarly = (text: string): boolean => at(text) < POSSIBLE_TIMES.from;
const isTooLate = (text: string): boolean => at(text) >= POSSIBLE_TIMES.until;

/**
 * When a card was recorded. Years such as 1, 1970 or 9999 are refused: a program sends them if it has no time. An export would
 * ask for the list back to that year.
 */
export const timeOfRecord = v.pipe(
  time,
  v.check(
    (text) => !isTooEarly(text),
    ({ input }) => `${input} is too long ago`,
  ),
  v.check(
    (text) => !isTooLate(text),
    // This check knows no clock: `whyBad` (`api/bad-cards.ts`) finds cards of the future before 2100.
    ({ input }) => `${input} is in the future`,
  ),
);

/** An object with any fields. (An object schema of valibot without required fields would let an array pass.) */
export const anyObject = v.pipe(
  v.custom<Record<string, unknown>>(
    (value) => value !== null && typeof value === 'object' && !Array.isArray(value),
    'expected an object',
  ),
  v.metadata({ type: 'object' }),
);

/**
 * An object whose keys are names of the service, for example screener types: any text. `v.record` leaves out the names
 * `__proto__`, `prototype` and `constructor`.
 * @returns an object without a prototype, so that it has no inherited names, such as `toString`
 */
export function byName<S extends v.GenericSchema>(value: S) {
  return v.pipe(
    anyObject,
    v.transform((object) => Object.entries(object)),
    v.array(v.tuple([v.string(), value])),
    v.transform((entries) => {
      const values: Record<string, v.InferOutput<S>> = Object.create(null);
      for (const [name, ofName] of entries) values[name] = ofName;
      return values;
    }),
  );
}

/** A number, or a bigint: `parseExactly` makes a bigint of an integer that is too large for a number, so that all digits are kept. */
const anyNumber = v.lazy((value) => (typeof value === 'bigint' ? v.bigint() : finite));

/**
 * An object of numbers whose names the document does not show. No user chooses these names, so `v.record` suffices (see `byName`).
 */
export const numbers = v.pipe(
  anyObject,
  v.metadata({ additionalProperties: { type: 'number' } }),
  v.record(v.string(), anyNumber),
);
