/**
 * Walks the list page by page, newest first; every page is saved before the next is asked for.
 */
import type { SignalPage } from '../api/contract/resources.ts';
import { LIMITS } from '../api/limits.ts';
import { isUsableCursor } from '../api/pages.ts';
import { ScreenerError } from '../errors.ts';
import { DAY, SECOND } from '../runtime/units.ts';
import {
  afterPage,
  otherFirstWindows,
  outOfReach,
  shorterWindow,
  withGap,
  withLaterEnd,
  withoutCursor,
} from './coverage.ts';
import type { Coverage, Walk } from './export-manifest.ts';
import type { ExportSession } from './export-session.ts';
import { createdAt } from './layout.ts';

/** After so many pages in a row without a card of its own, the server is going round in circles. */
const MOST_STALE_PAGES = 3;

/** Empty pages may be a quiet time; after so many in a row a run leaves the rest to the next one. */
const MOST_EMPTY_PAGES = 5;

/** A part that the server does not give: a second with more cards than a page, or a day whose end it rounds times to. */
const SHORT_GAP = 2 * SECOND;
const LONG_GAP = DAY;

/**
 * Walks until the walk's goal is reached, or nothing further back can be.
 * @returns false where the budget ended it; it goes on from there next time
 * @throws ScreenerError of the client or the disk; bad_answer where pages lead nowhere
 */
export async function walkList(session: ExportSession, first: Walk): Promise<boolean> {
  let walk: Walk | null = first;
  let others: Walk[] | undefined;
  /** `created_at` of the window's cards so far, by id, epoch milliseconds UTC. */
  const seen = new Map<number, number>();
  let useless = 0;
  let gap = SHORT_GAP;
  while (walk !== null) {
    if (session.left().credits < 1) return false;
    session.showProgress();
    const page: SignalPage | ScreenerError = await ask(session, walk);
    if (page instanceof ScreenerError) {
      if (walk.cursor === null) others ??= otherFirstWindows(session.coverage, walk);
      const shorter: Walk | undefined =
        walk.cursor === null ? (others?.shift() ?? shorterWindow(walk)) : withoutCursor(walk, [...seen.values()]);
      seen.clear();
      if (shorter !== undefined) {
        session.notes.debug('The service refused the time window or the cursor: trying another window.');
        walk = shorter;
        continue;
      }
      const coverage = instead(session.coverage, walk, gap, page);
      gap = LONG_GAP;
      await session.savePage([], coverage);
      if (coverage.walk?.refused && !walk.refused) throw page;
      walk = coverage.walk;
      continue;
    }
    session.counts.pages += 1;
    const hasNew = page.items.some(({ id }) => !seen.has(id));
    for (const card of page.items) seen.set(card.id, createdAt(card));
    useless = hasNew ? 0 : useless + 1;
    const later = withLaterEnd(walk, page);
    const coverage: Coverage =
      later === undefined ? afterPage(session.coverage, walk, page, hasNew) : { ...session.coverage, walk: later };
    const next = coverage.walk;
    const repeats = page.next_cursor === walk.cursor;
    const isEmpty = page.items.length === 0;
    if (next === null || next.cursor === null) {
      await session.savePage(page.items, coverage);
    } else if (repeats || (!isEmpty && useless >= MOST_STALE_PAGES)) {
      // A cursor that leads nowhere is not kept.
      const kept = withoutCursor(next, [...seen.values()]) ?? { ...next, cursor: null };
      await session.savePage(page.items, { ...coverage, walk: kept });
      const what = repeats ? 'the same cursor twice' : 'page after page without a new card';
      throw deadEnd(`${what}: the list would never end.`, 'the oldest card it has');
    } else {
      await session.savePage(page.items, coverage);
      if (useless >= MOST_EMPTY_PAGES) {
        throw deadEnd(`${MOST_EMPTY_PAGES} empty pages in a row, and a cursor with each.`, 'the last cursor');
      }
    }
    walk = next;
    if (walk?.cursor === null && !walk.checking) seen.clear();
  }
  return true;
}

/** @returns the error, where the server refuses the question, or gave a cursor that it would */
async function ask(session: ExportSession, { since, query_until, cursor }: Walk): Promise<SignalPage | ScreenerError> {
  if (cursor !== null && !isUsableCursor(cursor)) {
    return new ScreenerError('bad_answer', 'The server gave a next_cursor that cannot be sent back.');
  }
  try {
    return await session.call('signals', {
      since: since ?? undefined,
      until: query_until ?? undefined,
      cursor: cursor ?? undefined,
      limit: LIMITS.cardsPerPage,
    });
  } catch (error) {
    if (error instanceof ScreenerError && ['invalid_arguments', 'not_found'].includes(error.code)) return error;
    throw error;
  }
}

/**
 * What is covered where nothing else is left to ask for. A part that would be missing is asked for in a second run before
 * it is given up: what refuses it may have been a passing fault.
 * @throws the refusal, where the server refuses even its own window
 */
function instead(coverage: Coverage, walk: Walk, gap: number, refusal: ScreenerError): Coverage {
  if (walk.cursor === null && walk.since === null) throw refusal;
  const without = walk.cursor === null ? outOfReach(coverage, walk) : withGap(coverage, walk, gap);
  if (without.gaps.length === coverage.gaps.length || walk.refused) return without;
  return { ...coverage, walk: { ...walk, cursor: null, refused: true } };
}

function deadEnd(what: string, from: string): ScreenerError {
  return new ScreenerError('bad_answer', `The server gave ${what}`, {
    hint: `What came is saved. Run the command again: it goes on from ${from}.`,
  });
}
