import * as v from 'valibot';
import { time } from '../api/contract/primitives.ts';
import { LIMITS } from '../api/limits.ts';
import { at } from '../api/time.ts';
import { Refusal } from './response.ts';

// RFC 3339, which is what "string, date-time" means in an interface description: an offset is required.
const dateTime = v.pipe(time, v.regex(/(Z|[+-]\d{2}:?\d{2})$/i, 'expected an offset'), v.transform(at));

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

export const invalid = (why: string): Refusal => new Refusal(422, `Invalid arguments: ${why}.`);

/** @throws Refusal */
export function signalsParams(query: URLSearchParams): SignalsParams {
  const { success, output, issues } = v.safeParse(Params, Object.fromEntries(query));
  if (!success) throw invalid(`${v.getDotPath(issues[0])}: ${issues[0].message}`);
  const { since = Number.NEGATIVE_INFINITY, until = since } = output;
  if (until < since) throw invalid('until must not be earlier than since');
  return output;
}

/** @throws Refusal */
export function idParam(text: string): number {
  if (!/^\d*[1-9]\d*$/.test(text)) throw invalid('id must be a positive integer');
  return Number(text);
}
