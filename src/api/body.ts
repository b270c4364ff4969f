/** Longest body, bytes. A page of 25 cards is some 20 KB: what is larger than this is no answer of this API. */
export const BODY_CAP = 16 * 1024 * 1024;

/** Bytes beyond which a body's room is doubled: few bodies are longer. */
const FIRST_ROOM = 64 * 1024;

/** A body as it comes, in one growing room: a service that sends each byte by itself fills no more of it. */
export class Body {
  #room = Buffer.allocUnsafe(FIRST_ROOM);
  #size = 0;

  /** @returns false where the body becomes larger than it may be */
  add(chunk: Uint8Array): boolean {
    const size = this.#size + chunk.length;
    if (size > BODY_CAP) return false;
    if (size > this.#room.length) {
      const larger = Buffer.allocUnsafe(Math.min(BODY_CAP, Math.max(size, 2 * this.#room.length)));
      this.#room.copy(larger, 0, 0, this.#size);
      this.#room = larger;
    }
    this.#room.set(chunk, this.#size);
    this.#size = size;
    return true;
  }

  bytes(): Uint8Array {
    return this.#room.subarray(0, this.#size);
  }
}
