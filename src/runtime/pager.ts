import { childEnv, findProgram } from './find-program.ts';
import { leaveInterruptsTo } from './stop-signal.ts';

/**
 * Shows a text in a program that shows it screen by screen, as a child of this process on the same terminal. Ends when
 * the user has left it, which may be before the end of the text.
 * @param words the program and its options
 * @returns false where there is no such program
 */
export async function showInPager(
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  text: string,
): Promise<boolean> {
  const { spawn } = await import('node:child_process');
  const [name = '', ...options] = words;
  const program = findProgram(name, env);
  if (program === undefined) return false;
  const child = spawn(program, options, { stdio: ['pipe', 'inherit', 'inherit'], env: childEnv(env) });
  const ended = new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false)).once('close', () => resolve(true));
  });
  void leaveInterruptsTo(ended);
  // Absent where no more files can be opened; it fails where the user leaves early.
  child.stdin?.on('error', () => {}).end(text);
  return ended;
}
