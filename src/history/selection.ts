/**
 * In which order outcomes are bought, where the credits do not suffice for all. The choice never looks at facts or moves.
 */
import { createHash } from 'node:crypto';
import type { OutcomeOrder } from './outcome-order.ts';
import type { Due } from './survey.ts';

/** The due cards in the order in which they are bought. A card whose detail failed goes last: it keeps no other back. */
export function inBuyingOrder(due: readonly Due[], order: OutcomeOrder): Due[] {
  const hashes = new Map(order === 'spread' ? due.map(({ id }) => [id, hashOf(id)]) : []);
  const compare = (a: Due, b: Due): number => {
    if (order === 'spread') return (hashes.get(a.id) ?? '') < (hashes.get(b.id) ?? '') ? -1 : 1;
    const byAge = a.at - b.at || a.id - b.id;
    return order === 'oldest' ? byAge : -byAge;
  };
  return due.toSorted((a, b) => a.asked.failed - b.asked.failed || compare(a, b));
}

function hashOf(id: number): string {
  return createHash('sha256').update(String(id)).digest('hex');
}
