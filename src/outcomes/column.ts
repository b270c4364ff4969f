import { type Sorted, SortedArray } from './sorted.ts';
import { type Piece, SortedPieces, type Spill } from './spill.ts';

const FIRST_CAPACITY = 16;

/** Up to so many values are put in order in memory, even if they were spilled before. */
const MOST_IN_MEMORY = 1 << 20;

/** Numbers in the order they came, 8 bytes each; what is too much for memory goes to a spill, piece by piece. */
export class Column {
  #values = new Float64Array(FIRST_CAPACITY);
  #length = 0;
  #spill: Spill | undefined;
  readonly #pieces: Piece[] = [];

  push(value: number): void {
    if (this.#length === this.#values.length) this.#grow(this.#length * 2);
    this.#values[this.#length] = value;
    this.#length += 1;
  }

  append(values: Float64Array): void {
    const needed = this.#length + values.length;
    if (needed > this.#values.length) this.#grow(Math.max(needed, Math.ceil(this.#values.length * 1.5)));
    this.#values.set(values, this.#length);
    this.#length = needed;
  }

  /** Those in memory. */
  values(): Float64Array {
    return this.#values.subarray(0, this.#length);
  }

  /** Moves what is in memory to the spill. */
  spillTo(spill: Spill): void {
    if (this.#length === 0) return;
    this.#spill = spill;
    this.#pieces.push(spill.put(this.values().sort()));
    this.#values = new Float64Array(FIRST_CAPACITY);
    this.#length = 0;
  }

  /** All of them in order. Nothing may be added afterwards. */
  sorted(): Sorted {
    const spill = this.#spill;
    if (spill === undefined) return new SortedArray(this.values().sort());
    this.spillTo(spill);
    const pieces = new SortedPieces(spill, this.#pieces);
    if (pieces.length > MOST_IN_MEMORY) return pieces;
    for (const { start, length } of this.#pieces) this.append(spill.read(start, length));
    return new SortedArray(this.values().sort());
  }

  #grow(capacity: number): void {
    const larger = new Float64Array(capacity);
    larger.set(this.values());
    this.#values = larger;
  }
}
