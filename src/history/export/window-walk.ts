/**
 * A walk over one window of the list: it asks for page after page, the newest cards first, until it ends in one of five ways
 * (`WalkEnd`). Each page is saved before the next is asked for. `Listing` chooses the window, and says what follows from the end.
 */

import { LIMITS } from '../../api/limits.ts';
import { DeadEnd, type ListedPage, pages, refusesWindow } from '../../api/pages.ts';
import { at, formatApiTime } from '../../api/time.ts';
import { DAY, MINUTE, SECOND } from '../../base/units.ts';
import type { ScreenerError } from '../../errors.ts';
import type { StoredSpan } from '../store/manifest.ts';
import type { ExportRun } from './export-run.ts';
import type { ListRecord } from './list-record.ts';
import { type Part, ROUNDING, withPart } from './spans.ts';

/**
 * Lengths of windows for a service that refuses longer ones, milliseconds. They are five minutes short of whole days: a service
 * that rounds the bounds of a window must not find it too long.
 */
export const THIRTY_DAYS = 30 * DAY - 5 * MINUTE;
export const SEVEN_DAYS = 7 * DAY - 5 * MINUTE;

/** The part of the list that one walk asks for, epoch milliseconds UTC. */
export interface Window {
  readonly since: number;
  /** Undefined for the newest cards, until the service has said what time it is. */
  readonly until: number | undefined;
}

/** What ends a walk before all of its window is read. */
export interface WalkLimits {
  /** Older cards can wait for a later run, epoch milliseconds UTC. 0 if none can. */
  readonly stopAt: number;
  /** After this number of pages the run stops. Pages of earlier walks of the run count, too. */
  readonly mostPages: number;
  /** Credits that are left to other parts of the run. */
  readonly setAside: number;
}

/** What a walk found. */
export interface WalkResult {
  readonly end: WalkEnd;
  /** Whether windows of at most 30 days are better from now on: the service cut this one short, or sent its pages in no order. */
  readonly wantsShorterWindows: boolean;
}

/** How a walk ended. */
export type WalkEnd =
  /** The last page came: all of the window is here. */
  | { readonly kind: 'read' }
  /** No more pages were wanted. `isFarEnough`: the walk reached `stopAt`. Otherwise it has no more credits or pages. */
  | { readonly kind: 'stopped'; readonly isFarEnough: boolean }
  /** The window is longer than 30 days, and its pages come in no order: nothing of it counts as read. */
  | { readonly kind: 'unordered' }
  | RefusedWindow
  | StuckWalk;

/** The service gave nothing of the window. */
export interface RefusedWindow {
  readonly kind: 'refused';
  readonly window: Window;
  /** The refusal (422), before a page came. Undefined if the service listed nothing so old: its own window begins after this one. */
  readonly error: ScreenerError | undefined;
}

/** A cursor was refused (422 or 404), and the walk did not get on without it; or page after page came without a new card. */
export interface StuckWalk {
  readonly kind: 'stuck';
  /** A `DeadEnd` if pages came without a new card. */
  readonly error: ScreenerError;
  readonly window: Part;
  /** Whether the cards came newest first. */
  readonly isSorted: boolean;
  /** What is still to be read: the window up to where the walk came. */
  readonly rest: Part;
  /** Whether the walk asked for the rest without a cursor, and the service refused that, too. */
  readonly isRestRefused: boolean;
}

/** Reads a window of the list. @throws ScreenerError if the service does not list cards now */
export async function walkWindow(
  run: ExportRun,
  record: ListRecord,
  window: Window,
  limits: WalkLimits,
): Promise<WalkResult> {
  const walk = new WindowWalk(run, record, window, limits);
  const end = await walk.toItsEnd();
  return { end, wantsShorterWindows: walk.wantsShorterWindows };
}

/**
 * One walk, from the end of its window back.
 *
 * An example. The window is 1 to 31 May. After a page with cards back to 20 May, the part 20 to 31 May is a span. After the last
 * page, the part 1 to 31 May is a span.
 */
class WindowWalk {
  wantsShorterWindows = false;
  readonly #run: ExportRun;
  readonly #record: ListRecord;
  readonly #askedWindow: Window;
  readonly #limits: WalkLimits;
  /** The spans before the walk. */
  readonly #spansBefore: readonly StoredSpan[];
  /** The last page that came, and how far the walk has come with it; undefined before the first. */
  #progress: Progress | undefined;
  /**
   * The last page ended with bad cards whose time is not known. They lie before this time, epoch milliseconds UTC, and after the
   * newest good card of the next page. Undefined if there are none.
   */
  #unplacedUntil: number | undefined;

  constructor(run: ExportRun, record: ListRecord, window: Window, limits: WalkLimits) {
    this.#run = run;
    this.#record = record;
    this.#askedWindow = window;
    this.#limits = limits;
    this.#spansBefore = record.coverage.spans;
  }

  /** @throws ScreenerError of the client */
  async toItsEnd(): Promise<WalkEnd> {
    try {
      return await this.#readPages();
    } catch (error) {
      if (!refusesWindow(error)) throw error;
      return this.#endAfterRefusal(error);
    }
  }

  async #readPages(): Promise<WalkEnd> {
    const from = this.#boundsToSend();
    const wanted = () => (this.#isFarEnough || this.#isLimitReached ? 0 : LIMITS.cardsPerPage);
    this.#showCards();
    for await (const listed of pages(this.#run.client, { from, wanted })) {
      const progress = await this.#takeIn(listed);
      this.#showCards();
      const end = this.#endAfterPage(progress);
      if (end !== undefined) return end;
    }
    // The last page did not come, and nothing was refused: no more cards were wanted.
    return { kind: 'stopped', isFarEnough: this.#isFarEnough };
  }

  #showCards(): void {
    this.#run.bar.show('Cards', this.#record.cards);
  }

  get #isFarEnough(): boolean {
    return this.#progress !== undefined && this.#progress.reached <= this.#limits.stopAt;
  }

  get #isLimitReached(): boolean {
    const { setAside, mostPages } = this.#limits;
    return this.#run.account.left().credits <= setAside || this.#record.pages >= mostPages;
  }

  /**
   * The bounds that are sent for the window, API times. They are widened by `ROUNDING`, but not past the time of the run's first
   * page: newer cards are the next run's.
   */
  #boundsToSend(): { readonly since: string; readonly until?: string } {
    const { since, until } = this.#askedWindow;
    const sentSince = formatApiTime(Math.max(0, since - ROUNDING));
    if (until === undefined) return { since: sentSince };
    const sentUntil = Math.min(until + ROUNDING, this.#record.servedUntil ?? until);
    return { since: sentSince, until: formatApiTime(sentUntil) };
  }

  /** Saves a page, with the part that is read by then. */
  async #takeIn(listed: ListedPage): Promise<Progress> {
    const servedUntil = this.#record.noteServedUntil(listed.page);
    const until = this.#progress?.window.until ?? this.#askedWindow.until ?? servedUntil;
    const window: Part = { since: this.#askedWindow.since, until };
    const reached = reachedBy(listed, window);
    const spans = withPart(this.#spansBefore, { since: reached, until });
    const badPart = this.#placeBadCards({ listed, window, reached });
    await this.#record.savePage(listed, spans, badPart);
    this.#progress = { listed, window, reached };
    return this.#progress;
  }

  /**
   * The part of the window where bad cards may lie: those of this page, and those that ended the page before it.
   *
   * An example. Page 1 ends with a good card of 12:00 and a bad card without a time. Page 2 begins with a good card of 11:00. The
   * bad card lies between 11:00 and 12:00: page 2 shows it.
   * @returns undefined if there are none, or if only the next page shows where they lie
   */
  #placeBadCards(page: Progress): Part | undefined {
    const parts: Part[] = [];
    const betweenPages = this.#partBetweenPages(page);
    if (betweenPages !== undefined) parts.push(betweenPages);
    parts.push(...this.#partsWithinPage(page));
    return hullWithin(page.window, parts);
  }

  /** Where the bad cards lie that ended the page before. @returns undefined if there are none, or if this page has no good card */
  #partBetweenPages(page: Progress): Part | undefined {
    const until = this.#unplacedUntil;
    const since = newestOf(page.listed) ?? endOfList(page);
    if (until === undefined || since === undefined) return undefined;
    this.#unplacedUntil = undefined;
    return { since, until };
  }

  /** Where the bad cards of this page lie. Those that only the next page can place are left to it, by `#unplacedUntil`. */
  #partsWithinPage(page: Progress): Part[] {
    const { listed, window } = page;
    const parts: Part[] = [];
    // This page's cards lie behind the last card of the page before (`#progress` is still that page), or behind its unplaced cards.
    const pageUntil = this.#unplacedUntil ?? this.#progress?.reached ?? window.until;
    for (const { time, goodBefore, goodAfter } of listed.bad?.times ?? []) {
      const isTimeInWindow = time !== undefined && time >= window.since && time <= window.until;
      // Newest first, the card lies between the good cards around it. It may be of the same second as the newer one.
      const until = (goodBefore ?? pageUntil) + SECOND;
      const since = goodAfter ?? endOfList(page);
      if (isTimeInWindow) parts.push({ since: time, until: time + SECOND });
      // In no order, the card may lie anywhere.
      else if (!isNewestFirst(listed)) parts.push(window);
      else if (since !== undefined) parts.push({ since, until });
      else this.#unplacedUntil ??= until;
    }
    return parts;
  }

  /** @returns undefined if the walk goes on */
  #endAfterPage({ listed, window, reached }: Progress): WalkEnd | undefined {
    const { page, ended } = listed;
    const { since, until } = window;
    // The service's own window begins later than the one that was asked for.
    const isCutShort = ended && at(page.since) > since;
    if (isCutShort && reached >= until) return { kind: 'refused', window, error: undefined };
    const isSorted = isNewestFirst(listed);
    if (isCutShort || !isSorted) this.wantsShorterWindows = true;
    if (ended) return { kind: 'read' };
    // A shorter window is read to its end all the same: its last page is near.
    const isLong = until - since > THIRTY_DAYS;
    return isLong && !isSorted ? { kind: 'unordered' } : undefined;
  }

  #endAfterRefusal(error: ScreenerError): WalkEnd {
    if (this.#progress === undefined) return { kind: 'refused', window: this.#askedWindow, error };
    const { listed, window, reached } = this.#progress;
    return {
      kind: 'stuck',
      error,
      window,
      isSorted: isNewestFirst(listed),
      rest: { since: window.since, until: reached },
      // If a cursor is refused after a page with new cards, `pages` asks for the rest without a cursor. It fails only if the
      // service refuses that request, too.
      isRestRefused: !(error instanceof DeadEnd) && listed.page.items.length > 0,
    };
  }
}

/** A page of a walk, and how far the walk has come with it. */
interface Progress {
  readonly listed: ListedPage;
  /** The window of the walk, whose end is known by now. */
  readonly window: Part;
  /** All cards from this time to the window's end have come, epoch milliseconds UTC. */
  readonly reached: number;
}

/** When the newest card of a page was recorded, epoch milliseconds UTC; undefined if the page has none. */
function newestOf({ page }: ListedPage): number | undefined {
  const times = page.items.map(({ created_at }) => at(created_at));
  return times.length === 0 ? undefined : Math.max(...times);
}

/** Where the list ends, if the page is its last: with the window. Otherwise undefined. Epoch milliseconds UTC. */
function endOfList({ listed, reached }: Progress): number | undefined {
  return listed.ended ? reached : undefined;
}

/** The shortest part of a window with all of these parts; undefined if nothing of them lies in the window. */
function hullWithin(window: Part, parts: readonly Part[]): Part | undefined {
  if (parts.length === 0) return undefined;
  const firstSince = Math.min(...parts.map((part) => part.since));
  const lastUntil = Math.max(...parts.map((part) => part.until));
  const since = Math.max(window.since, firstSince);
  const until = Math.min(window.until, lastUntil);
  return since < until ? { since, until } : undefined;
}

/** Whether all cards of a walk, up to this page, came newest first. */
function isNewestFirst({ shown }: ListedPage): boolean {
  return shown.sorted !== false;
}

/** The time from which on all cards of a window have come, after a page. Epoch milliseconds UTC. */
function reachedBy(listed: ListedPage, { since, until }: Part): number {
  const clampToWindow = (time: number) => Math.min(until, Math.max(since, time));
  if (listed.ended) return clampToWindow(at(listed.page.since));
  // If pages come in no order, nothing counts as read before the last of them.
  const { oldest } = listed.shown;
  return isNewestFirst(listed) && oldest !== undefined ? clampToWindow(oldest) : until;
}
