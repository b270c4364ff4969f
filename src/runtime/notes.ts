/** What the program tells a person on stderr; `--quiet` silences all but errors. */
export interface Notes {
  /** A quote, a cost, a cursor. @param commands lines for copying: each gets a line of its own */
  note(text: string, ...commands: string[]): void;
  /** Stale data, an unlisted value. The same text is said once. */
  warn(text: string): void;
  /** Lines for `--verbose`. */
  debug(text: string): void;
  /** A spinner on a terminal, nothing elsewhere. */
  progress(text: string): Progress;
  /**
   * A countdown on a terminal; elsewhere one line if the wait is longer than a second.
   * @param until epoch milliseconds UTC
   */
  waiting(reason: string, until: number): Progress;
  /** Resolves when stderr has every line so far. */
  flush(): Promise<void>;
}

export interface Progress {
  update(text: string): void;
  stop(): void;
}
