/**
 * The one walk over `/signals`: what a useless page is, what becomes of a cursor that is refused or repeats, where to go
 * on from, and which cards came before. `signals ls`, `signals watch` and the export all walk here.
 */
import { ScreenerError } from '../errors.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../runtime/units.ts';
import type { Client } from './client.ts';
import type { SignalCard, SignalPage } from './contract/resources.ts';
import { LIMITS } from './limits.ts';
import type { SignalsQuery } from './operations.ts';
import { at, formatApiTime, parseApiTime } from './time.ts';

/** Where a walk over one window of the list stands: all that is needed to go on from it, in a later process too. */
export interface Place {
  /** The window as it is asked for, API times; undefined leaves that end to the service. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** Of the next page; undefined for the window's first one. */
  readonly cursor?: string | undefined;
  /** The oldest `created_at` in the window so far, epoch milliseconds UTC. */
  readonly oldest?: number | undefined;
  /** Whether the window's pages so far came in order of `created_at`, newest first. */
  readonly sorted?: boolean;
  /** Whether the window may be one of `last_seen_at`: an older card may then lie in a later window. */
  readonly seenAgain?: boolean;
  /** Whether `until` is the end of a part already walked: nothing may be missing between the two. */
  readonly adjoins?: boolean;
}

interface PageRequest {
  /** The filters, the same for every page: a cursor is bound to them. */
  readonly filters?: Pick<SignalsQuery, 'symbol' | 'screener_type'>;
  readonly from: Place;
  /** Cards wanted of the next page, asked before each: with less than 1 the walk ends. Every card where it is left out. */
  readonly wanted?: () => number;
  /** The cards that came, `created_at` in epoch milliseconds UTC by id: those of the walk are added. */
  readonly seen?: Map<number, number>;
  /** Whether the caller asks for shorter windows where this walk cannot go on: then it takes no risk to go on. */
  readonly hasOtherWindows?: boolean;
}

export interface Listed {
  /** The answer without the cards that came before. */
  readonly page: SignalPage;
  /** Where the walk stands after it. */
  readonly place: Place;
  /** Whether the window has no further page. */
  readonly ended: boolean;
}

/** After so many pages in a row without a card that was not there before, the service is going round in circles. */
const MOST_USELESS_PAGES = 5;

/**
 * The pages of `/signals` (part 4, rule 1), newest first, each without the cards of an earlier one. Each page is asked
 * for with the number of cards still wanted, at most 25, so that the last page's `next_cursor` goes on exactly where the
 * output ends; where the service refuses to give fewer than 25, it is asked for 25.
 *
 * A cursor that is refused, repeats or cannot be sent back is left, once without a new card in between: the walk goes on
 * from the oldest card where every page came in order of `created_at`, else from the window's end; so, too, where the
 * caller has other windows and this one may be of another time than `created_at`.
 * @throws ScreenerError of the client: invalid_arguments or not_found where the window is refused, or cursors for good
 * @throws DeadEnd where the pages lead nowhere: going on would never end, stopping would look complete
 */
export async function* pages(client: Pick<Client, 'call'>, request: PageRequest): AsyncGenerator<Listed> {
  const { filters, wanted = () => LIMITS.cardsPerPage, seen = new Map(), hasOtherWindows = false } = request;
  let place = request.from;
  let fewest = 1;
  /** Since the window was last asked for from its end. */
  const cursors = new Set<string>();
  const ids = new Set<number>();
  let useless = 0;
  let isStuck = false;
  /** Cards that the next page will show again. */
  let known = 0;
  for (;;) {
    const more = wanted();
    if (more < 1) return;
    const limit = Math.max(fewest, Math.min(more + known, LIMITS.cardsPerPage));
    let page: SignalPage;
    try {
      const { since, until, cursor } = place;
      if (cursor !== undefined) checkCursor(cursor, cursors);
      page = await client.call('signals', { ...filters, since, until, cursor, limit });
    } catch (error) {
      if (!isRejection(error)) throw error;
      if (limit < LIMITS.cardsPerPage && error.code === 'invalid_arguments') {
        fewest = LIMITS.cardsPerPage;
        continue;
      }
      // With a cursor of which no page is known nobody knows where to go on.
      if (place.cursor === undefined || place.oldest === undefined || isStuck) throw error;
      place = withoutCursor(place, place.oldest, hasOtherWindows);
      const end = parseApiTime(place.until ?? '') ?? Number.POSITIVE_INFINITY;
      known = [...seen.values()].filter((at) => at <= end).length;
      isStuck = true;
      cursors.clear();
      ids.clear();
      continue;
    }
    const fresh = page.items.filter(({ id }) => !ids.has(id) && ids.add(id));
    useless = fresh.length > 0 ? 0 : useless + 1;
    const items = fresh.filter(({ id }) => !seen.has(id));
    for (const card of items) seen.set(card.id, at(card.created_at));
    if (items.length > 0) isStuck = false;
    known = 0;
    const raised = raisedUntil(place, page);
    if (place.cursor !== undefined) cursors.add(place.cursor);
    place = raised === undefined ? after(place, page, fresh) : { ...place, until: raised };
    const ended = raised === undefined && page.next_cursor === null;
    yield { page: items.length === page.items.length ? page : { ...page, items }, place, ended };
    if (ended || wanted() < 1) return;
    if (useless === MOST_USELESS_PAGES) throw new DeadEnd('pages', 'page after page without a new card');
  }
}

/** @throws ScreenerError as for a cursor that the service refuses */
function checkCursor(cursor: string, used: ReadonlySet<string>): void {
  if (used.has(cursor)) throw new DeadEnd('cursor', 'the same cursor twice');
  if (!isUsableCursor(cursor)) throw new DeadEnd('cursor', 'a next_cursor that cannot be sent back');
}

/** The list leads nowhere: by its cursors, or by pages without a new card. What was read up to here is there. */
export class DeadEnd extends ScreenerError {
  readonly of: 'cursor' | 'pages';

  constructor(of: DeadEnd['of'], what: string) {
    super('bad_answer', `The service gave ${what}: the list cannot be walked to its end.`, {
      hint: 'What came before is complete up to here; try again later.',
    });
    this.of = of;
  }
}

/** Whether the question is no good, rather than the service: its window, its cursor or its limit. */
export function isRejection(error: unknown): error is ScreenerError {
  if (error instanceof DeadEnd) return true;
  return error instanceof ScreenerError && (error.code === 'invalid_arguments' || error.code === 'not_found');
}

/** Whether a `next_cursor` may be sent back: part 4 allows 220 characters, and half a surrogate pair is no text. */
export function isUsableCursor(cursor: string): boolean {
  return cursor !== '' && cursor.length <= LIMITS.cursorLength && cursor.isWellFormed();
}

/** @param fresh the cards that this page was the first to show */
function after(place: Place, page: SignalPage, fresh: readonly SignalCard[]): Place {
  const times = fresh.map(({ created_at }) => at(created_at));
  const before = place.oldest ?? Number.POSITIVE_INFINITY;
  const oldest = Math.min(before, ...times);
  return {
    ...place,
    cursor: page.next_cursor ?? undefined,
    oldest: Number.isFinite(oldest) ? oldest : undefined,
    sorted: (place.sorted ?? true) && times.every((time, i) => time <= (times[i - 1] ?? before)),
    seenAgain: isSeenAgain(place, page),
  };
}

/**
 * Whether `since` and `until` may be about `last_seen_at`, which the document leaves open: cards were seen again after
 * they were created, but none after the window's end.
 */
function isSeenAgain({ seenAgain = false }: Place, { items, until }: SignalPage): boolean {
  const seenAt = ({ last_seen_at }: SignalCard) => parseApiTime(last_seen_at ?? '') ?? 0;
  if (items.some((card) => seenAt(card) > (parseApiTime(until) ?? 0) + SECOND)) return false;
  return seenAgain || items.some((card) => seenAt(card) > at(card.created_at) + SECOND);
}

/** The oldest card's second is included, whichever way the service reads `until`. */
function withoutCursor(place: Place, oldest: number, hasOtherWindows: boolean): Place {
  const { since, until, sorted, seenAgain, adjoins = false } = place;
  const rest = oldest + SECOND;
  const isLast = rest >= (parseApiTime(until ?? '') ?? Number.POSITIVE_INFINITY);
  if (!sorted || isLast || (seenAgain && hasOtherWindows)) return { since, until, adjoins };
  return { since, until: formatApiTime(rest), adjoins: true };
}

/**
 * A later end for a window of which the service has rounded `until` down: what lies between would be missing.
 * @returns undefined where it has not, or where what lies between was not asked for
 */
function raisedUntil({ cursor, until, adjoins }: Place, page: SignalPage): string | undefined {
  if (cursor !== undefined || until === undefined || !adjoins) return undefined;
  const asked = parseApiTime(until) ?? 0;
  const given = parseApiTime(page.until) ?? asked;
  if (given >= asked - SECOND) return undefined;
  const later = [MINUTE, HOUR, DAY]
    .filter((grain) => grain > asked - given)
    .map((grain) => Math.ceil(asked / grain) * grain)
    .find((time) => time > asked);
  return later === undefined ? undefined : formatApiTime(later);
}
