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
  const chunks: Buffer[] = [];
  let size = 0;
  const onAbort = () => stdin.destroy();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    for await (const chunk of stdin) {
      chunks.push(Buffer.from(chunk));
      size += chunk.length;
      if (size > MOST_INPUT) throw usageError('Standard input is too long.');
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
  signal.throwIfAborted();
  return decode(Buffer.concat(chunks));
}

/** UTF-8, or what its byte order mark says: `>` of Windows PowerShell writes UTF-16. */
function decode(bytes: Buffer): string {
  const mark = bytes.toString('hex', 0, 2);
  return new TextDecoder(mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8').decode(bytes);
}

/** The first line of standard input that is not empty, without the white space around it. */
export async function firstLine(context: Context): Promise<string> {
  const text = await readInput(context);
  return text.trim().split(/\r?\n/)[0]?.trim() ?? '';
}
