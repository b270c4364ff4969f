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

/** The card ids that are piped in, as one text, for an argument `-`. @throws ScreenerError usage, if none are piped in */
export async function readPipedIds(context: Context, hint: string): Promise<string> {
  if (context.stdin.isTTY)
    throw usageError('`-` reads ids from standard input, but that is a terminal.', hint);
  return readStandardInput(context);
}

/** A line that is not blank, and its end. */
const FILLED_LINE = /^\s*(\S.*?)\r?\n/;

/**
 * The first line of standard input that is not blank, without the blanks around it. It does not wait for the end of the input,
 * because a pipe may stay open. Ctrl-C ends the reading at once.
 * @returns an empty text if the input has only blank lines
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

/**
 * Asks a question on stderr, because stdout carries data only.
 * @param secret whether the answer is not shown as it is typed
 * @throws ScreenerError interrupted; usage, if the input ends without an answer
 */
export async function ask(
  { stdin, stderr, signal }: Context,
  question: string,
  secret: boolean,
): Promise<string> {
  signal.throwIfAborted();
  // readline puts the terminal into raw mode: the terminal shows only what readline writes. For a secret it writes nothing.
  const output = secret
    ? new Writable({ write: (_chunk, _encoding, done) => done() })
    : stderr.stream;
  const lines = readline.createInterface({
    input: stdin,
    ...(output ? { output } : {}),
    terminal: true,
    // If the user edits the answer, readline draws the whole line once more, and the question with it.
    prompt: question,
  });
  const answer = new Promise<string>((resolve, reject) => {
    lines.once('line', resolve);
    // When a shell brings the program back (Ctrl-Z, then fg), readline stays paused: without `prompt` nothing would be read.
    lines.on('SIGCONT', () => {
      lines.prompt(true);
      // readline turns the terminal's echo off right after this event. The question comes after that, so that no answer is shown.
      if (secret) queueMicrotask(() => stderr.write(question).catch(reject));
    });
    // In raw mode Ctrl-C is a key, not a signal.
    lines.once('SIGINT', () =>
      reject(interruptedError('Nothing was saved. To continue, run the same command again.')),
    );
    // After an answer the rejection changes nothing. Never remove all listeners to `close`: one of them is readline's own, which
    // gives the keyboard back. Without that listener this question would show the answer to the next one, a secret.
    lines.once('close', () => reject(usageError('The input ended before there was an answer.')));
    signal.addEventListener('abort', () => reject(signal.reason));
  });
  let isAnswered = false;
  try {
    // The question is written only now, in raw mode: before that, the terminal would show an answer that is typed at once.
    const [text] = await Promise.all([answer, stderr.write(question)]);
    isAnswered = true;
    return text;
  } finally {
    lines.close();
    // readline writes a line end itself only after an answer that it has shown.
    if (secret || !isAnswered) await stderr.write('\n').catch(() => {});
  }
}
