/** A sample in order, wherever it lies. */
export interface Sorted {
  readonly length: number;
  /** The value of that rank, counted from 0. */
  at(rank: number): number;
  /** How many values are smaller. */
  below(value: number): number;
}

export class SortedArray implements Sorted {
  readonly #values: Float64Array;

  /** @param values in order already */
  constructor(values: Float64Array) {
    this.#values = values;
  }

  get length(): number {
    return this.#values.length;
  }

  at(rank: number): number {
    return this.#values[rank] ?? Number.NaN;
  }

  below(value: number): number {
    return lowerBound(this.#values, value);
  }
}

/** How many of the values, which are in order, are smaller. */
export function lowerBound(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
