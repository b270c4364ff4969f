import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { errnoOf, isMissing } from '../runtime/files.ts';
import { readSmallFile } from '../runtime/small-file.ts';
import { setBack } from './record-usage.ts';
import { Usage } from './usage.ts';

/** Less than this between two processes' times is no clock set back, but one of them writing a little late. */
const TOLERANCE = 2_000;
/** Of a state. */
const NAME = /^([1-9]\d{0,14})\.json$/;
const LAST_NUMBER = 10 ** 15 - 1;
/** So many states stay: whoever has just seen the name of one still finds it, and one that is damaged has others before it. */
const KEPT = 4;
/** Bytes: more than the program ever writes. */
const LARGEST = 1024 * 1024;
/** Of so many processes the latest change is known: of more than write while one looks whether its own is there. */
const WRITERS = 100;

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
 * The usage of one account, shared by every process on this machine without a lock: one small file at a time.
 *
 * Each state has the next number. A process that changes something makes the file after the one it has read: the system
 * makes no file twice, so of several processes one succeeds, and the others read again. A process that dies leaves the
 * state before its change, or the one after it, or half a file, which is passed over. Where the folder cannot be used,
 * this process goes on counting by itself and says so once.
 */
export class Ledger {
  readonly #options: LedgerOptions;
  #folder: string | undefined;
  /** Of the state that was read or written last. */
  #number = 0;
  #usage: Usage;
  readonly #writer = Math.random().toString(36).slice(2, 10);
  #changes = 0;

  constructor(options: LedgerOptions) {
    const { directory, account, usage } = options;
    this.#options = options;
    this.#folder = directory === undefined ? undefined : join(directory, 'ledger', account);
    this.#usage = usage;
  }

  /** What all processes have done so far. Where the clock was set back, all of them learn it. */
  usage(): Usage {
    this.#shared((folder) => this.#read(folder));
    if (this.#isSetBack()) this.update(() => {});
    return this.#usage;
  }

  /**
   * Changes the usage for every process.
   * @param change changes it in place; asked again where another process was faster. Nothing is written where it returns
   *   false, or throws, which is thrown on.
   */
  update(change: (usage: Usage) => unknown): void {
    this.#changes += 1;
    let isWritten: boolean | undefined;
    do {
      this.#shared((folder) => this.#read(folder));
      const usage = this.#usage;
      // Another process has gone on from the state that was written here.
      if (usage.writers.some(({ writer, changes }) => writer === this.#writer && changes === this.#changes)) return;
      const now = this.#options.now();
      if (this.#isSetBack()) setBack(usage, now);
      if (change(usage) === false) return;
      usage.latest = Math.max(usage.latest, now);
      const others = usage.writers.filter(({ writer }) => writer !== this.#writer);
      usage.writers = [...others, { writer: this.#writer, changes: this.#changes }].slice(-WRITERS);
      isWritten = this.#shared((folder) => this.#write(folder));
    } while (isWritten === false);
  }

  #isSetBack(): boolean {
    return this.#options.now() < this.#usage.latest - TOLERANCE;
  }

  /** @returns undefined where there is no folder; a mistake of ours must not hide behind that, and is thrown on */
  #shared<T>(action: (folder: string) => T): T | undefined {
    if (this.#folder === undefined) return undefined;
    try {
      return action(this.#folder);
    } catch (error) {
      const code = errnoOf(error);
      if (code === undefined) throw error;
      this.#folder = undefined;
      const { directory, warn } = this.#options;
      warn(`The ledger in ${directory} cannot be used (${code}): this command does not know what others spend.`);
      return undefined;
    }
  }

  /** Takes over the newest state. Where somebody removed all, what this process knows goes on. */
  #read(folder: string): void {
    for (;;) {
      const numbers = numbersIn(folder);
      const [newest = this.#number] = numbers;
      if (newest === this.#number) return;
      const usage = newestUsable(folder, numbers.slice(0, KEPT));
      // The other processes may have gone on meanwhile so far that those are swept away.
      if (usage === undefined && numbersIn(folder)[0] !== newest) continue;
      if (usage === undefined) this.#options.warn(`${folder} holds no ledger of this program that can be read.`);
      this.#number = newest;
      this.#usage = usage ?? this.#usage;
    }
  }

  /** @returns whether it wrote the newest state; if not, another process was faster, or goes on from it already */
  #write(folder: string): boolean {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // No process comes to the last number: somebody else's file had it, and the numbers begin anew.
    if (this.#number >= LAST_NUMBER) sweep(folder, LAST_NUMBER);
    const number = this.#number >= LAST_NUMBER ? 1 : this.#number + 1;
    const path = pathOf(folder, number);
    try {
      writeFileSync(path, JSON.stringify(this.#usage), { flag: 'wx', mode: 0o600 });
    } catch (error) {
      if (errnoOf(error) === 'EEXIST') return false;
      rmSync(path, { force: true });
      throw error;
    }
    if (numbersIn(folder)[0] !== number) return false;
    this.#number = number;
    sweep(folder, number - KEPT);
    return true;
  }
}

const pathOf = (folder: string, number: number): string => join(folder, `${number}.json`);

/** Of all states, newest first. */
function numbersIn(folder: string): number[] {
  try {
    const numbers = readdirSync(folder).flatMap((name) => NAME.exec(name)?.[1] ?? []);
    return numbers.map(Number).sort((a, b) => b - a);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** @returns undefined where none can be used */
function newestUsable(folder: string, numbers: readonly number[]): Usage | undefined {
  for (const [index, number] of numbers.entries()) {
    try {
      // Only the newest one may be in the middle of being written; on a busy machine its process may have to wait.
      return readState(pathOf(folder, number), index === 0 ? [1, 4, 20, 80, 400, 1_500] : []);
    } catch {
      // It is damaged, or gone: the one before it knows almost as much.
    }
  }
  return undefined;
}

/**
 * @param patience milliseconds to wait, one after the other, for a text that is not whole yet
 * @throws where it is no state, however large; what the system says of files
 */
function readState(path: string, [wait, ...patience]: readonly number[]): Usage {
  try {
    return v.parse(Usage, JSON.parse(readSmallFile(path, LARGEST)));
  } catch (error) {
    if (wait === undefined || !(error instanceof SyntaxError)) throw error;
  }
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, wait);
  return readState(path, patience);
}

/** Removes the states that nobody reads any more. */
function sweep(folder: string, upTo: number): void {
  for (const number of numbersIn(folder)) {
    if (number > upTo) continue;
    try {
      rmSync(pathOf(folder, number), { force: true, recursive: true });
    } catch {
      // Another process has it open, on Windows. The next one removes it.
    }
  }
}
