/** Parts of what commands print, described. */
import * as v from 'valibot';
import { described } from '../../api/contract/primitives.ts';

export function objectOf<E extends v.ObjectEntries>(about: string, entries: E) {
  return described(v.object(entries), about);
}

export function nullableObjectOf<E extends v.ObjectEntries>(about: string, entries: E) {
  return described(v.nullable(v.object(entries)), about);
}

export function listOf<E extends v.ObjectEntries>(about: string, entries: E) {
  return described(v.array(v.object(entries)), about);
}

/** The same of each horizon. */
export function byHorizon<S extends v.GenericSchema<unknown>>(about: string, schema: S) {
  return objectOf(about, { '1h': described(schema, 'after 1 hour'), '24h': described(schema, 'after 24 hours') });
}
