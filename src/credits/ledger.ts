import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { deepCopy } from '../base/collections.ts';
import { dayNumber, nextDay } from '../base/units.ts';
import { ScreenerError } from '../errors.ts';
import { blockFor } from '../runtime/clock.ts';
import { jsonText } from '../runtime/json-text.ts';
import { type Lock, takeLock, tryLock } from '../runtime/lock.ts';
import { checkOwner, errnoOf, makeFolders, readPlainBytes } from '../runtime/plain-file.ts';
import { correctFutureTimes } from './record-usage.ts';
import { Usage } from './usage.ts';

const FILE = 'usage.json';
/** Bytes. A larger file is no ledger of this program. */
const LARGEST = 1 << 20;
/** Why the ledger cannot be used: part of a warning. */
const LOCKED = 'another command keeps it locked';
/** Milliseconds without a sign of life after which a holder of the ledger's lock counts as killed, or suspended. */
const LOCK_LIFE = 2_000;
/** The same for the lock of a card. It is longer, because the holder may be busy with a large history. */
const CARD_LOCK_LIFE = 10_000;
/** Milliseconds to wait while another command keeps the ledger locked. */
const LOCK_PATIENCE = 10_000;
/**
 * By how much the ledger's latest time may lie after now, milliseconds: two processes may read the clock in one order and write
 * in the other. If it is more, the clock was set back.
 */
const TOLERANCE = 2_000;
/** What Windows answers while another process has the file open. */
const IN_USE = ['EPERM', 'EACCES', 'EBUSY'];
/** How often a change of the ledger is tried. */
const MOST_TRIES = 20;

export type CardLock = Pick<Lock, 'check' | 'isLost' | 'release'>;

export interface UnknownSpending {
  /** A sentence without its full stop. */
  readonly reason: string;
  /** When the spending is known again, epoch milliseconds UTC; undefined if waiting is of no use. */
  readonly until: number | undefined;
}

/** The lock of a card without the ledger's folder: this process then knows of no other one, and its lock is never lost. */
const LOCK_WITHOUT_FOLDER: CardLock = { isLost: false, check() {}, release() {} };

interface LedgerOptions {
  readonly directory: string | undefined;
  readonly account: string;
  readonly allowances: Usage['allowances'];
  readonly now: () => number;
  readonly warn: (text: string) => void;
  /** Milliseconds to wait while another command keeps the ledger locked; 10 s if it is left out. */
  readonly lockPatience?: number;
}

/**
 * The usage of one account, which all processes on this machine share: a file of counters (`Usage`), which each change
 * replaces as a whole. If the file's folder cannot be used, the process says so, and counts by itself.
 */
export class Ledger {
  readonly #options: LedgerOptions;
  #folder: string | undefined;
  /** Why the folder is not used: `cannot be used (EACCES)`; undefined if it is used, or if there is none (`--demo`). */
  #trouble: string | undefined;
  #usage: Usage;
  /** The file's text as it was read or written last: if it has not changed, it is not parsed again. */
  #text: string | undefined;

  constructor(options: LedgerOptions) {
    const { directory, account, allowances } = options;
    this.#options = options;
    this.#usage = v.parse(Usage, { allowances });
    if (directory === undefined) return;
    this.#folder = folderOf(directory, account);
    // If other users could change the ledger, they could make this user's commands wait, or spend.
    this.#withFolder((folder) => [directory, dirname(folder), folder].forEach(checkOwner));
  }

  usage(): Usage {
    let isUnreadable = false;
    this.#withFolder((folder) => {
      isUnreadable = !this.#read(folder);
    });
    if (isUnreadable || this.#isClockSetBack(this.#usage)) this.#writeCorrected();
    return this.#usage;
  }

  /**
   * Writes what was corrected: a file that cannot be read begins anew with `lostAt`, and times that lie ahead since the clock
   * was set back become now. Under the lock a single process does so: the others then read its file.
   */
  #writeCorrected(): void {
    this.update(() => {});
  }

  /** Why it is not known what all programs spent today; undefined if it is known. @param usage as it was just read */
  unknownSpending({ lostAt }: Usage): UnknownSpending | undefined {
    const { directory, now } = this.#options;
    const ledger = `the ledger in ${directory}`;
    if (this.#trouble !== undefined)
      return { reason: `${ledger} ${this.#trouble}`, until: undefined };
    if (lostAt === null || dayNumber(lostAt) < dayNumber(now())) return undefined;
    return { reason: `${ledger} could not be read`, until: nextDay(now()) };
  }

  /**
   * @param change changes the usage in place. It may be called several times; nothing is kept if it returns false or throws.
   * @throws what `change` throws
   */
  update(change: (usage: Usage) => unknown): void {
    // An object holds the error, because `change` may throw any value, also undefined.
    let failure: { readonly error: unknown } | undefined;
    // An error of `change` is no failure of the folder. It may say, for example, that the lock of a history was lost.
    const applyChange = (usage: Usage) => {
      failure = undefined;
      try {
        return this.#apply(change, usage);
      } catch (error) {
        failure = { error };
        return false;
      }
    };
    const couldUseFolder = this.#withFolder((folder) => this.#replace(folder, applyChange));
    // Without the folder the change is made to what this process knows.
    if (!couldUseFolder) {
      const usage = deepCopy(this.#usage);
      if (applyChange(usage)) this.#usage = usage;
    }
    if (failure !== undefined) throw failure.error;
  }

  #replace(folder: string, applyChange: (usage: Usage) => boolean): void {
    makeFolders(folder);
    const { lockPatience: patience = LOCK_PATIENCE } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      const lock = takeLock(folder, { heldMessage: LOCKED, life: LOCK_LIFE, patience });
      try {
        this.#read(folder);
        const usage = deepCopy(this.#usage);
        if (!applyChange(usage)) return;
        const text = jsonText(usage);
        lock.commit(FILE, text);
        this.#usage = usage;
        this.#text = text;
        return;
      } catch (error) {
        // The folder's error can only be that the lock was lost: `takeLock` stands before the \`try\`.
        const isTransient = isFolderError(error) || IN_USE.includes(errnoOf(error) ?? '');
        if (attempt === MOST_TRIES || !isTransient) throw error;
        blockFor(5 * attempt);
      } finally {
        lock.release();
      }
    }
  }

  /** Locks a card while this process buys it. @returns undefined if another process buys it, or was killed at most 10 s ago */
  lockCard(card: number): CardLock | undefined {
    // It stays if the folder cannot be used.
    let lock: CardLock | undefined = LOCK_WITHOUT_FOLDER;
    this.#withFolder((folder) => {
      makeFolders(folder);
      lock = tryLock(folder, `card-${card}`, CARD_LOCK_LIFE);
    });
    return lock;
  }

  #apply(change: (usage: Usage) => unknown, usage: Usage): boolean {
    const now = this.#options.now();
    if (this.#isClockSetBack(usage)) correctFutureTimes(usage, now);
    if (change(usage) === false) return false;
    usage.latest = Math.max(usage.latest, now);
    return true;
  }

  #isClockSetBack({ latest }: Usage): boolean {
    return this.#options.now() < latest - TOLERANCE;
  }

  /**
   * Does something in the ledger's folder. If that fails, the folder is used no more.
   * @returns whether the folder could be used
   * @throws an error that does not come from the folder: a mistake of the program must not be hidden
   */
  #withFolder(action: (folder: string) => void): boolean {
    if (this.#folder === undefined) return false;
    try {
      action(this.#folder);
      return true;
    } catch (error) {
      const why = isFolderError(error) ? error.message : errnoOf(error);
      if (why === undefined) throw error;
      this.#folder = undefined;
      this.#trouble = `cannot be used (${why})`;
      const { directory, warn } = this.#options;
      warn(
        `The ledger in ${directory} ${this.#trouble}: this command cannot know what others spend.`,
      );
      return false;
    }
  }

  /**
   * Reads the file into `#usage`, if it has changed. If there is no file, `#usage` stays. If the file cannot be read, `#usage`
   * stays, too, and notes the time (`lostAt`). It does not matter why: the file may be damaged, forbidden, or another user's.
   * @returns false if the file cannot be read
   */
  #read(folder: string): boolean {
    try {
      const text = readPlainBytes(join(folder, FILE), LARGEST, { mustBeOwn: true })?.toString();
      if (text === undefined || text === this.#text) return true;
      this.#usage = v.parse(Usage, JSON.parse(text));
      this.#text = text;
      return true;
    } catch {
      this.#options.warn(`${folder} holds no ledger of this program that can be read.`);
      this.#usage = { ...this.#usage, lostAt: this.#options.now() };
      return false;
    }
  }
}

function folderOf(directory: string, account: string): string {
  return join(directory, 'ledger', account);
}

/**
 * Forgets all that an account spent, and its holds: for an account of a sandbox that starts again.
 * @param directory the state directory
 */
export function forgetLedger(directory: string, account: string): void {
  try {
    rmSync(folderOf(directory, account), { recursive: true, force: true });
  } catch {
    // A ledger that cannot be removed still counts.
  }
}

/**
 * Whether an error of this program says why the folder cannot be used: another process held the lock for too long, or took it
 * over (busy); the folder is another user's, or something else lies in the lock's place (storage).
 */
function isFolderError(error: unknown): error is ScreenerError {
  return error instanceof ScreenerError && (error.code === 'busy' || error.code === 'storage');
}
