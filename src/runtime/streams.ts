/** Standard output and standard error. */
import { fstatSync, statSync, writeSync } from 'node:fs';
import { devNull } from 'node:os';
import { OutputClosed } from '../errors.ts';

/** A place for the program's texts. */
export interface Sink {
  readonly isTTY: boolean;
  /** The terminal's width; undefined if it is no terminal. */
  readonly columns: number | undefined;
  /** Its height, likewise. */
  readonly rows?: number | undefined;
  readonly stream?: NodeJS.WriteStream;
  /** Resolves when the text is handed over. Rejects with `OutputClosed` if the reader has gone. */
  write(text: string): Promise<void>;
}

/** Writes to the descriptor. Opening Node's stream takes 3 ms: only a terminal and a full pipe need it. */
export function standardStream(descriptor: number, open: () => NodeJS.WriteStream): Sink {
  let opened: NodeJS.WriteStream | undefined;
  const stream = () => {
    // A failed write is told to its callback. Without this listener it would also end the process.
    opened ??= open().on('error', () => {});
    return opened;
  };
  const isTerminal = () => mayBeTerminal(descriptor) && stream().isTTY === true;
  return {
    get isTTY() {
      return isTerminal();
    },
    get columns() {
      return isTerminal() ? stream().columns : undefined;
    },
    get rows() {
      // A terminal that does not say its height says 0.
      const rows = isTerminal() ? stream().rows : 0;
      return rows === 0 ? undefined : rows;
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

function mayBeTerminal(descriptor: number): boolean {
  if (process.platform === 'win32') return true;
  const device = fstatSync(descriptor);
  // /dev/null is a character device, too.
  return device.isCharacterDevice() && device.rdev !== statSync(devNull).rdev;
}

/** @returns the bytes for which a full pipe had no room @throws OutputClosed */
function writeNow(descriptor: number, bytes: Buffer): Buffer {
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(descriptor, bytes, written);
  } catch (error) {
    const failure = error as NodeJS.ErrnoException;
    if (saysReaderHasGone(failure)) throw new OutputClosed();
    // The pipe is full: Node's stream then waits until there is room.
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

/** Error codes of a write whose reader has gone. EOF is the one of Windows. */
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
