import { join } from 'node:path';
import { errnoOf } from '../runtime/files.ts';
import { LedgerFile, StorageTrouble } from './ledger-file.ts';
import { setBack } from './record-usage.ts';
import type { Usage } from './usage.ts';

/** Less than this between two processes' times is no clock set back, but one of them writing a little late. */
const TOLERANCE = 2_000;

interface LedgerOptions {
  /** The state directory; the ledger is in `ledger/<account>` of it. Undefined: this process alone, without a trace. */
  readonly directory: string | undefined;
  readonly account: string;
  /** Until anything is read. */
  readonly usage: Usage;
  /** Epoch milliseconds UTC. */
  readonly now: () => number;
  readonly warn: (text: string) => void;
}

/**
 * The usage of one account, whatever becomes of the file it is kept in: where that cannot be used, this process goes on
 * counting by itself and says so once.
 */
export class Ledger {
  readonly #options: LedgerOptions;
  #file: LedgerFile | undefined;
  #usage: Usage;

  constructor(options: LedgerOptions) {
    const { directory, account, usage, warn } = options;
    this.#options = options;
    this.#usage = usage;
    this.#file =
      directory === undefined
        ? undefined
        : new LedgerFile(join(directory, 'ledger', account), (path) =>
            warn(`${path} is no ledger of this program: it is passed over.`),
          );
  }

  /** What all processes have done so far. Where the clock was set back, all of them learn it. */
  usage(): Usage {
    this.#read();
    if (this.#isSetBack()) this.update(() => true);
    return this.#usage;
  }

  /**
   * Changes the usage for every process.
   * @param change changes it in place and returns whether it did. It is asked again where another process was faster, and
   *   must find out that its change is there already. What it throws is thrown on, and nothing is written.
   */
  update(change: (usage: Usage) => boolean): void {
    for (let asked = false; ; asked = true) {
      this.#read();
      // In memory it is done already.
      if (asked && this.#file === undefined) return;
      const now = this.#options.now();
      if (this.#isSetBack()) setBack(this.#usage, now);
      if (!change(this.#usage)) return;
      this.#usage.latest = Math.max(this.#usage.latest, now);
      if (this.#shared((file) => file.replace(this.#usage)) ?? true) return;
    }
  }

  #read(): void {
    this.#usage = this.#shared((file) => file.read()) ?? this.#usage;
  }

  #isSetBack(): boolean {
    return this.#options.now() < this.#usage.latest - TOLERANCE;
  }

  /** @returns undefined where there is no file; a mistake of ours must not hide behind that, and is thrown on */
  #shared<T>(action: (file: LedgerFile) => T): T | undefined {
    if (this.#file === undefined) return undefined;
    try {
      return action(this.#file);
    } catch (error) {
      const code = errnoOf(error);
      if (code === undefined && !(error instanceof StorageTrouble)) throw error;
      this.#file = undefined;
      const { directory, warn } = this.#options;
      const reason = code ?? (error as Error).message;
      warn(`The ledger in ${directory} cannot be used (${reason}): this command does not know what others spend.`);
      return undefined;
    }
  }
}
