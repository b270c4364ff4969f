import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inject } from 'vitest';
import { createHome, type Home } from './home.ts';

export interface RunOptions {
  /** Added to an environment that holds nothing but PATH, HOME and the two directories. */
  readonly env?: Record<string, string | undefined>;
  /** All of standard input; without it, standard input is empty. */
  readonly stdin?: string;
  /** Whose files; else those of a user nobody has seen before. */
  readonly home?: Home | undefined;
  readonly cwd?: string;
  /** Whether the environment is `env` alone. */
  readonly isBare?: boolean;
}

export interface Ran {
  /** Exit code as a shell reports it: 128 and the signal's number where one ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

type Running = ReturnType<typeof startCommand>;

/** The folder of the built program. @throws where it could not be built */
export function programFolder(): string {
  const program = inject('program');
  if ('trouble' in program) throw new Error(`The program could not be built:\n${program.trouble}`);
  return program.folder;
}

export function programPath(): string {
  return path.join(programFolder(), 'bin', 'screener.js');
}

/** A PATH on which `screener` is the built program, from a folder of this user's. */
export function pathToProgram(home: Home): string {
  const bin = path.join(home.folder, 'bin');
  mkdirSync(bin, { recursive: true });
  const script = `#!/bin/sh\nexec '${process.execPath}' '${programPath()}' "$@"\n`;
  writeFileSync(path.join(bin, 'screener'), script, { mode: 0o755 });
  return [bin, path.dirname(process.execPath), process.env.PATH].join(path.delimiter);
}

/** Processes have the date of the tests, and on a machine whose date was moved for one run that one's. */
export const DATE = Object.fromEntries(
  [
    'NODE_OPTIONS',
    'SCREENER_TEST_LATER',
    'SCREENER_TEST_FILES_LATER',
    'LD_PRELOAD',
    'FAKETIME',
    'FAKETIME_DONT_FAKE_MONOTONIC',
  ].map((name) => [name, process.env[name]]),
);

/** The environment of a user who has set nothing but what is given. */
export function cleanEnv(home: Home, env: RunOptions['env'] = {}): Record<string, string> {
  const full = {
    PATH: process.env.PATH,
    HOME: home.folder,
    // Where the tests keep their files, too: in memory, if there is room.
    TMPDIR: process.env.TMPDIR,
    SCREENER_CONFIG_DIR: home.config,
    SCREENER_STATE_DIR: home.state,
    // What is asked about the pager names another.
    SCREENER_PAGER: 'cat',
    ...DATE,
    ...env,
  };
  return Object.fromEntries(
    Object.entries(full).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** Runs the built program to its end. */
export function runScreener(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return toEnd(startScreener(args, options), options);
}

/** Starts the built program; its standard input stays open. */
export function startScreener(args: readonly string[], options: RunOptions = {}): Running {
  return startCommand([process.execPath, programPath(), ...args], options);
}

/** Starts any command in the clean environment. */
export function startCommand(command: readonly string[], options: RunOptions = {}) {
  const home = options.home ?? createHome();
  const [file = '', ...args] = command;
  const { cwd = home.folder, isBare = false } = options;
  const env = isBare ? { ...options.env } : cleanEnv(home, options.env);
  const child = spawn(file, args, { env, stdio: 'pipe', cwd });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text) => {
      texts[name] += text;
      child.emit('text');
    });
  }
  /** What came so far on both streams. */
  const text = () => texts.stdout + texts.stderr;
  const done = new Promise<Ran>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (options.home === undefined) home.remove();
      resolve({
        code: signal === null ? code : 128 + os.constants.signals[signal],
        signal,
        ...texts,
      });
    });
  });
  /** Resolves as soon as `pattern` was seen on either stream. */
  const seen = (pattern: RegExp) =>
    new Promise<void>((resolve, reject) => {
      const look = () => pattern.test(text()) && resolve();
      child.on('text', look);
      look();
      done.then(() => reject(new Error(`It ended before it said ${pattern}:\n${text()}`)), reject);
    });
  return { child, done, text, seen };
}

/** Runs a line of shell in which `screener` is the built program. */
export function runShell(line: string, options: RunOptions = {}): Promise<Ran> {
  const prelude = `screener() { "${process.execPath}" "${programPath()}" "$@"; }; `;
  return toEnd(startCommand(['bash', '-c', prelude + line], options), options);
}

function toEnd({ child, done }: Running, { stdin = '' }: RunOptions): Promise<Ran> {
  child.stdin?.on('error', () => {});
  child.stdin?.end(stdin);
  return done;
}
