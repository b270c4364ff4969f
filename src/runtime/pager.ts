import type { ChildProcess } from 'node:child_process';
import { OutputClosed } from '../errors.ts';
import { leaveInterruptsTo } from './stop-signal.ts';

/** A program that shows a text screen by screen, as a child of this process on the same terminal. */
export interface Pager {
  /** Rejects with `OutputClosed` when the user has left the pager. */
  write(text: string): Promise<void>;
  /** Resolves when the user has left the pager. */
  readonly ended: Promise<void>;
  /** Ends the text, and waits for the user to leave the pager. */
  close(): Promise<void>;
}

/**
 * Starts a pager.
 * @param words the program and its options
 * @returns undefined where there is no such program
 */
export async function startPager(
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<Pager | undefined> {
  const { spawn } = await import('node:child_process');
  const [program = '', ...options] = words;
  const child = spawn(program, options, { stdio: ['pipe', 'inherit', 'inherit'], env });
  const started = await new Promise<boolean>((resolve) => {
    child.once('spawn', () => resolve(true)).once('error', () => resolve(false));
  });
  if (!started) return undefined;
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
  });
  void leaveInterruptsTo(ended);
  // Each write reports its own failure.
  child.stdin.on('error', () => {});
  return {
    write: (text) => writeTo(child, text),
    ended,
    close() {
      child.stdin.end();
      return ended;
    },
  };
}

function writeTo({ stdin }: ChildProcess, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stdin?.write(text, (error) => (error ? reject(new OutputClosed()) : resolve()));
  });
}
