import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { DAY } from '../runtime/units.ts';
import { formatLine, type Line, parseLine } from './ledger-records.ts';
import { type Journal, StorageTrouble } from './ledger-store.ts';
import { pruned } from './schedule.ts';
import { dayOf, emptyState, type State } from './state.ts';
import { completeLines, latestCheckpoint, readBytes } from './tail.ts';
import { apply } from './usage.ts';

const DAY_FILE = /^(\d{4}-\d{2}-\d{2})\.ndjson$/;
/** Bytes after which the next writer adds a checkpoint; more where the state itself is long. */
const CHECKPOINT_EVERY = 3 * 1024;
/** A line that is not found again after being written (glued to somebody's torn one) is written again. */
const TRIES = 3;
// Windows has no O_NOFOLLOW. A symbolic link in a ledger's place is somebody's trick: following it would write there.
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);
const WRITE = constants.O_RDWR | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);

/** The file being read, and how far. */
interface Open {
  readonly fd: number;
  readonly day: string;
  /** Everything before it is in the state. */
  offset: number;
  /** Bytes after `offset` that are no complete line. */
  torn: number;
  /** Up to where the latest checkpoint counts. */
  checkpoint: number;
  /** Whether any line of ours stands in it. */
  started: boolean;
}

/**
 * The ledger on disk: a file a UTC day, append-only, shared by every process of the account without a lock. A single
 * O_APPEND write is never mixed with another, so the order of lines is the same for everybody.
 *
 * A new day: whoever writes first seals the earlier file with a line, and starts the new one with a line that carries
 * what stands above the seal. Several may do so at once: the first seal and the first carry count, and they say the
 * same. Whoever finds his line below the seal writes it again, in the new file.
 */
export class FileJournal implements Journal {
  state: State = emptyState();
  readonly #folder: string;
  readonly #now: () => number;
  #file: Open | undefined;

  /**
   * @param folder the account's folder; made when something is first written
   * @param now epoch milliseconds UTC
   * @throws StorageTrouble
   */
  constructor(folder: string, now: () => number) {
    this.#folder = folder;
    this.#now = now;
    this.#guard(() => this.#locate());
  }

  refresh(): void {
    this.#guard(() => {
      if (this.#file === undefined) this.#locate();
      else this.#catchUp(new Set());
    });
  }

  append(lines: readonly Line[]): void {
    this.#guard(() => {
      const unseen = new Set(lines.map(formatLine));
      for (let attempt = 0; attempt < TRIES && unseen.size > 0; attempt += 1) {
        this.#write(this.#writable(), [...unseen]);
        this.#catchUp(unseen);
      }
      if (unseen.size > 0) throw new StorageTrouble('what was written is not there');
    });
  }

  close(): void {
    const file = this.#file;
    this.#file = undefined;
    if (file !== undefined) closeSync(file.fd);
  }

  #guard(action: () => void): void {
    try {
      action();
    } catch (cause) {
      // Only what the system says of files: a mistake of ours must not hide behind the fallback.
      const { code, syscall } = cause as NodeJS.ErrnoException;
      if (code === undefined || syscall === undefined) throw cause;
      throw new StorageTrouble(code, { cause });
    }
  }

  /** Opens today's file; where there is none yet, the one before it, to know what it ended with. */
  #locate(): void {
    const today = dayOf(this.#now());
    if (this.#open(today, WRITE) && this.#file?.started) return;
    // Tomorrow's may be there where the clock was set back over midnight: then turns go on in it.
    const tomorrow = dayOf(this.#now() + DAY);
    const newest = this.#days().findLast((day) => day !== today && day <= tomorrow);
    if (newest !== undefined) this.#open(newest, newest > today ? WRITE : READ);
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

  /** Opens a day's file and takes in what it says. The state so far stays where the file says nothing. */
  #open(day: string, flags: number): boolean {
    let fd: number;
    try {
      fd = openSync(path.join(this.#folder, `${day}.ndjson`), flags, 0o600);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    }
    if (this.#file !== undefined) closeSync(this.#file.fd);
    const { state, offset } = latestCheckpoint(fd, fstatSync(fd).size);
    const before = this.state;
    this.state = state;
    this.#file = { fd, day, offset, torn: 0, checkpoint: offset, started: offset > 0 };
    this.#catchUp(new Set());
    if (this.#file?.fd === fd && !this.#file.started) this.state = before;
    return true;
  }

  /** Folds what was added to the file, and goes on in the next one where it is sealed. Strikes what it meets off `unseen`. */
  #catchUp(unseen: Set<string>): void {
    const file = this.#file;
    if (file === undefined) return;
    const { size, nlink } = fstatSync(file.fd);
    if (size === file.offset + file.torn && nlink > 0) return;
    if (nlink === 0 || size < file.offset) {
      this.#startOver(file);
      return;
    }
    const { lines, length } = completeLines(readBytes(file.fd, file.offset, size));
    for (const text of lines) {
      const line = parseLine(text);
      if (line === undefined) continue;
      if (line.is === 'seal' && this.#isValid(line.to, file.day)) {
        this.#goOn(line.to);
        return;
      }
      if (line.is === 'carry' && !file.started) this.state = line.state;
      if (line.is === 'state' && line.upto <= size) file.checkpoint = Math.max(file.checkpoint, line.upto);
      file.started = true;
      unseen.delete(text);
      apply(this.state, line);
    }
    file.offset += length;
    file.torn = size - file.offset;
  }

  /** A seal to a far day was set by a clock that was wrong for a while: nobody goes there. */
  #isValid(to: string, from: string): boolean {
    return to > from && to <= dayOf(this.#now() + DAY);
  }

  #goOn(to: string): void {
    if (this.#open(to, WRITE)) return;
    // Sealed by somebody who got no further: the state is complete, and the next writer starts the new file.
    if (this.#file !== undefined) closeSync(this.#file.fd);
    this.#file = undefined;
  }

  /** Somebody removed or emptied the file. What is known of it stays known, and goes into the next. */
  #startOver(file: Open): void {
    closeSync(file.fd);
    this.#file = undefined;
  }

  /** The file to write to now, started by whoever needs it first. */
  #writable(): Open {
    const today = dayOf(this.#now());
    const current = this.#file;
    if (current !== undefined && current.day >= today) return current;
    this.#makeFolder();
    if (current !== undefined) this.#seal(current, today);
    if (this.#file === undefined || this.#file.day < today) this.#open(today, WRITE | constants.O_CREAT);
    if (this.#file === undefined) throw new StorageTrouble('the ledger file vanished');
    return this.#file;
  }

  #seal(file: Open, to: string): void {
    const fd = openSync(path.join(this.#folder, `${file.day}.ndjson`), WRITE);
    try {
      writeAll(fd, `\n${formatLine({ is: 'seal', at: this.#now(), to })}\n`);
    } finally {
      closeSync(fd);
    }
    this.#catchUp(new Set());
  }

  #makeFolder(): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const found = lstatSync(this.#folder);
    if (!found.isDirectory()) throw new StorageTrouble('its folder is a symbolic link');
    if ((found.mode & 0o077) !== 0) chmodSync(this.#folder, 0o700);
  }

  #write(file: Open, lines: readonly string[]): void {
    const before: string[] = [];
    if (!file.started && this.state.latest > 0) {
      before.push(formatLine({ is: 'carry', at: this.#now(), state: this.state }));
    } else if (file.offset - file.checkpoint > CHECKPOINT_EVERY) {
      this.state.turns = pruned(this.state);
      const text = formatLine({ is: 'state', at: this.#now(), upto: file.offset, state: this.state });
      if (file.offset - file.checkpoint > 2 * text.length) before.push(text);
    }
    // A torn line stays alone; what is ours begins on a line of its own.
    writeAll(file.fd, `${file.torn > 0 ? '\n' : ''}${[...before, ...lines].join('\n')}\n`);
  }
}

/** One write, or trouble: a second one would be a place for other processes' lines to come between. */
function writeAll(fd: number, text: string): void {
  const bytes = Buffer.from(text);
  if (writeSync(fd, bytes) !== bytes.length) throw new StorageTrouble('ENOSPC');
}
