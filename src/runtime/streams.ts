/** Standard output and standard error. */
import { fstatSync, statSync, writeSync } from 'node:fs';
import { devNull } from 'node:os';
import { OutputClosed } from '../errors.ts';

/** A place for the program's texts. */
export interface Sink {
  readonly isTTY: boolean;
  /** The terminal's width in characters; undefined if it is no terminal. */
  readonly columns: number | undefined;
  /** The terminal's height in lines; undefined if it is no terminal, or does not say its height. */
  readonly rows?: number | undefined;
  readonly stream?: NodeJS.WriteStream;
  /** Whether a program reads what is written: a pager, for example, which then shows it on the user's terminal. */
  readonly isPipe?: boolean;
  /** Called before each text is written. */
  beforeWrite?: (() => void) | undefined;
  /** Resolves when the system has taken the text. Rejects with `OutputClosed` if the reader has gone. */
  write(text: string): Promise<void>;
}

/**
 * A sink that writes to a descriptor without Node's stream, as long as it can. Opening that stream takes 3 ms. So it is opened only if it is needed: to write
 * into a full pipe, to ask what may be a terminal for its size, or because a caller asks for `stream`.
 * @param open opens Node's stream
 */
export function standardStream(descriptor: number, open: () => NodeJS.WriteStream): Sink {
  let opened: NodeJS.WriteStream | undefined;
  const stream = () => {
    // Without a listener a failed write would end the process. (`writeThrough` gets the failure by its callback.)
    opened ??= open().on('error', () => {});
    return opened;
  };
  const isTerminal = () => mayBeTerminal(descriptor) && stream().isTTY === true;
  const sink: Sink = {
    get isTTY() {
      return isTerminal();
    },
    get columns() {
      return isTerminal() ? stream().columns : undefined;
    },
    get rows() {
      if (!isTerminal()) return undefined;
      const { rows } = stream();
      // Some terminals say 0.
      return rows === 0 ? undefined : rows;
    },
    get stream() {
      return stream();
    },
    get isPipe() {
      const file = fstatSync(descriptor);
      // Node starts its children with sockets in the place of pipes.
      return file.isFIFO() || file.isSocket();
    },
    async write(text) {
      sink.beforeWrite?.();
      // Once the stream is open, earlier text may wait in it. Later text must wait behind the earlier one.
      const rest = opened === undefined ? writeNow(descriptor, Buffer.from(text)) : text;
      if (rest.length > 0) await writeThrough(stream(), rest);
    },
  };
  return sink;
}

/**
 * False if a descriptor is surely no terminal. On Windows it is true for every descriptor. This look is quicker than opening
 * Node's stream.
 */
function mayBeTerminal(descriptor: number): boolean {
  if (process.platform === 'win32') return true;
  const device = fstatSync(descriptor);
  // /dev/null is a character device, too.
  return device.isCharacterDevice() && device.rdev !== statSync(devNull).rdev;
}

/** Writes bytes at once. @returns the bytes for which a full pipe had no room @throws OutputClosed */
function writeNow(descriptor: number, bytes: Buffer): Buffer {
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(descriptor, bytes, written);
  } catch (error) {
    const failure = error as NodeJS.ErrnoException;
    if (saysReaderHasGone(failure)) throw new OutputClosed();
    // EAGAIN: the pipe is full. Node's stream will write the rest when there is room.
    if (failure.code !== 'EAGAIN') throw error;
  }
  return bytes.subarray(written);
}

function writeThrough(stream: NodeJS.WriteStream, text: string | Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => {
      if (error) reject(saysReaderHasGone(error) ? new OutputClosed() : error);
      else resolve();
    });
  });
}

/** Codes of the error if the reader has gone. On Windows the code is EOF. */
const READER_GONE: readonly (string | undefined)[] = [
  'EPIPE',
  'EOF',
  'ECONNRESET',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
];

function saysReaderHasGone({ code }: NodeJS.ErrnoException): boolean {
  return READER_GONE.includes(code);
}
