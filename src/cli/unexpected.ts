/**
 * Turns an error that no part of the program expects into words. Some have a known cause in the system or in V8, and a remedy.
 * Any other is a bug.
 */

import { ScreenerError } from '../errors.ts';
import { isOutOfMemory, isTooLarge } from '../runtime/engine.ts';
import { bugs } from '../version.ts';

/** Why standard output cannot be written. */
interface OutputFailure {
  readonly reason: string;
  /** What to do, or what forbids the writing: a sentence without its full stop. */
  readonly remedy: string;
}

const FULL_DISK: OutputFailure = {
  reason: 'no space left on the device',
  remedy: 'Free some space',
};

/**
 * By the system's error code. `withStorageErrors` turns each failed write to a file into an error that names the file. An error
 * that still has one of these codes therefore comes from standard output.
 */
const OUTPUT_FAILURES: Readonly<Record<string, OutputFailure>> = {
  ENOSPC: FULL_DISK,
  EDQUOT: FULL_DISK,
  EFBIG: {
    reason: 'the file may not grow further',
    remedy: 'A limit of the shell (`ulimit -f`) or of the file system forbids it',
  },
  EIO: { reason: 'input or output failed', remedy: 'Check the device or terminal behind it' },
  EBADF: { reason: 'it is not open for writing', remedy: 'Redirect it to a file or a program' },
};

/** @returns an error with exit code 1: a known cause with its remedy, otherwise a bug of this program */
export function unexpectedError(error: unknown): ScreenerError {
  // Something may have thrown undefined or null.
  const { code = '', message = String(error) } = (error ?? {}) as NodeJS.ErrnoException;
  const outputFailure = OUTPUT_FAILURES[code];
  if (outputFailure !== undefined) {
    const { reason, remedy } = outputFailure;
    return new ScreenerError('storage', `Standard output cannot be written: ${reason}.`, {
      hint: `${remedy}; what had been written so far is incomplete.`,
      cause: error,
    });
  }
  if (isOutOfMemory(error) || isTooLarge(error)) {
    return new ScreenerError(
      'storage',
      'What was read is too large, or nested too deep, for the memory there is.',
      {
        hint: 'Ask for less at once, or free some memory. `screener signals export --check` finds damaged lines.',
        cause: error,
      },
    );
  }
  if (code === 'ERR_ACCESS_DENIED') return accessDeniedError(error as AccessDenied);
  const atPlaceForBugs = bugs === undefined ? '' : ` at ${bugs}`;
  return new ScreenerError('unexpected', `Unexpected failure: ${message}`, {
    hint: `This is a bug in screener. Please report the command line and this text${atPlaceForBugs}. With -v there is a trace, too.`,
    cause: error,
  });
}

/** The error of Node's permission model (`--permission`). */
interface AccessDenied extends Error {
  /** `FileSystemWrite`, for example. Absent where Node forbids a function itself, for any file: fsync in Node 20. */
  readonly permission?: string;
}

/** What each permission of Node allows, in words. */
const PERMISSIONS: Readonly<Record<string, string>> = {
  FileSystemRead: 'read files',
  FileSystemWrite: 'write files',
  ChildProcess: 'start programs',
};

function accessDeniedError(error: AccessDenied): ScreenerError {
  // Node switches off only functions that write.
  const permission = error.permission ?? 'FileSystemWrite';
  const action = PERMISSIONS[permission] ?? 'do that';
  return new ScreenerError(
    'storage',
    `Node was started without permission to ${action} (--permission).`,
    { hint: 'Run the command again without that option of Node.', cause: error },
  );
}
