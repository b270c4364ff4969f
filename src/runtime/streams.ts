import { fstatSync, statSync, writeSync } from 'node:fs';
import { devNull } from 'node:os';
import { OutputClosed } from '../errors.ts';

/** A stream to the outside. `write` settles when the text is handed over, so that a reader's pace is respected. */
export interface Sink {
  readonly isTTY: boolean;
  /** Width in columns; undefined when it is no terminal. */
  readonly columns: number | undefined;
  /** Lines of the screen; undefined where that is not known. */
  readonly rows?: number | undefined;
  /** The stream itself, for a spinner, which moves the cursor; absent in tests. */
  readonly stream?: NodeJS.WriteStream;
  /** Rejects with `OutputClosed` when the reader is gone. */
  write(text: string): Promise<void>;
}

/**
 * A standard stream. Node opens it only when the program asks what it is: that costs 3 ms, which a version, a help text
 * or a completion does not need. Until then texts are written to the descriptor itself.
 */
export function standardStream(descriptor: number, open: () => NodeJS.WriteStream): Sink {
  let opened: NodeJS.WriteStream | undefined;
  const stream = () => {
    // Node reports a failed write to its callback; without a listener the same error would also end the process.
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
      // A terminal that does not know says 0.
      return (isTerminal() && stream().rows) || undefined;
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

/** A file, a pipe or /dev/null is none: then the stream need not be opened to know. Windows does not tell. */
function mayBeTerminal(descriptor: number): boolean {
  if (process.platform === 'win32') return true;
  const found = fstatSync(descriptor);
  return found.isCharacterDevice() && found.rdev !== statSync(devNull).rdev;
}

/**
 * @returns what could not be written now, because the pipe is full and does not block
 * @throws OutputClosed
 */
function writeNow(descriptor: number, bytes: Buffer): Buffer {
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(descriptor, bytes, written);
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

/** On Windows a pipe without a reader is at its end (EOF). */
function isClosed(error: NodeJS.ErrnoException): boolean {
  return ['EPIPE', 'EOF', 'ECONNRESET', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'].includes(
    error.code ?? '',
  );
}
