import type { Line } from './ledger-records.ts';
import { emptyState, type State } from './state.ts';
import { apply } from './usage.ts';

/** Where lines are kept. What `state` says is what all lines so far amount to. */
export interface Journal {
  readonly state: State;
  /**
   * Takes in what other processes wrote.
   * @throws StorageTrouble
   */
  refresh(): void;
  /**
   * Adds lines, and takes in what stands above them.
   * @throws StorageTrouble: none, some or all of them were written
   */
  append(lines: readonly Line[]): void;
  /** Gives back what is held open; whoever uses it afterwards opens it again. */
  close(): void;
}

/** The state directory cannot be used. */
export class StorageTrouble extends Error {
  override readonly name = 'StorageTrouble';
}

/** Lines of this process alone: for `--demo`, and where the state directory cannot be written. */
export class MemoryJournal implements Journal {
  readonly state: State;

  constructor(state: State = emptyState()) {
    this.state = state;
  }

  refresh(): void {}

  append(lines: readonly Line[]): void {
    for (const line of lines) apply(this.state, line);
  }

  close(): void {}
}
