import { createHash } from 'node:crypto';
import { oncePerKey } from './collections.ts';

/**
 * Orders cards at random, and always in the same way: by SHA-256 of the id, which knows nothing of what a card did. Kept for each
 * id, because the same cards are ordered several times.
 */
export const hashOfId = oncePerKey((id: number) =>
  createHash('sha256').update(String(id)).digest('hex'),
);
