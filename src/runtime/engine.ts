import { versions } from 'node:process';

/**
 * Keeps V8 of Node 20 from optimising undici's WebAssembly parser, for which the process would wait 40 ms at exit. Delete
 * this together with Node 20: newer versions optimise only code that runs often.
 */
export async function prepareForRequests(): Promise<void> {
  if (!versions.v8.startsWith('11.')) return;
  const { default: v8 } = await import('node:v8');
  v8.setFlagsFromString('--liftoff-only');
}

/** What V8 says where the system refuses it memory, as under `ulimit -v`: undici's parser is WebAssembly. */
export function isOutOfMemory(error: unknown): boolean {
  return error instanceof RangeError && /out of memory|allocation failed/i.test(error.message);
}

export const MEMORY_HINT = 'Free some memory, or raise the limit (`ulimit -v` shows it), then run the command again.';

/** Standard error is for the program's own lines, one of which may be JSON. */
export function muteNodeWarnings(): void {
  process.removeAllListeners('warning');
}
