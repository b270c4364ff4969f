/** What the program tells a person on stderr; `--quiet` silences all but errors. */
export interface Notes {
  /** A quote, a cost, a cursor. @param commands lines for copying: each gets a line of its own */
  note(text: string, ...commands: string[]): void;
  /** @param label has the blanks that end it: further lines begin below the text */
  labelled(label: string, text: string): void;
  /** Stale data, an unlisted value. The same text is said once. */
  warn(text: string): void;
  debug(text: string): void;
  /** A spinner on a terminal, nothing elsewhere. */
  progress(text: string): Progress;
  /** A countdown on a terminal. @param until epoch milliseconds UTC @param inTurn the service asked for no wait */
  waiting(reason: string, until: number, inTurn?: boolean): Progress;
  flush(): Promise<void>;
}

export interface Progress {
  update(text: string): void;
  stop(): void;
}
