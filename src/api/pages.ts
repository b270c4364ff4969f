/** The one walk over the pages of `/signals`: for `signals ls`, `signals watch` and the export. */
import { ScreenerError } from '../errors.ts';
import { MINUTE } from '../runtime/units.ts';
import { type BadCards, withoutBadCards } from './bad-cards.ts';
import type { Client } from './client.ts';
import type { SignalCard, SignalPage } from './contract/resources.ts';
import { LIMITS } from './limits.ts';
import type { SignalsQuery } from './operations.ts';
import { at, formatApiTime } from './time.ts';

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
}

interface PageRequest {
  /** The filters, the same for every page: a cursor is bound to them. */
  readonly filters?: Pick<SignalsQuery, 'symbol' | 'screener_type'>;
  readonly from: Place;
  /** Cards wanted of the next page, asked before each: with less than 1 the walk ends. Every card if it is left out. */
  readonly wanted?: () => number;
  /** The cards that came, `created_at` in epoch milliseconds UTC by id: those of the walk are added. */
  readonly seen?: Map<number, number>;
}

export interface Listed {
  /** The answer without the cards that came before. */
  readonly page: SignalPage;
  /** Where the walk stands after it. */
  readonly place: Place;
  /** Whether the window has no further page. */
  readonly ended: boolean;
  /** What is wrong with cards of the page that do not match the document: they are left out. */
  readonly bad: BadCards | undefined;
}

/** After so many pages in a row without a new card, the service is going round in circles. */
const MOST_USELESS_PAGES = 5;

/**
 * The pages of `/signals` (part 4, rule 1), each without the cards of an earlier one, and with as many cards as are wanted,
 * at most 25. After a page that is refused, or has no new card, 25 are asked for. A cursor that is refused, repeats or
 * cannot be sent back is left, once without a new card in between: the walk goes on from the oldest card if all pages came
 * newest first, else from the window's end.
 * @throws ScreenerError of the client: invalid_arguments or not_found if the window is refused, or cursors for good
 * @throws DeadEnd if the pages lead nowhere: going on would never end, stopping would look complete
 */
export async function* pages(client: Pick<Client, 'call'>, request: PageRequest): AsyncGenerator<Listed> {
  const { filters, wanted = () => LIMITS.cardsPerPage, seen = new Map() } = request;
  let place = request.from;
  let fewest = 1;
  /** Of the window as it is asked for now. */
  const cursors = new Set<string>();
  const ids = new Set<number>();
  let useless = 0;
  let isStuck = false;
  /** Cards that the next page shows again. */
  let again = 0;
  for (let more = wanted(); more >= 1; more = wanted()) {
    const limit = useless > 0 ? LIMITS.cardsPerPage : Math.max(fewest, Math.min(more + again, LIMITS.cardsPerPage));
    let page: SignalPage;
    let bad: BadCards | undefined;
    try {
      const { since, until, cursor } = place;
      if (cursor !== undefined) checkCursor(cursor, cursors);
      const query = { ...filters, since, until, cursor, limit };
      ({ page, bad } = await client
        .call('signals', query)
        .then((whole) => ({ page: whole, bad: undefined }), withoutBadCards));
    } catch (error) {
      if (!isRejection(error)) throw error;
      if (limit < LIMITS.cardsPerPage && error.code === 'invalid_arguments') {
        fewest = LIMITS.cardsPerPage;
        continue;
      }
      // With a cursor of which no page is known nobody knows where to go on.
      if (place.cursor === undefined || place.oldest === undefined || isStuck) throw error;
      place = withoutCursor(place, place.oldest);
      const end = place.until === undefined ? Number.POSITIVE_INFINITY : at(place.until);
      again = [...seen.values()].filter((time) => time <= end).length;
      isStuck = true;
      cursors.clear();
      ids.clear();
      continue;
    }
    again = 0;
    const fresh = page.items.filter(({ id }) => !ids.has(id) && ids.add(id));
    const items = fresh.filter(({ id }) => !seen.has(id));
    for (const card of items) seen.set(card.id, at(card.created_at));
    useless = fresh.length > 0 ? 0 : useless + 1;
    if (items.length > 0) isStuck = false;
    if (place.cursor !== undefined) cursors.add(place.cursor);
    place = afterPage(place, page, fresh);
    const ended = page.next_cursor === null;
    yield { page: { ...page, items }, place, ended, bad };
    if (ended) return;
    if (useless === MOST_USELESS_PAGES) throw new DeadEnd('page after page without a new card');
  }
}

/** @throws DeadEnd as for a cursor that the service refuses */
function checkCursor(cursor: string, used: ReadonlySet<string>): void {
  if (used.has(cursor)) throw new DeadEnd('the same cursor twice');
  if (!isUsableCursor(cursor)) throw new DeadEnd('a next_cursor that cannot be sent back');
}

/** The list leads nowhere: by its cursors, or by pages without a new card. What was read up to here is there. */
export class DeadEnd extends ScreenerError {
  constructor(what: string) {
    super('bad_answer', `The service gave ${what}: the list cannot be walked to its end.`, {
      hint: 'What came before is complete up to here; try again later.',
    });
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
function afterPage(place: Place, page: SignalPage, fresh: readonly SignalCard[]): Place {
  const times = fresh.map(({ created_at }) => at(created_at));
  const before = place.oldest ?? Number.POSITIVE_INFINITY;
  const oldest = Math.min(before, ...times);
  return {
    ...place,
    cursor: page.next_cursor ?? undefined,
    oldest: Number.isFinite(oldest) ? oldest : undefined,
    sorted: (place.sorted ?? true) && times.every((time, i) => time <= (times[i - 1] ?? before)),
  };
}

/** A service may round `until` down to the minute: the oldest card's minute is included. */
function withoutCursor({ since, until, sorted }: Place, oldest: number): Place {
  const rest = oldest + MINUTE;
  const isLast = until !== undefined && rest >= at(until);
  return { since, until: sorted && !isLast ? formatApiTime(rest) : until };
}
