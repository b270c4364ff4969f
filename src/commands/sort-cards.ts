import type { StoredCard } from '../history/layout.ts';
import { read } from '../output/paths.ts';

/**
 * All cards as one batch, ordered by a field: numbers and texts, the largest first.
 * @param sort dotted name, for example `outcome.move_24h_pct`; with `-` before it the smallest first
 */
export async function* sortCards(batches: AsyncIterable<StoredCard[]>, sort: string): AsyncGenerator<StoredCard[]> {
  const field = sort.replace(/^-/, '');
  const sign = sort.startsWith('-') ? 1 : -1;
  const cards: { readonly card: StoredCard; readonly value: unknown }[] = [];
  for await (const batch of batches) for (const card of batch) cards.push({ card, value: read(card, field) });
  // A stable sort: cards of the same value stay newest first. Those without a value come last either way.
  cards.sort((a, b) =>
    isNone(a.value) || isNone(b.value) ? rank(a.value) - rank(b.value) : sign * compare(a.value, b.value),
  );
  yield cards.map(({ card }) => card);
}

function isNone(value: unknown): boolean {
  return value === null || value === undefined;
}

function rank(value: unknown): number {
  return isNone(value) ? 1 : 0;
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [one, other] = [String(a), String(b)];
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
