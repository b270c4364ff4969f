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
import { setBack } from './record-usage.ts';
import { Usage } from './usage.ts';

const FILE = 'usage.json';
/** Bytes. This program writes no ledger as large. */
const LARGEST = 1 << 20;
/** A part of the warning that the ledger cannot be used (`#withFolder`). */
const LOCKED = 'another command keeps it locked';
/** Milliseconds after which a holder of the ledger's lock that gives no sign counts as killed, or suspended. */
const LOCK_LIFE = 2_000;
/** Milliseconds to wait while another command keeps the ledger locked. */
const LOCK_PATIENCE = 10_000;
/**
 * How far the ledger's latest time may lie after now before the clock counts as set back, milliseconds. Two processes may
 * read the clock in one order and write in the other.
 */
const TOLERANCE = 2_000;
/** What Windows answers while another process has the file open. */
const IN_USE = ['EPERM', 'EACCES', 'EBUSY'];
/** How often a change of the ledger is tried. */
const ATTEMPTS = 20;
/** The same for the lock of a card, milliseconds. It is longer, because its holder may be busy with a large history. */
const CARD_LIFE = 10_000;

export type CardLock = Pick<Lock, 'check' | 'isLost' | 'release'>;

export interface UnknownSpending {
  /** A sentence without its full stop. */
  readonly reason: string;
  /** When the spending is known again, epoch milliseconds UTC; undefined if waiting is of no use. */
  readonly until: number | undefined;
}

/** The lock of a process that cannot use the folder: it knows of no other process. */
const NOBODY_ELSE: CardLock = { isLost: false, check() {}, release() {} };

interface LedgerOptions {
  readonly directory: string | undefined;
  readonly account: string;
  readonly allowances: Usage['allowances'];
  readonly now: () => number;
  readonly warn: (text: string) => void;
  /** As `LOCK_PATIENCE`, which is the default. */
  readonly lockPatience?: number;
}

/**
 * One account's usage, shared by all processes: a state file of counters (`Usage`), which each change replaces whole. If
 * its folder fails, the process says so and counts by itself.
 */
export class Ledger {
  readonly #options: LedgerOptions;
  #folder: string | undefined;
  /** Why the folder is not used, though there should be one. */
  #trouble: string | undefined;
  #usage: Usage;
  /** The file's text as it was read or written last: the same text is not parsed again. */
  #text: string | undefined;

  constructor(options: LedgerOptions) {
    const { directory, account, allowances } = options;
    this.#options = options;
    this.#usage = v.parse(Usage, { allowances });
    if (directory === undefined) return;
    this.#folder = folderOf(directory, account);
    // Whoever can change the ledger can make this user's commands wait, or spend.
    this.#withFolder((folder) => [directory, dirname(folder), folder].forEach(checkOwner));
  }

  usage(): Usage {
    let isRead = true;
    this.#withFolder((folder) => {
      isRead = this.#read(folder);
    });
    // The ledger is written at once, under the lock: then one process alone finds the damage and starts a new ledger.
    if (!isRead || this.#isSetBack(this.#usage)) this.update(() => {});
    return this.#usage;
  }

  /** Why nobody knows what all programs spent today; undefined if it is known. @param usage the ledger's, as read for a change */
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
    // Boxed, because `change` may throw anything, also undefined.
    let failure: { readonly error: unknown } | undefined;
    // An error of `change` must not count as a failure of the folder: it may say, for example, that another lock was lost.
    const applyChange = (usage: Usage) => {
      failure = undefined;
      try {
        return this.#apply(change, usage);
      } catch (error) {
        failure = { error };
        return false;
      }
    };
    const isDone = this.#withFolder((folder) => this.#replace(folder, applyChange));
    // Without the folder the change is made to what this process knows.
    if (!isDone) {
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
        const isTransient = isBusy(error) || IN_USE.includes(errnoOf(error) ?? '');
        if (attempt === ATTEMPTS || !isTransient) throw error;
        blockFor(5 * attempt);
      } finally {
        lock.release();
      }
    }
  }

  /** Held while this process buys the card. @returns undefined while another process does, or if it was killed at most 10 s ago */
  lockCard(card: number): CardLock | undefined {
    let lock: CardLock | undefined = NOBODY_ELSE;
    this.#withFolder((folder) => {
      makeFolders(folder);
      lock = tryLock(folder, `card-${card}`, CARD_LIFE);
    });
    return lock;
  }

  #apply(change: (usage: Usage) => unknown, usage: Usage): boolean {
    const now = this.#options.now();
    if (this.#isSetBack(usage)) setBack(usage, now);
    if (change(usage) === false) return false;
    usage.latest = Math.max(usage.latest, now);
    return true;
  }

  #isSetBack({ latest }: Usage): boolean {
    return this.#options.now() < latest - TOLERANCE;
  }

  /**
   * Does something in the ledger's folder. If that fails, the folder is used no more.
   * @returns whether it was done
   * @throws an error that does not come from the folder: a mistake of the program must not be hidden
   */
  #withFolder(action: (folder: string) => void): boolean {
    if (this.#folder === undefined) return false;
    try {
      action(this.#folder);
      return true;
    } catch (error) {
      const why = isBusy(error) ? error.message : errnoOf(error);
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

  /** Reads the file, if it changed. If it is missing or damaged, what this process knows stays. @returns false if it is damaged */
  #read(folder: string): boolean {
    try {
      const text = readPlainBytes(join(folder, FILE), LARGEST, true)?.toString();
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
 * Forgets what an account spent, and by what it is held: it begins anew, as a sandbox does. Never throws.
 * @param directory the state directory
 */
export function forgetLedger(directory: string, account: string): void {
  try {
    rmSync(folderOf(directory, account), { recursive: true, force: true });
  } catch {
    // A ledger that cannot be removed counts as before.
  }
}

/** Whether another process held the lock for too long, or took it over, or the folder is no place for a ledger. */
function isBusy(error: unknown): error is ScreenerError {
  return error instanceof ScreenerError && (error.code === 'busy' || error.code === 'storage');
}
