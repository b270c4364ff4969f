import * as v from 'valibot';
import { parseApiTime } from '../time.ts';

/** A value with the few words, and their unit, that help and JSON Schema say of it. */
export function described<S extends v.GenericSchema<unknown>>(schema: S, about: string) {
  return v.pipe(schema, v.description(about));
}

/** integer >= `least`. One that a number cannot hold exactly (a bigint, see `exact-json.ts`) is refused. */
export const integerFrom = (least: number) =>
  v.pipe(
    v.number(),
    v.safeInteger(`expected a whole number within ±${Number.MAX_SAFE_INTEGER}`),
    v.minValue(least, `expected at least ${least}`),
  );

export const count = integerFrom(0);

/** JSON has no infinity, but `1e999` parses to one. */
export const finite = v.pipe(v.number(), v.finite('expected a finite number'));

export const time = v.pipe(
  v.string(),
  v.check((text) => parseApiTime(text) !== undefined, 'expected an ISO 8601 date-time'),
);

/**
 * A field whose document lists its allowed values. The API is a beta: another value of the right type is a warning
 * (see `unlisted.ts`), so the schema checks only the type.
 */
export const listedText = v.string();

/** An object of any keys. valibot alone would take an array for an object without required fields. */
export const anyObject = v.custom<Record<string, unknown>>(
  (value) => value !== null && typeof value === 'object' && !Array.isArray(value),
  'expected an object',
);

/** Keys that valibot's `record` skips, as code could change a prototype through them. From JSON they are data. */
const PASSED_OVER = ['__proto__', 'prototype', 'constructor'];

/** A number of a field that the document does not name: one that a number cannot hold is kept as a bigint. */
const anyNumber = v.lazy((value) => (typeof value === 'bigint' ? v.bigint() : finite));

/** An object of any keys with numbers as values. */
export const numbers = v.pipe(
  anyObject,
  v.check(
    (object) => PASSED_OVER.every((key) => !Object.hasOwn(object, key) || v.is(anyNumber, object[key])),
    'expected numbers',
  ),
  v.record(v.string(), anyNumber),
);
