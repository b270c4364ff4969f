/** Starts other programs: a pager, a user's program for each card, and what opens a file. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { resolve as absolute } from 'node:path';
import { platform } from 'node:process';
import { Readable } from 'node:stream';
import type { Env } from './directories.ts';
import { leaveInterruptsTo } from './stop-signal.ts';

// Without this variable Windows looks for programs in the current folder first, which may be another user's.
process.env.NoDefaultCurrentDirectoryInExePath = '1';

/** The environment without the key. Windows knows variables in small and capital letters: each spelling is removed. */
export function childEnv(env: Env): Env {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => name.toUpperCase() !== 'SCREENER_API_KEY'),
  );
}

/** Starts a program, and writes texts to its standard input as fast as it reads them. @param words its name and its options */
function start(
  [name = '', ...options]: readonly string[],
  env: Env,
  texts: Iterable<string>,
  spawnOptions: SpawnOptions,
): ChildProcess {
  const child = spawn(name, options, { ...spawnOptions, env: childEnv(env) });
  // There is no standard input if the system cannot open another file.
  if (child.stdin) {
    // Writing fails if the program ends early: that is no error of ours.
    child.stdin.on('error', () => {});
    Readable.from(texts).pipe(child.stdin);
  }
  return child;
}

/** Exit codes with which a shell says that it cannot run a program, or that there is none. */
const NOT_RUN: ReadonlySet<number | null> = new Set([126, 127]);

/** Shows texts in a pager, and waits until the user has left it. @returns false if there is no such program */
export async function showInPager(
  words: readonly string[],
  env: Env,
  texts: Iterable<string>,
): Promise<boolean> {
  const child = start(words, env, texts, { stdio: ['pipe', 'inherit', 'inherit'] });
  const ended = new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(!NOT_RUN.has(code)));
  });
  // Until the pager ends, Ctrl-C is for the pager alone.
  void leaveInterruptsTo(ended);
  return ended;
}

/** Milliseconds: a program that takes longer is ended. */
const LONGEST_RUN = 10_000;

/** Whether processes have groups, which a signal ends as a whole. */
const HAS_GROUPS = platform !== 'win32';

/**
 * Hands a text to a program on its standard input, and waits for its end. What it prints is dropped. If it takes longer than
 * 10 s, or if the abort signal fires, it is ended together with all programs that it has started; on Windows, only it is ended.
 * @returns what went wrong, in words; undefined if the exit code was 0
 */
export async function handTo(
  words: readonly string[],
  { env, signal }: { readonly env: Env; readonly signal: AbortSignal },
  text: string,
): Promise<string | undefined> {
  signal.throwIfAborted();
  const child = start(words, env, [text], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // It gets a process group of its own, so that the programs it starts can be ended with it.
    detached: HAS_GROUPS,
  });
  const end = () => endGroup(child);
  const timer = setTimeout(end, LONGEST_RUN);
  signal.addEventListener('abort', end);
  try {
    return await troubleOf(child);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  if (!HAS_GROUPS) {
    child.kill('SIGKILL');
    return;
  }
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has just ended by itself.
  }
}

/** Waits for a program's end. @returns what went wrong, in words; undefined if the exit code was 0 */
function troubleOf(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code === 'ENOENT' ? 'no such program' : error.message);
    });
    child.once('exit', (code, killedBy) => {
      if (code === 0) resolve(undefined);
      else resolve(code === null ? `it was ended by ${killedBy}` : `it ended with ${code}`);
    });
  });
}

/** Milliseconds to wait for the end of an opener. One that runs for longer shows the file itself. */
const OPENER_TIME = 1_000;

/** Shows a file in the program that the desktop has for it. @returns false if that failed, for example without a desktop */
export async function openFile(file: string, env: Env): Promise<boolean> {
  const openers: Readonly<Record<string, string>> = { win32: 'explorer.exe', darwin: 'open' };
  const opener = openers[platform] ?? 'xdg-open';
  return new Promise((resolve) => {
    // The path is absolute: Explorer takes `a/b` for an option; other openers take `-x` for one.
    const child = spawn(opener, [absolute(file)], {
      stdio: 'ignore',
      detached: true,
      env: childEnv(env),
    });
    const settle = (isShown: boolean) => {
      clearTimeout(timer);
      resolve(isShown);
    };
    const timer = setTimeout(() => {
      // This program does not wait for the opener's end.
      child.unref();
      settle(true);
    }, OPENER_TIME);
    child.on('error', () => settle(false));
    // Explorer ends with 1 even if it shows the file.
    child.on('exit', (code) => settle(code === 0 || platform === 'win32'));
  });
}
