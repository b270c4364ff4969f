/** Writes files so that they survive: a file is replaced as a whole or not at all, and synced before the next step. */
import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { readFile, realpath, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { ScreenerError } from '../errors.ts';
import { belongsToOther, errnoOf, makeFolders, withPlainFile } from './plain-file.ts';

const { O_APPEND, O_CREAT, O_RDWR } = constants;
const FILE_MODE = 0o600;
/** The longest wait between two renames, milliseconds. With the shorter waits before it, a rename is tried for 5 s. */
const LONGEST_RENAME_WAIT = 2_560;
/** What Windows answers to a rename while a reader has the old file open. Linux does so for a Windows disk (WSL, SMB). */
const OPEN_ELSEWHERE: ReadonlySet<string> = new Set(['EPERM', 'EBUSY', 'EACCES']);
/** Errors if a system cannot open a folder (EISDIR, EPERM, EACCES: Windows), or cannot sync one (the others: some file systems). */
const CANNOT_SYNC: ReadonlySet<string> = new Set([
  'EISDIR',
  'EPERM',
  'EACCES',
  'EINVAL',
  'ENOTSUP',
  'EBADF',
]);

const NO_ROOM =
  'There is no room. Free some and run the command again: it continues from what was saved.';
const TOO_LARGE =
  'A limit of the shell (`ulimit -f`) or of the file system forbids it. Raise it and run the command again: it continues from what was saved.';
const NO_RIGHT = 'Check who owns the directory and its files, and their permissions.';
const NO_PLACE = 'Choose another place.';

/** What to do, by the code of the system's error. */
const HINTS: Readonly<Record<string, string>> = {
  ENOSPC: NO_ROOM,
  EDQUOT: NO_ROOM,
  EFBIG: TOO_LARGE,
  EACCES: NO_RIGHT,
  EPERM: NO_RIGHT,
  EROFS: NO_PLACE,
  ENOTDIR: NO_PLACE,
  EISDIR: NO_PLACE,
  EEXIST: NO_PLACE,
  ENOENT: 'Make that directory, or choose another.',
};
const USUAL_HINT =
  'Check the directory and run the command again: it continues from what was saved.';

/**
 * Turns the system's errors of `work` into `Cannot <action>: ...`.
 * @param action with its object: `write /path`
 * @throws ScreenerError storage
 */
export async function withStorageErrors<T>(action: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const code = errnoOf(cause);
    if (cause instanceof ScreenerError || code === undefined) throw cause;
    const hint = HINTS[code] ?? USUAL_HINT;
    // "ENOSPC: no space left on device, write '/tmp/x'" becomes "no space left on device".
    const why = (cause as Error).message.replace(/^E\w+: |, \w+( '.*)?$/gs, '');
    throw new ScreenerError('storage', `Cannot ${action}: ${why}`, { hint, cause });
  }
}

/** Makes a directory, and those above it. @throws ScreenerError storage */
export async function makeDirectory(directory: string): Promise<void> {
  await withStorageErrors(`create ${directory}`, () => makeFolders(directory));
}

/** Appends a line and syncs it. If the file's last line was cut short, a newline ends it first. @throws ScreenerError storage */
export async function appendLine(path: string, text: string): Promise<void> {
  await withStorageErrors(`write ${path}`, async () => {
    const isNew = withPlainFile(path, O_RDWR | O_APPEND | O_CREAT, ({ fd, stats: { size } }) => {
      const isCutShort = size > 0 && lastByteOf(fd, size) !== '\n';
      const endOfLastLine = isCutShort ? '\n' : '';
      appendFileSync(fd, `${endOfLastLine}${text}\n`, { flush: true });
      return size === 0;
    });
    if (isNew) syncDirectory(dirname(path));
  });
}

function lastByteOf(fd: number, size: number): string {
  const byte = Buffer.alloc(1);
  readSync(fd, byte, 0, 1, size - 1);
  return byte.toString('latin1');
}

/** Syncs a directory, so that a rename or a new file survives a power cut. It is no error if the system cannot do that. */
export function syncDirectory(directory: string): void {
  try {
    const folder = openSync(directory, constants.O_RDONLY);
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch (cause) {
    if (!CANNOT_SYNC.has(errnoOf(cause) ?? '')) throw cause;
  }
}

/** The end of a temporary file's name, which `replaceFile` makes. */
const TEMPORARY = /\.[0-9a-f]{12}\.tmp$/;

/** Replaces a file in one step, or makes it. @throws ScreenerError storage: then the old file stays */
export async function replaceFile(path: string, content: string, mode = FILE_MODE): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  await withStorageErrors(`write ${path}`, async () => {
    try {
      writeFileSync(temporary, content, { flag: 'wx', mode: FILE_MODE, flush: true });
      if (mode !== FILE_MODE) chmodSync(temporary, mode);
      await renamePatiently(temporary, path);
    } catch (cause) {
      removeIfPossible(temporary);
      throw cause;
    }
    syncDirectory(dirname(path));
  });
}

/** The text of a file or pipe that the user names, without a byte order mark. @throws ScreenerError storage */
export async function readInputFile(path: string): Promise<string> {
  const bytes = await withStorageErrors(`read ${path}`, async () => {
    const hint = 'Name a file, or - for standard input.';
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined)
      throw new ScreenerError('storage', `There is no file ${path}.`, { hint });
    if (stats.isDirectory()) throw new ScreenerError('storage', `${path} is a folder.`, { hint });
    return readFile(path);
  });
  return new TextDecoder().decode(bytes);
}

/**
 * Writes a file that the user names. A plain file is replaced, and keeps its mode. A device or a pipe is written to,
 * because replacing it would break it for everybody.
 * @throws ScreenerError storage; also if another user may have put something in the file's place
 */
export async function writeOutputFile(path: string, content: string): Promise<void> {
  await withStorageErrors(`write ${path}`, async () => {
    // What lies at the path itself.
    const entry = lstatSync(path, { throwIfNoEntry: false });
    // If that is a symbolic link, what it leads to. Otherwise the same.
    const target = statSync(path, { throwIfNoEntry: false });
    if (target?.isDirectory()) {
      const hint = `Name a file, such as ${join(path, 'report.html')}`;
      throw new ScreenerError('storage', `${path} is a folder.`, { hint });
    }
    if (entry !== undefined && belongsToOther(entry) && isOpenToOthers(dirname(path))) {
      const what = `${path} belongs to another user, in a folder that others can write to.`;
      throw new ScreenerError('storage', what, { hint: 'Name another file, or remove this one.' });
    }
    if (entry === undefined) {
      await replaceFile(path, content);
    } else if (target?.isFile()) {
      await replaceFile(await realpath(path), content, target.mode & 0o777);
    } else {
      // A device, a pipe, or a link whose target does not exist yet: the system follows the link, and makes the target.
      await writeFile(path, content, { mode: FILE_MODE });
    }
  });
}

/** Whether other users may write to a folder. */
function isOpenToOthers(folder: string): boolean {
  return (statSync(folder).mode & 0o022) !== 0;
}

/** Renames a file. While another program has the old file open, it tries again. @param wait milliseconds, doubled each time */
async function renamePatiently(from: string, to: string, wait = 10): Promise<void> {
  try {
    renameSync(from, to);
  } catch (cause) {
    if (wait > LONGEST_RENAME_WAIT || !OPEN_ELSEWHERE.has(errnoOf(cause) ?? '')) throw cause;
    await setTimeout(wait);
    await renamePatiently(from, to, 2 * wait);
  }
}

/** Removes the temporary files that killed processes left. No other process may be writing to the directory. */
export function removeTemporaryFiles(directory: string): void {
  for (const name of readdirSync(directory)) {
    if (TEMPORARY.test(name)) removeIfPossible(join(directory, name));
  }
}

function removeIfPossible(path: string): void {
  try {
    rmSync(path, { force: true, recursive: true });
  } catch {
    // A temporary file that stays is in nobody's way.
  }
}
