import { addAbortSignal } from 'node:stream';
import { usageError } from '../errors.ts';
import type { Context } from '../runtime/context.ts';

/** Far more than a month's credits could buy, or any key is long: rather a wrong file than a wish. */
const MOST_INPUT = 16 * 1024 * 1024;

/**
 * All of standard input as text. Ctrl-C ends the reading at once.
 * @throws ScreenerError usage where it is absurdly long
 */
export async function readInput({ stdin, signal }: Context): Promise<string> {
  signal.throwIfAborted();
  let text = '';
  try {
    for await (const chunk of addAbortSignal(signal, stdin).setEncoding('utf8')) {
      text += chunk;
      if (text.length > MOST_INPUT) throw usageError('Standard input is too long.');
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
  return text;
}
