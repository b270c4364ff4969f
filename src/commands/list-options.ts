/** What `signals ls` was asked for, checked. */
export interface ListOptions {
  /** Epoch milliseconds UTC. */
  readonly since: number | undefined;
  /** Epoch milliseconds UTC. */
  readonly until: number | undefined;
  readonly symbol: string | undefined;
  /** The API's screener_type. */
  readonly type: string | undefined;
  readonly cursor: string | undefined;
  /** Cards in all; Infinity for --all. */
  readonly cards: number;
  readonly outcomes: boolean;
}
