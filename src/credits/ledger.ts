import type { Line } from './ledger-records.ts';
import { type Journal, MemoryJournal, StorageTrouble } from './ledger-store.ts';
import type { State } from './state.ts';

/** Less than this between two processes' times is no clock set back, but one of them writing a little late. */
const TOLERANCE = 2_000;

/**
 * The lines of one account, whatever becomes of the place they are kept in: where that cannot be used, this process
 * goes on counting by itself and says so once.
 */
export class Ledger {
  #journal: Journal;
  readonly #now: () => number;
  readonly #onTrouble: (trouble: StorageTrouble) => void;

  /**
   * @param open opens the journal; may throw StorageTrouble
   * @param now epoch milliseconds UTC
   * @param onTrouble told once, when the lines can no longer be shared
   */
  constructor(open: () => Journal, now: () => number, onTrouble: (trouble: StorageTrouble) => void) {
    this.#now = now;
    this.#onTrouble = onTrouble;
    this.#journal = new MemoryJournal();
    this.#try(() => {
      this.#journal = open();
    });
  }

  /** What all lines so far amount to, as of the latest `refresh` or `append`. */
  get state(): State {
    return this.#journal.state;
  }

  /** Takes in what other processes wrote; says so to all of them where the clock was set back. */
  refresh(): void {
    this.#try(() => this.#journal.refresh());
    const at = this.#now();
    if (at < this.state.latest - TOLERANCE) this.append([{ is: 'clock', at }]);
  }

  close(): void {
    this.#journal.close();
  }

  append(lines: readonly Line[]): void {
    const done = this.#try(() => this.#journal.append(lines));
    if (!done) this.#journal.append(lines);
  }

  #try(action: () => void): boolean {
    try {
      action();
      return true;
    } catch (error) {
      if (!(error instanceof StorageTrouble)) throw error;
      this.#journal = new MemoryJournal(this.#journal.state);
      this.#onTrouble(error);
      return false;
    }
  }
}
