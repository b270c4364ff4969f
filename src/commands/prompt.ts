import readline from 'node:readline';
import { Writable } from 'node:stream';
import type { Context } from '../context.ts';
import { interruptedError, usageError } from '../errors.ts';

/**
 * Asks one question on the terminal. Questions go to stderr, so that stdout stays data.
 * @param secret what is typed or pasted is not shown
 * @throws ScreenerError interrupted on Ctrl-C, usage where the input ends without an answer
 */
export async function ask({ stdin, stderr, signal }: Context, question: string, secret: boolean): Promise<string> {
  await stderr.write(question);
  // readline puts the terminal into raw mode, so nothing is echoed but what it writes itself: for a secret, nothing.
  const output = secret ? new Writable({ write: (_chunk, _encoding, done) => done() }) : stderr.stream;
  const lines = readline.createInterface({ input: stdin, ...(output ? { output } : {}), terminal: true });
  try {
    return await new Promise((resolve, reject) => {
      lines.once('line', resolve);
      // In raw mode Ctrl-C is a key, not a signal.
      lines.once('SIGINT', () => reject(interruptedError()));
      lines.once('close', () => reject(usageError('The input ended before there was an answer.')));
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  } finally {
    lines.removeAllListeners('close');
    lines.close();
    // readline repeats the end of line only where it shows what is typed.
    if (secret) await stderr.write('\n').catch(() => {});
  }
}
