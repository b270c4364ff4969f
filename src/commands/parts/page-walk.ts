import type { Client } from '../../api/client.ts';
import type { SignalCard, SignalPage } from '../../api/contract/resources.ts';
import { LIMITS } from '../../api/limits.ts';
import { type Place, pages, refusesCursor } from '../../api/pages.ts';
import { at, formatApiTime } from '../../api/time.ts';
import { MINUTE, pluralize } from '../../base/units.ts';
import type { ScreenerError } from '../../errors.ts';
import type { Invocation } from './invocation.ts';
import type { ListRequest } from './next-command.ts';

/** `affordable`: cards that the credits left allow on the next page; `hasCeiling`: the user's, instead of the quote. */
type WalkRequest = ListRequest & Readonly<{ affordable: () => number; hasCeiling: boolean }>;

const PAGES_BEYOND_QUOTE = 5;

/** Knows where the walk stands, for the document's head and for the line that says how to go on. */
export class PageWalk {
  readonly #request: WalkRequest;
  first: SignalPage | undefined;
  /** Where the next page is: after a refused cursor, from the oldest card listed; undefined at the end. */
  next: Place | undefined;
  listed = 0;
  ended = false;
  read = 0;
  readonly quoted: number;

  constructor(request: WalkRequest) {
    this.#request = request;
    this.quoted = Math.ceil(request.cards / LIMITS.cardsPerPage);
    const timeOf = (time: number | undefined) =>
      time === undefined ? undefined : formatApiTime(time);
    this.next = {
      since: timeOf(request.since),
      until: timeOf(request.until),
      cursor: request.cursor,
    };
  }

  async *batches({ notes }: Invocation, client: Client): AsyncGenerator<readonly SignalCard[]> {
    const { cards, affordable, hasCeiling, symbol, type } = this.#request;
    const filters = { symbol, screener_type: type };
    let most = 0;
    /** What was wrong with cards that were left out: thrown after the last page. */
    let wrong: ScreenerError | undefined;
    const wanted = () => {
      const isBeyond = this.read >= this.quoted + PAGES_BEYOND_QUOTE && !hasCeiling;
      most = isBeyond ? 0 : Math.min(LIMITS.cardsPerPage, cards - this.listed, affordable());
      return most;
    };
    const progress = notes.progress('Asking for cards');
    try {
      for await (const { page, place, ended, bad } of pages(client, {
        filters,
        from: this.next ?? {},
        wanted,
      })) {
        const items = page.items.slice(0, most);
        const rest = page.items.slice(most);
        this.read += 1;
        // A service may round `since`.
        const asked = this.first === undefined ? this.next?.since : undefined;
        if (asked !== undefined && at(page.since) - at(asked) > MINUTE)
          notes.warn(
            `The service lists cards from ${page.since} on, not from ${asked}: older ones are missing here.`,
          );
        this.first ??= page;
        wrong ??= bad;
        this.listed += items.length;
        this.ended = ended && rest.length === 0;
        this.next = this.ended ? undefined : place;
        if (rest.length > 0) {
          notes.warn(
            `The service sent ${page.items.length} cards instead of ${most}: the others are left out.`,
          );
          // A service may round `until` down to the minute.
          const newest = Math.max(...rest.map(({ created_at }) => at(created_at)));
          this.next = {
            since: place.since,
            until: formatApiTime(Math.min(newest + MINUTE, at(page.until))),
          };
        }
        if (this.read === this.quoted && !ended && this.listed < cards) {
          const brought = `${pluralize(this.read, 'page')} brought ${pluralize(this.listed, 'card')} only`;
          notes.note(`${brought}: the list costs more than quoted.`);
        }
        progress.update(`Asking for cards: ${this.listed} so far`);
        yield items;
      }
      if (wrong !== undefined) throw wrong;
    } catch (error) {
      const { since, oldest } = this.next ?? {};
      if (refusesCursor(error))
        this.next = oldest === undefined ? undefined : { since, until: formatApiTime(oldest) };
      throw error;
    } finally {
      progress.stop();
    }
  }

  /** The SignalPage around all cards: the first page's fields with the last `next_cursor`. */
  head(): Record<string, unknown> {
    return this.first === undefined
      ? {}
      : { ...this.first, next_cursor: this.next?.cursor ?? null };
  }
}
