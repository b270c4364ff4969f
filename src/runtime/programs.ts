import { type SpawnOptions, spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { resolve as absolute, win32 } from 'node:path';
import { platform } from 'node:process';
import { Readable } from 'node:stream';
import { leaveInterruptsTo } from './stop-signal.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Paths without a drive may lead to another machine. */
const ON_DRIVE = /^[a-z]:[\\/]/i;

/** Windows would look into the current folder first, which may be another user's. @returns undefined if there is none */
export function findProgram(
  name: string,
  env: Env,
  platform: string | undefined = process.platform,
  isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true,
): string | undefined {
  if (platform !== 'win32' || ON_DRIVE.test(name)) return name;
  if (/[/\\]/.test(name)) return undefined;
  const path = Object.entries(env).find(([key]) => key.toUpperCase() === 'PATH')?.[1] ?? '';
  return path
    .split(';')
    .filter((folder) => ON_DRIVE.test(folder))
    .flatMap((folder) => ['', '.com', '.exe'].map((ending) => win32.join(folder, name + ending)))
    .find((file) => /\.(com|exe)$/i.test(file) && isFile(file));
}

/** The environment without the key: Windows finds the variable in every spelling. */
export function childEnv(env: Env): Env {
  return Object.fromEntries(Object.entries(env).filter(([name]) => name.toUpperCase() !== 'SCREENER_API_KEY'));
}

/** Starts a program that gets texts on its standard input, as it reads. @returns undefined if there is no such program */
function start([name = '', ...options]: readonly string[], env: Env, texts: Iterable<string>, how: SpawnOptions) {
  const program = findProgram(name, env);
  if (program === undefined) return undefined;
  const child = spawn(program, options, { ...how, env: childEnv(env) });
  // Standard input fails if the program leaves early, and is absent if no file can be opened.
  if (child.stdin) Readable.from(texts).pipe(child.stdin.on('error', () => {}));
  return child;
}

/** @returns false if there is no such program, else once the user has left it */
export async function showInPager(words: readonly string[], env: Env, texts: Iterable<string>): Promise<boolean> {
  const child = start(words, env, texts, { stdio: ['pipe', 'inherit', 'inherit'] });
  if (child === undefined) return false;
  const ended = new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false)).once('close', () => resolve(true));
  });
  void leaveInterruptsTo(ended);
  return ended;
}

/** Milliseconds: a program that takes longer with one text is stopped. */
const LONGEST_RUN = 10_000;

const NONE = 'no such program';

/** Drops what the program prints; the signal ends it. @returns what went wrong, in words; undefined if it ended with 0 */
export async function handTo(
  words: readonly string[],
  { env, signal }: { readonly env: Env; readonly signal: AbortSignal },
  text: string,
): Promise<string | undefined> {
  const killed = { signal, timeout: LONGEST_RUN, killSignal: 'SIGKILL' } as const;
  const child = start(words, env, [text], { stdio: ['pipe', 'ignore', 'ignore'], ...killed });
  if (child === undefined) return NONE;
  return new Promise((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ENOENT' ? NONE : error.message));
    child.once('exit', (code, signal) => {
      resolve(code === 0 ? undefined : code === null ? `it was ended by ${signal}` : `it ended with ${code}`);
    });
  });
}

/** Shows a file in the desktop's program for it. @returns false if there is no desktop to ask */
export async function openFile(file: string, env: Env): Promise<boolean> {
  const { SystemRoot = '' } = env;
  const windows = ON_DRIVE.test(SystemRoot) ? SystemRoot : 'C:\\Windows';
  const opener = { win32: win32.join(windows, 'explorer.exe'), darwin: 'open' }[String(platform)] ?? 'xdg-open';
  return new Promise((resolve) => {
    // Whole paths: Explorer takes `a/b`, and others `-x`, for an option.
    const child = spawn(opener, [absolute(file)], { stdio: 'ignore', detached: true, env: childEnv(env) });
    child.on('error', () => resolve(false));
    child.on('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
