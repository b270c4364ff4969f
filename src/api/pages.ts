import { ScreenerError } from '../errors.ts';
import type { SignalPage } from './contract/resources.ts';
import { LIMITS } from './limits.ts';
import type { SignalsQuery } from './operations.ts';
import type { Client } from './types.ts';

interface PageRequest {
  /** The filters, the same for every page: a cursor is bound to them. */
  readonly filters: Omit<SignalsQuery, 'cursor' | 'limit'>;
  readonly cursor: string | undefined;
  /** Cards wanted in all; Infinity for every card. */
  readonly cards: number;
}

/**
 * The pages of `/signals` (part 4, rule 1), newest first. Each page is asked for with the number of cards still
 * wanted, at most 25, so that the last page's `next_cursor` goes on exactly where the output ends.
 * @throws ScreenerError bad_answer where a cursor repeats (going on would never end, stopping would look complete) or
 *   is none that may be sent
 */
export async function* pages(client: Client, request: PageRequest, signal?: AbortSignal): AsyncGenerator<SignalPage> {
  const seen = new Set<string>();
  let cursor = request.cursor;
  let wanted = request.cards;
  for (;;) {
    if (cursor !== undefined) seen.add(cursor);
    const limit = Math.min(wanted, LIMITS.cardsPerPage);
    const page = await client.call('signals', { ...request.filters, cursor, limit }, signal);
    yield page;
    wanted -= page.items.length;
    if (page.next_cursor === null || wanted <= 0) return;
    if (seen.has(page.next_cursor)) throw repeatedCursor();
    if (!isUsableCursor(page.next_cursor)) throw unusableCursor();
    cursor = page.next_cursor;
  }
}

/** Whether a `next_cursor` may be sent back: part 4 allows 220 characters, and half a surrogate pair is no text. */
export function isUsableCursor(cursor: string): boolean {
  return cursor !== '' && cursor.length <= LIMITS.cursorLength && !/\p{Cs}/u.test(cursor);
}

function unusableCursor(): ScreenerError {
  return new ScreenerError('bad_answer', 'The service gave a next_cursor that cannot be sent back.', {
    hint: `Cards up to here are complete. A cursor is text of 1 to ${LIMITS.cursorLength} characters; try again later.`,
  });
}

/** To follow such a cursor would be an endless loop of paid pages. */
function repeatedCursor(): ScreenerError {
  return new ScreenerError(
    'bad_answer',
    'The service gave the same cursor twice: the list cannot be walked to its end.',
    {
      hint: 'What was read so far is complete up to here; try again later.',
    },
  );
}
