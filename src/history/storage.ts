/**
 * Writing that survives: every step is on the disk before the next one begins, and what goes wrong says what to do.
 */
import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ScreenerError } from '../errors.ts';
import { DIRECTORY_MODE, FILE_MODE } from './layout.ts';

const HINTS: Record<string, string> = {
  ENOSPC: 'The disk is full. Free some space and run the command again: it goes on from what is saved.',
  EDQUOT: 'Your disk quota is used up. Free some space and run the command again: it goes on from what is saved.',
  EFBIG: 'A limit on file sizes was reached. Raise it and run the command again: it goes on from what is saved.',
  EACCES: 'Check who owns the directory and its files, and their permissions.',
  EPERM: 'Check who owns the directory and its files, and their permissions.',
  EROFS: 'The file system is read-only. Choose another directory.',
  ENOTDIR: 'A part of that path is a file. Choose another directory.',
  EISDIR: 'A directory lies where a file should be. Choose another directory.',
  EMFILE: 'Too many files are open. Raise the limit (ulimit -n) and run the command again.',
  ENFILE: 'Too many files are open on this machine. Run the command again later.',
};

export function errnoOf(cause: unknown): string | undefined {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** Turns a failure of the file system into a `ScreenerError`; one that already is, stays. */
export function storageError(cause: unknown, doing: string): unknown {
  const code = errnoOf(cause);
  if (cause instanceof ScreenerError || code === undefined) return cause;
  const hint = HINTS[code] ?? 'Check the directory and run the command again: it goes on from what is saved.';
  return new ScreenerError('storage', `Cannot ${doing}: ${(cause as Error).message}`, { hint, cause });
}

/** Runs file work and names what was being done where it fails. */
export async function storing<T>(doing: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw storageError(cause, doing);
  }
}

export async function makeDirectory(directory: string): Promise<void> {
  await storing(`create ${directory}`, () => mkdir(directory, { recursive: true, mode: DIRECTORY_MODE }));
}

/** So that a rename or a new file survives a power cut. Some systems cannot sync a directory: nothing is lost then. */
export async function syncDirectory(directory: string): Promise<void> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(directory, 'r');
    await handle.sync();
  } catch (cause) {
    if (!['EINVAL', 'EISDIR', 'EPERM', 'ENOTSUP', 'EBADF', 'EACCES'].includes(errnoOf(cause) ?? '')) throw cause;
  } finally {
    await handle?.close();
  }
}

/**
 * Replaces a file in one step: readers see the old one or the new one, whole. The new one is on the disk before it is
 * seen. When `write` or the disk fails, the old file stays and the new one leaves no trace.
 */
export async function replaceFile(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  await storing(`write ${path}`, async () => {
    try {
      const file = await open(temporary, 'wx', FILE_MODE);
      try {
        await write(file);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(temporary, path);
    } catch (cause) {
      await rm(temporary, { force: true }).catch(() => undefined);
      throw cause;
    }
    await syncDirectory(dirname(path));
  });
}

/** Writes all of `data`: a single write may be cut short where the disk is nearly full. */
export async function writeAll(file: FileHandle, data: Buffer): Promise<void> {
  let written = 0;
  while (written < data.length) {
    const { bytesWritten } = await file.write(data, written, data.length - written, null);
    written += bytesWritten;
  }
}
