/**
 * One process at a time in a directory, also across containers and machines: process ids say nothing, signs of life do.
 *
 * `.lock` is a folder with one file, named by its holder's token. It is renamed into place with that file in it, which
 * fails while another's is there. Every later step names the token, so it fails for whoever has lost the lock.
 */
import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { ScreenerError } from '../errors.ts';
import { blockFor } from './clock.ts';
import { errnoOf, isMissing, notPlain } from './files.ts';

const NAME = '.lock';
/** Milliseconds without a sign of life after which a holder is taken for dead. */
const LIFE = 30_000;
const SIGNS_PER_LIFE = 3;
/** What systems say of a rename where another process was faster. */
const TAKEN = ['ENOTEMPTY', 'EEXIST', 'EPERM', 'EACCES', 'EBUSY', 'ENOENT'];

/** Its holder gives signs of life as long as its timers run. */
export interface Lock {
  /** @throws ScreenerError busy, where another process took over while this one was suspended */
  check(): void;
  /** Replaces a file of the directory in one step, as the last thing done under the lock. @throws as `check` */
  commit(name: string, content: string): void;
  release(): void;
}

/**
 * Takes the lock of a directory that exists.
 * @param options milliseconds. `life`: the same for everybody who uses the directory; `patience`: how long to wait for
 *   another holder, while no timer runs
 * @throws ScreenerError busy, where another process holds it; storage; what the file system says
 */
export function takeLock(directory: string, { life = LIFE, patience = 0 } = {}): Lock {
  const path = join(directory, NAME);
  const token = randomBytes(6).toString('hex');
  for (const until = Date.now() + patience; ; blockFor(1 + Math.random() * 4)) {
    const holder = holderOf(path, life);
    // Several processes may find the same dead holder: the rename lets one in.
    if (holder?.isAlive === false) fs.rmSync(holder.file, { force: true });
    if (!holder?.isAlive && moveIntoPlace(path, token)) return holding(directory, join(path, token), life);
    if (Date.now() < until) continue;
    throw new ScreenerError('busy', `Another run is exporting into ${directory}.`, {
      hint: `Wait until it is done (if it was killed, ${LIFE / 1000} seconds). Nothing was sent, and nothing was spent.`,
    });
  }
}

/** Whether a process holds the lock of a directory now. @throws ScreenerError storage; what the file system says */
export function isLocked(directory: string): boolean {
  return holderOf(join(directory, NAME), LIFE)?.isAlive === true;
}

/** @returns undefined where nobody holds the lock */
function holderOf(path: string, life: number): { readonly file: string; readonly isAlive: boolean } | undefined {
  try {
    // An earlier version left a plain file.
    const [name] = fs.lstatSync(path).isDirectory() ? fs.readdirSync(path) : [''];
    if (name === undefined) return undefined;
    const file = join(path, name);
    const found = fs.lstatSync(file);
    // A sign of life from the future is none: the folder was copied, or a clock was wrong.
    if (found.isFile()) return { file, isAlive: Math.abs(Date.now() - found.mtimeMs) < life };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  throw notPlain(path);
}

/** @returns false where another process was faster */
function moveIntoPlace(path: string, token: string): boolean {
  const prepared = `${path}.${token}.tmp`;
  fs.mkdirSync(prepared, { mode: 0o700 });
  try {
    fs.writeFileSync(join(prepared, token), '', { mode: 0o600 });
    // Windows renames onto no folder, even an empty one.
    removeIfEmpty(path);
    fs.renameSync(prepared, path);
    return true;
  } catch (error) {
    fs.rmSync(prepared, { recursive: true, force: true });
    if (TAKEN.includes(errnoOf(error) ?? '')) return false;
    throw error;
  }
}

function holding(directory: string, file: string, life: number): Lock {
  const ifHeld = (step: () => void) => {
    try {
      step();
    } catch (error) {
      if (!isMissing(error)) throw error;
      throw new ScreenerError('busy', `This run was suspended, and another one took over ${directory}.`, {
        hint: 'Run the command again later: it goes on from what is saved.',
      });
    }
  };
  const giveSign = () => fs.utimesSync(file, new Date(), new Date());
  // A sign that fails is no trouble yet: `check` says so.
  const timer = setInterval(() => fs.utimes(file, new Date(), new Date(), () => {}), life / SIGNS_PER_LIFE).unref();
  return {
    check: () => ifHeld(giveSign),
    commit: (name, content) =>
      ifHeld(() => {
        fs.writeFileSync(file, content, { flag: 'r+' });
        fs.renameSync(file, join(directory, name));
      }),
    release() {
      clearInterval(timer);
      fs.rmSync(file, { force: true });
      removeIfEmpty(dirname(file));
    },
  };
}

function removeIfEmpty(folder: string): void {
  try {
    fs.rmdirSync(folder);
  } catch {
    // Another process holds the lock, or nobody does.
  }
}
