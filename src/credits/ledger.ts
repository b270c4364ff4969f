import { applyRecord } from './apply-record.ts';
import { LedgerFile, StorageTrouble } from './ledger-file.ts';
import type { LedgerRecord } from './ledger-records.ts';
import type { Usage } from './usage.ts';

/** Less than this between two processes' times is no clock set back, but one of them writing a little late. */
const TOLERANCE = 2_000;

/**
 * The records of one account, whatever becomes of the file they are kept in: where that cannot be used, this process
 * goes on counting by itself and says so once.
 */
export class Ledger {
  /** What all records so far amount to, as of the latest `refresh` or `append`. */
  readonly usage: Usage;
  #file: LedgerFile | undefined;
  readonly #now: () => number;
  readonly #onTrouble: (reason: string) => void;

  /**
   * @param folder the account's folder; undefined: this process alone, without a trace
   * @param usage to begin with, before anything is read
   * @param now epoch milliseconds UTC
   * @param onTrouble told once, when the records can no longer be shared
   */
  constructor(folder: string | undefined, usage: Usage, now: () => number, onTrouble: (reason: string) => void) {
    this.usage = usage;
    this.#file = folder === undefined ? undefined : new LedgerFile(folder, usage, now);
    this.#now = now;
    this.#onTrouble = onTrouble;
  }

  /** Takes in what other processes wrote; says so to all of them where the clock was set back. */
  refresh(): void {
    this.#shared((file) => file.read());
    const at = this.#now();
    if (at < this.usage.latest - TOLERANCE) this.append([{ is: 'clock', at }]);
  }

  append(records: readonly LedgerRecord[]): void {
    if (this.#shared((file) => file.append(records))) return;
    for (const record of records) applyRecord(this.usage, record);
  }

  close(): void {
    this.#file?.close();
  }

  /** @returns whether the file did it; a mistake of ours must not hide behind the fallback, and is thrown on */
  #shared(action: (file: LedgerFile) => void): boolean {
    if (this.#file === undefined) return false;
    try {
      action(this.#file);
      return true;
    } catch (error) {
      const { code, syscall } = error as NodeJS.ErrnoException;
      const isOfSystem = code !== undefined && syscall !== undefined;
      if (!isOfSystem && !(error instanceof StorageTrouble)) throw error;
      this.#file = undefined;
      this.#onTrouble(isOfSystem ? code : (error as Error).message);
      return false;
    }
  }
}
