/**
 * Samples too large for memory, in a temporary file: each piece is sorted when it is put there, and order statistics are
 * found across the pieces by bisection, exactly.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FILE_MODE } from '../history/layout.ts';
import { storageError } from '../history/storage.ts';
import { lowerBound, type Sorted } from './sorted.ts';

/** Values per block: of each block's first value memory keeps a copy, so that a look-up reads one block. */
const BLOCK = 512;
const BYTES = Float64Array.BYTES_PER_ELEMENT;

/** A sorted piece: where it begins (in values), how long it is, and the first value of each of its blocks. */
export interface Piece {
  readonly start: number;
  readonly length: number;
  readonly firsts: Float64Array;
}

export class Spill {
  #file: number | undefined;
  #path = '';
  #length = 0;

  /** @param values in order already */
  put(values: Float64Array): Piece {
    const start = this.#length;
    this.#doing(() => {
      const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
      let written = 0;
      while (written < bytes.length) {
        written += writeSync(this.#open(), bytes, written, bytes.length - written, start * BYTES + written);
      }
    });
    this.#length += values.length;
    const firsts = Float64Array.from({ length: Math.ceil(values.length / BLOCK) }, (_, i) => values[i * BLOCK] ?? 0);
    return { start, length: values.length, firsts };
  }

  read(start: number, length: number): Float64Array {
    const values = new Float64Array(length);
    const bytes = Buffer.from(values.buffer);
    this.#doing(() => {
      let read = 0;
      while (read < bytes.length) {
        const got = readSync(this.#open(), bytes, read, bytes.length - read, start * BYTES + read);
        if (got === 0) throw new Error('a temporary file ended early');
        read += got;
      }
    });
    return values;
  }

  close(): void {
    if (this.#file === undefined) return;
    closeSync(this.#file);
    rmSync(this.#path, { force: true });
    this.#file = undefined;
  }

  #open(): number {
    if (this.#file === undefined) {
      this.#path = join(tmpdir(), `screener-${randomBytes(8).toString('hex')}.tmp`);
      this.#file = openSync(this.#path, 'wx+', FILE_MODE);
    }
    return this.#file;
  }

  #doing(work: () => void): void {
    try {
      work();
    } catch (cause) {
      throw storageError(cause, `keep intermediate values in ${tmpdir()}`);
    }
  }
}

export class SortedPieces implements Sorted {
  readonly length: number;
  readonly #spill: Spill;
  readonly #pieces: readonly Piece[];

  constructor(spill: Spill, pieces: readonly Piece[]) {
    this.#spill = spill;
    this.#pieces = pieces;
    this.length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  }

  /** Bisects all doubles there are: 64 steps at most. */
  at(rank: number): number {
    let low = ordinal(Number.NEGATIVE_INFINITY);
    let high = ordinal(Number.POSITIVE_INFINITY);
    // The largest value that at most `rank` values are below: the one of that rank.
    while (low < high) {
      const middle = (low + high + 1n) >> 1n;
      if (this.below(fromOrdinal(middle)) <= rank) low = middle;
      else high = middle - 1n;
    }
    return fromOrdinal(low);
  }

  below(value: number): number {
    return this.#pieces.reduce((sum, piece) => sum + this.#belowIn(piece, value), 0);
  }

  #belowIn({ start, length, firsts }: Piece, value: number): number {
    const block = lowerBound(firsts, value) - 1;
    if (block < 0) return 0;
    const from = block * BLOCK;
    return from + lowerBound(this.#spill.read(start + from, Math.min(BLOCK, length - from)), value);
  }
}

const double = new Float64Array(1);
const bits = new BigInt64Array(double.buffer);

/** Doubles as whole numbers in the same order. */
function ordinal(value: number): bigint {
  double[0] = value;
  const pattern = bits[0] ?? 0n;
  return pattern >= 0n ? pattern : -(pattern & 0x7fffffffffffffffn);
}

function fromOrdinal(whole: bigint): number {
  bits[0] = whole >= 0n ? whole : -whole | -0x8000000000000000n;
  return double[0] ?? 0;
}
