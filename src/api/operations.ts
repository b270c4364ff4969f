/** The operations of part 4 of the API document; client, ledger, plans and help read them here. */
import type * as v from 'valibot';
import { Access, MarketSnapshot, Screeners, SignalDetail, SignalPage, SignalStats } from './contract/resources.ts';

export interface SignalsQuery {
  since?: string | undefined;
  until?: string | undefined;
  /** 1..32 characters of A-Z and 0-9. */
  symbol?: string | undefined;
  screener_type?: string | undefined;
  /** Opaque, at most 220 characters, from a page's `next_cursor`. */
  cursor?: string | undefined;
  /** 1..25; the server's default is 25. */
  limit?: number | undefined;
}

interface Operation<Params, Schema extends v.GenericSchema> {
  /** The path's template, and the operation's name in the ledger. */
  readonly path: string;
  readonly target: (params: Params) => string;
  readonly schema: Schema;
  /** Credits one successful request costs (parts 4 and 8). */
  readonly cost: number;
}

function operation<Params, Schema extends v.GenericSchema>(
  path: string,
  cost: number,
  schema: Schema,
  target: (params: Params) => string,
): Operation<Params, Schema> {
  return { path, cost, schema, target };
}

type None = Record<string, never>;

export const OPERATIONS = {
  access: operation('/access', 0, Access, (_: None) => '/access'),
  snapshot: operation('/market-snapshot', 1, MarketSnapshot, (_: None) => '/market-snapshot'),
  screeners: operation('/screeners', 1, Screeners, (_: None) => '/screeners'),
  signals: operation('/signals', 1, SignalPage, (query: SignalsQuery) => `/signals${queryString({ ...query })}`),
  signal: operation('/signals/{id}', 1, SignalDetail, ({ id }: { id: number }) => `/signals/${id}`),
  stats: operation(
    '/signal-stats',
    5,
    SignalStats,
    (query: { screener_type?: string | undefined }) => `/signal-stats${queryString(query)}`,
  ),
};

export type OperationName = keyof typeof OPERATIONS;
export const OPERATION_NAMES = Object.keys(OPERATIONS) as readonly OperationName[];
export type ParamsOf<N extends OperationName> = Parameters<(typeof OPERATIONS)[N]['target']>[0];
export type ResourceOf<N extends OperationName> = v.InferOutput<(typeof OPERATIONS)[N]['schema']>;

function queryString(params: Record<string, string | number | undefined>): string {
  const given = Object.entries(params).filter(([, value]) => value !== undefined);
  // Half a surrogate pair is no UTF-8: a replacement character goes in its place.
  const parts = given.map(([name, value]) => `${name}=${encodeURIComponent(String(value).toWellFormed())}`);
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}
