import { fstatSync, statSync, writeSync } from 'node:fs';
import { devNull } from 'node:os';
import { OutputClosed } from '../errors.ts';

export interface Sink {
  readonly isTTY: boolean;
  /** Undefined off a terminal. */
  readonly columns: number | undefined;
  readonly rows?: number | undefined;
  readonly stream?: NodeJS.WriteStream;
  /** Settles when the text is handed over; rejects with `OutputClosed` when the reader is gone. */
  write(text: string): Promise<void>;
}

/** Opens Node's stream only when somebody asks what it is: that costs 3 ms. Texts go to the descriptor until then. */
export function standardStream(descriptor: number, open: () => NodeJS.WriteStream): Sink {
  let opened: NodeJS.WriteStream | undefined;
  const stream = () => {
    // Failed writes reach their callback; without a listener they would also end the process.
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
      // 0 where a terminal does not say it.
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
  return device.isCharacterDevice() && device.rdev !== statSync(devNull).rdev;
}

/** @returns what a full pipe did not take @throws OutputClosed */
function writeNow(descriptor: number, bytes: Buffer): Buffer {
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(descriptor, bytes, written);
  } catch (error) {
    const failure = error as NodeJS.ErrnoException;
    if (isClosed(failure)) throw new OutputClosed();
    // A full pipe: Node's stream waits until there is room.
    if (failure.code !== 'EAGAIN') throw error;
  }
  return bytes.subarray(written);
}

function writeThrough(stream: NodeJS.WriteStream, text: string | Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => {
      if (error) reject(isClosed(error) ? new OutputClosed() : error);
      else resolve();
    });
  });
}

/** Codes of a write whose reader has gone; EOF is what Windows says. */
const READER_GONE: readonly (string | undefined)[] = [
  'EPIPE',
  'EOF',
  'ECONNRESET',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
];

function isClosed({ code }: NodeJS.ErrnoException): boolean {
  return READER_GONE.includes(code);
}
