/** Failures that no part of the program has foreseen: what the system, or V8, says of the whole process. */

import { ScreenerError } from '../errors.ts';
import { isOutOfMemory, isTooLarge } from '../runtime/engine.ts';
import { bugs } from '../version.ts';

const DISK_IS_FULL = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** @returns an error with exit code 1: a known cause with its remedy, else a bug of this program */
export function unexpectedError(error: unknown): ScreenerError {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (DISK_IS_FULL.includes(code)) {
    return new ScreenerError(
      'storage',
      'Standard output cannot be written: no space left on the device.',
      { hint: 'Free some space; what had been written so far is incomplete.', cause: error },
    );
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
  const where = bugs === undefined ? '' : ` at ${bugs}`;
  return new ScreenerError('unexpected', `Unexpected failure: ${message ?? String(error)}`, {
    hint: `This is a bug in screener. Please report the command line and this text${where}. With -v there is a trace, too.`,
    cause: error,
  });
}

/** What Node's permission model refuses. */
interface AccessDenied extends Error {
  /** `FileSystemWrite`; absent where a function is switched off as a whole, such as fsync on Node 20. */
  readonly permission?: string;
}

/** What each permission of Node allows, in words. */
const PERMISSIONS: Readonly<Record<string, string>> = {
  FileSystemRead: 'read files',
  FileSystemWrite: 'write files',
  ChildProcess: 'start programs',
};

function accessDeniedError(error: AccessDenied): ScreenerError {
  const permission = error.permission ?? 'FileSystemWrite';
  const action = PERMISSIONS[permission] ?? 'do that';
  return new ScreenerError(
    'storage',
    `Node was started without leave to ${action} (--permission).`,
    { hint: 'Run the command again without that option of Node.', cause: error },
  );
}
