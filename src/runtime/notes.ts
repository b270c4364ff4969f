/** What the program tells a person while it works. It goes to stderr; `--quiet` silences all but errors. */
export interface Notes {
  /**
   * One line that is good to know: a quote, a cost, the cursor to go on from.
   * @param commands command lines for copying: each gets a line of its own
   */
  note(text: string, ...commands: string[]): void;
  /** One line that the user should read: stale data, an unlisted value. The same text is said once. */
  warn(text: string): void;
  /** One line for `--verbose`. */
  debug(text: string): void;
  /** Shows that the program is at work: a spinner on a terminal, nothing elsewhere. */
  progress(text: string): Progress;
  /**
   * Shows a wait with its reason and a countdown on a terminal; elsewhere says it once, in a line, when it is longer
   * than a second.
   * @param until epoch milliseconds UTC
   */
  waiting(reason: string, until: number): Progress;
  /** Resolves when every line so far was handed to stderr. */
  flush(): Promise<void>;
}

export interface Progress {
  update(text: string): void;
  stop(): void;
}
