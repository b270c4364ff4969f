import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { interruptedError, OutputClosed } from '../errors.ts';

/** A stream to the outside. `write` settles when the text is handed over, so that a reader's pace is respected. */
export interface Sink {
  readonly isTTY: boolean;
  /** Width in columns; undefined when it is no terminal. */
  readonly columns: number | undefined;
  /** The stream itself, for a spinner, which moves the cursor; absent in tests. */
  readonly stream?: NodeJS.WriteStream;
  /** Rejects with `OutputClosed` when the reader is gone. */
  write(text: string): Promise<void>;
}

export interface Clock {
  /** Epoch milliseconds, UTC. */
  now(): number;
  /** Monotonic milliseconds: unaffected when the wall clock is set. */
  monotonic(): number;
  /** Resolves after `millis`; rejects at once with the signal's reason when aborted. */
  sleep(millis: number, signal?: AbortSignal): Promise<void>;
}

export interface Directories {
  /** Holds config.json, with the key. */
  readonly config: string;
  /** Holds the ledger. */
  readonly state: string;
}

/** The only way out of the program: whoever holds no Context touches nothing outside. */
export interface Context {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable & { isTTY?: boolean; setRawMode?: (raw: boolean) => unknown };
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly clock: Clock;
  /** Aborted, with a `ScreenerError` of code `interrupted` as its reason, on Ctrl-C, SIGTERM or SIGHUP. */
  readonly signal: AbortSignal;
  readonly directories: Directories;
  readonly pid: number;
  /** 0 <= random() < 1 */
  readonly random: () => number;
  /** Whether a process of this machine is there; where this is absent, nobody is taken for dead. */
  readonly alive?: (pid: number) => boolean;
}

/** The Context of the real process. Made once, by the program's entry. */
export function processContext(): Context {
  return {
    argv: process.argv.slice(2),
    env: process.env,
    // A getter: merely looking at process.stdin opens it.
    get stdin() {
      return process.stdin;
    },
    stdout: sink(1, () => process.stdout),
    stderr: sink(2, () => process.stderr),
    clock: systemClock,
    signal: stopSignal(),
    directories: directories(process.env, process.platform, os.homedir()),
    pid: process.pid,
    random: Math.random,
    alive,
  };
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is there, and somebody else's.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/**
 * A standard stream, opened by Node only when somebody asks what it is: that costs 3 ms, which a version, a help text
 * or a completion does not need. Until then texts are written to the descriptor itself.
 */
function sink(descriptor: number, open: () => NodeJS.WriteStream): Sink {
  let opened: NodeJS.WriteStream | undefined;
  const stream = () => {
    // A write that fails is reported to its callback; without a listener the same error would also end the process.
    opened ??= open().on('error', () => {});
    return opened;
  };
  return {
    get isTTY() {
      return stream().isTTY === true;
    },
    get columns() {
      return stream().isTTY ? stream().columns : undefined;
    },
    get stream() {
      return stream();
    },
    async write(text) {
      const rest = opened === undefined ? writeNow(descriptor, Buffer.from(text)) : text;
      if (rest.length > 0) await writeThrough(stream(), rest);
    },
  };
}

/**
 * @returns what could not be written now, because the reader of a pipe that does not block is slow
 * @throws OutputClosed
 */
function writeNow(descriptor: number, bytes: Buffer): Buffer {
  let written = 0;
  try {
    while (written < bytes.length) written += fs.writeSync(descriptor, bytes, written);
  } catch (error) {
    if (isClosed(error as NodeJS.ErrnoException)) throw new OutputClosed();
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
  }
  return bytes.subarray(written);
}

function writeThrough(stream: NodeJS.WriteStream, text: string | Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => {
      if (error === null || error === undefined) resolve();
      else reject(isClosed(error) ? new OutputClosed() : error);
    });
  });
}

function isClosed(error: NodeJS.ErrnoException): boolean {
  return ['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'].includes(error.code ?? '');
}

/** Longest delay of a timer: a longer one would fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: Date.now,
  monotonic: () => performance.now(),
  sleep: (millis, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const onAbort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(
        () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        },
        Math.min(Math.max(0, millis), LONGEST_TIMER),
      );
      signal?.addEventListener('abort', onAbort, { once: true });
    }),
};

function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // Not `once`: ora's way to give the cursor back ends the process by the same signal as soon as nobody else listens,
    // which would cut off what there is to print and say.
    const listener = () => {
      if (!controller.signal.aborted) {
        controller.abort(interruptedError());
        return;
      }
      // Should the program not come to its end by itself, a second signal ends it the default way.
      process.off(name, listener);
      process.kill(process.pid, name);
    };
    process.on(name, listener);
  }
  return controller.signal;
}

/** Where files go: what SCREENER_*_DIR says, else what the platform's users expect. */
export function directories(env: Context['env'], platform: string, home: string): Directories {
  const [config, state] = platformDirectories(env, platform, home);
  return {
    config: path.resolve(env.SCREENER_CONFIG_DIR || config),
    state: path.resolve(env.SCREENER_STATE_DIR || state),
  };
}

function platformDirectories(env: Context['env'], platform: string, home: string): [string, string] {
  if (platform === 'darwin') {
    const library = path.join(home, 'Library');
    return [path.join(library, 'Preferences', 'screener'), path.join(library, 'Application Support', 'screener')];
  }
  if (platform === 'win32') {
    const roaming = env.APPDATA || path.join(home, 'AppData', 'Roaming');
    const local = env.LOCALAPPDATA || path.join(home, 'AppData', 'Local');
    return [path.join(roaming, 'screener', 'Config'), path.join(local, 'screener', 'State')];
  }
  // A relative XDG path is to be ignored, says the XDG Base Directory Specification.
  const xdg = (value: string | undefined, fallback: string) =>
    value !== undefined && path.isAbsolute(value) ? value : path.join(home, fallback);
  return [
    path.join(xdg(env.XDG_CONFIG_HOME, '.config'), 'screener'),
    path.join(xdg(env.XDG_STATE_HOME, '.local/state'), 'screener'),
  ];
}
