import { createHash } from 'node:crypto';
import { oncePerKey } from './collections.ts';

/**
 * Cards that are sorted by these hashes are in a random order, and always in the same one. SHA-256 of the id depends on nothing
 * that a card did. Each hash is kept, because the same cards are sorted several times.
 */
export const hashOfId = oncePerKey((id: number) =>
  createHash('sha256').update(String(id)).digest('hex'),
);
