/**
 * In which order outcomes are bought, where the credits do not suffice for all. The choice never looks at facts or moves.
 */
import { createHash } from 'node:crypto';
import type { Due } from './survey.ts';

/**
 * The due cards in the order in which they are bought: those of `focus` first, each by a fixed hash of the id, so that what is bought is a random
 * sample of its days and types, the same on every machine and after every kill. First purchases go before second ones,
 * and a card whose detail failed goes last: it keeps no other back.
 */
export function inBuyingOrder(due: readonly Due[], focus: readonly string[] = []): Due[] {
  const hashes = new Map(due.map(({ id }) => [id, hashOf(id)]));
  const byHash = (a: Due, b: Due) => ((hashes.get(a.id) ?? '') < (hashes.get(b.id) ?? '') ? -1 : 1);
  const isLater = ({ type }: Due) => Number(focus.length > 0 && !focus.includes(type));
  return due.toSorted(
    (a, b) =>
      a.asked.failed - b.asked.failed || Number(a.again) - Number(b.again) || isLater(a) - isLater(b) || byHash(a, b),
  );
}

function hashOf(id: number): string {
  return createHash('sha256').update(String(id)).digest('hex');
}
