import type { SignalCard, SignalPage } from '../api/contract/resources.ts';
import { LIMITS } from '../api/limits.ts';
import type { SignalsQuery } from '../api/operations.ts';
import { pages } from '../api/pages.ts';
import { formatApiTime } from '../api/time.ts';
import type { Client } from '../api/types.ts';
import type { Batch } from '../output/types.ts';
import type { Filters } from './flags/filters.ts';
import type { Invocation } from './invocation.ts';

export interface WalkRequest extends Filters {
  /** The `next_cursor` to begin at; undefined for the newest card. */
  readonly cursor: string | undefined;
  /** Cards in all; Infinity for every card. */
  readonly cards: number;
}

/**
 * A walk over the pages of `/signals`, newest first, 1 credit a page: the cards as they arrive, and where the walk
 * stands, for the document's head and for the line that says how to go on.
 */
export class PageWalk {
  readonly #request: WalkRequest;
  /** Every cursor so far: one that comes again leads nowhere and is not offered. */
  readonly #cursors = new Set<string>();
  /** The first page; its `since` and `until` are those of the walk. */
  first: SignalPage | undefined;
  /** Where the next page is; null where there is none. */
  nextCursor: string | null;
  /** Cards so far. */
  listed = 0;
  /** Whether the last page was the last there is. */
  ended = false;

  constructor(request: WalkRequest) {
    this.#request = request;
    this.nextCursor = request.cursor ?? null;
    if (request.cursor !== undefined) this.#cursors.add(request.cursor);
  }

  /** The cards page by page. @throws what the client and `pages` throw */
  async *batches({ notes }: Pick<Invocation, 'notes'>, client: Client): AsyncGenerator<Batch<SignalCard>> {
    const { cursor, cards } = this.#request;
    const progress = notes.progress('Asking for cards');
    try {
      for await (const page of pages(client, { filters: queryOf(this.#request), cursor, cards })) {
        const limit = Math.min(LIMITS.cardsPerPage, cards - this.listed);
        if (page.items.length > limit)
          notes.warn(`The service sent ${page.items.length} cards where ${limit} were asked for; all are kept.`);
        this.#arrived(page);
        progress.update(`Asking for cards: ${this.listed} so far`);
        yield { items: page.items, more: page.next_cursor !== null && this.listed < cards };
      }
    } finally {
      progress.stop();
    }
  }

  /** The SignalPage around all cards: the first page's fields with the last `next_cursor`. */
  head(): Record<string, unknown> {
    return this.first === undefined ? {} : { ...this.first, next_cursor: this.nextCursor };
  }

  #arrived(page: SignalPage): void {
    const { next_cursor } = page;
    this.first ??= page;
    this.listed += page.items.length;
    this.ended = next_cursor === null;
    this.nextCursor = next_cursor !== null && this.#cursors.has(next_cursor) ? null : next_cursor;
    if (next_cursor !== null) this.#cursors.add(next_cursor);
  }
}

/** The filters as the API names them. */
function queryOf({ since, until, symbol, type }: Filters): Omit<SignalsQuery, 'cursor' | 'limit'> {
  return {
    since: since === undefined ? undefined : formatApiTime(since),
    until: until === undefined ? undefined : formatApiTime(until),
    symbol,
    screener_type: type,
  };
}
