import { versions } from 'node:process';
import { ScreenerError } from '../errors.ts';

/**
 * Milliseconds for each address of a host but the last. Node gives up after 250: a host that is further away could not be
 * reached where it has an address of a family that leads nowhere.
 */
const ATTEMPT_TIMEOUT = 2_500;

/**
 * Before the first request of this process, also of one to a proxy.
 * @throws ScreenerError unexpected, where there is no WebAssembly, with which undici reads answers
 */
export function prepareForRequests(): void {
  if (!('WebAssembly' in globalThis)) {
    throw new ScreenerError(
      'unexpected',
      'Node was started with --jitless: it cannot read answers of the service.',
      {
        hint: 'Run the command again without that option of Node. A local history can be read with it.',
      },
    );
  }
  process
    .getBuiltinModule?.('node:net')
    .setDefaultAutoSelectFamilyAttemptTimeout?.(ATTEMPT_TIMEOUT);
  // Saves Node 20 a wait of 40 ms at exit, for V8's optimising of undici's WebAssembly.
  if (versions.v8.startsWith('11.'))
    process.getBuiltinModule?.('node:v8').setFlagsFromString('--liftoff-only');
}

/** The system refuses memory, as under `ulimit -v`: V8 says so in words only. */
export function isOutOfMemory(error: unknown): boolean {
  return error instanceof RangeError && /out of memory|allocation failed/i.test(error.message);
}

/** A stack, string, array, map or object that V8 cannot make so large: it says so in words only. */
export function isTooLarge(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'ERR_STRING_TOO_LONG' || code === 'ERR_FS_FILE_TOO_LARGE') return true;
  const words =
    /call stack|invalid (string|array|typed array) length|maximum size exceeded|too many properties/i;
  return error instanceof RangeError && words.test(error.message);
}

/** Standard error is for the program's own lines, one of which may be JSON. */
export function muteNodeWarnings(): void {
  process.removeAllListeners('warning');
}
