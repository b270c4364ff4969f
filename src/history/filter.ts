/** Which cards of a history are meant. */
export interface Filter {
  /** Epoch milliseconds UTC, both inclusive, by `created_at`. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly symbol?: string | undefined;
  /** The API's screener_type. */
  readonly type?: string | undefined;
}

export interface Filtered {
  readonly symbol: unknown;
  readonly type: unknown;
  /** Epoch milliseconds UTC. */
  readonly at: number;
}

export function matchesRow(row: Filtered, { since, until, symbol, type }: Filter): boolean {
  return (
    (symbol === undefined || row.symbol === symbol) &&
    (type === undefined || row.type === type) &&
    (since === undefined || row.at >= since) &&
    (until === undefined || row.at <= until)
  );
}
