import type { Client } from '../api/client.ts';
import type { SignalCard, SignalPage } from '../api/contract/resources.ts';
import { LIMITS } from '../api/limits.ts';
import { isRejection, type Place, pages } from '../api/pages.ts';
import { formatApiTime } from '../api/time.ts';
import type { Batch } from '../output/types.ts';
import type { Invocation } from './invocation.ts';
import type { ListRequest } from './next-command.ts';

interface WalkRequest extends ListRequest {
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
  /**
   * Where the next page is; undefined where there is none. Where the service refused the cursor, or the cursors lead
   * nowhere, the walk can only go on from the oldest card listed.
   */
  next: Place | undefined;
  /** Cards so far. */
  listed = 0;
  /** Whether the last page was the last there is. */
  ended = false;

  constructor(request: WalkRequest) {
    this.#request = request;
    this.next = { since: timeOf(request.since), until: timeOf(request.until), cursor: request.cursor };
  }

  /** The cards page by page. @throws what the client and `pages` throw */
  async *batches({ notes }: Pick<Invocation, 'notes'>, client: Client): AsyncGenerator<Batch<SignalCard>> {
    const { cards, affordable, symbol, type } = this.#request;
    let asked = 0;
    const wanted = () => {
      asked = Math.min(LIMITS.cardsPerPage, cards - this.listed, affordable());
      return asked;
    };
    const filters = { symbol, screener_type: type };
    const seen = new Map<number, number>();
    const progress = notes.progress('Asking for cards');
    try {
      for await (const { page, place, ended } of pages(client, { filters, from: this.next ?? {}, wanted, seen })) {
        if (page.items.length > asked)
          notes.warn(`The service sent ${page.items.length} cards where ${asked} were asked for; all are kept.`);
        this.first ??= page;
        this.listed += page.items.length;
        this.next = ended ? undefined : place;
        this.ended = ended;
        progress.update(`Asking for cards: ${this.listed} so far`);
        yield { items: page.items, more: !this.ended && this.listed < cards };
      }
    } catch (error) {
      if (isRejection(error)) this.next = withoutCursor(this.next, [...seen.values()]);
      throw error;
    } finally {
      progress.stop();
    }
  }

  /** The SignalPage around all cards: the first page's fields with the last `next_cursor`. */
  head(): Record<string, unknown> {
    return this.first === undefined ? {} : { ...this.first, next_cursor: this.next?.cursor ?? null };
  }
}

/** The rest of a list of which the cursor at hand is no good; undefined where no card shows what the rest is. */
function withoutCursor(place: Place | undefined, times: readonly number[]): Place | undefined {
  if (times.length === 0) return undefined;
  return { since: place?.since, until: formatApiTime(Math.min(...times)) };
}

function timeOf(at: number | undefined): string | undefined {
  return at === undefined ? undefined : formatApiTime(at);
}
