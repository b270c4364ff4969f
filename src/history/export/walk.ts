/** Walks the list for the export, window by window: every page is saved before the next is asked for. */
import { LIMITS } from '../../api/limits.ts';
import { DeadEnd, isRejection, pages } from '../../api/pages.ts';
import type { ScreenerError } from '../../errors.ts';
import { DAY, SECOND } from '../../runtime/units.ts';
import type { Coverage, Walk } from '../store/manifest.ts';
import { afterPage, afterPages, laterPart, outOfReach, placeOf, putOff, shorterWindow, withGap } from './coverage.ts';
import type { ExportSession } from './session.ts';

/** A part that the server does not give: a second with more cards than a page, or a day whose end it rounds times to. */
const SHORT_GAP = 2 * SECOND;
const LONG_GAP = DAY;

/**
 * Walks until the walk's goal is reached, or nothing further back can be.
 * @param isEnough whether it may end where it stands: what it has walked is then covered
 * @returns false where the budget ended it; it goes on from there next time
 * @throws ScreenerError of the client or the disk; bad_answer where pages lead nowhere
 */
export async function walkList(
  session: ExportSession,
  first: Walk,
  isEnough: (walk: Walk) => boolean = () => false,
): Promise<boolean> {
  let gap = SHORT_GAP;
  /** `created_at` of the window's cards that came in this run, by id, epoch milliseconds UTC. */
  const seen = new Map<number, number>();
  for (let walk: Walk | null = first; walk !== null; ) {
    const window: Walk = walk;
    try {
      const coverage = await walkWindow(session, window, seen, isEnough);
      if (coverage === undefined) return false;
      walk = coverage.walk;
      if (walk !== null && isEnough(walk)) {
        await session.savePage([], putOff(coverage, walk));
        return true;
      }
    } catch (error) {
      if (!isRejection(error)) throw error;
      const stopped: Walk = session.coverage.walk ?? window;
      const other = otherWindow(stopped, [...seen.values()], error);
      session.notes.debug(`${error.message} Trying another window.`);
      const coverage = other ? { ...session.coverage, walk: other } : instead(session.coverage, stopped, gap, error);
      await session.savePage([], coverage);
      if (other === undefined) {
        if (coverage.walk?.refused && !stopped.refused) throw error;
        gap = LONG_GAP;
      }
      walk = coverage.walk;
    }
    if (!walk?.checking) seen.clear();
  }
  return true;
}

/** @returns what is covered once the window's last page, or enough, is in; undefined where the budget ended it before */
async function walkWindow(
  session: ExportSession,
  first: Walk,
  seen: Map<number, number>,
  isEnough: (walk: Walk) => boolean,
): Promise<Coverage | undefined> {
  let walk = first;
  const wanted = () => (session.account.left().credits < 1 ? 0 : LIMITS.cardsPerPage);
  session.showProgress();
  const request = { from: placeOf(walk), wanted, seen, hasOtherWindows: true };
  for await (const { page, place, ended } of pages(session.client, request)) {
    session.counts.pages += 1;
    if (walk.query_until === null && walk.cursor === null) session.heardTime(page);
    const isLast = ended || (walk.checking && page.items.length === 0);
    const next = afterPage(walk, page, place);
    const coverage = isLast
      ? afterPages(session.coverage, next, page, walk.cursor !== null)
      : { ...session.coverage, walk: next };
    await session.savePage(page.items, coverage);
    if (isLast || isEnough(next)) return coverage;
    session.showProgress();
    walk = next;
  }
  return undefined;
}

/** Another way to ask for what the service refused; undefined where there is none. */
function otherWindow(walk: Walk, times: readonly number[], refusal: ScreenerError): Walk | undefined {
  if (refusal instanceof DeadEnd && refusal.of === 'pages') return undefined;
  return walk.cursor === null ? shorterWindow(walk) : laterPart(walk, times);
}

/**
 * What is covered where nothing else is left to ask for. A part that would be missing is asked for in a second run before
 * it is given up: what refuses it may have been a passing fault.
 * @throws the refusal, where the service gives not even the newest cards
 */
function instead(coverage: Coverage, walk: Walk, gap: number, refusal: ScreenerError): Coverage {
  if (walk.cursor === null && walk.query_until === null) throw refusal;
  const without = walk.cursor === null ? outOfReach(coverage, walk) : withGap(coverage, walk, gap);
  if (without.gaps.length === coverage.gaps.length || walk.refused) return without;
  return { ...coverage, walk: { ...walk, cursor: null, refused: true } };
}
