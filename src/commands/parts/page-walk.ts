/** The pages of `signals ls`: how many are asked for, and where a later command goes on. */
import type { Client } from '../../api/client.ts';
import type { SignalCard, SignalPage } from '../../api/contract/resources.ts';
import { LIMITS } from '../../api/limits.ts';
import { type Place, pages, refusesCursor } from '../../api/pages.ts';
import { at, formatApiTime } from '../../api/time.ts';
import { MINUTE, pluralize } from '../../base/units.ts';
import type { ScreenerError } from '../../errors.ts';
import type { Invocation } from './invocation.ts';
import type { ListRequest } from './next-command.ts';

interface WalkRequest extends ListRequest {
  /** How many cards of the next page the credits allow. */
  readonly affordable: () => number;
  /** Whether the user set --max-credits: then that ends the walk, and not the quote. */
  readonly hasCeiling: boolean;
}

/** If pages are short, the list needs more of them than the quote said. After so many more the walk stops. */
const PAGES_BEYOND_QUOTE = 5;

/**
 * Walks over the pages of a list, and remembers where it stopped: for the document that is printed, and for the command line
 * that goes on from there.
 */
export class PageWalk {
  readonly #request: WalkRequest;
  firstPage: SignalPage | undefined;
  /** Where the next page begins; undefined at the end of the list. After a refused cursor: at the oldest card listed. */
  next: Place | undefined;
  cardsListed = 0;
  /** Whether the whole list has been read. */
  hasEnded = false;
  pagesRead = 0;
  readonly pagesQuoted: number;

  constructor(request: WalkRequest) {
    this.#request = request;
    this.pagesQuoted = Math.ceil(request.cards / LIMITS.cardsPerPage);
    this.next = {
      since: optionalApiTime(request.since),
      until: optionalApiTime(request.until),
      cursor: request.cursor,
    };
  }

  /** @throws ScreenerError of `pages`; after the last page bad_answer, if the service sent bad cards */
  async *batches({ notes }: Invocation, client: Client): AsyncGenerator<readonly SignalCard[]> {
    const { cards, symbol, type } = this.#request;
    const filters = { symbol, screener_type: type };
    /** How many cards the latest page was asked for. */
    let cardsWanted = 0;
    const wanted = () => {
      cardsWanted = this.#cardsOfNextPage();
      return cardsWanted;
    };
    /** Cards that do not match the document: they are left out, and reported after the last page. */
    let badCards: ScreenerError | undefined;
    const progress = notes.progress('Asking for cards');
    try {
      for await (const { page, place, ended, bad } of pages(client, {
        filters,
        from: this.next ?? {},
        wanted,
      })) {
        const items = page.items.slice(0, cardsWanted);
        const leftOut = page.items.slice(cardsWanted);
        const isCutByCredits =
          cardsWanted < Math.min(LIMITS.cardsPerPage, cards - this.cardsListed);
        badCards ??= bad;
        if (this.firstPage === undefined) warnOfLaterStart(notes, page, this.next?.since);
        this.firstPage ??= page;
        this.pagesRead += 1;
        this.cardsListed += items.length;
        this.hasEnded = ended && leftOut.length === 0;
        this.next = this.hasEnded ? undefined : place;
        if (leftOut.length > 0) {
          notes.warn(
            `The service sent ${page.items.length} cards instead of ${cardsWanted}: the others are left out.`,
          );
          this.next = { since: place.since, until: endWith(leftOut, page) };
        }
        const isShort = !ended && !isCutByCredits && this.cardsListed < cards;
        if (this.pagesRead === this.pagesQuoted && isShort) {
          const pagesText = pluralize(this.pagesRead, 'page');
          const cardsText = pluralize(this.cardsListed, 'card');
          notes.note(`${pagesText} brought ${cardsText} only: the list costs more than quoted.`);
        }
        progress.update(`Asking for cards: ${this.cardsListed} so far`);
        yield items;
      }
      if (badCards !== undefined) throw badCards;
    } catch (error) {
      const { since, oldest } = this.next ?? {};
      if (refusesCursor(error))
        this.next = oldest === undefined ? undefined : { since, until: formatApiTime(oldest) };
      throw error;
    } finally {
      progress.stop();
    }
  }

  /** @returns 0 if the walk is to stop */
  #cardsOfNextPage(): number {
    const { cards, affordable, hasCeiling } = this.#request;
    const isBeyondQuote = this.pagesRead >= this.pagesQuoted + PAGES_BEYOND_QUOTE;
    if (isBeyondQuote && !hasCeiling) return 0;
    return Math.min(LIMITS.cardsPerPage, cards - this.cardsListed, affordable());
  }

  /** What is printed around the cards of all pages: the first page's fields, with the last `next_cursor`. */
  head(): Record<string, unknown> {
    if (this.firstPage === undefined) return {};
    return { ...this.firstPage, next_cursor: this.next?.cursor ?? null };
  }
}

function optionalApiTime(time: number | undefined): string | undefined {
  return time === undefined ? undefined : formatApiTime(time);
}

/** Warns if the list begins later than it was asked to. By a minute it may: a service may round `since`. */
function warnOfLaterStart(
  notes: Invocation['notes'],
  page: SignalPage,
  askedSince: string | undefined,
): void {
  if (askedSince === undefined || at(page.since) - at(askedSince) <= MINUTE) return;
  notes.warn(
    `The service lists cards from ${page.since} on, not from ${askedSince}: older ones are missing here.`,
  );
}

/** The end of a window that has these cards in it: a minute after the newest, because a service may round the end down. */
function endWith(cards: readonly SignalCard[], page: SignalPage): string {
  const newest = Math.max(...cards.map(({ created_at }) => at(created_at)));
  return formatApiTime(Math.min(newest + MINUTE, at(page.until)));
}
