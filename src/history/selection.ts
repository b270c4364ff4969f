/**
 * In which order outcomes are bought, where the credits do not suffice for all. The choice never looks at facts or moves.
 */
import { createHash } from 'node:crypto';
import type { OutcomeOrder } from './outcome-order.ts';

export interface Due {
  readonly id: number;
  readonly created_at: string;
  /** `created_at` in epoch milliseconds UTC. */
  readonly at: number;
  /** How often its detail was bought before, without being settled. */
  readonly times: number;
  /** How often in a row the server failed for it; and whether it said there is no such card. */
  readonly failed: number;
  readonly notFound: boolean;
}

/** The due cards in the order in which they are bought. A card whose detail failed goes last: it keeps no other back. */
export function inBuyingOrder(due: readonly Due[], order: OutcomeOrder): Due[] {
  if (order === 'none') return [];
  const byAge = (a: Due, b: Due) => a.at - b.at || a.id - b.id;
  const hashes = order === 'spread' ? new Map(due.map(({ id }) => [id, hashOf(id)])) : undefined;
  const compare = (a: Due, b: Due): number => {
    if (hashes === undefined) return order === 'oldest' ? byAge(a, b) : byAge(b, a);
    return (hashes.get(a.id) ?? '') < (hashes.get(b.id) ?? '') ? -1 : 1;
  };
  return due.toSorted((a, b) => a.failed - b.failed || compare(a, b));
}

function hashOf(id: number): string {
  return createHash('sha256').update(String(id)).digest('hex');
}
