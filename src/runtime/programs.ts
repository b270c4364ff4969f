/** Other programs that show what this one made: a pager, and the desktop's own for a file. */
import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { resolve as absolute, win32 } from 'node:path';
import { platform } from 'node:process';
import { leaveInterruptsTo } from './stop-signal.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Without a drive letter Windows reads a path from the current drive, or from another machine. */
const ON_DRIVE = /^[a-z]:[\\/]/i;

/**
 * The program that a name means, for `spawn`. Windows, and Node on it, look into the current folder first, where another
 * user may have put a program of that name: there the name becomes the whole path of what PATH leads to.
 * @returns undefined where Windows has no such program on a drive, outside of the current folder
 */
export function findProgram(
  name: string,
  env: Env,
  platform: string | undefined = process.platform,
  isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true,
): string | undefined {
  if (platform !== 'win32' || ON_DRIVE.test(name)) return name;
  if (/[/\\]/.test(name)) return undefined;
  // Windows writes the name of the variable as it likes: `Path`.
  const path = Object.entries(env).find(([key]) => key.toUpperCase() === 'PATH')?.[1] ?? '';
  return path
    .split(';')
    .filter((folder) => ON_DRIVE.test(folder))
    .flatMap((folder) => ['', '.com', '.exe'].map((ending) => win32.join(folder, name + ending)))
    .find((file) => /\.(com|exe)$/i.test(file) && isFile(file));
}

/** The environment for a pager or a browser, without the key: Windows finds the variable in every spelling. */
export function childEnv(env: Env): Env {
  return Object.fromEntries(Object.entries(env).filter(([name]) => name.toUpperCase() !== 'SCREENER_API_KEY'));
}

/**
 * Shows a text in a program that shows it screen by screen, as a child of this process on the same terminal. Ends when
 * the user has left it, which may be before the end of the text.
 * @param words the program and its options
 * @returns false where there is no such program
 */
export async function showInPager(words: readonly string[], env: Env, text: string): Promise<boolean> {
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

/**
 * Shows a file in the program that the user's desktop has for it.
 * @returns false where there is no desktop to ask
 */
export async function openFile(file: string, env: Env): Promise<boolean> {
  const opener = openerOf(env);
  if (opener === undefined) return false;
  return new Promise((resolve) => {
    // As a whole path, for Explorer takes `a/b` and the others `-x` for an option.
    const child = spawn(opener, [absolute(file)], { stdio: 'ignore', detached: true, env: childEnv(env) });
    child.on('error', () => resolve(false));
    child.on('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}

function openerOf(env: Env): string | undefined {
  const { SystemRoot = '' } = env;
  if (platform === 'win32') return win32.join(ON_DRIVE.test(SystemRoot) ? SystemRoot : 'C:\\Windows', 'explorer.exe');
  return findProgram(platform === 'darwin' ? 'open' : 'xdg-open', env);
}
