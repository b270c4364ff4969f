/**
 * A lock is a folder with one file in it: the holder's token. A process that takes the lock over removes that file. Each later
 * step of the holder needs the file: it fails once the lock is lost.
 */
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { ScreenerError } from '../errors.ts';
import { blockFor } from './clock.ts';
import { errnoOf, isMissing, notPlain } from './plain-file.ts';

/** The lock's name in the directory that it locks. */
const NAME = '.lock';
const TOKEN = /^[0-9a-f]{12}$/;
/** Milliseconds without a sign of life after which a holder counts as dead. */
const LIFE = 30_000;
/** Renaming a folder to the lock's name fails with one of these codes if another process holds the lock. */
const TAKEN = ['ENOTEMPTY', 'EEXIST', 'EPERM', 'EACCES', 'EBUSY', 'ENOENT'];

export interface Lock {
  /** Whether the lock was taken over from a holder that gave no sign of life: it was killed, or is suspended. */
  readonly tookOver: boolean;
  /** Whether `check` or `commit` failed because the lock was lost. */
  readonly isLost: boolean;
  /** Gives a sign of life. @throws ScreenerError busy, if another process took over or the folder was removed */
  check(): void;
  /** Replaces a file of the directory in one step. After it the lock can only be released. @throws as `check` */
  commit(name: string, content: string): void;
  release(): void;
}

/**
 * Takes a lock. Until it is released, a timer gives signs of life.
 * @param life milliseconds without a sign of life after which a holder counts as dead
 * @returns undefined if another process holds the lock
 * @throws ScreenerError storage
 */
export function tryLock(directory: string, name: string, life: number): Lock | undefined {
  const path = join(directory, name);
  const token = newToken();
  const holder = holderOf(path, life);
  // Several processes may remove a dead holder's file. Only one of them succeeds in the rename.
  if (holder?.isAlive === false) fs.rmSync(holder.file, { force: true });
  if (holder?.isAlive) return undefined;
  if (!moveIntoPlace(path, token)) return undefined;
  return heldLock(directory, join(path, token), life, holder);
}

/** Random digits. They are the end of a UUID, because Node makes these faster than single random bytes. */
function newToken(): string {
  return randomUUID().slice(-12);
}

interface LockOptions {
  /** The error's message if another process holds the lock: the caller knows what is locked. */
  readonly heldMessage: string;
  /** Milliseconds without a sign of life after which a holder counts as dead; 30 s if it is left out. */
  readonly life?: number;
  /** Milliseconds to wait for the lock; 0 if it is left out. */
  readonly patience?: number;
}

/** Locks a directory, or fails. @throws ScreenerError busy, with `heldMessage`; storage */
export function takeLock(directory: string, options: LockOptions): Lock {
  const { heldMessage, life = LIFE, patience = 0 } = options;
  // `performance` measures the wait, because the clock may be set back meanwhile.
  const until = performance.now() + patience;
  for (;;) {
    const lock = tryLock(directory, NAME, life);
    if (lock !== undefined) return lock;
    if (performance.now() >= until) break;
    // Nothing can interrupt this wait.
    blockFor(1 + Math.random() * 4);
  }
  const hint = `Wait until it is done (${life / 1000} seconds, if it was killed). Nothing was sent or spent.`;
  throw new ScreenerError('busy', heldMessage, { hint });
}

/** Whether a living process holds the lock of `takeLock`. */
export function isLocked(directory: string): boolean {
  return holderOf(join(directory, NAME), LIFE)?.isAlive === true;
}

/** The process that holds a lock. */
interface Holder {
  /** The path of its token. */
  readonly file: string;
  /** Whether it gave a sign of life not long ago. */
  readonly isAlive: boolean;
}

/** Who holds a lock; undefined if nobody does. @throws ScreenerError storage, if something else lies in the lock's place */
function holderOf(path: string, life: number): Holder | undefined {
  const folder = fs.lstatSync(path, { throwIfNoEntry: false });
  if (folder === undefined) return undefined;
  if (!folder.isDirectory()) throw notPlain(path);
  try {
    const [name] = fs.readdirSync(path);
    if (name === undefined) return undefined;
    const file = join(path, name);
    const token = fs.lstatSync(file);
    if (!token.isFile() || !TOKEN.test(name)) throw notPlain(path);
    // A time in the future is no sign of life: the folder was copied, or a clock was wrong.
    return { file, isAlive: Math.abs(Date.now() - token.mtimeMs) < life };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Puts a folder with the token in the lock's place. @returns false if another process was faster */
function moveIntoPlace(path: string, token: string): boolean {
  const preparedFolder = `${path}.${token}.tmp`;
  fs.mkdirSync(preparedFolder, { mode: 0o700 });
  try {
    fs.writeFileSync(join(preparedFolder, token), '', { mode: 0o600 });
    // Windows cannot rename a folder to the name of another one, not even of an empty one.
    removeIfEmpty(path);
    fs.renameSync(preparedFolder, path);
    return true;
  } catch (error) {
    fs.rmSync(preparedFolder, { recursive: true, force: true });
    if (TAKEN.includes(errnoOf(error) ?? '')) return false;
    throw error;
  }
}

/**
 * The lock that this process has just taken.
 * @param file the token's path
 * @param life milliseconds
 * @param dead the dead holder from whom the lock was taken over; undefined if there was none
 */
function heldLock(directory: string, file: string, life: number, dead: Holder | undefined): Lock {
  let isLost = false;
  const ifHeld = (step: () => void) => {
    try {
      step();
    } catch (error) {
      if (!isMissing(error)) throw error;
      isLost = true;
      throw fs.existsSync(directory) ? takenOver(directory) : removed(directory);
    }
  };
  const giveSignOfLife = () => fs.utimesSync(file, new Date(), new Date());
  // An error is left to the next `check`, which makes the same call.
  const timer = setInterval(
    () => fs.utimes(file, new Date(), new Date(), () => {}),
    life / 3,
  ).unref();
  return {
    tookOver: dead !== undefined,
    get isLost() {
      return isLost;
    },
    check: () => ifHeld(giveSignOfLife),
    commit: (name, content) =>
      ifHeld(() => {
        // 'r+' makes no new file: it fails if the token is gone.
        fs.writeFileSync(file, content, { flag: 'r+' });
        fs.renameSync(file, join(directory, name));
      }),
    release() {
      clearInterval(timer);
      // After `commit` the file has another name. To ask first is faster than the error that `force` would catch.
      if (fs.existsSync(file)) fs.rmSync(file, { force: true });
      removeIfEmpty(dirname(file));
    },
  };
}

function takenOver(directory: string): ScreenerError {
  const message = `This run was suspended, and another one took over ${directory}.`;
  const hint = 'Run the command again later: it continues from what was saved.';
  return new ScreenerError('busy', message, { hint });
}

function removed(directory: string): ScreenerError {
  const message = `${directory} was removed while this run used it.`;
  const hint = 'If it was moved, move it back, and run the command again.';
  return new ScreenerError('busy', message, { hint });
}

function removeIfEmpty(folder: string): void {
  if (!fs.existsSync(folder)) return;
  try {
    fs.rmdirSync(folder);
  } catch {
    // Another process has taken the lock meanwhile: the folder is not empty.
  }
}
