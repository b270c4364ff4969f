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

/** @param open gives the stream, which Node opens as soon as the program looks at it */
export function standardStream(open: () => NodeJS.WriteStream): Sink {
  let opened: NodeJS.WriteStream | undefined;
  const stream = () => {
    // Node reports a failed write to its callback; without a listener the same error would also end the process.
    opened ??= open().on('error', () => {});
    return opened;
  };
  return {
    get isTTY() {
      return stream().isTTY === true;
    },
    get columns() {
      return stream().columns;
    },
    get rows() {
      // A terminal that does not know says 0.
      return stream().rows || undefined;
    },
    get stream() {
      return stream();
    },
    write: (text) =>
      new Promise((resolve, reject) => {
        stream().write(text, (error) => {
          if (error === null || error === undefined) resolve();
          else reject(isClosed(error) ? new OutputClosed() : error);
        });
      }),
  };
}

/** On Windows a pipe without a reader is at its end (EOF). */
function isClosed(error: NodeJS.ErrnoException): boolean {
  return ['EPIPE', 'EOF', 'ECONNRESET', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'].includes(
    error.code ?? '',
  );
}
