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
import path from 'node:path';
import { DAY } from '../runtime/units.ts';
import { type LedgerStore, StorageTrouble } from './ledger.ts';
import { formatRecord, type LedgerRecord, parseRecord } from './ledger-records.ts';
import { applyRecord, carriedFrom, dayOf, emptyUsage, type Usage } from './usage.ts';

const DAY_FILE = /^(\d{4}-\d{2}-\d{2})\.ndjson$/;
const NEWLINE = 10;
/** A day of 200 requests is 60 KB. Of a file that is larger than this by far, only the end counts. */
const MOST_READ = 4 * 1024 * 1024;
/** After so many bytes without one, the next writer adds a record that carries everything: the end then suffices. */
const CARRY_AGAIN_AFTER = MOST_READ / 2;
/** A record that is not found again after being written (glued to somebody's torn line) is written again. */
const TRIES = 3;
// Windows has no O_NOFOLLOW. A symbolic link in a ledger's place is somebody's trick: following it would write there.
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);
const WRITE = constants.O_RDWR | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);

/** A day's file, and how far it was read. */
interface DayFile {
  readonly fd: number;
  readonly day: string;
  /** Everything before it is in the usage, or was passed over. */
  offset: number;
  /** Bytes after `offset` that are no complete line. */
  torn: number;
  /** Where the latest record stands that carries everything before it. */
  carriedAt: number;
}

/**
 * The ledger on disk: a file a UTC day, append-only, shared by every process of the account without a lock. A single
 * O_APPEND write is never mixed with another, so the order of records is the same for everybody.
 *
 * The file of today and the one before it are read as one sequence. Whoever writes first on a day begins its file with
 * a record that carries what still matters of the days before; several may do so at once.
 *
 * DECISION: no seal closes the file of a day that is over. A process that writes into it at the moment of UTC midnight,
 * while another one already reads the new file, is read a little later than it wrote. The price is a request too many
 * in that minute at worst, which the service answers with a 429; the earlier seals and checkpoints cost 200 lines.
 */
export class LedgerFile implements LedgerStore {
  usage: Usage = emptyUsage();
  readonly #folder: string;
  readonly #now: () => number;
  #before: DayFile | undefined;
  #current: DayFile | undefined;
  /** The day on which the files were last looked for. */
  #lookedOn = '';

  /**
   * @param folder the account's folder; made when something is first written
   * @param now epoch milliseconds UTC
   * @throws StorageTrouble
   */
  constructor(folder: string, now: () => number) {
    this.#folder = folder;
    this.#now = now;
    this.refresh();
  }

  refresh(): void {
    guard(() => this.#catchUp(new Set()));
  }

  append(records: readonly LedgerRecord[]): void {
    guard(() => {
      const unseen = new Set(records.map(formatRecord));
      for (let attempt = 0; attempt < TRIES && unseen.size > 0; attempt += 1) {
        this.#catchUp(new Set());
        this.#write([...unseen]);
        this.#catchUp(unseen);
      }
      if (unseen.size > 0) throw new StorageTrouble('what was written is not there');
    });
  }

  close(): void {
    for (const file of [this.#before, this.#current]) if (file !== undefined) closeSync(file.fd);
    this.#before = undefined;
    this.#current = undefined;
    this.#lookedOn = '';
    this.usage = emptyUsage();
  }

  /** Takes in what was added to both files. Strikes what it meets off `unseen`. */
  #catchUp(unseen: Set<string>): void {
    const today = dayOf(this.#now());
    if (this.#lookedOn !== today || this.#current === undefined || this.#current.day < today) this.#locate(today);
    if (this.#before !== undefined && !this.#read(this.#before, unseen)) this.#before = undefined;
    if (this.#current !== undefined && !this.#read(this.#current, unseen)) this.#current = undefined;
  }

  /** Opens the newest file and the one before it, unless they are open. */
  #locate(today: string): void {
    // Tomorrow's may be there where the clock was set back over midnight: then turns go on in it. One of a later day
    // was left by a clock that was wrong for a while.
    const tomorrow = dayOf(this.#now() + DAY);
    const days = this.#days().filter((day) => day <= tomorrow);
    const newest = (this.#current ?? this.#before)?.day ?? '';
    for (const day of days.slice(-2)) if (day > newest) this.#open(day, day < today ? READ : WRITE);
    this.#lookedOn = today;
  }

  #days(): string[] {
    try {
      const days = readdirSync(this.#folder).map((name) => DAY_FILE.exec(name)?.[1]);
      return days.filter((day) => day !== undefined).sort();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }

  /** Makes a day's file the current one, and the current one the one before. */
  #open(day: string, flags: number): void {
    const fd = openSync(path.join(this.#folder, `${day}.ndjson`), flags, 0o600);
    if (this.#current !== undefined) {
      // What its last writers added is in the usage before anything of the new file is.
      this.#read(this.#current, new Set());
      if (this.#before !== undefined) closeSync(this.#before.fd);
      this.#before = this.#current;
    }
    this.#current = { fd, day, offset: 0, torn: 0, carriedAt: 0 };
  }

  /**
   * @returns false where somebody removed or emptied the file: it is closed then. What is known of it stays known, and
   *   goes into the next.
   */
  #read(file: DayFile, unseen: Set<string>): boolean {
    const { size, nlink } = fstatSync(file.fd);
    if (nlink === 0 || size < file.offset) {
      closeSync(file.fd);
      return false;
    }
    if (size === file.offset + file.torn) return true;
    const from = Math.max(file.offset, size - MOST_READ);
    const bytes = readBytes(file.fd, from, size);
    const length = bytes.lastIndexOf(NEWLINE) + 1;
    let at = from;
    for (const line of length === 0 ? [] : bytes.toString('utf8', 0, length - 1).split('\n')) {
      const record = parseRecord(line);
      if (record !== undefined) {
        unseen.delete(line);
        if (record.is === 'day') file.carriedAt = at;
        applyRecord(this.usage, record);
      }
      at += line.length + 1;
    }
    file.offset = from + length;
    file.torn = size - file.offset;
    return true;
  }

  #write(lines: readonly string[]): void {
    const file = this.#writable();
    const isNew = file.offset + file.torn === 0;
    const carries = this.usage.latest > 0 && (isNew || file.offset + file.torn - file.carriedAt > CARRY_AGAIN_AFTER);
    const first = carries ? [formatRecord({ is: 'day', at: this.#now(), carried: carriedFrom(this.usage) })] : [];
    // A torn line stays alone; what is ours begins on a line of its own.
    const bytes = Buffer.from(`${file.torn > 0 ? '\n' : ''}${[...first, ...lines].join('\n')}\n`);
    // One write, or trouble: a second one would be a place for other processes' records to come between.
    if (writeSync(file.fd, bytes) !== bytes.length) throw new StorageTrouble('ENOSPC');
  }

  /** The file to write to now, made by whoever needs it first. */
  #writable(): DayFile {
    const today = dayOf(this.#now());
    if (this.#current === undefined || this.#current.day < today) {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      const found = lstatSync(this.#folder);
      if (!found.isDirectory()) throw new StorageTrouble('its folder is a symbolic link');
      if ((found.mode & 0o077) !== 0) chmodSync(this.#folder, 0o700);
      this.#open(today, WRITE | constants.O_CREAT);
      this.#catchUp(new Set());
    }
    if (this.#current === undefined) throw new StorageTrouble('the ledger file vanished');
    return this.#current;
  }
}

/** Turns what the system says of files into StorageTrouble; a mistake of ours must not hide behind the fallback. */
function guard(action: () => void): void {
  try {
    action();
  } catch (cause) {
    const { code, syscall } = cause as NodeJS.ErrnoException;
    if (code === undefined || syscall === undefined) throw cause;
    throw new StorageTrouble(code, { cause });
  }
}

/** The bytes of a file from `from` up to `to`; fewer where it ends before. */
function readBytes(fd: number, from: number, to: number): Buffer {
  const buffer = Buffer.allocUnsafe(Math.max(0, to - from));
  let filled = 0;
  while (filled < buffer.length) {
    const read = readSync(fd, buffer, filled, buffer.length - filled, from + filled);
    if (read === 0) break;
    filled += read;
  }
  return buffer.subarray(0, filled);
}
