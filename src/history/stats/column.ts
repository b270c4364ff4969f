const FIRST_CAPACITY = 16;

/** Numbers in the order they came, 8 bytes each. */
export class Column {
  #values = new Float64Array(FIRST_CAPACITY);
  #length = 0;

  get length(): number {
    return this.#length;
  }

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

  /** Sorts in place. The result is good until something is added. */
  sorted(): Float64Array {
    return this.values().sort();
  }

  values(): Float64Array {
    return this.#values.subarray(0, this.#length);
  }

  clear(): void {
    this.#values = new Float64Array(FIRST_CAPACITY);
    this.#length = 0;
  }

  #grow(capacity: number): void {
    const larger = new Float64Array(capacity);
    larger.set(this.values());
    this.#values = larger;
  }
}
