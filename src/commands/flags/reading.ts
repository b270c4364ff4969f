/** What the reading of options may depend on. */
export interface Reading {
  /** Epoch milliseconds UTC. */
  readonly now: number;
  readonly env: Readonly<Record<string, string | undefined>>;
}
