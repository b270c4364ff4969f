import * as v from 'valibot';
import { time } from '../api/contract/primitives.ts';
import { LIMITS } from '../api/limits.ts';
import { at } from '../api/time.ts';

export class InvalidArgument extends Error {}

// RFC 3339, which is what "string, date-time" means in an interface description: an offset is required.
const dateTime = v.pipe(time, v.regex(/(Z|[+-]\d{2}:?\d{2})$/i, 'expected an offset'), v.transform(at));

const Id = v.pipe(
  v.string(),
  v.digits('id must be an integer'),
  v.transform(Number),
  v.minValue(1, 'id must be positive'),
);

/** The parameters of `/signals` (part 4); times in epoch milliseconds UTC. Others are ignored. */
const Params = v.object({
  since: v.optional(dateTime),
  until: v.optional(dateTime),
  symbol: v.optional(v.pipe(v.string(), v.regex(LIMITS.symbol))),
  screener_type: v.optional(v.string()),
  cursor: v.optional(v.pipe(v.string(), v.maxLength(LIMITS.cursorLength))),
  limit: v.optional(
    v.pipe(v.string(), v.digits(), v.transform(Number), v.minValue(1), v.maxValue(LIMITS.cardsPerPage)),
    String(LIMITS.cardsPerPage),
  ),
});

export type SignalsParams = v.InferOutput<typeof Params>;

/** @throws InvalidArgument */
export function signalsParams(query: URLSearchParams): SignalsParams {
  const params = checked(Params, Object.fromEntries(query));
  const { since, until } = params;
  if (since !== undefined && until !== undefined && until < since) {
    throw new InvalidArgument('until must not be earlier than since');
  }
  return params;
}

/** @throws InvalidArgument */
export const idParam = (text: string): number => checked(Id, text);

function checked<S extends v.GenericSchema>(schema: S, value: unknown): v.InferOutput<S> {
  const { success, output, issues } = v.safeParse(schema, value);
  if (success) return output;
  throw new InvalidArgument([v.getDotPath(issues[0]), issues[0].message].filter(Boolean).join(': '));
}
