import { addAbortSignal } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Context } from '../../runtime/context.ts';

/** All of standard input. Ctrl-C ends the reading at once. */
export async function readInput({ stdin, signal }: Context): Promise<string> {
  signal.throwIfAborted();
  return text(addAbortSignal(signal, stdin)).catch((error: unknown) => {
    signal.throwIfAborted();
    throw error;
  });
}
