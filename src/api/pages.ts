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
  /** The window's end, an API time; undefined leaves it to the service. */
  readonly until?: string | undefined;
  readonly cursor?: string | undefined;
  /** When the oldest card so far was recorded, epoch milliseconds UTC; undefined before the first. */
  readonly oldest?: number | undefined;
  /** Whether all cards so far came newest first; undefined before the first page. */
  readonly sorted?: boolean | undefined;
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
  /** Where the walk goes on after the page, in this process or a later one. */
  readonly place: Place;
  /** What the pages of this pass have shown. (`place` lacks it if the page's cursor cannot be used: a new pass begins there.) */
  readonly shown: Pick<Place, 'oldest' | 'sorted'>;
  /** Whether the page is the last of the list. */
  readonly ended: boolean;
  /** Cards of the page that do not match the document. */
  readonly bad: BadCards | undefined;
}

/**
 * Walks the pages of `/signals` (part 4, rule 1). If a cursor cannot be used, the walk goes on without it: from the
 * oldest card if all cards came newest first, otherwise from the window's end. If the next cursor cannot be used either, and
 * no new card came in between, the walk fails.
 * @throws ScreenerError of the client; bad_answer, if a cursor is too long, or if the walk cannot go on without it either; DeadEnd,
 *   if pages bring no new card
 */
export async function* pages(
  client: Pick<Client, 'call' | 'now'>,
  { filters, from, wanted }: PagesRequest,
): AsyncGenerator<ListedPage> {
  const walk = new Walk(client, filters, from);
  for (let cards = wanted(); cards >= 1; cards = wanted()) {
    const listedPage = await walk.askForPage(cards);
    // The service refused this request; the next one asks for something else.
    if (listedPage === undefined) continue;
    yield listedPage;
    if (listedPage.ended) return;
    // The page is paid for: it is handed over before the walk fails.
    if (walk.obstacle !== undefined) throw walk.obstacle;
  }
}

/** After five useless pages in a row no further page is asked for. */
const MOST_USELESS_PAGES = 5;

/**
 * One walk, in one or more passes. A pass ends if its cursor cannot be used: the next pass begins without a cursor, and may
 * meet the cards of the pass before it again. A page is useless if it has no card that is new in its pass, and no bad card that is
 * new in the walk.
 */
class Walk {
  /** Why the walk cannot go on after its last page; undefined if it can. */
  obstacle: ScreenerError | undefined;
  readonly #client: Pick<Client, 'call' | 'now'>;
  readonly #filters: PagesRequest['filters'];
  #place: Place;
  /** Whether the service refused a request for fewer than 25 cards. */
  #refusesSmallPages = false;
  /** Whether a cursor was given up, and no new card has come since. If the next cursor fails, too, the walk ends. */
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

  /**
   * How many cards to ask for. It is 25 after a page that was refused or useless, and while the walk is stuck: the service may
   * know only whole pages.
   */
  #limitFor(cards: number): number {
    const mayRefuseFewer = this.#refusesSmallPages || this.#isStuck || this.#uselessPages > 0;
    return mayRefuseFewer ? LIMITS.cardsPerPage : Math.min(cards, LIMITS.cardsPerPage);
  }

  /** Asks for a page, and takes its bad cards out. @throws ScreenerError of the client */
  async #ask(query: SignalsQuery): Promise<SplitPage> {
    const now = () => this.#client.now();
    try {
      const page = await this.#client.call('signals', query);
      const asItCame = { page, bad: undefined };
      if (!hasFutureCard(page, now())) return asItCame;
      // The contract allows a card of the future, but it is bad.
      return withoutBadCards(page, now()) ?? asItCame;
    } catch (error) {
      // If the page broke the contract, `cause` is the page itself: most of its cards may be good.
      const resource = error instanceof ScreenerError ? error.cause : undefined;
      const split = withoutBadCards(resource, now());
      if (split === undefined) throw error;
      return split;
    }
  }

  /** Prepares another request after one that was refused. @throws the refusal, if no other request is left to make */
  #goOnAfter(refusal: unknown, limit: number): void {
    if (!refusesCursor(refusal)) throw refusal;
    // What may be a refusal of the cursor may also be one of the small page: a whole page is tried first.
    if (limit < LIMITS.cardsPerPage && refusal.code === 'invalid_arguments') {
      this.#refusesSmallPages = true;
      return;
    }
    const { cursor, oldest } = this.#place;
    if (cursor === undefined || oldest === undefined) throw refusal;
    // While stuck, the walk got this cursor with the answer to a request without one: so only cursors are refused.
    if (this.#isStuck) throw new RefusedCursor(refusal);
    this.#giveUpCursor(oldest);
  }

  /** Begins a new pass without a cursor. @param oldest the time of the oldest card so far, epoch milliseconds UTC */
  #giveUpCursor(oldest: number): void {
    this.#place = withoutCursor(this.#place, oldest);
    this.#isStuck = true;
    this.#idsOfPass.clear();
  }

  /** Takes in a page. @param limit how many cards were asked for */
  #takeIn({ page, bad }: SplitPage, limit: number): ListedPage {
    const badTexts = bad?.texts ?? [];
    const { newInPass, newInWalk } = this.#takeCards(page.items, badTexts);
    const isFull = page.items.length + badTexts.length >= limit;
    const next = readCursor(page.next_cursor, isFull);
    const cursor = next.kind === 'usable' ? next.cursor : undefined;
    this.#place = { ...placeAfter(this.#place, newInPass), cursor };
    const { oldest, sorted } = this.#place;
    // The obstacle comes first: it depends on whether the walk was stuck before this cursor is given up.
    this.obstacle = this.#obstacleAfter(next);
    // This is done even if the walk ends here: a later command goes on from the place without the cursor.
    if (next.kind === 'faulty' && oldest !== undefined) this.#giveUpCursor(oldest);
    return {
      page: { ...page, items: newInWalk, next_cursor: cursor ?? null },
      place: this.#place,
      shown: { oldest, sorted },
      ended: next.kind === 'end',
      bad,
    };
  }

  /** Remembers the cards of a page. @returns those that are new */
  #takeCards(cards: readonly SignalCard[], badTexts: readonly string[]): NewCards {
    const idOf = ({ id }: SignalCard) => id;
    const newInPass = takeNew(cards, idOf, this.#idsOfPass);
    const newInWalk = takeNew(newInPass, idOf, this.#idsOfWalk);
    const newBadTexts = takeNew(badTexts, (text) => text, this.#badTexts);
    const isUseless = newInPass.length + newBadTexts.length === 0;
    this.#uselessPages = isUseless ? this.#uselessPages + 1 : 0;
    if (newInWalk.length > 0) this.#isStuck = false;
    return { newInPass, newInWalk };
  }

  /** Why the walk cannot go on after a page; undefined if it can. */
  #obstacleAfter(next: NextCursor): ScreenerError | undefined {
    if (next.kind === 'faulty') {
      const canGoOn = next.canBeGivenUp && !this.#isStuck && this.#place.oldest !== undefined;
      if (!canGoOn) return badAnswer(`response.next_cursor: ${next.fault}`);
    }
    return this.#uselessPages === MOST_USELESS_PAGES ? new DeadEnd() : undefined;
  }
}

/** The cards of a page that had not come before. */
interface NewCards {
  readonly newInPass: readonly SignalCard[];
  readonly newInWalk: SignalCard[];
}

interface EndOfList {
  readonly kind: 'end';
}

interface UsableCursor {
  readonly kind: 'usable';
  readonly cursor: string;
}

interface FaultyCursor {
  readonly kind: 'faulty';
  /** Why it cannot be used: `empty`. */
  readonly fault: string;
  /** Whether the walk may go on without it. */
  readonly canBeGivenUp: boolean;
}

/** What the `next_cursor` of a page says. */
type NextCursor = EndOfList | UsableCursor | FaultyCursor;

/**
 * Reads a cursor. By the document (part 4) it is a string of at most 220 characters, or null at the end of the list.
 * - An empty string cannot be sent. After a page that is not full it means the end; after a full page it is a fault.
 * - A string of more than 220 characters is a fault that ends the walk.
 * @param isFull whether the page had as many cards as were asked for
 */
function readCursor(text: string | null, isFull: boolean): NextCursor {
  if (text === null || (text === '' && !isFull)) return { kind: 'end' };
  if (text === '') return { kind: 'faulty', fault: 'empty', canBeGivenUp: true };
  if (text.length <= LIMITS.cursorLength) return { kind: 'usable', cursor: text };
  const fault = `longer than ${LIMITS.cursorLength} characters`;
  return { kind: 'faulty', fault, canBeGivenUp: false };
}

/** The items whose keys are not in `seen` yet. Their keys are added to it. */
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

/** Where the walk stands after a page. @param cards those of the page that are new in its pass, in the page's order */
function placeAfter(place: Place, cards: readonly SignalCard[]): Place {
  const times = cards.map(({ created_at }) => at(created_at));
  const timesSoFar = place.oldest === undefined ? times : [place.oldest, ...times];
  const isNewestFirst = isDescending(timesSoFar);
  return {
    ...place,
    oldest: timesSoFar.length === 0 ? undefined : Math.min(...timesSoFar),
    sorted: (place.sorted ?? true) && isNewestFirst,
  };
}

function isDescending(times: readonly number[]): boolean {
  return times.every((time, i) => time <= (times[i - 1] ?? time));
}

/** Where the walk goes on without its cursor: behind the cards that it has, or once more from the window's end. */
function withoutCursor({ since, until, sorted }: Place, oldest: number): Place {
  // The oldest card's minute is asked for again: a service may round `until` down.
  const newUntil = oldest + MINUTE;
  const isEarlier = until === undefined || newUntil < at(until);
  // If the cards came newest first, all cards between `newUntil` and `until` have come.
  const canSkipNewer = sorted === true && isEarlier;
  // `oldest` and `sorted` are left out: a new pass begins.
  return { since, until: canSkipNewer ? formatApiTime(newUntil) : until };
}

/** Five useless pages in a row have ended the walk. */
export class DeadEnd extends ScreenerError {
  constructor() {
    const text =
      'The service gave page after page without a new card: the list cannot be read to its end.';
    super('bad_answer', text, { hint: 'Cards may be missing from it. Try again later.' });
  }
}

/** The service refuses cursors, with 422 or with 404, but lists cards without one: a shorter window may need no cursor. */
class RefusedCursor extends ScreenerError {
  constructor({ code, message, scope, hint, status, retryAfter, retryAt, cause }: ScreenerError) {
    super(code, message, { scope, hint, status, retryAfter, retryAt, cause });
  }
}

/**
 * Whether the service refused this window, so that a shorter one may be answered. That is a 422, which alone is about arguments
 * (part 7), a `DeadEnd`, or a `RefusedCursor`, even if the cursor got a 404.
 */
export function refusesWindow(error: unknown): error is ScreenerError {
  if (error instanceof DeadEnd || error instanceof RefusedCursor) return true;
  return error instanceof ScreenerError && error.code === 'invalid_arguments';
}

/** Whether the service may have refused the cursor: it may answer an expired one with 422 or with 404. */
export function refusesCursor(error: unknown): error is ScreenerError {
  if (refusesWindow(error)) return true;
  return error instanceof ScreenerError && error.code === 'not_found';
}
