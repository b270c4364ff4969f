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

/** All that a later process needs to go on with the walk. */
export interface Place {
  /** API times; undefined leaves that end to the service. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly cursor?: string | undefined;
  /** The oldest `created_at` so far, epoch milliseconds UTC. */
  readonly oldest?: number | undefined;
  /** Whether all pages so far came newest first; undefined before the first. */
  readonly sorted?: boolean;
}

export interface PagesRequest {
  /** A cursor is bound to them. */
  readonly filters?: Pick<SignalsQuery, 'symbol' | 'screener_type'>;
  /** Where the walk begins. */
  readonly from: Place;
  /** How many cards are wanted, asked before each page: with less than 1 the walk ends. */
  wanted(): number;
}

export interface ListedPage {
  /** The service's page, without the cards that the walk has met before. */
  readonly page: SignalPage;
  /** Where the walk stands after it. */
  readonly place: Place;
  /** Whether it is the last of the list. */
  readonly ended: boolean;
  /** Cards of the page that do not match the document. */
  readonly bad: BadCards | undefined;
}

/**
 * Walks the pages of `/signals` (part 4, rule 1). A cursor that cannot be used is left, once without a new card in
 * between: the walk goes on from the oldest card if all pages came newest first, else from the window's end.
 * @throws ScreenerError of the client; bad_answer, where a cursor is of no use; DeadEnd, if the pages lead nowhere
 */
export async function* pages(
  client: Pick<Client, 'call' | 'now'>,
  { filters, from, wanted }: PagesRequest,
): AsyncGenerator<ListedPage> {
  const walk = new Walk(client, filters, from);
  for (let cards = wanted(); cards >= 1; cards = wanted()) {
    const listed = await walk.askForPage(cards);
    // Refused: another request is to be made.
    if (listed === undefined) continue;
    yield listed;
    if (listed.ended) return;
    // What the page costs is kept first.
    if (walk.obstacle !== undefined) throw walk.obstacle;
  }
}

/** Pages in a row, after which no further one is asked for. */
const MOST_USELESS_PAGES = 5;

class Walk {
  /** Why the walk cannot go on after its last page. */
  obstacle: ScreenerError | undefined;
  readonly #client: Pick<Client, 'call' | 'now'>;
  readonly #filters: PagesRequest['filters'];
  #place: Place;
  /** Whether a page of fewer than 25 cards was refused. */
  #isOnlyWhole = false;
  /** Whether a cursor was left, and no new card has come since. */
  #isStuck = false;
  /** Pages in a row without a card that is new since a cursor was left. */
  #uselessPages = 0;
  readonly #ids = new Set<number>();
  readonly #idsSinceCursorWasLeft = new Set<number>();
  readonly #badTexts = new Set<string>();

  constructor(client: Pick<Client, 'call' | 'now'>, filters: PagesRequest['filters'], from: Place) {
    this.#client = client;
    this.#filters = filters;
    this.#place = from;
  }

  /**
   * @param cards that are wanted
   * @returns undefined where the service refused the request, and another one may be answered
   * @throws the refusal, if none is left
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

  /** After a page that was refused, or had no new card, whole pages are asked for: the service may give no others. */
  #limitFor(cards: number): number {
    const isWhole = this.#isOnlyWhole || this.#isStuck || this.#uselessPages > 0;
    return isWhole ? LIMITS.cardsPerPage : Math.min(cards, LIMITS.cardsPerPage);
  }

  async #ask(query: SignalsQuery): Promise<SplitPage> {
    const now = () => this.#client.now();
    try {
      const page = await this.#client.call('signals', query);
      const split = hasFutureCard(page, now()) ? withoutBadCards(page, now()) : undefined;
      return split ?? { page, bad: undefined };
    } catch (error) {
      // What the service sent is the cause.
      const resource = error instanceof ScreenerError ? error.cause : undefined;
      const split = withoutBadCards(resource, now());
      if (split === undefined) throw error;
      return split;
    }
  }

  /** @throws the refusal, if no other request may be answered */
  #goOnAfter(refusal: unknown, limit: number): void {
    if (!refusesCursor(refusal)) throw refusal;
    if (limit < LIMITS.cardsPerPage && refusal.code === 'invalid_arguments') {
      this.#isOnlyWhole = true;
      return;
    }
    const { cursor, oldest } = this.#place;
    if (cursor === undefined || oldest === undefined || this.#isStuck) throw refusal;
    this.#leaveCursor(oldest);
  }

  #leaveCursor(oldest: number): void {
    this.#place = withoutCursor(this.#place, oldest);
    this.#isStuck = true;
    this.#idsSinceCursorWasLeft.clear();
  }

  #takeIn({ page, bad }: SplitPage, limit: number): ListedPage {
    const idOf = ({ id }: SignalCard) => id;
    const fresh = takeNew(page.items, idOf, this.#idsSinceCursorWasLeft);
    const items = takeNew(fresh, idOf, this.#ids);
    const badTexts = bad?.texts ?? [];
    const newBadTexts = takeNew(badTexts, (text) => text, this.#badTexts);
    const isUseless = fresh.length + newBadTexts.length === 0;
    this.#uselessPages = isUseless ? this.#uselessPages + 1 : 0;
    if (items.length > 0) this.#isStuck = false;
    const isFull = page.items.length + badTexts.length >= limit;
    const next = readCursor(page.next_cursor, isFull);
    this.#place = { ...placeAfter(this.#place, fresh), cursor: next.cursor };
    this.obstacle = this.#obstacleOf(next);
    const { oldest } = this.#place;
    if (next.fault !== undefined && oldest !== undefined) this.#leaveCursor(oldest);
    const listed = { ...page, items, next_cursor: next.cursor ?? null };
    return { page: listed, place: this.#place, ended: next.isEnd, bad };
  }

  #obstacleOf({ fault, endsWalk }: NextCursor): ScreenerError | undefined {
    const isNowhere = endsWalk || this.#isStuck || this.#place.oldest === undefined;
    if (fault !== undefined && isNowhere) return badAnswer(`response.next_cursor: ${fault}`);
    return this.#uselessPages === MOST_USELESS_PAGES ? new DeadEnd() : undefined;
  }
}

/** What a page's `next_cursor` says. */
interface NextCursor {
  /** Undefined at the end, and where it cannot be used. */
  readonly cursor?: string;
  readonly isEnd: boolean;
  /** Why it cannot be used. */
  readonly fault?: string;
  /** Whether the walk ends there, in place of going on without the cursor. */
  readonly endsWalk?: boolean;
}

/**
 * The document has a string of 220 characters at most, or null (part 4). An empty one cannot be sent: after a page that
 * is not full it is taken for null.
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

/** @param fresh cards of the page, in its order */
function placeAfter(place: Place, fresh: readonly SignalCard[]): Place {
  const times = fresh.map(({ created_at }) => at(created_at));
  const before = place.oldest ?? Number.POSITIVE_INFINITY;
  const oldest = Math.min(before, ...times);
  const isNewestFirst = times.every((time, i) => time <= (times[i - 1] ?? before));
  return {
    ...place,
    oldest: Number.isFinite(oldest) ? oldest : undefined,
    sorted: (place.sorted ?? true) && isNewestFirst,
  };
}

/** The oldest card's minute is included: a service may round `until` down. */
function withoutCursor({ since, until, sorted }: Place, oldest: number): Place {
  const rest = oldest + MINUTE;
  const isNarrower = until === undefined || rest < at(until);
  const isSplit = sorted === true && isNarrower;
  return { since, until: isSplit ? formatApiTime(rest) : until };
}

export class DeadEnd extends ScreenerError {
  constructor() {
    const text =
      'The service gave page after page without a new card: the list cannot be read to its end.';
    super('bad_answer', text, { hint: 'Cards may be missing from it. Try again later.' });
  }
}

/** Whether another window may be answered: a 404 is about none (part 7: 422 alone is about arguments). */
export function refusesWindow(error: unknown): error is ScreenerError {
  if (error instanceof DeadEnd) return true;
  return error instanceof ScreenerError && error.code === 'invalid_arguments';
}

/** Whether the walk may go on without the cursor: one that expired may be invalid, or not there any more. */
export function refusesCursor(error: unknown): error is ScreenerError {
  if (refusesWindow(error)) return true;
  return error instanceof ScreenerError && error.code === 'not_found';
}
