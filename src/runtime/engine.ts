import { versions } from 'node:process';

/** Saves Node 20 a wait of 40 ms at exit, for V8's optimising of undici's WebAssembly. */
export async function prepareForRequests(): Promise<void> {
  if (!versions.v8.startsWith('11.')) return;
  const { default: v8 } = await import('node:v8');
  v8.setFlagsFromString('--liftoff-only');
}

/** Standard error is for the program's own lines, one of which may be JSON. */
export function muteNodeWarnings(): void {
  process.removeAllListeners('warning');
}
