import type { LedgerRecord } from './ledger-records.ts';
import { applyRecord, emptyUsage, type Usage } from './usage.ts';

/** Where records are kept. `usage` is what all records so far amount to. */
export interface LedgerStore {
  readonly usage: Usage;
  /**
   * Takes in what other processes wrote.
   * @throws StorageTrouble
   */
  refresh(): void;
  /**
   * Adds records, and takes in what stands above them.
   * @throws StorageTrouble: none, some or all of them were written
   */
  append(records: readonly LedgerRecord[]): void;
  /** Gives back what is held open; whoever uses it afterwards opens it again. */
  close(): void;
}

/** The state directory cannot be used. */
export class StorageTrouble extends Error {
  override readonly name = 'StorageTrouble';
}

/** Records of this process alone: for `--demo`, and where the state directory cannot be written. */
export class MemoryLedger implements LedgerStore {
  readonly usage: Usage;

  constructor(usage: Usage = emptyUsage()) {
    this.usage = usage;
  }

  refresh(): void {}

  append(records: readonly LedgerRecord[]): void {
    for (const record of records) applyRecord(this.usage, record);
  }

  close(): void {}
}

/** Less than this between two processes' times is no clock set back, but one of them writing a little late. */
const TOLERANCE = 2_000;

/**
 * The records of one account, whatever becomes of the place they are kept in: where that cannot be used, this process
 * goes on counting by itself and says so once.
 */
export class Ledger {
  #store: LedgerStore = new MemoryLedger();
  readonly #now: () => number;
  readonly #onTrouble: (trouble: StorageTrouble) => void;

  /**
   * @param open opens the store; may throw StorageTrouble
   * @param now epoch milliseconds UTC
   * @param onTrouble told once, when the records can no longer be shared
   */
  constructor(open: () => LedgerStore, now: () => number, onTrouble: (trouble: StorageTrouble) => void) {
    this.#now = now;
    this.#onTrouble = onTrouble;
    this.#try(() => {
      this.#store = open();
    });
  }

  /** What all records so far amount to, as of the latest `refresh` or `append`. */
  get usage(): Usage {
    return this.#store.usage;
  }

  /** Takes in what other processes wrote; says so to all of them where the clock was set back. */
  refresh(): void {
    this.#try(() => this.#store.refresh());
    const at = this.#now();
    if (at < this.usage.latest - TOLERANCE) this.append([{ is: 'clock', at }]);
  }

  append(records: readonly LedgerRecord[]): void {
    if (!this.#try(() => this.#store.append(records))) this.#store.append(records);
  }

  close(): void {
    this.#store.close();
  }

  #try(action: () => void): boolean {
    try {
      action();
      return true;
    } catch (error) {
      if (!(error instanceof StorageTrouble)) throw error;
      this.#store = new MemoryLedger(this.#store.usage);
      this.#onTrouble(error);
      return false;
    }
  }
}
