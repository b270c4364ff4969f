import { devNull } from 'node:os';
import type { Readable } from 'node:stream';
import { type Clock, systemClock } from './clock.ts';
import { type Directories, findDirectories, homeDirectory } from './directories.ts';
import { stopSignal } from './stop-signal.ts';
import { type Sink, standardStream } from './streams.ts';

/** Everything outside the program: code without a Context touches none of it. */
export interface Context {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable & { isTTY?: boolean };
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly directories: Directories;
  readonly secrets: Secrets;
  /** 0 <= random() < 1 */
  readonly random: () => number;
  readonly platform?: string;
}

/** Characters: hiding a shorter text would garble words that merely hold it. */
const SHORTEST = 8;

/** Texts that no note, warning or error may show, should the service send them back. */
export class Secrets {
  readonly #patterns = new Map<string, RegExp>();

  add(secret: string): void {
    if (secret.length < SHORTEST || this.#patterns.has(secret)) return;
    const anySpelling = Array.from(secret, spellingsOf).join('');
    this.#patterns.set(secret, new RegExp(anySpelling, 'gi'));
  }

  hide(text: string): string {
    let hidden = text;
    for (const pattern of this.#patterns.values()) hidden = hidden.replace(pattern, '[key]');
    return hidden;
  }
}

/** A pattern of the character as it is, as in a JSON text (also one within another), and as in a URL. */
function spellingsOf(character: string): string {
  const hex = character.charCodeAt(0).toString(16).padStart(2, '0');
  const itself = character.replace(/[^\w]/, '\\$&');
  // In this order: the % of a URL is also the character %.
  return String.raw`(?:%${hex}|\\{1,4}u00${hex}|\\{0,4}${itself})`;
}

export function processContext(): Context {
  const home = homeDirectory();
  let signal: AbortSignal | undefined;
  // conf asks the system for a home when it loads, and fails if there is none.
  if (home === devNull) process.env.HOME = home;
  return {
    argv: process.argv.slice(2),
    env: process.env,
    // Reading `process.stdin` opens it.
    get stdin() {
      return process.stdin;
    },
    stdout: standardStream(1, () => process.stdout),
    stderr: standardStream(2, () => process.stderr),
    clock: systemClock,
    // Until a command asks for it, a signal ends the process as it ends any other.
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

/** What the program tells a person on stderr; `--quiet` silences all but errors. */
export interface Notes {
  /** A quote, a cost, a cursor. @param commands lines for copying: each gets a line of its own */
  note(text: string, ...commands: string[]): void;
  /** @param label has the blanks that end it: further lines begin below the text */
  labelled(label: string, text: string): void;
  /** Stale data, an unlisted value. The same text is said once. */
  warn(text: string): void;
  debug(text: string): void;
  /** A spinner on a terminal, nothing elsewhere. */
  progress(text: string): Progress;
  /** A countdown on a terminal. @param until epoch milliseconds UTC @param inTurn the service asked for no wait */
  waiting(reason: string, until: number, inTurn?: boolean): Progress;
  flush(): Promise<void>;
}

export interface Progress {
  update(text: string): void;
  stop(): void;
}
