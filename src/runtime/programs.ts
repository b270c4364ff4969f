import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { resolve as absolute } from 'node:path';
import { platform } from 'node:process';
import { Readable } from 'node:stream';
import { leaveInterruptsTo } from './stop-signal.ts';

type Env = Readonly<Record<string, string | undefined>>;

// Windows would look into the current folder first, which may be another user's.
process.env.NoDefaultCurrentDirectoryInExePath = '1';

/** The environment without the key: Windows finds the variable in every spelling. */
export function childEnv(env: Env): Env {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => name.toUpperCase() !== 'SCREENER_API_KEY'),
  );
}

/** Starts a program that gets texts on its standard input, as it reads. */
function start(
  [name = '', ...options]: readonly string[],
  env: Env,
  texts: Iterable<string>,
  how: SpawnOptions,
): ChildProcess {
  const child = spawn(name, options, { ...how, env: childEnv(env) });
  // Standard input fails if the program leaves early, and is absent if no file can be opened.
  if (child.stdin) Readable.from(texts).pipe(child.stdin.on('error', () => {}));
  return child;
}

/** @returns false if there is no such program, else once the user has left it */
export async function showInPager(
  words: readonly string[],
  env: Env,
  texts: Iterable<string>,
): Promise<boolean> {
  const child = start(words, env, texts, { stdio: ['pipe', 'inherit', 'inherit'] });
  const ended = new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false)).once('close', () => resolve(true));
  });
  void leaveInterruptsTo(ended);
  return ended;
}

/** Milliseconds: a program that takes longer with one text is stopped. */
const LONGEST_RUN = 10_000;

/** Windows has no groups of processes. */
const HAS_GROUPS = platform !== 'win32';

/**
 * Drops what the program prints. The signal, or taking too long, ends it with all that it has started.
 * @returns what went wrong, in words; undefined if it ended with 0
 */
export async function handTo(
  words: readonly string[],
  { env, signal }: { readonly env: Env; readonly signal: AbortSignal },
  text: string,
): Promise<string | undefined> {
  signal.throwIfAborted();
  const child = start(words, env, [text], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // A group of its own, so that what the program starts can be ended with it.
    detached: HAS_GROUPS,
  });
  const end = () => endGroup(child);
  const timer = setTimeout(end, LONGEST_RUN);
  signal.addEventListener('abort', end, { once: true });
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

/** Waits for its end. @returns as `handTo` */
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

/** Milliseconds: an opener that runs for longer is itself what shows the file. */
const OPENER_TIME = 1_000;

/** Shows a file in the desktop's program for it. @returns false if there is no desktop to ask */
export async function openFile(file: string, env: Env): Promise<boolean> {
  const opener = { win32: 'explorer.exe', darwin: 'open' }[String(platform)] ?? 'xdg-open';
  return new Promise((resolve) => {
    // Whole paths: Explorer takes `a/b`, and others `-x`, for an option.
    const child = spawn(opener, [absolute(file)], {
      stdio: 'ignore',
      detached: true,
      env: childEnv(env),
    });
    const timer = setTimeout(() => {
      child.unref();
      resolve(true);
    }, OPENER_TIME);
    const end = (isShown: boolean) => {
      clearTimeout(timer);
      resolve(isShown);
    };
    child.on('error', () => end(false));
    // Explorer ends with 1 although it shows the file.
    child.on('exit', (code) => end(code === 0 || platform === 'win32'));
  });
}
