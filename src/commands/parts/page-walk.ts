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
  /** Whether the user set --max-credits: then only that limit ends the walk, however many pages it takes. */
  readonly hasCeiling: boolean;
}

/**
 * If the service sends short pages, a list needs more pages than were quoted. The walk stops after 5 more, unless --max-credits
 * limits it.
 */
const PAGES_BEYOND_QUOTE = 5;

/**
 * Walks over the pages of a list. It remembers where it stopped, for the printed document (`next_cursor`) and for the command
 * line that continues the list.
 */
export class PageWalk {
  readonly #request: WalkRequest;
  firstPage: SignalPage | undefined;
  /**
   * Where the next page begins. After a refused cursor it begins at the oldest card listed. Undefined at the end of the list, and
   * after a refused cursor if no card was listed.
   */
  next: Place | undefined;
  cardsListed = 0;
  /** Whether the whole list has been read. */
  hasEnded = false;
  pagesRead = 0;
  /** The pages that the list needs if each is full. */
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

  /**
   * @throws ScreenerError if a page fails; bad_answer, after the last page, if the service sent cards that do not match the API
   *   document
   */
  async *batches({ notes }: Invocation, client: Client): AsyncGenerator<readonly SignalCard[]> {
    const { cards, symbol, type } = this.#request;
    const filters = { symbol, screener_type: type };
    /** How many cards are wanted of the page that is asked for. */
    let cardsWanted = 0;
    // `pages` calls this once before each page.
    const wanted = () => {
      cardsWanted = this.#cardsOfNextPage();
      return cardsWanted;
    };
    /** Cards that do not match the document: they are left out, and reported after the last page. */
    let badCards: ScreenerError | undefined;
    const progress = notes.progress('Asking for cards');
    try {
      const listedPages = pages(client, { filters, from: this.next ?? {}, wanted });
      for await (const listedPage of listedPages) {
        const { page, place: placeAfter, ended: isLastPage, bad: badCardsOfPage } = listedPage;
        const items = page.items.slice(0, cardsWanted);
        const leftOut = page.items.slice(cardsWanted);
        const mostOfPage = Math.min(LIMITS.cardsPerPage, cards - this.cardsListed);
        // The credits left allowed fewer cards than the page could have had, for example because each card's outcome is bought, too.
        const isCutByCredits = cardsWanted < mostOfPage;
        badCards ??= badCardsOfPage;
        if (this.firstPage === undefined) warnOfLaterStart(notes, page, this.next?.since);
        this.firstPage ??= page;
        this.pagesRead += 1;
        this.cardsListed += items.length;
        this.hasEnded = isLastPage && leftOut.length === 0;
        this.next = this.hasEnded ? undefined : placeAfter;
        if (leftOut.length > 0) {
          notes.warn(
            `The service sent ${page.items.length} cards instead of ${cardsWanted}: the others are left out.`,
          );
          // A later command begins with the cards that are left out here.
          this.next = { since: placeAfter.since, until: endWith(leftOut, page) };
        }
        const lacksCards = !isLastPage && !isCutByCredits && this.cardsListed < cards;
        // The last quoted page is here. The list still goes on, because the service sent short pages.
        if (this.pagesRead === this.pagesQuoted && lacksCards) {
          const pagesText = pluralize(this.pagesRead, 'page');
          const cardsText = pluralize(this.cardsListed, 'card');
          notes.note(`${pagesText} brought ${cardsText} only: the list costs more than quoted.`);
        }
        progress.update(`Asking for cards: ${this.cardsListed} so far`);
        yield items;
      }
      if (badCards !== undefined) throw badCards;
    } catch (error) {
      // A refused cursor leads nowhere: the command line that continues the list asks for the cards up to the oldest one listed.
      const { since, oldest: oldestListedAt } = this.next ?? {};
      if (refusesCursor(error))
        this.next =
          oldestListedAt === undefined
            ? undefined
            : { since, until: formatApiTime(oldestListedAt) };
      throw error;
    } finally {
      progress.stop();
    }
  }

  /** How many cards are wanted of the next page. @returns 0 if the walk is to stop */
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

/**
 * Warns if the list begins more than a minute later than it was asked to. Up to a minute, there is no warning: a service may round
 * `since`.
 */
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

/**
 * The `until` with which a later command gets these cards. It is a minute after the newest of them, because a service may round the
 * end down.
 */
function endWith(cards: readonly SignalCard[], page: SignalPage): string {
  const newestCardAt = Math.max(...cards.map(({ created_at }) => at(created_at)));
  return formatApiTime(Math.min(newestCardAt + MINUTE, at(page.until)));
}
