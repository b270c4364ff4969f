import * as v from 'valibot';
import { anyObject } from './primitives.ts';

/**
 * The Envelope of part 2, around every body: the resource in `response`, or an error text in `errors`. All three
 * fields are required; `response` and `errors` may be null.
 */
export const Envelope = v.looseObject({
  hasError: v.boolean(),
  response: v.nullable(anyObject),
  errors: v.nullable(v.string()),
});

export type Envelope = v.InferOutput<typeof Envelope>;
