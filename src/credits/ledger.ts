import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { dayNumber, nextDay } from '../base/units.ts';
import { ScreenerError } from '../errors.ts';
import { blockFor } from '../runtime/clock.ts';
import { jsonText } from '../runtime/json-text.ts';
import { type Lock, takeLock, tryLock } from '../runtime/lock.ts';
import { checkOwner, errnoOf, makeFolders, readStateFile } from '../runtime/plain-file.ts';
import { setBack } from './record-usage.ts';
import { Usage } from './usage.ts';

const FILE = 'usage.json';
/** A part of the warning that the ledger cannot be used. */
const LOCKED = 'another command keeps it locked';
/** Milliseconds: who keeps the ledger locked and is silent for longer was killed, or suspended. */
const LOCK_LIFE = 2_000;
/** Milliseconds to wait while another command keeps the ledger locked. */
const LOCK_PATIENCE = 10_000;
/**
 * So much later than now the ledger's latest time may be without a clock that was set back, milliseconds: two processes may
 * take their times in one order and write in the other.
 */
const TOLERANCE = 2_000;
/** What Windows answers if a reader has the file open. */
const IN_USE = ['EPERM', 'EACCES', 'EBUSY'];
const ATTEMPTS = 20;
/** Milliseconds: who buys a card may be busy with a large history. */
const CARD_LIFE = 10_000;

export type CardLock = Pick<Lock, 'check' | 'isLost' | 'release'>;

export interface UnknownSpending {
  /** A sentence without its full stop. */
  readonly reason: string;
  /** When it is known again, epoch milliseconds UTC; undefined if waiting is of no use. */
  readonly until: number | undefined;
}

/** Of a process that counts by itself: it knows of no other. */
const NOBODY_ELSE: CardLock = { isLost: false, check() {}, release() {} };

interface LedgerOptions {
  readonly directory: string | undefined;
  readonly account: string;
  readonly allowances: Usage['allowances'];
  readonly now: () => number;
  readonly warn: (text: string) => void;
  /** Milliseconds to wait while another command keeps the ledger locked: 10 s, if it is not said. */
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
  #text: string | undefined;

  constructor(options: LedgerOptions) {
    const { directory, account, allowances } = options;
    this.#options = options;
    this.#usage = v.parse(Usage, { allowances });
    if (directory === undefined) return;
    this.#folder = join(directory, 'ledger', account);
    // Whoever can change the ledger can make this user's commands wait, or spend.
    this.#withFolder((folder) => [directory, dirname(folder), folder].forEach(checkOwner));
  }

  usage(): Usage {
    let isRead = true;
    this.#withFolder((folder) => {
      isRead = this.#read(folder);
    });
    // Written now, under the lock, so that one process alone finds the damage and starts a new ledger.
    if (!isRead || this.#isSetBack(this.#usage)) this.update(() => {});
    return this.#usage;
  }

  /** Why what all programs spent today is not known; undefined if it is. @param usage as a change sees it */
  unknownSpending({ lostAt }: Usage): UnknownSpending | undefined {
    const { directory, now } = this.#options;
    const ledger = `the ledger in ${directory}`;
    if (this.#trouble !== undefined)
      return { reason: `${ledger} ${this.#trouble}`, until: undefined };
    if (lostAt === null || dayNumber(lostAt) < dayNumber(now())) return undefined;
    return { reason: `${ledger} could not be read`, until: nextDay(now()) };
  }

  /**
   * @param change changes the usage in place, maybe several times; nothing is kept if it returns false or throws
   * @throws what `change` throws
   */
  update(change: (usage: Usage) => unknown): void {
    let failure: { readonly error: unknown } | undefined;
    // What `change` throws must not pass for a failure of the folder: it may find, for example, that another lock was lost.
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
      const usage = structuredClone(this.#usage);
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
        const usage = structuredClone(this.#usage);
        if (!applyChange(usage)) return;
        const text = jsonText(usage);
        lock.commit(FILE, text);
        this.#usage = usage;
        this.#text = text;
        return;
      } catch (error) {
        const isPassing = isBusy(error) || IN_USE.includes(errnoOf(error) ?? '');
        if (attempt === ATTEMPTS || !isPassing) throw error;
        blockFor(5 * attempt);
      } finally {
        lock.release();
      }
    }
  }

  /** Held while this process buys the card. @returns undefined while another one does, or was killed at most 10 s ago */
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
   * Does something in the ledger's folder; where that fails, the folder is used no more.
   * @returns whether it was done @throws a mistake of ours, which must not pass for a broken folder
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

  /** If the file was removed or damaged, what this process knows goes on. @returns whether it is not damaged */
  #read(folder: string): boolean {
    try {
      const text = readStateFile(folder, join(folder, FILE), 1 << 20)?.toString();
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

/** Another process held the lock for too long, or took it over; or the folder is no place for a ledger. */
function isBusy(error: unknown): error is ScreenerError {
  return error instanceof ScreenerError && (error.code === 'busy' || error.code === 'storage');
}
