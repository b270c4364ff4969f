/** Files that survive: replaced whole or not at all, synced before the next step, with errors that help. */
import { randomBytes } from 'node:crypto';
import { constants, fstatSync, lstatSync } from 'node:fs';
import fs, { type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { ScreenerError } from '../errors.ts';
import { belongsToOther } from './file-owner.ts';

const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;

const HINTS: Record<string, string> = {
  ENOSPC: 'The disk is full. Free some space and run the command again: it continues from what was saved.',
  EDQUOT: 'Your disk quota is used up. Free some space and run the command again: it continues from what was saved.',
  EFBIG: 'A limit on file sizes was reached. Raise it and run the command again: it continues from what was saved.',
  EACCES: 'Check who owns the directory and its files, and their permissions.',
  EPERM: 'Check who owns the directory and its files, and their permissions.',
  EBUSY: 'Another program has the file open. Close it and run the command again.',
  EROFS: 'The file system is read-only. Choose another directory.',
  ENOTDIR: 'A part of that path is a file. Choose another directory.',
  EISDIR: 'A directory lies where a file should be. Choose another directory.',
  EMFILE: 'Too many files are open. Close some programs, or raise the limit for one, and run the command again.',
  ENFILE: 'Too many files are open on this machine. Run the command again later.',
};

export function hintOf(code: string): string | undefined {
  return HINTS[code];
}

/** `ENOENT` and the like; undefined for an error that is not the system's. */
export function errnoOf(cause: unknown): string | undefined {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

export function isMissing(cause: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(errnoOf(cause) ?? '');
}

/** Names what file work was `doing` if it fails, as in `write /path`. @throws ScreenerError storage */
export async function storing<T>(doing: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const code = errnoOf(cause);
    if (cause instanceof ScreenerError || code === undefined) throw cause;
    const hint = hintOf(code) ?? 'Check the directory and run the command again: it continues from what was saved.';
    // Node's message ends with its call and a path, often of a temporary file.
    const why = (cause as Error).message.replace(/, \w+( '.*)?$/s, '');
    throw new ScreenerError('storage', `Cannot ${doing}: ${why}`, { hint, cause });
  }
}

/** Makes a directory that only its user may enter, and the ones above it. @throws ScreenerError storage */
export async function makeDirectory(directory: string): Promise<void> {
  await storing(`create ${directory}`, () => fs.mkdir(directory, { recursive: true, mode: DIRECTORY_MODE }));
}

/**
 * Opens a plain file, and never waits.
 * @throws ScreenerError storage for a link, a device or a pipe; else what `open` throws
 */
async function openPlainFile(path: string, flags: number): Promise<FileHandle> {
  const file = await fs.open(path, guarded(path, flags), FILE_MODE).catch((cause: unknown) => {
    throw ['ELOOP', 'ENXIO', 'EMLINK'].includes(errnoOf(cause) ?? '') ? notPlain(path) : cause;
  });
  if (fstatSync(file.fd).isFile()) return file;
  await file.close();
  throw notPlain(path);
}

/** Flags that neither follow a link nor wait. Windows lacks them, so its links are looked for. */
function guarded(path: string, flags: number): number {
  const isLink = constants.O_NOFOLLOW === undefined && lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink();
  if (isLink) throw notPlain(path);
  return flags | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
}

export function notPlain(path: string): ScreenerError {
  return new ScreenerError('storage', `${path} is a symbolic link, a device or a pipe where a plain file belongs.`, {
    hint: 'Look at what it is, remove it, and run the command again.',
  });
}

const NEWLINE = Buffer.from('\n');

/** Appends a line and syncs it. A line cut by a failure does not spoil the next one. */
export async function appendLine(path: string, text: string): Promise<void> {
  const file = await openPlainFile(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT);
  try {
    const { size } = await file.stat();
    const last = Buffer.from('\n');
    if (size > 0) await file.read(last, 0, 1, size - 1);
    await file.appendFile(`${last.equals(NEWLINE) ? '' : '\n'}${text}\n`);
    await file.sync();
    if (size === 0) await syncDirectory(dirname(path));
  } finally {
    await file.close();
  }
}

/**
 * Reads a plain file from one opening.
 * @returns undefined if there is none
 * @throws what the file system says; ScreenerError storage if it is not plain, or larger than `most` bytes
 */
export async function readPlainFile(path: string, most: number): Promise<Buffer | undefined> {
  let file: FileHandle;
  try {
    file = await openPlainFile(path, constants.O_RDONLY);
  } catch (cause) {
    if (isMissing(cause)) return undefined;
    throw cause;
  }
  try {
    const { size } = await file.stat();
    if (size <= most) return await file.readFile();
    throw new ScreenerError('storage', `${path} has ${size} bytes: this program never writes a file that large.`, {
      hint: 'Move it away, or restore it from a backup.',
    });
  } finally {
    await file.close();
  }
}

/** Makes a rename or a new file survive a power cut, on systems that can sync a directory. */
export async function syncDirectory(directory: string): Promise<void> {
  let handle: FileHandle | undefined;
  try {
    handle = await fs.open(directory, 'r');
    await handle.sync();
  } catch (cause) {
    if (!['EINVAL', 'EISDIR', 'EPERM', 'ENOTSUP', 'EBADF', 'EACCES'].includes(errnoOf(cause) ?? '')) throw cause;
  } finally {
    await handle?.close();
  }
}

const TEMPORARY = /\.[0-9a-f]{12}\.tmp$/;

/**
 * Replaces a file in one step: readers see the old one or the new one, whole. A failure leaves the old one.
 * @param synced false for what a power cut may take: it saves waiting for the disk
 * @param mode of the new file, whatever the umask
 * @throws ScreenerError storage
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
  synced = true,
  mode = FILE_MODE,
): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  await storing(`write ${path}`, async () => {
    try {
      const file = await fs.open(temporary, 'wx', FILE_MODE);
      try {
        await file.writeFile(content);
        if (mode !== FILE_MODE) await file.chmod(mode);
        if (synced) await file.sync();
      } finally {
        await file.close();
      }
      await renamePatiently(temporary, path);
    } catch (cause) {
      await fs.rm(temporary, { force: true }).catch(() => undefined);
      throw cause;
    }
    if (synced) await syncDirectory(dirname(path));
  });
}

/**
 * Writes a file that a user named. A plain file is replaced and keeps its mode, also behind a link; a device or a pipe
 * is written to, because replacing it would break it for everybody.
 * @throws ScreenerError storage, also for a link that another user may have laid there
 */
export async function writeOutputFile(path: string, content: string): Promise<void> {
  const [link, found] = await storing(`write ${path}`, async () => [
    await fs.lstat(path).catch(nothingThere),
    await fs.stat(path).catch(nothingThere),
  ]);
  if (link?.isSymbolicLink() && belongsToOther(link) && ((await fs.stat(dirname(path))).mode & 0o022) !== 0) {
    throw new ScreenerError('storage', `${path} is another user's link, in a folder that others can write to.`, {
      hint: 'Name another file, or remove the link.',
    });
  }
  if (found?.isFile()) {
    const mode = belongsToOther(found) ? FILE_MODE : found.mode & 0o777;
    return replaceFile(await fs.realpath(path), content, true, mode);
  }
  if (link === undefined) return replaceFile(path, content);
  // Links that lead nowhere yet: the system follows them.
  await storing(`write ${path}`, () => fs.writeFile(path, content, { mode: FILE_MODE }));
}

function nothingThere(cause: unknown): undefined {
  if (!isMissing(cause)) throw cause;
}

/** Milliseconds: Windows refuses to rename over a file that a reader has open. */
const PATIENCE = [10, 20, 40, 80, 160, 320, 640, 1280, 2560];

async function renamePatiently(from: string, to: string): Promise<void> {
  for (const wait of PATIENCE) {
    try {
      return await fs.rename(from, to);
    } catch (cause) {
      if (!['EPERM', 'EBUSY', 'EACCES'].includes(errnoOf(cause) ?? '')) throw cause;
    }
    await setTimeout(wait);
  }
  return fs.rename(from, to);
}

/** Removes what killed processes left of `replaceFile`, in a directory that nobody else writes to. */
export async function removeTemporaryFiles(directory: string): Promise<void> {
  for (const name of await fs.readdir(directory)) {
    if (TEMPORARY.test(name))
      await fs.rm(`${directory}/${name}`, { force: true, recursive: true }).catch(() => undefined);
  }
}
