/** What Node and V8 need before a request, what their errors mean, and how to keep Node's warnings quiet. */
import { versions } from 'node:process';
import { ScreenerError } from '../errors.ts';

/**
 * Milliseconds to try one address of a host before the next one. Node's default of 250 ms is too short to reach a host that is far
 * away: Node gives up both the IPv6 address, which may lead nowhere, and the IPv4 address.
 */
const ATTEMPT_TIMEOUT = 2_500;

/**
 * Prepares Node for requests. Called before the first request of this process.
 * @throws ScreenerError unexpected, if there is no WebAssembly: undici reads answers with it
 */
export function prepareForRequests(): void {
  if (!('WebAssembly' in globalThis)) {
    throw new ScreenerError(
      'unexpected',
      'Node was started with --jitless: it cannot read answers of the service.',
      {
        hint: 'Run the command again without that option of Node. Reading a local history works with --jitless, too.',
      },
    );
  }
  // `node:net` is loaded here and not imported above, because most commands send nothing. An engine without these functions keeps
  // its own time.
  process
    .getBuiltinModule?.('node:net')
    .setDefaultAutoSelectFamilyAttemptTimeout?.(ATTEMPT_TIMEOUT);
  // Without this, Node 20 (V8 11) waits 40 ms at exit until V8 has optimised undici's WebAssembly.
  if (versions.v8.startsWith('11.'))
    process.getBuiltinModule?.('node:v8').setFlagsFromString('--liftoff-only');
}

/** Whether the system refused memory, as under `ulimit -v`. V8's error has no code: only its message says so. */
export function isOutOfMemory(error: unknown): boolean {
  return error instanceof RangeError && /out of memory|allocation failed/i.test(error.message);
}

/** Whether a stack, string, array, map or object became too large for V8. Most of these errors have no code: only their messages say so. */
export function isTooLarge(error: unknown): boolean {
  // JavaScript can throw any value, also undefined.
  const { code = '' } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  if (code === 'ERR_STRING_TOO_LONG' || code === 'ERR_FS_FILE_TOO_LARGE') return true;
  const words =
    /call stack|invalid (string|array|typed array) length|maximum size exceeded|too many properties/i;
  return error instanceof RangeError && words.test(error.message);
}

/** Keeps Node's warnings off standard error, where a program may read an error of ours as a line of JSON. */
export function muteNodeWarnings(): void {
  process.removeAllListeners('warning');
}
