/**
 * Walks the list page by page, newest first; every page is saved before the next is asked for.
 */
import { LIMITS } from '../api/limits.ts';
import { parseApiTime } from '../api/time.ts';
import { ScreenerError } from '../errors.ts';
import { afterPage, BEGINNING, fromOldest } from './coverage.ts';
import type { Walk } from './export-manifest.ts';
import type { ExportSession } from './export-session.ts';

/** After so many pages in a row without an unknown card, the server is going round in circles. */
const MOST_STALE_PAGES = 3;

/**
 * Walks until the window is covered.
 * @returns false where the budget ended it; it goes on from there next time
 * @throws ScreenerError of the client or the disk; bad_answer where pages lead nowhere
 */
export async function walkList(session: ExportSession, first: Walk): Promise<boolean> {
  let walk = first;
  const cursors = new Set<string>(walk.cursor === null ? [] : [walk.cursor]);
  const seen = new Set<number>();
  let stalePages = 0;
  let restartedAt: string | null | undefined;
  while (session.budget.left() >= 1) {
    session.showProgress();
    const asked = walk;
    const page = await askPage();
    if (page === undefined) continue;
    session.counts.pages += 1;
    // The cards whose cursor brought the walk here are known from earlier runs only by their time.
    const fresh = page.items.filter((card) => !seen.has(card.id));
    for (const card of fresh) seen.add(card.id);
    stalePages = fresh.length > 0 ? 0 : stalePages + 1;
    const repeats = page.next_cursor !== null && cursors.has(page.next_cursor);
    const leadsNowhere = repeats || stalePages >= MOST_STALE_PAGES;
    const coverage = afterPage(session.coverage, asked, page);
    // A cursor that is no good is not kept: the next run goes on from the oldest card.
    const kept = leadsNowhere && coverage.walk !== null ? { ...coverage, walk: fromOldest(coverage.walk) } : coverage;
    await session.savePage(page.items, kept);
    if (leadsNowhere && coverage.walk !== null) throw circleError(repeats);
    if (coverage.walk === null) return true;
    if (page.next_cursor !== null) cursors.add(page.next_cursor);
    walk = coverage.walk;
  }
  return false;

  /** One page, or undefined where another question is to be asked instead. */
  async function askPage() {
    const { since, query_until, cursor } = walk;
    try {
      const page = await session.call('signals', {
        since: since ?? undefined,
        until: query_until ?? undefined,
        cursor: cursor ?? undefined,
        limit: LIMITS.cardsPerPage,
      });
      if (cursor !== null) restartedAt = undefined;
      return page;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (cursor !== null && restartedAt !== walk.oldest) {
        // Nothing is refused for ever: without a page gained since the last restart, the error stands.
        restartedAt = walk.oldest;
        walk = fromOldest(walk);
        session.notes.debug('The server refused the cursor: going on from the oldest card.');
        return undefined;
      }
      if (cursor === null && walk.query_until === walk.until && walk.oldest === null) {
        walk = { ...walk, query_until: null };
        session.notes.debug('The server refused the window: leaving out `until`, which may lie in its future.');
        return undefined;
      }
      const isDefault = since !== null && parseApiTime(since) === BEGINNING && session.coverage.covered === null;
      if (cursor === null && isDefault && walk.oldest === null) {
        walk = { ...walk, since: null };
        session.notes.debug('The server takes no window that long: leaving `since` to its default.');
        return undefined;
      }
      throw error;
    }
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
