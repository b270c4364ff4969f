/** The one walk over the pages of `/signals`: for `signals ls`, `signals watch` and the export. */

import { MINUTE } from '../base/units.ts';
import { ScreenerError } from '../errors.ts';
import { type BadCards, hasFutureCard, type SplitPage, withoutBadCards } from './bad-cards.ts';
import { badAnswer } from './breach.ts';
import type { Client } from './client.ts';
import type { SignalCard, SignalPage } from './contract/resources.ts';
import { LIMITS } from './limits.ts';
import type { SignalsQuery } from './operations.ts';
import { at, formatApiTime } from './time.ts';

/** Where a walk stands: all that a later process needs to go on with it. */
export interface Place {
  /** The window's beginning, an API time; undefined leaves it to the service. */
  readonly since?: string | undefined;
  /** The window's end, likewise. */
  readonly until?: string | undefined;
  readonly cursor?: string | undefined;
  /** When the oldest card so far was recorded, epoch milliseconds UTC; undefined before the first. */
  readonly oldest?: number | undefined;
  /** Whether all cards so far came newest first; undefined before the first page. */
  readonly sorted?: boolean;
}

export interface PagesRequest {
  /** The same for all pages: a cursor works only with its own filters. */
  readonly filters?: Pick<SignalsQuery, 'symbol' | 'screener_type'>;
  /** Where the walk begins. */
  readonly from: Place;
  /** How many more cards are wanted. Called before each page; if it is less than 1, the walk ends. */
  wanted(): number;
}

export interface ListedPage {
  /** The service's page, without the cards that the walk has met before. */
  readonly page: SignalPage;
  /** Where the walk stands after the page. */
  readonly place: Place;
  /** Whether it is the last of the list. */
  readonly ended: boolean;
  /** Cards of the page that do not match the document. */
  readonly bad: BadCards | undefined;
}

/**
 * Walks the pages of `/signals` (part 4, rule 1). If a cursor cannot be used, the walk goes on without it: from the
 * oldest card if all cards came newest first, else from the window's end. If the next cursor cannot be used either, and
 * no new card came in between, the walk fails.
 * @throws ScreenerError of the client; bad_answer, if a cursor cannot be used; DeadEnd, if pages bring no new card
 */
export async function* pages(
  client: Pick<Client, 'call' | 'now'>,
  { filters, from, wanted }: PagesRequest,
): AsyncGenerator<ListedPage> {
  const walk = new Walk(client, filters, from);
  for (let cards = wanted(); cards >= 1; cards = wanted()) {
    const listed = await walk.askForPage(cards);
    // The request was refused, but another one may be answered.
    if (listed === undefined) continue;
    yield listed;
    if (listed.ended) return;
    // The page is paid for: it is handed over before the walk fails.
    if (walk.obstacle !== undefined) throw walk.obstacle;
  }
}

/** After so many useless pages in a row no further page is asked for. */
const MOST_USELESS_PAGES = 5;

/**
 * One walk. Its pages make up passes: a pass ends where a cursor is left, and the next one may meet the same cards again,
 * on its way back to where the last one ended. A page is useless if it brings nothing that is new in its pass.
 */
class Walk {
  /** Why the walk cannot go on after its last page; undefined if it can. */
  obstacle: ScreenerError | undefined;
  readonly #client: Pick<Client, 'call' | 'now'>;
  readonly #filters: PagesRequest['filters'];
  #place: Place;
  /** Whether the service refused a request for fewer than 25 cards. */
  #refusesSmallPages = false;
  /** Whether a cursor was left, and no card has come since that is new in the walk: no further cursor is left then. */
  #isStuck = false;
  /** How many useless pages in a row have come last. */
  #uselessPages = 0;
  readonly #idsOfWalk = new Set<number>();
  readonly #idsOfPass = new Set<number>();
  /** The texts of all bad cards: some have no id. */
  readonly #badTexts = new Set<string>();

  constructor(client: Pick<Client, 'call' | 'now'>, filters: PagesRequest['filters'], from: Place) {
    this.#client = client;
    this.#filters = filters;
    this.#place = from;
  }

  /**
   * @param cards how many are wanted
   * @returns undefined if the service refused the request, but may answer another one
   * @throws the refusal, if no other request is left to make
   */
  async askForPage(cards: number): Promise<ListedPage | undefined> {
    const limit = this.#limitFor(cards);
    const { since, until, cursor } = this.#place;
    let answer: SplitPage;
    try {
      answer = await this.#ask({ ...this.#filters, since, until, cursor, limit });
    } catch (refusal) {
      this.#goOnAfter(refusal, limit);
      return undefined;
    }
    return this.#takeIn(answer, limit);
  }

  /** Whole pages are asked for after one that was refused or useless, because the service may give no other pages. */
  #limitFor(cards: number): number {
    const asksForAll = this.#refusesSmallPages || this.#isStuck || this.#uselessPages > 0;
    return asksForAll ? LIMITS.cardsPerPage : Math.min(cards, LIMITS.cardsPerPage);
  }

  async #ask(query: SignalsQuery): Promise<SplitPage> {
    const now = () => this.#client.now();
    try {
      const page = await this.#client.call('signals', query);
      const split = hasFutureCard(page, now()) ? withoutBadCards(page, now()) : undefined;
      return split ?? { page, bad: undefined };
    } catch (error) {
      // If the page broke the contract, the cause is what the service sent: most of its cards may be good.
      const resource = error instanceof ScreenerError ? error.cause : undefined;
      const split = withoutBadCards(resource, now());
      if (split === undefined) throw error;
      return split;
    }
  }

  /** Prepares another request after one that was refused. @throws the refusal, if there is none to make */
  #goOnAfter(refusal: unknown, limit: number): void {
    if (!refusesCursor(refusal)) throw refusal;
    if (limit < LIMITS.cardsPerPage && refusal.code === 'invalid_arguments') {
      this.#refusesSmallPages = true;
      return;
    }
    const { cursor, oldest } = this.#place;
    if (cursor === undefined || oldest === undefined || this.#isStuck) throw refusal;
    this.#leaveCursor(oldest);
  }

  #leaveCursor(oldest: number): void {
    this.#place = withoutCursor(this.#place, oldest);
    this.#isStuck = true;
    this.#idsOfPass.clear();
  }

  #takeIn({ page, bad }: SplitPage, limit: number): ListedPage {
    const idOf = ({ id }: SignalCard) => id;
    const newInPass = takeNew(page.items, idOf, this.#idsOfPass);
    const newInWalk = takeNew(newInPass, idOf, this.#idsOfWalk);
    const badTexts = bad?.texts ?? [];
    const newBadTexts = takeNew(badTexts, (text) => text, this.#badTexts);
    const isUseless = newInPass.length + newBadTexts.length === 0;
    this.#uselessPages = isUseless ? this.#uselessPages + 1 : 0;
    if (newInWalk.length > 0) this.#isStuck = false;
    const isFull = page.items.length + badTexts.length >= limit;
    const next = readCursor(page.next_cursor, isFull);
    this.#place = { ...placeAfter(this.#place, newInPass), cursor: next.cursor };
    this.obstacle = this.#obstacleOf(next);
    const { oldest } = this.#place;
    if (next.fault !== undefined && oldest !== undefined) this.#leaveCursor(oldest);
    const listed = { ...page, items: newInWalk, next_cursor: next.cursor ?? null };
    return { page: listed, place: this.#place, ended: next.isEnd, bad };
  }

  #obstacleOf({ fault, endsWalk }: NextCursor): ScreenerError | undefined {
    const cannotLeaveCursor = endsWalk || this.#isStuck || this.#place.oldest === undefined;
    if (fault !== undefined && cannotLeaveCursor)
      return badAnswer(`response.next_cursor: ${fault}`);
    return this.#uselessPages === MOST_USELESS_PAGES ? new DeadEnd() : undefined;
  }
}

/** What the `next_cursor` of a page says. */
interface NextCursor {
  /** Undefined at the end of the list, and if the cursor cannot be used. */
  readonly cursor?: string;
  readonly isEnd: boolean;
  /** Why the cursor cannot be used; undefined if it can. */
  readonly fault?: string;
  /** Whether the fault ends the walk, so that it does not go on without the cursor. */
  readonly endsWalk?: boolean;
}

/**
 * Reads a cursor: by the document (part 4) a string of 220 characters at most, or null at the end. An empty string cannot
 * be sent. After a page that is not full it is taken for null.
 * @param isFull whether the page had as many cards as were asked for
 */
function readCursor(text: string | null, isFull: boolean): NextCursor {
  if (text === null || (text === '' && !isFull)) return { isEnd: true };
  if (text === '') return { isEnd: false, fault: 'empty' };
  if (text.length <= LIMITS.cursorLength) return { isEnd: false, cursor: text };
  const fault = `longer than ${LIMITS.cursorLength} characters`;
  return { isEnd: false, fault, endsWalk: true };
}

/** Adds to `seen` the keys that are not in it. @returns their items */
function takeNew<T, K>(items: readonly T[], keyOf: (item: T) => K, seen: Set<K>): T[] {
  const fresh: T[] = [];
  for (const item of items) {
    const key = keyOf(item);
    if (seen.has(key)) continue;
    seen.add(key);
    fresh.push(item);
  }
  return fresh;
}

/** @param cards of the page, in its order */
function placeAfter(place: Place, cards: readonly SignalCard[]): Place {
  const times = cards.map(({ created_at }) => at(created_at));
  const before = place.oldest ?? Number.POSITIVE_INFINITY;
  const oldest = Math.min(before, ...times);
  const isNewestFirst = times.every((time, i) => time <= (times[i - 1] ?? before));
  return {
    ...place,
    oldest: Number.isFinite(oldest) ? oldest : undefined,
    sorted: (place.sorted ?? true) && isNewestFirst,
  };
}

/** Where the walk goes on if it leaves its cursor: behind the cards that it has, or at the window's end once more. */
function withoutCursor({ since, until, sorted }: Place, oldest: number): Place {
  // The oldest card's minute is asked for again: a service may round `until` down.
  const newUntil = oldest + MINUTE;
  const isEarlier = until === undefined || newUntil < at(until);
  // Only if the newest came first, no card between `newUntil` and `until` is missing.
  const canSkipNewer = sorted === true && isEarlier;
  return { since, until: canSkipNewer ? formatApiTime(newUntil) : until };
}

/** Useless pages, one after the other, have ended the walk. */
export class DeadEnd extends ScreenerError {
  constructor() {
    const text =
      'The service gave page after page without a new card: the list cannot be read to its end.';
    super('bad_answer', text, { hint: 'Cards may be missing from it. Try again later.' });
  }
}

/** Whether a request for another window may be answered. Only a 422 is about arguments (part 7); a 404 is not. */
export function refusesWindow(error: unknown): error is ScreenerError {
  if (error instanceof DeadEnd) return true;
  return error instanceof ScreenerError && error.code === 'invalid_arguments';
}

/** Whether the walk may go on without its cursor. A service may answer an expired one with 422 or with 404. */
export function refusesCursor(error: unknown): error is ScreenerError {
  if (refusesWindow(error)) return true;
  return error instanceof ScreenerError && error.code === 'not_found';
}
