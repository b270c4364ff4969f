import readline from 'node:readline';
import { addAbortSignal, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { interruptedError, usageError } from '../../errors.ts';
import type { Context } from '../../runtime/context.ts';

/** All of standard input. Ctrl-C ends the reading at once. */
async function readStandardInput({ stdin, signal }: Context): Promise<string> {
  try {
    return await text(addAbortSignal(signal, stdin));
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}

/** Card ids from standard input, where `-` stands for them. @throws ScreenerError usage, if nobody pipes any in */
export async function readPipedIds(context: Context, hint: string): Promise<string> {
  if (context.stdin.isTTY)
    throw usageError('`-` reads ids from standard input, but that is a terminal.', hint);
  return readStandardInput(context);
}

const FILLED_LINE = /^\s*(\S.*?)\r?\n/;

/**
 * The first line of standard input that is not blank, without the blanks around it, as soon as it has come: a pipe may
 * stay open after it. Ctrl-C ends the reading at once.
 * @returns an empty text if the input ends without one
 */
export async function readFirstLine({ stdin, signal }: Context): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of addAbortSignal(signal, stdin)) {
      text += decoder.decode(chunk, { stream: true });
      const [, line] = FILLED_LINE.exec(text) ?? [];
      if (line !== undefined) return line.trim();
    }
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
  return text.trim();
}

/** Asks on stderr: stdout stays data. @throws ScreenerError interrupted; usage, if the input ends without an answer */
export async function ask(
  { stdin, stderr, signal }: Context,
  question: string,
  secret: boolean,
): Promise<string> {
  signal.throwIfAborted();
  // readline puts the terminal into raw mode, so nothing is echoed but what it writes itself: for a secret, nothing.
  const output = secret
    ? new Writable({ write: (_chunk, _encoding, done) => done() })
    : stderr.stream;
  const lines = readline.createInterface({
    input: stdin,
    ...(output ? { output } : {}),
    terminal: true,
    // Whoever edits what was typed makes readline draw the line again, with the question.
    prompt: question,
  });
  const answer = new Promise<string>((resolve, reject) => {
    lines.once('line', resolve);
    // readline pauses when a shell brings the program back (Ctrl-Z, then fg): nothing would be read any more.
    lines.on('SIGCONT', () => {
      lines.prompt(true);
      // readline turns the echo off right after this event: whoever answers the question must not find it on.
      if (secret) queueMicrotask(() => stderr.write(question).catch(reject));
    });
    // In raw mode Ctrl-C is a key, not a signal.
    lines.once('SIGINT', () =>
      reject(interruptedError('Nothing was saved. To continue, run the same command again.')),
    );
    // After an answer this changes nothing. Never remove all listeners to `close`: one of them is readline's own, which
    // gives the keyboard back. Without it the answer to the next question, a secret, would be echoed by this one.
    lines.once('close', () => reject(usageError('The input ended before there was an answer.')));
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  let answered = false;
  try {
    // Asked only now: whoever answers at once must not find the terminal still echoing.
    const [text] = await Promise.all([answer, stderr.write(question)]);
    answered = true;
    return text;
  } finally {
    lines.close();
    // readline repeats the end of line only where it shows what is typed, and only that of an answer.
    if (secret || !answered) await stderr.write('\n').catch(() => {});
  }
}
