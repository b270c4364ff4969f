import { LIMITS } from '../api/limits.ts';
import { parseApiTime } from '../api/time.ts';

/** The parameters of `/signals`, checked; times in epoch milliseconds UTC, undefined where not sent. */
export interface SignalsParams {
  readonly since: number | undefined;
  readonly until: number | undefined;
  readonly symbol: string | undefined;
  readonly type: string | undefined;
  readonly cursor: string | undefined;
  readonly limit: number;
}

export class InvalidArgument extends Error {}

// RFC 3339, which is what "string, date-time" means in an interface description: an offset is required.
const DATE_TIME = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

/** Checks the query of `/signals` against part 4; ignores parameters that it does not list. @throws InvalidArgument */
export function signalsParams(query: URLSearchParams): SignalsParams {
  const since = dateTime(query, 'since');
  const until = dateTime(query, 'until');
  if (since !== undefined && until !== undefined && until < since) {
    throw new InvalidArgument('until must not be earlier than since');
  }
  const symbol = query.get('symbol') ?? undefined;
  if (symbol !== undefined && !LIMITS.symbol.test(symbol)) {
    throw new InvalidArgument(`symbol must match ${LIMITS.symbol.source}`);
  }
  const cursor = query.get('cursor') ?? undefined;
  if (cursor !== undefined && cursor.length > LIMITS.cursorLength)
    throw new InvalidArgument(`cursor is longer than ${LIMITS.cursorLength} characters`);
  const type = query.get('screener_type') ?? undefined;
  return { since, until, symbol, type, cursor, limit: limitOf(query) };
}

export function idParam(text: string): number {
  if (!/^\d+$/.test(text) || Number(text) < 1) throw new InvalidArgument('id must be an integer of at least 1');
  return Number(text);
}

function dateTime(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const at = DATE_TIME.test(text) ? parseApiTime(text) : undefined;
  if (at === undefined) throw new InvalidArgument(`${name} must be an ISO 8601 date-time with an offset`);
  return at;
}

function limitOf(query: URLSearchParams): number {
  const text = query.get('limit');
  if (text === null) return LIMITS.cardsPerPage;
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (!(limit >= 1 && limit <= LIMITS.cardsPerPage)) {
    throw new InvalidArgument(`limit must be an integer from 1 to ${LIMITS.cardsPerPage}`);
  }
  return limit;
}
