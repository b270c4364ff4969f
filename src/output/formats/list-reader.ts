import type { Batch, List } from '../types.ts';

/**
 * Reads a list to its end or to its first error. What arrived is paid for, so a format writes it first and only then
 * calls `rethrow`.
 */
export class ListReader<Item> {
  readonly #list: List<Item>;
  #failure: { readonly error: unknown } | undefined;

  constructor(list: List<Item>) {
    this.#list = list;
  }

  get failed(): boolean {
    return this.#failure !== undefined;
  }

  async *batches(): AsyncGenerator<Batch<Item>> {
    try {
      yield* this.#list.batches;
    } catch (error) {
      this.#failure = { error };
    }
  }

  /** @throws what ended the list before its end, if anything did */
  rethrow(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}
