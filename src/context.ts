import type { Readable } from 'node:stream';

/** A stream to the outside. `write` settles when the text is handed over, so that a reader's pace is respected. */
export interface Sink {
  readonly isTTY: boolean;
  /** Width in columns; undefined when it is no terminal. */
  readonly columns: number | undefined;
  /** Rejects with `OutputClosed` when the reader is gone. */
  write(text: string): Promise<void>;
}

export interface Clock {
  /** Epoch milliseconds, UTC. */
  now(): number;
  /** Monotonic milliseconds: unaffected when the wall clock is set. */
  monotonic(): number;
  /** Resolves after `millis`; rejects at once with the signal's reason when aborted. */
  sleep(millis: number, signal?: AbortSignal): Promise<void>;
}

export interface Directories {
  /** Holds config.json, with the key. */
  readonly config: string;
  /** Holds the ledger. */
  readonly state: string;
}

/** The only way out of the program: whoever holds no Context touches nothing outside. */
export interface Context {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable & { isTTY?: boolean };
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly clock: Clock;
  /** Aborted, with a `ScreenerError` of code `interrupted` as its reason, on Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
  readonly directories: Directories;
  readonly pid: number;
  /** 0 <= random() < 1 */
  readonly random: () => number;
}
