import { chmodSync, linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { errnoOf, isMissing } from '../runtime/files.ts';
import { readSmallFile } from '../runtime/small-file.ts';
import { Usage } from './usage.ts';

/** `<number>.json` is a state; `<number>.<anything>.tmp` is one that is being written, or was when its process died. */
const NAME = /^([1-9]\d{0,14})\.(json|\w+\.tmp)$/;
const LAST_NUMBER = 10 ** 15 - 1;
/** So many states stay: whoever has just seen the name of one still finds it. */
const KEPT = 4;
/** So many are tried where the newest cannot be used: others would be looked at for hours. */
const TRIED = 50;
/** Bytes: more than the program ever writes. */
const LARGEST = 1024 * 1024;
/** So often the newest state may be gone before it is read. */
const PATIENCE = 1_000;

/** The state directory cannot be used. */
export class StorageTrouble extends Error {
  override readonly name = 'StorageTrouble';
}

/**
 * The ledger on disk: one small file at a time, shared by every process of the account without a lock.
 *
 * Each state of it has the next number. A process that changes something writes the whole state aside and links it to the
 * number after the one it has read: the system makes no link twice, so of several processes one succeeds, and the others
 * read again. A process that dies leaves the state before its change, or the one after it.
 */
export class LedgerFile {
  readonly #folder: string;
  readonly #onRubbish: (path: string) => void;
  #number = 0;
  #usage: Usage | undefined;

  /**
   * @param folder the account's folder; made when something is first written
   * @param onRubbish told of a file that cannot be read, is larger than any state, or none: it is passed over
   */
  constructor(folder: string, onRubbish: (path: string) => void) {
    this.#folder = folder;
    this.#onRubbish = onRubbish;
  }

  /**
   * The usage of the newest state. Where somebody removed it, what this process knows goes on.
   * @returns undefined where there is none
   * @throws StorageTrouble, or what the system says of files
   */
  read(): Usage | undefined {
    for (let attempt = 0; attempt < PATIENCE; attempt += 1) {
      const numbers = this.#numbers();
      const [newest = this.#number] = numbers;
      if (newest === this.#number) return this.#usage;
      const usage = this.#firstUsable(numbers);
      if (usage === 'gone') continue;
      this.#number = newest;
      this.#usage = usage ?? this.#usage;
    }
    throw new StorageTrouble('its files come and go');
  }

  /**
   * Writes the state after the one that was read last.
   * @returns whether it is the newest. If not, another process was faster, or goes on from it already.
   * @throws StorageTrouble, or what the system says of files
   */
  replace(usage: Usage): boolean {
    const number = this.#number + 1;
    if (number > LAST_NUMBER) throw new StorageTrouble('its numbers have come to their end');
    this.#makeFolder();
    const aside = join(this.#folder, `${number}.${Math.random().toString(36).slice(2)}.tmp`);
    try {
      writeFileSync(aside, JSON.stringify(usage), { flag: 'wx', mode: 0o600 });
      if (!placed(aside, this.#path(number))) return false;
    } finally {
      rmSync(aside, { force: true });
    }
    if (this.#numbers()[0] !== number) return false;
    this.#number = number;
    this.#usage = usage;
    this.#sweep(number - KEPT);
    return true;
  }

  /** @returns 'gone' where other processes have gone on meanwhile; undefined where none can be used */
  #firstUsable(numbers: readonly number[]): Usage | 'gone' | undefined {
    for (const [index, number] of numbers.slice(0, TRIED).entries()) {
      try {
        // Only the newest one may be in the middle of being written.
        return index === 0 ? readPatiently(this.#path(number)) : readState(this.#path(number));
      } catch (error) {
        if (isMissing(error)) return 'gone';
        this.#onRubbish(this.#path(number));
      }
    }
    return undefined;
  }

  /** Of all states, newest first. */
  #numbers(): number[] {
    const numbers = this.#names().flatMap(({ number, kind }) => (kind === 'json' ? [number] : []));
    return numbers.sort((a, b) => b - a);
  }

  #names(): { name: string; number: number; kind: string | undefined }[] {
    try {
      return readdirSync(this.#folder).flatMap((name) => {
        const match = NAME.exec(name);
        return match === null ? [] : [{ name, number: Number(match[1]), kind: match[2] }];
      });
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return [];
      throw error;
    }
  }

  #path(number: number): string {
    return join(this.#folder, `${number}.json`);
  }

  #makeFolder(): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const found = lstatSync(this.#folder);
    if (!found.isDirectory()) throw new StorageTrouble('its folder is a symbolic link');
    if ((found.mode & 0o077) !== 0) chmodSync(this.#folder, 0o700);
  }

  /** Removes what nobody reads any more, and what dead processes left. */
  #sweep(upTo: number): void {
    for (const { name, number } of this.#names()) {
      if (number > upTo) continue;
      try {
        rmSync(join(this.#folder, name), { force: true });
      } catch {
        // Somebody put a folder there, perhaps. It is in nobody's way.
      }
    }
  }
}

/** @returns whether the state got its place; false where another process was faster */
function placed(aside: string, path: string): boolean {
  try {
    linkSync(aside, path);
    return true;
  } catch (error) {
    if (isTaken(error)) return false;
  }
  try {
    // A file system without links. The name is there before the text: readers wait for it.
    writeFileSync(path, readFileSync(aside), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (isTaken(error)) return false;
    throw error;
  }
}

/** Whether somebody else has the number, or has gone on so far that what was written aside is swept away. */
function isTaken(error: unknown): boolean {
  return ['EEXIST', 'ENOENT'].includes(errnoOf(error) ?? '');
}

/** A state that is being written just now is waited for. @throws as `readState` */
function readPatiently(path: string): Usage {
  for (const wait of [1, 4, 20, 80]) {
    try {
      return readState(path);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, wait);
  }
  return readState(path);
}

/** @throws where it is no state, however large; what the system says of files */
function readState(path: string): Usage {
  return v.parse(Usage, JSON.parse(readSmallFile(path, LARGEST)));
}
