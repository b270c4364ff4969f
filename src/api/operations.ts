/** The operations of part 4 of the API document; client, ledger, plans and help read them here. */
import type * as v from 'valibot';
import { Access, MarketSnapshot, Screeners, SignalDetail, SignalPage, SignalStats } from './contract/resources.ts';

export interface SignalsQuery {
  since?: string | undefined;
  until?: string | undefined;
  symbol?: string | undefined;
  screener_type?: string | undefined;
  /** Opaque, at most 220 characters, from a page's `next_cursor`. */
  cursor?: string | undefined;
  /** 1..25; the server's default is 25. */
  limit?: number | undefined;
}

/** Values by field; undefined if it was not asked for. */
export type Echo = Readonly<Record<string, unknown>>;

interface Operation {
  /** The path's template, and the operation's name in the ledger. */
  readonly path: string;
  /** Credits one successful request costs (parts 4 and 8). */
  readonly cost: number;
  readonly schema: v.GenericSchema;
  readonly target: (params: never) => string;
  /** Fields of the request that the answer, or each item of its list, must repeat. */
  readonly echo: (params: never) => Echo;
}

type None = Record<string, never>;
type OfType = Pick<SignalsQuery, 'screener_type'>;

function plain<S extends v.GenericSchema>(path: string, cost: number, schema: S) {
  return { path, cost, schema, target: (_: None) => path, echo: (_: None): Echo => ({}) };
}

export const OPERATIONS = {
  access: plain('/access', 0, Access),
  snapshot: plain('/market-snapshot', 1, MarketSnapshot),
  screeners: plain('/screeners', 1, Screeners),
  signals: {
    path: '/signals',
    cost: 1,
    schema: SignalPage,
    target: (query: SignalsQuery) => `/signals${queryString({ ...query })}`,
    echo: ({ symbol, screener_type }: SignalsQuery) => ({ source_symbol: symbol, source_bot_type: screener_type }),
  },
  signal: {
    path: '/signals/{id}',
    cost: 1,
    schema: SignalDetail,
    target: (of: { id: number }) => `/signals/${of.id}`,
    echo: (of: { id: number }): Echo => of,
  },
  stats: {
    path: '/signal-stats',
    cost: 5,
    schema: SignalStats,
    target: (query: OfType) => `/signal-stats${queryString(query)}`,
    echo: (query: OfType): Echo => query,
  },
} satisfies Record<string, Operation>;

export type OperationName = keyof typeof OPERATIONS;
export const OPERATION_NAMES = Object.keys(OPERATIONS) as readonly OperationName[];
export type ParamsOf<N extends OperationName> = Parameters<(typeof OPERATIONS)[N]['target']>[0];
export type ResourceOf<N extends OperationName> = v.InferOutput<(typeof OPERATIONS)[N]['schema']>;

function queryString(params: Record<string, string | number | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) if (value !== undefined) query.set(name, String(value));
  return query.size === 0 ? '' : `?${query}`;
}
