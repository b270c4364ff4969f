import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DAY, utcDay } from '../runtime/units.ts';
import { applyRecord } from './apply-record.ts';
import { type LedgerRecord, parseRecord } from './ledger-records.ts';
import type { Usage } from './usage.ts';

const DAY_FILE = /^(\d{4}-\d{2}-\d{2})\.ndjson$/;
const NEWLINE = 10;
// Windows has no O_NOFOLLOW. A symbolic link in a ledger's place is somebody's trick: following it would write there.
const WRITE = constants.O_RDWR | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);

/** The state directory cannot be used. */
export class StorageTrouble extends Error {
  override readonly name = 'StorageTrouble';
}

/** The file of a day, and how far it was read. */
interface DayFile {
  readonly fd: number;
  readonly day: string;
  /** Everything before it is in the usage. */
  offset: number;
  /** Bytes after `offset` that are no complete line. */
  torn: number;
}

/**
 * The ledger on disk: a file a UTC day, append-only, shared by every process of the account without a lock. A single
 * O_APPEND write is never mixed with another, so the order of records is the same for everybody.
 *
 * Whoever writes first on a day begins its file with a record of all that matters of the days before, so that only the
 * newest file is ever read.
 *
 * DECISION: no seal closes the file of a day that is over. What a process writes into it at the moment of UTC midnight,
 * when another one has already begun the new file, is not read by others. The price is, at worst, a request too many in
 * that minute, which the service answers with a 429, or a wait for the end of a request that is over; seals, or a second
 * file to read, cost 200 lines.
 */
export class LedgerFile {
  readonly #folder: string;
  readonly #usage: Usage;
  readonly #now: () => number;
  #file: DayFile | undefined;
  /** The newest day whose file was ever read. */
  #day = '';

  /**
   * @param folder the account's folder; made when something is first written
   * @param usage what all records amount to: kept up to date in place
   * @param now epoch milliseconds UTC
   */
  constructor(folder: string, usage: Usage, now: () => number) {
    this.#folder = folder;
    this.#usage = usage;
    this.#now = now;
  }

  /** Takes in what other processes wrote. @throws StorageTrouble, or what the system says of files */
  read(): void {
    if (this.#file !== undefined && !this.#catchUp(this.#file)) this.close();
    if (this.#fileOfToday() === undefined) this.#openNewest();
  }

  /**
   * Adds records, and takes in what stands above them.
   * @throws StorageTrouble, or what the system says of files: none, some or all of them were written then
   */
  append(records: readonly LedgerRecord[]): void {
    this.read();
    const file = this.#fileOfToday() ?? this.#begin();
    const isNew = file.offset + file.torn === 0 && this.#usage.latest > 0;
    const day: LedgerRecord[] = isNew ? [{ is: 'day', at: this.#now(), usage: this.#usage }] : [];
    const lines = [...day, ...records].map((record) => JSON.stringify(record));
    // A torn line stays alone; what is ours begins on a line of its own.
    const bytes = Buffer.from(`${file.torn > 0 ? '\n' : ''}${lines.join('\n')}\n`);
    // One write, or trouble: a second one would be a place for other processes' records to come between.
    if (writeSync(file.fd, bytes) !== bytes.length) throw new StorageTrouble('ENOSPC');
    this.#catchUp(file);
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file.fd);
    this.#file = undefined;
  }

  #fileOfToday(): DayFile | undefined {
    return this.#file !== undefined && this.#file.day >= utcDay(this.#now()) ? this.#file : undefined;
  }

  /**
   * Goes over to the newest file that holds anything, if it is not open. Tomorrow's may be there where the clock was set
   * back over midnight: then turns go on in it. One of a later day was left by a clock that was wrong for a while.
   */
  #openNewest(): void {
    const tomorrow = utcDay(this.#now() + DAY);
    const isNewer = (day: string) => day > this.#day || (day === this.#day && this.#file === undefined);
    const days = this.#days().filter((day) => day <= tomorrow && isNewer(day));
    for (const day of days.sort().reverse()) {
      const fd = openSync(this.#path(day), WRITE);
      if (fstatSync(fd).size > 0) {
        this.#goOverTo(fd, day);
        break;
      }
      // Somebody has made it and not yet written: what matters is in the one before.
      closeSync(fd);
    }
  }

  #days(): string[] {
    try {
      return readdirSync(this.#folder).flatMap((name) => DAY_FILE.exec(name)?.[1] ?? []);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }

  /** Opens today's file, and makes it where nobody has. */
  #begin(): DayFile {
    const today = utcDay(this.#now());
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const found = lstatSync(this.#folder);
    if (!found.isDirectory()) throw new StorageTrouble('its folder is a symbolic link');
    if ((found.mode & 0o077) !== 0) chmodSync(this.#folder, 0o700);
    return this.#goOverTo(openSync(this.#path(today), WRITE | constants.O_CREAT, 0o600), today);
  }

  #goOverTo(fd: number, day: string): DayFile {
    // What its last writers added to the file before is in the usage before anything of the new one is.
    if (this.#file !== undefined) this.#catchUp(this.#file);
    this.close();
    this.#day = day;
    this.#file = { fd, day, offset: 0, torn: 0 };
    this.#catchUp(this.#file);
    return this.#file;
  }

  #path(day: string): string {
    return join(this.#folder, `${day}.ndjson`);
  }

  /** @returns false where somebody removed or emptied the file; what is known of it stays known, and goes into the next */
  #catchUp(file: DayFile): boolean {
    const { size, nlink } = fstatSync(file.fd);
    if (nlink === 0 || size < file.offset) return false;
    if (size === file.offset + file.torn) return true;
    const buffer = Buffer.allocUnsafe(size - file.offset);
    const bytes = buffer.subarray(0, readSync(file.fd, buffer, 0, buffer.length, file.offset));
    const length = bytes.lastIndexOf(NEWLINE) + 1;
    for (const line of bytes.toString('utf8', 0, length).split('\n')) {
      const record = parseRecord(line);
      if (record !== undefined) applyRecord(this.#usage, record);
    }
    file.offset += length;
    file.torn = bytes.length - length;
    return true;
  }
}
