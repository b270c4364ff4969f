/** Texts that come again and again (symbols, states), without making a new string each time. */
export class Interner {
  readonly #buckets = new Map<number, Entry[]>();

  /** The UTF-8 text in bytes [start, end). */
  text(buffer: Buffer, start: number, end: number): string {
    let hash = end - start;
    for (let i = start; i < end; i += 1) hash = (Math.imul(hash, 31) + (buffer[i] ?? 0)) | 0;
    const bucket = this.#buckets.get(hash);
    const known = bucket?.find(({ bytes }) => isSame(bytes, buffer, start, end));
    if (known !== undefined) return known.text;
    const bytes = Buffer.from(buffer.subarray(start, end));
    const entry = { bytes, text: bytes.toString('utf8') };
    if (bucket === undefined) this.#buckets.set(hash, [entry]);
    // Hostile texts that share a hash must not make it slow: beyond a few they are simply not remembered.
    else if (bucket.length < 8) bucket.push(entry);
    return entry.text;
  }
}

interface Entry {
  readonly bytes: Buffer;
  readonly text: string;
}

function isSame(bytes: Buffer, buffer: Buffer, start: number, end: number): boolean {
  if (bytes.length !== end - start) return false;
  for (let i = 0; i < bytes.length; i += 1) if (bytes[i] !== buffer[start + i]) return false;
  return true;
}
