import { devNull } from 'node:os';
import type { Readable } from 'node:stream';
import { type Clock, systemClock } from './clock.ts';
import { type Directories, type Env, findDirectories, homeDirectory } from './directories.ts';
import { stopSignal } from './stop-signal.ts';
import { type Sink, standardStream } from './streams.ts';

/** Everything outside the program. Code that has no Context uses nothing of it. */
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
}

/** Characters. A shorter text is not hidden: it may be part of an ordinary word. */
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
 * A pattern of a character in three spellings: in a URL (`%26`), escaped in a JSON text (`\\u0026`), and itself. A JSON text within
 * another is escaped twice: then up to four backslashes stand before the character.
 */
function spellingsOf(character: string): string {
  const hex = character.charCodeAt(0).toString(16).padStart(2, '0');
  const itself = character.replace(/[^\w]/, '\\$&');
  // %XX comes before the character itself: in a key with a %, the latter would match the % alone.
  return String.raw`(?:%${hex}|\\{1,4}u00${hex}|\\{0,4}${itself})`;
}

/** The context of the real process. */
export function processContext(): Context {
  const home = homeDirectory();
  let signal: AbortSignal | undefined;
  // The package `conf` looks for a home when it loads, and fails if there is none. Here /dev/null stands for no home.
  if (home === devNull) process.env.HOME = home;
  return {
    argv: process.argv.slice(2),
    env: process.env,
    // A getter, because reading `process.stdin` opens it.
    get stdin() {
      return process.stdin;
    },
    stdout: standardStream(1, () => process.stdout),
    stderr: standardStream(2, () => process.stderr),
    clock: systemClock,
    // A getter, because from then on a signal no longer ends the process at once.
    get signal() {
      signal ??= stopSignal();
      return signal;
    },
    directories: findDirectories(process.env, process.platform, home),
    secrets: new Secrets(),
    random: Math.random,
    platform: process.platform,
  };
}

/** What the program tells a person on stderr. With `--quiet` only errors are told. */
export interface Notes {
  /** A remark, such as a cost. @param commands command lines to copy: each is printed on a line of its own */
  note(text: string, ...commands: string[]): void;
  /** A text behind a label. @param label with the blanks at its end: the text's other lines are indented by the label's length */
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
   * @param inTurn whether the request waits for its turn, and not for another attempt
   */
  waiting(reason: string, until: number, inTurn?: boolean): Progress;
  /** Resolves when all texts so far are written. */
  flush(): Promise<void>;
}

/** What a command that takes long shows meanwhile. */
export interface Progress {
  update(text: string): void;
  stop(): void;
}
