/** `signals ls --outcomes`: each card's detail as well, 1 credit a card. */
import type { SignalCard } from '../api/contract/resources.ts';
import { LIMITS } from '../api/limits.ts';
import type { Client } from '../api/types.ts';
import type { ScreenerError } from '../errors.ts';
import type { Batch } from '../output/types.ts';
import { details } from './details.ts';
import type { Invocation } from './invocation.ts';

/**
 * The cards of `batches` as details, one by one. A card whose detail could not be had is passed on as it was listed: it
 * is paid for, and the missing `outcome` shows that nobody answered for it.
 * @param unbought is given the ids of those cards
 * @throws the first failure of a page, when the page's cards have been passed on
 */
export async function* withOutcomes(
  invocation: Invocation,
  client: Client,
  batches: AsyncIterable<Batch<SignalCard>>,
  unbought: number[],
): AsyncGenerator<Batch<SignalCard>> {
  for await (const { items, more } of batches) {
    const cards = new Map(items.map((card) => [card.id, card]));
    let failure: ScreenerError | undefined;
    let left = items.length;
    const ids = items.map((card) => card.id);
    for await (const result of details(invocation, client, ids)) {
      left -= 1;
      if ('error' in result) {
        failure ??= result.error;
        unbought.push(result.id);
        if (!result.skipped) invocation.notes.warn(`No outcome for card ${result.id}: ${result.error.message}`);
      }
      const card = 'detail' in result ? result.detail : cards.get(result.id);
      if (card !== undefined) yield { items: [card], more: left > 0 || (more && failure === undefined) };
    }
    if (failure !== undefined) throw failure;
  }
}

/** The cards that can be listed and bought with so many credits: k cards cost ceil(k/25) + k. */
export function affordableWithOutcomes(credits: number): number {
  let cards = Math.floor((credits * LIMITS.cardsPerPage) / (LIMITS.cardsPerPage + 1));
  while (cards + Math.ceil(cards / LIMITS.cardsPerPage) > credits) cards -= 1;
  return cards;
}
