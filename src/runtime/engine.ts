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

/** Standard error is for the program's own lines, one of which may be JSON. */
export function muteNodeWarnings(): void {
  process.removeAllListeners('warning');
}
