import { lstatSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { ScreenerError } from '../errors.ts';
import { blockFor } from '../runtime/clock.ts';
import { belongsToOther } from '../runtime/file-owner.ts';
import { takeLock } from '../runtime/lock.ts';
import { errnoOf, readPlainFile } from '../runtime/plain-file.ts';
import { setBack } from './record-usage.ts';
import { Usage } from './usage.ts';

const FILE = 'usage.json';
const LARGEST = 1024 * 1024;
/** Milliseconds: a holder silent for longer was killed, or suspended. */
const LOCK = { life: 2_000, patience: 10_000 };
/** Two processes may write in another order than their times, milliseconds. */
const TOLERANCE = 2_000;
/** Windows, of a file that a reader has open. */
const IN_USE = ['EPERM', 'EACCES', 'EBUSY'];
const ATTEMPTS = 20;

interface LedgerOptions {
  /** Undefined: this process alone, without a trace. */
  readonly directory: string | undefined;
  readonly account: string;
  readonly usage: Usage;
  readonly now: () => number;
  readonly warn: (text: string) => void;
}

/** One account's usage, shared by all processes. If its folder fails, the process says so and counts by itself. */
export class Ledger {
  readonly #options: LedgerOptions;
  #folder: string | undefined;
  #usage: Usage;
  /** What `#usage` was read from; undefined where a change of it was not written. */
  #text: string | undefined;
  #isDamaged = false;

  constructor(options: LedgerOptions) {
    const { directory, account, usage } = options;
    this.#options = options;
    this.#usage = usage;
    if (directory === undefined) return;
    this.#folder = join(directory, 'ledger', account);
    this.#shared((folder) => {
      for (const one of [dirname(folder), folder]) checkOwn(one);
    });
  }

  usage(): Usage {
    this.#shared((folder) => this.#read(folder));
    if (this.#isSetBack()) this.update(() => {});
    return this.#usage;
  }

  /** @param change changes the usage in place, maybe several times; nothing is written if it returns false or throws */
  update(change: (usage: Usage) => unknown): void {
    let isApplied = false;
    const apply = () => {
      isApplied = true;
      const now = this.#options.now();
      if (this.#isSetBack()) setBack(this.#usage, now);
      if (change(this.#usage) === false) return false;
      this.#usage.latest = Math.max(this.#usage.latest, now);
      return true;
    };
    this.#shared((folder) => {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      for (let attempt = 1; !this.#replace(folder, apply, attempt < ATTEMPTS); attempt += 1) blockFor(5 * attempt);
    });
    if (!isApplied) apply();
  }

  /** @returns false if it is to be tried again */
  #replace(folder: string, apply: () => boolean, mayTryAgain: boolean): boolean {
    const lock = takeLock(folder, LOCK);
    try {
      this.#read(folder);
      this.#text = undefined;
      if (!apply()) return true;
      const text = JSON.stringify(this.#usage);
      lock.commit(FILE, text);
      this.#text = text;
      return true;
    } catch (error) {
      if (mayTryAgain && (isBusy(error) || IN_USE.includes(errnoOf(error) ?? ''))) return false;
      throw error;
    } finally {
      lock.release();
    }
  }

  #isSetBack(): boolean {
    return this.#options.now() < this.#usage.latest - TOLERANCE;
  }

  /** A mistake of ours must not pass for a broken folder: it is thrown on. */
  #shared(action: (folder: string) => void): void {
    if (this.#folder === undefined) return;
    try {
      action(this.#folder);
    } catch (error) {
      const why = error instanceof Unusable || isBusy(error) ? error.message : errnoOf(error);
      if (why === undefined) throw error;
      this.#folder = undefined;
      const { directory, warn } = this.#options;
      warn(`The ledger in ${directory} cannot be used (${why}): this command does not know what others spend.`);
    }
  }

  /** If the file was removed, what this process knows goes on. */
  #read(folder: string): void {
    try {
      const text = readPlainFile(join(folder, FILE), LARGEST);
      if (text === undefined) return;
      if (text !== this.#text) this.#usage = v.parse(Usage, JSON.parse(text));
      this.#text = text;
    } catch {
      if (this.#isDamaged) return;
      this.#isDamaged = true;
      this.#options.warn(`${folder} holds no ledger of this program that can be read.`);
    }
  }
}

class Unusable extends Error {}

/** Another process held the lock for too long, or took it over. */
function isBusy(error: unknown): error is ScreenerError {
  return error instanceof ScreenerError && (error.code === 'busy' || error.code === 'storage');
}

/** Whoever can change the ledger can make this user's commands wait, or spend. */
function checkOwn(folder: string): void {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found?.isSymbolicLink()) throw new Unusable(`${folder} is a link`);
  if (found !== undefined && belongsToOther(found)) throw new Unusable(`${folder} is another user's`);
}
