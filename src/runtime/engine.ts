import { versions } from 'node:process';

/**
 * Prepares the JavaScript engine for a few requests. undici parses HTTP with WebAssembly; on Node 20 V8 optimises that
 * code in the background, and the process waits for it at exit: some 40 ms for nothing. With V8's baseline compiler
 * alone they are gone. Newer versions of V8 optimise only code that runs often: delete this together with Node 20.
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

/** From now on Node's warnings are not shown: standard error is for the program's own lines, one of which may be JSON. */
export function muteNodeWarnings(): void {
  process.removeAllListeners('warning');
}
