import * as v from 'valibot';
import { byHorizon, horizonOf } from '../../api/contract/horizons.ts';
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

export function objectByHorizon<S extends v.GenericSchema<unknown>>(about: string, schema: S) {
  return objectOf(
    about,
    byHorizon((name) => described(schema, `after ${horizonOf(name).words}`)),
  );
}
