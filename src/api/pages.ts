import { ScreenerError } from '../errors.ts';
import type { Client } from './client.ts';
import type { SignalPage } from './contract/resources.ts';
import { LIMITS } from './limits.ts';
import type { SignalsQuery } from './operations.ts';

interface PageRequest {
  /** The filters, the same for every page: a cursor is bound to them. */
  readonly filters: Omit<SignalsQuery, 'cursor' | 'limit'>;
  readonly cursor?: string | undefined;
  /** Cards wanted of the next page, asked before each: with less than 1 the walk ends. Every card where it is left out. */
  readonly wanted?: () => number;
}

/** After so many pages in a row without a card that was not there before, the service is going round in circles. */
const MOST_USELESS_PAGES = 3;

/**
 * The pages of `/signals` (part 4, rule 1), newest first, each without the cards of an earlier one. Each page is asked
 * for with the number of cards still wanted, at most 25, so that the last page's `next_cursor` goes on exactly where the
 * output ends.
 * @throws DeadEnd where the cursors lead nowhere: going on would never end, stopping would look complete
 */
export async function* pages(client: Client, request: PageRequest): AsyncGenerator<SignalPage> {
  const { filters, wanted = () => LIMITS.cardsPerPage } = request;
  const cursors = new Set<string>();
  const ids = new Set<number>();
  let { cursor } = request;
  let useless = 0;
  let limit = Math.min(wanted(), LIMITS.cardsPerPage);
  while (limit >= 1) {
    if (cursor !== undefined) cursors.add(cursor);
    const page = await client.call('signals', { ...filters, cursor, limit });
    const items = page.items.filter(({ id }) => !ids.has(id));
    for (const { id } of items) ids.add(id);
    yield items.length === page.items.length ? page : { ...page, items };
    useless = items.length === 0 ? useless + 1 : 0;
    limit = Math.min(wanted(), LIMITS.cardsPerPage);
    if (page.next_cursor === null || limit < 1) return;
    if (cursors.has(page.next_cursor)) throw new DeadEnd('The service gave the same cursor twice');
    if (useless === MOST_USELESS_PAGES) throw new DeadEnd('The service gave page after page without a new card');
    if (!isUsableCursor(page.next_cursor)) throw new DeadEnd('The service gave a next_cursor that cannot be sent back');
    cursor = page.next_cursor;
  }
}

/** The cursors of a list lead nowhere. What was read up to here is complete. */
export class DeadEnd extends ScreenerError {
  constructor(what: string) {
    super('bad_answer', `${what}: the list cannot be walked to its end.`, {
      hint: 'What was read so far is complete up to here; try again later.',
    });
  }
}

/** Whether a `next_cursor` may be sent back: part 4 allows 220 characters, and half a surrogate pair is no text. */
export function isUsableCursor(cursor: string): boolean {
  return cursor !== '' && cursor.length <= LIMITS.cursorLength && cursor.isWellFormed();
}
