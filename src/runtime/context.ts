/** What the program gets from the process that it runs in. Tests give it something else. */
import { existsSync } from 'node:fs';
import { devNull } from 'node:os';
import { basename, join, relative } from 'node:path';
import type { Readable } from 'node:stream';
import { packageFolder } from '../version.ts';
import { type Clock, systemClock } from './clock.ts';
import { type Directories, type Env, findDirectories, homeDirectory } from './directories.ts';
import { stopSignal } from './stop-signal.ts';
import { type Sink, standardStream } from './streams.ts';

/** Everything outside the program: the process, the terminal, the clock. Only code that is given a Context may use these. */
export interface Context {
  readonly argv: readonly string[];
  readonly env: Env;
  readonly stdin: Readable & { isTTY?: boolean };
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly directories: Directories;
  readonly secrets: Secrets;
  /** A number from 0 to below 1. */
  readonly random: () => number;
  readonly platform?: string;
  /** The words that start this program in the user's shell. Undefined: `screener`. */
  readonly programWords?: readonly string[];
}

/** How many characters a secret has at least. A shorter text is not hidden: it may be a part of ordinary words. */
const SHORTEST_SECRET = 8;

/** Texts that no note, warning or error may show, even if the service sends them back: the key. */
export class Secrets {
  readonly #patterns = new Map<string, RegExp>();

  add(secret: string): void {
    if (secret.length < SHORTEST_SECRET || this.#patterns.has(secret)) return;
    const anySpelling = Array.from(secret, spellingsOf).join('');
    this.#patterns.set(secret, new RegExp(anySpelling, 'gi'));
  }

  hide(text: string): string {
    let hidden = text;
    for (const pattern of this.#patterns.values()) hidden = hidden.replace(pattern, '[key]');
    return hidden;
  }
}

/**
 * A pattern that finds a character in each of its spellings. For `"` these are:
 *
 *     itself                    "
 *     in a URL                  %22
 *     in JSON                   \u0022     \"
 *     in JSON within JSON       \\u0022    \\\"
 *     three times within JSON   \\\\u0022
 *
 * In the pattern, `\\{0,4}` is up to four backslashes.
 */
function spellingsOf(character: string): string {
  const hex = character.charCodeAt(0).toString(16).padStart(2, '0');
  const itself = character.replace(/[^\w]/, '\\$&');
  // `%22` is tried before `"` itself. Suppose a key has a `%`, whose spelling in a URL is `%25`: if the bare `%` were tried first,
  // it would match, and leave `25`.
  return String.raw`(?:%${hex}|\\{1,4}u00${hex}|\\{0,4}${itself})`;
}

/** The context of the real process. */
export function processContext(): Context {
  const home = homeDirectory();
  let signal: AbortSignal | undefined;
  // Without a home, `homeDirectory` gives /dev/null. HOME is then set to /dev/null, because the package `conf` cannot be loaded
  // without a home.
  if (home === devNull) process.env.HOME = home;
  return {
    argv: process.argv.slice(2),
    env: process.env,
    // A getter, because Node opens standard input when `process.stdin` is read.
    get stdin() {
      return process.stdin;
    },
    stdout: standardStream(1, () => process.stdout),
    stderr: standardStream(2, () => process.stderr),
    clock: systemClock,
    // A getter, because reading it begins to listen for signals: from then on a signal no longer ends the process at once.
    get signal() {
      signal ??= stopSignal();
      return signal;
    },
    directories: findDirectories(process.env, process.platform, home),
    secrets: new Secrets(),
    random: Math.random,
    platform: process.platform,
    // A getter, because only the lines that are offered for copying need the words.
    get programWords() {
      return programWords(process.argv[1]);
    },
  };
}

/** @param script the file that Node runs: the command's link if the program is installed; `bin/screener.js` itself in a clone */
function programWords(script = ''): readonly string[] {
  const isClone = existsSync(join(packageFolder, 'src'));
  if (!isClone || basename(script) !== 'screener.js') return ['screener'];
  return ['node', relative(process.cwd(), script)];
}

/** What the program tells a person on stderr. With `--quiet` only errors are told. */
export interface Notes {
  /** A remark, such as a cost. @param commands command lines to copy: each is printed on a line of its own */
  note(text: string, ...commands: string[]): void;
  /** A text behind a label. Its further lines are indented by the label's length. @param label with its blanks: `Next:  ` */
  labelled(label: string, text: string): void;
  /** A warning, such as one of stale data. The same text is said only once. */
  warn(text: string): void;
  /** A detail, told with `--verbose` alone. */
  debug(text: string): void;
  /** A spinner on a terminal, nothing elsewhere. */
  progress(text: string): Progress;
  /**
   * A countdown on a terminal.
   * @param until epoch milliseconds UTC
   * @param isForTurn true if the request waits for its turn; false if it waits to be tried again
   */
  waiting(reason: string, until: number, isForTurn?: boolean): Progress;
  /** Resolves when all texts so far are written. */
  flush(): Promise<void>;
}

/** What a command that takes long shows meanwhile. */
export interface Progress {
  update(text: string): void;
  stop(): void;
}
