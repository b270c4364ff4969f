/** The operations of part 4 of the API document; client, ledger, plans and help read them here. */
import type * as v from 'valibot';
import type { FailureScope } from '../errors.ts';
import {
  Access,
  MarketSnapshot,
  Screeners,
  SignalDetail,
  SignalPage,
  SignalStats,
} from './contract/resources.ts';

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

/**
 * The fields that an answer has to repeat, with the values that were asked for: `{ id: 123 }` for `/signals/123`. An undefined
 * value is not compared.
 */
export type Echo = Readonly<Record<string, unknown>>;

/** What a failure is about: one card, or the whole operation. */
export type Subject = Extract<FailureScope, 'card' | 'operation'>;

export interface Operation {
  /** The template of its path; the ledger names the operation by it. */
  readonly path: string;
  /** Credits of one successful request. */
  readonly cost: number;
  /** What a failure of the operation is about. */
  readonly subject: Subject;
  readonly schema: v.GenericSchema;
  /**
   * What an answer, or each item of a list, has to repeat of the request. The type of its parameter declares what the
   * operation takes: `ParamsOf` reads it. Here the type is `never`, so that a function with any parameter fits.
   */
  readonly echo: (params: never) => Echo;
}

/** Of an operation without parameters, as the type of its parameter says to `ParamsOf`: there is nothing to repeat. */
const noEcho = (_: Record<string, never>): Echo => ({});

export const OPERATIONS = {
  access: { path: '/access', cost: 0, subject: 'operation', schema: Access, echo: noEcho },
  snapshot: {
    path: '/market-snapshot',
    cost: 1,
    subject: 'operation',
    schema: MarketSnapshot,
    echo: noEcho,
  },
  screeners: {
    path: '/screeners',
    cost: 1,
    subject: 'operation',
    schema: Screeners,
    echo: noEcho,
  },
  signals: {
    path: '/signals',
    cost: 1,
    subject: 'operation',
    schema: SignalPage,
    // Cards have other names for these parameters.
    echo: ({ symbol, screener_type }: SignalsQuery) => ({
      source_symbol: symbol,
      source_bot_type: screener_type,
    }),
  },
  signal: {
    path: '/signals/{id}',
    cost: 1,
    subject: 'card',
    schema: SignalDetail,
    echo: (params: { id: number }): Echo => params,
  },
  stats: {
    path: '/signal-stats',
    cost: 5,
    subject: 'operation',
    schema: SignalStats,
    echo: (query: Pick<SignalsQuery, 'screener_type'>): Echo => query,
  },
} satisfies Readonly<Record<string, Operation>>;

export type OperationName = keyof typeof OPERATIONS;
export const OPERATION_NAMES = Object.keys(OPERATIONS) as readonly OperationName[];
export type ParamsOf<N extends OperationName> = Parameters<(typeof OPERATIONS)[N]['echo']>[0];
export type ResourceOf<N extends OperationName> = v.InferOutput<(typeof OPERATIONS)[N]['schema']>;

/**
 * The path and query of a request, relative to the base URL: `/signals?limit=5`.
 * @param template the operation's path; the id takes the place of `{id}` in it
 */
export function targetOf(
  template: string,
  { id, ...params }: SignalsQuery & { readonly id?: number },
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params))
    if (value !== undefined) query.set(name, String(value));
  const path = template.replace('{id}', String(id));
  return query.size === 0 ? path : `${path}?${query}`;
}
