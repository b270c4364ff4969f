import type { Client } from '../api/client.ts';
import type { SignalCard, SignalPage } from '../api/contract/resources.ts';
import { LIMITS } from '../api/limits.ts';
import type { SignalsQuery } from '../api/operations.ts';
import { DeadEnd, pages } from '../api/pages.ts';
import { formatApiTime, parseApiTime } from '../api/time.ts';
import { ScreenerError } from '../errors.ts';
import type { Batch } from '../output/types.ts';
import type { Filters } from './card-options.ts';
import type { Invocation } from './invocation.ts';

interface WalkRequest extends Filters {
  /** The `next_cursor` to begin at; undefined for the newest card. */
  readonly cursor: string | undefined;
  /** Cards in all; Infinity for every card. */
  readonly cards: number;
  /** Cards that the credits left allow on the next page: with less than 1 the walk stops. */
  readonly affordable: () => number;
}

/**
 * A walk over the pages of `/signals`, newest first, 1 credit a page: the cards as they arrive, and where the walk
 * stands, for the document's head and for the line that says how to go on.
 */
export class PageWalk {
  readonly #request: WalkRequest;
  /** The first page; its `since` and `until` are those of the walk. */
  first: SignalPage | undefined;
  /** Where the next page is; null where there is none. */
  nextCursor: string | null;
  /** Cards so far. */
  listed = 0;
  /** Whether the last page was the last there is. */
  ended = false;
  /**
   * Set where the service refused the cursor, or the cursors lead nowhere: when the oldest card listed was recorded,
   * epoch milliseconds UTC. The walk can only go on from there.
   */
  stuckAt: number | undefined;
  #oldest: number | undefined;

  constructor(request: WalkRequest) {
    this.#request = request;
    this.nextCursor = request.cursor ?? null;
  }

  /** The cards page by page. @throws what the client and `pages` throw */
  async *batches({ notes }: Pick<Invocation, 'notes'>, client: Client): AsyncGenerator<Batch<SignalCard>> {
    const { cursor, cards, affordable } = this.#request;
    let asked = 0;
    const wanted = () => {
      asked = Math.min(LIMITS.cardsPerPage, cards - this.listed, affordable());
      return asked;
    };
    const progress = notes.progress('Asking for cards');
    try {
      for await (const page of pages(client, { filters: queryOf(this.#request), cursor, wanted })) {
        if (page.items.length > asked)
          notes.warn(`The service sent ${page.items.length} cards where ${asked} were asked for; all are kept.`);
        this.#arrived(page);
        progress.update(`Asking for cards: ${this.listed} so far`);
        yield { items: page.items, more: page.next_cursor !== null && this.listed < cards };
      }
    } catch (error) {
      if (isUseless(error) && this.nextCursor !== null) {
        this.nextCursor = null;
        this.stuckAt = this.#oldest;
      }
      throw error;
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
    this.nextCursor = next_cursor;
    for (const card of page.items) {
      const at = parseApiTime(card.created_at);
      if (at !== undefined) this.#oldest = Math.min(this.#oldest ?? at, at);
    }
  }
}

/** Whether the cursor at hand is no good: refused, or one of a circle. */
function isUseless(error: unknown): boolean {
  if (error instanceof DeadEnd) return true;
  return error instanceof ScreenerError && (error.code === 'invalid_arguments' || error.code === 'not_found');
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
