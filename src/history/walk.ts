/**
 * Walks the list page by page, newest first; every page is saved before the next is asked for.
 */
import type { SignalPage } from '../api/contract/resources.ts';
import { LIMITS } from '../api/limits.ts';
import { isUsableCursor } from '../api/pages.ts';
import { ScreenerError } from '../errors.ts';
import {
  afterPage,
  laterPart,
  otherFirstWindows,
  outOfReach,
  shorterWindow,
  withLaterEnd,
  withoutCursor,
} from './coverage.ts';
import type { Walk } from './export-manifest.ts';
import type { ExportSession } from './export-session.ts';
import { createdAt } from './layout.ts';

/** After so many pages in a row without a card of its own, the server is going round in circles. */
const MOST_STALE_PAGES = 3;

/** Empty pages may be a quiet time; after so many in a row a run leaves the rest to the next one. */
const MOST_EMPTY_PAGES = 5;

/**
 * Walks until the walk's goal is reached, or nothing further back can be.
 * @returns false where the budget ended it; it goes on from there next time
 * @throws ScreenerError of the client or the disk; bad_answer where pages lead nowhere
 */
export async function walkList(session: ExportSession, first: Walk): Promise<boolean> {
  let walk: Walk | null = first;
  const refused = new Refusals(session);
  /** Since the list was last begun without a cursor: the cursors given, and the ids that came. */
  const cursors = new Set<string>(first.cursor === null ? [] : [first.cursor]);
  const ids = new Set<number>();
  let stalePages = 0;
  let emptyPages = 0;
  while (walk !== null) {
    if (session.budget.left() < 1) return false;
    session.showProgress();
    if (walk.cursor === null) {
      cursors.clear();
      ids.clear();
      stalePages = 0;
    }
    const page = await ask(session, walk).catch((error: unknown) => error);
    if (!isPage(page)) {
      const other: Walk | 'out of reach' = refused.instead(walk, page);
      if (other === 'out of reach') {
        await session.savePage([], outOfReach(session.coverage, walk));
        return true;
      }
      walk = other;
      continue;
    }
    session.counts.pages += 1;
    const anyNew = refused.note(walk, page);
    const isStale = page.items.length > 0 && page.items.every(({ id }) => ids.has(id));
    for (const { id } of page.items) ids.add(id);
    emptyPages = page.items.length > 0 ? 0 : emptyPages + 1;
    stalePages = isStale ? stalePages + 1 : 0;
    const cursor = page.next_cursor;
    const repeats = cursor !== null && cursors.has(cursor);
    if (cursor !== null) cursors.add(cursor);
    const later = withLaterEnd(walk, page);
    if (later !== undefined) {
      await session.savePage(page.items, { ...session.coverage, walk: later });
      walk = later;
      continue;
    }
    const coverage = afterPage(session.coverage, walk, page, anyNew);
    walk = coverage.walk;
    // A page that ended its window is no step in a circle.
    const goesOn = walk !== null && walk.cursor !== null;
    const isCircle = goesOn && (repeats || stalePages >= MOST_STALE_PAGES);
    // A cursor that leads nowhere is not kept: the next run goes on without it.
    if (walk !== null && (isCircle || (goesOn && !isUsableCursor(cursor ?? '')))) walk = withoutCursor(walk);
    await session.savePage(page.items, { ...coverage, walk });
    if (isCircle) throw circleError(repeats);
    if (goesOn && emptyPages >= MOST_EMPTY_PAGES) throw emptyError();
  }
  return true;
}

async function ask(session: ExportSession, { since, query_until, cursor }: Walk): Promise<SignalPage> {
  return session.call('signals', {
    since: since ?? undefined,
    until: query_until ?? undefined,
    cursor: cursor ?? undefined,
    limit: LIMITS.cardsPerPage,
  });
}

function isPage(answer: unknown): answer is SignalPage {
  return !(answer instanceof Error) && answer !== null && typeof answer === 'object' && 'items' in answer;
}

/** What to ask for where the server refuses a question, until nothing else is left to ask. */
class Refusals {
  readonly #session: ExportSession;
  /** `created_at` of the cards this walk has seen, by id, epoch milliseconds UTC. */
  readonly #seen = new Map<number, number>();
  #others: Walk[] | undefined;
  #halvings = 0;
  /** Cards seen when a cursor was last refused, and whether the window was walked from its end again. */
  #seenBefore = -1;
  #restarted = false;

  constructor(session: ExportSession) {
    this.#session = session;
  }

  /** Notes that a page came. @returns whether it had a card that this walk had not seen */
  note(walk: Walk, page: SignalPage): boolean {
    const before = this.#seen.size;
    for (const card of page.items) this.#seen.set(card.id, createdAt(card));
    if (walk.cursor === null) this.#halvings = 0;
    return this.#seen.size > before;
  }

  /** @throws the error itself, where it is no refusal or nothing else is left to ask */
  instead(walk: Walk, error: unknown): Walk | 'out of reach' {
    if (!isRefusal(error)) throw error;
    if (walk.cursor !== null) return this.#insteadOfCursor(walk, error);
    this.#others ??= otherFirstWindows(this.#session.coverage, walk);
    const other = this.#others.shift();
    if (other !== undefined) {
      this.#session.notes.debug('The server refused the window: asking for another one.');
      return other;
    }
    if (walk.window_until === walk.until && walk.since === null) throw error;
    const shorter = shorterWindow(walk, this.#halvings);
    this.#halvings += 1;
    this.#session.notes.debug('The server refused the window: asking for a shorter one.');
    if (shorter !== undefined) return shorter;
    if (walk.pages > 0) throw error;
    return 'out of reach';
  }

  #insteadOfCursor(walk: Walk, error: unknown): Walk {
    const gained = this.#seen.size > this.#seenBefore;
    this.#seenBefore = this.#seen.size;
    const restart = withoutCursor(walk);
    const isFromEnd = restart.query_until === null || restart.query_until === walk.window_until;
    if (gained && !(isFromEnd && this.#restarted)) {
      this.#restarted ||= isFromEnd;
      this.#session.notes.debug('The server refused the cursor: going on without it.');
      return restart;
    }
    // Nothing is refused for ever: a window that fits on a page needs no cursor.
    const part = laterPart(walk, [...this.#seen.values()]);
    if (part === undefined) throw error;
    this.#session.notes.debug('The server refused the cursor again: asking for a shorter window.');
    return part;
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof ScreenerError && (error.code === 'invalid_arguments' || error.code === 'not_found');
}

function circleError(repeats: boolean): ScreenerError {
  const what = repeats ? 'The server gave the same cursor twice' : 'The server gave page after page without a new card';
  return new ScreenerError('bad_answer', `${what}: the list would never end.`, {
    hint: 'What came is saved. Run the command again: it goes on from the oldest card it has.',
  });
}

function emptyError(): ScreenerError {
  return new ScreenerError(
    'bad_answer',
    `The server gave ${MOST_EMPTY_PAGES} empty pages in a row, and a cursor with each.`,
    {
      hint: 'What came is saved. Run the command again: it goes on from the last cursor.',
    },
  );
}
