/**
 * Reads the list of cards into the history, the newest cards first.
 *
 * The list is read a window at a time: `#nextWindow` chooses the window, `walkWindow` reads its pages, `#prepareNext` says what follows
 * from the end of the walk, and so on until nothing is unread. `ListRecord` has what is written down.
 */

import { DeadEnd } from '../../api/pages.ts';
import { DAY, SECOND } from '../../base/units.ts';
import type { ScreenerError } from '../../errors.ts';
import { type Gap, monthsWithMissing } from '../store/manifest.ts';
import type { ExportRun } from './export-run.ts';
import { ListRecord } from './list-record.ts';
import { gapsSince, type Part, partsOf, ROUNDING, storedSpans, unanswered } from './spans.ts';
import {
  type RefusedWindow,
  SEVEN_DAYS,
  type StuckWalk,
  THIRTY_DAYS,
  type WalkEnd,
  type WalkLimits,
  type Window,
  walkWindow,
} from './window-walk.ts';

/** A run lists the cards of the last 30 days before it buys outcomes. Older cards can wait. Milliseconds. */
const NEWEST_PART = 30 * DAY;

/**
 * If three windows of 30 days in a row have no card, a run assumes that the list has no older card either. Milliseconds: a day less
 * than 90, because the windows are a little shorter than 30 days.
 */
const SILENCE = 89 * DAY;

/**
 * A moment is crowded if it has more cards than a page holds. At its third crowded moment, a run leaves the window to later runs.
 */
const MOST_CROWDED = 2;

/** How much of the list `readUnread` reads. */
interface ReadLimits {
  /** Cards before this time can wait, epoch milliseconds UTC. 0 if none can. */
  readonly stopAt?: number;
  /** How many pages may be read. */
  readonly most?: number;
  /** Credits that are left to other parts of the run. */
  readonly setAside?: number;
}

/** The list as one run reads it. */
export class Listing {
  /** When the list is next worth reading, epoch milliseconds UTC. Undefined if this run reads it. */
  nextAt: number | undefined;
  readonly #run: ExportRun;
  readonly #record: ListRecord;
  /**
   * The length of the longest window to ask for, milliseconds. Infinity until the service refuses or shortens a window, or sends
   * its pages in no order.
   */
  #longestWindow = Number.POSITIVE_INFINITY;
  /** Parts that this run left to later runs, because page after page came without a new card. */
  readonly #deadEnds: Part[] = [];
  /** How many crowded moments this run has met: moments with more cards than a page holds. */
  #crowdedMoments = 0;

  constructor(run: ExportRun) {
    this.#run = run;
    this.#record = new ListRecord(run);
  }

  /** Pages that were received. */
  get pages(): number {
    return this.#record.pages;
  }

  /** Cards that do not match the API document: they are not kept. */
  get badCards(): number {
    return this.#record.badCards;
  }

  /** Why the service did not give a part of the list that it should have given. Undefined if it gave all. */
  get failure(): ScreenerError | undefined {
    return this.#record.failure;
  }

  /** The newest part of the list that is still to be read. */
  get toRead(): Part | undefined {
    return this.#record.toRead;
  }

  /** The gaps that this run would ask for if they were due. */
  get #wantedGaps(): Gap[] {
    const { coverage, wantedSince } = this.#record;
    return gapsSince(coverage.gaps, wantedSince);
  }

  /** Whether the list is read as far back as it is wanted, and no gap is left there. */
  get isListed(): boolean {
    const hasSpans = this.#record.coverage.spans.length > 0;
    return hasSpans && this.#wantedGaps.length === 0 && this.toRead === undefined;
  }

  /** Whether all is listed, and no month file lacks cards. */
  get isDone(): boolean {
    return this.isListed && monthsWithMissing(this.#run.history.manifest).length === 0;
  }

  /**
   * Whether the list is read from a time on, up to where this run's list ends. Bad cards may be left out.
   * @param time epoch milliseconds UTC
   */
  hasReadSince(time: number): boolean {
    const { coverage, servedUntil, waitingGaps } = this.#record;
    if (coverage.spans.length === 0 || servedUntil === undefined) return false;
    if (this.#deadEnds.some(({ until }) => until > time)) return false;
    // A gap that this run asks for again has no answer yet.
    const answered = { ...coverage, gaps: waitingGaps };
    return unanswered(storedSpans([{ since: time, until: servedUntil }]), answered).length === 0;
  }

  /** Later runs list cards before this time, epoch milliseconds UTC. Undefined if the list is read as far back as it is wanted. */
  get missingBefore(): number | undefined {
    const gapBeforeSpans = partsOf(this.#wantedGaps).find(({ until }) =>
      this.#record.isOlderThanSpans(until),
    );
    return (this.toRead ?? gapBeforeSpans)?.until;
  }

  /**
   * Lists what is new, what a look back lists again, and the gaps that are due.
   * @param setAside credits that are left to other parts of the run
   * @returns false if it stopped early, because the other credits are spent
   * @throws ScreenerError if the service does not list cards now
   */
  async bringUpToDate(setAside = 0): Promise<boolean> {
    const { account, client } = this.#run;
    const now = client.now();
    await this.#record.forgetFuture(now);
    // Without a credit, a look back would be for nothing.
    if (account.left().credits < 1) return false;
    const listedSince = this.#oldestListed() ?? now;
    await this.#record.beginReading(now);
    // The run may stop at what is both older than 30 days and older than all that was listed before.
    return this.readUnread({ stopAt: Math.min(listedSince, now - NEWEST_PART), setAside });
  }

  /** Where the oldest span begins, epoch milliseconds UTC. */
  #oldestListed(): number | undefined {
    return partsOf(this.#record.coverage.spans).at(-1)?.since;
  }

  /**
   * Reads what is new, and then the unread parts, the newest first.
   * @returns false if it stopped early, because `most` pages were read, or all credits but those set aside are spent
   * @throws ScreenerError if the service does not list cards now. What was read is kept, and a later run asks for the rest.
   */
  async readUnread({
    stopAt = 0,
    most = Number.POSITIVE_INFINITY,
    setAside = 0,
  }: ReadLimits): Promise<boolean> {
    const limits: WalkLimits = { stopAt, mostPages: this.pages + most, setAside };
    const listedSince = this.#oldestListed() ?? 0;
    let lastEnd: WalkEnd | undefined;
    for (;;) {
      const window = this.#nextWindow();
      if (window === undefined) return true;
      if (window.until !== undefined && window.until <= stopAt) return true;
      const end = refusedByLastWalk(window, lastEnd) ?? (await this.#walk(window, limits));
      if (end.kind === 'stopped') return end.isFarEnough;
      await this.#prepareNext(end, listedSince);
      lastEnd = end;
    }
  }

  /** The window to ask for next. What is new since the newest span comes first, and then the newest unread part. */
  #nextWindow(): Window | undefined {
    const { newSince: since, servedUntil } = this.#record;
    // Before the first page, it is not known whether there are new cards: they are asked for.
    const mayHaveNewCards = servedUntil === undefined || since < servedUntil;
    const part = mayHaveNewCards ? { since, until: servedUntil } : this.toRead;
    if (part === undefined) return undefined;
    const end = part.until ?? this.#run.client.now();
    // If the part is longer than the longest window, its newest piece is asked for.
    return { since: Math.max(part.since, end - this.#longestWindow), until: part.until };
  }

  async #walk(window: Window, limits: WalkLimits): Promise<WalkEnd> {
    const walk = await walkWindow(this.#run, this.#record, window, limits);
    if (walk.wantsShorterWindows) this.#longestWindow = Math.min(this.#longestWindow, THIRTY_DAYS);
    return walk.end;
  }

  /**
   * Prepares the next window, by how the last walk ended. What the walk read is a span already.
   * @param listedSince where the oldest span began when `readUnread` was called, epoch milliseconds UTC; 0 if there was none
   */
  async #prepareNext(end: WalkEnd, listedSince: number): Promise<void> {
    switch (end.kind) {
      case 'read':
        return this.#beginAfterSilence(listedSince);
      case 'refused':
        return this.#passOverRefused(end);
      case 'stuck':
        return end.error instanceof DeadEnd
          ? this.#leaveDeadEnd(end.rest, end.error)
          : this.#passOverRefusedCursor(end);
      case 'unordered':
        // The next window is shorter.
        return;
      case 'stopped':
        // No window follows.
        return;
    }
  }

  /**
   * If nothing was found for `SILENCE` before the oldest card, assumes that the list begins there. An example: the oldest card is
   * of 1 June, and the windows from 1 March to 1 June had no other card.
   *
   * If the list is read in short windows, nothing else shows where it begins: the last page ends the window, not the list.
   * @param listedSince where the oldest span began when `readUnread` was called, epoch milliseconds UTC. It is 0 if there was no
   *   span: then this call finds no silence, and a later one does.
   */
  async #beginAfterSilence(listedSince: number): Promise<void> {
    const { toRead } = this;
    // Only the part before all spans can begin at 0. Then neither --since nor a known beginning bounds it.
    if (toRead === undefined || toRead.since > 0) return;
    // Windows that were read are spans. Otherwise a gap lies before them, and nobody knows what it has.
    if (this.#oldestListed() !== toRead.until) return;
    const oldestListed = Math.min(listedSince, this.#record.oldestCardAt);
    if (oldestListed - toRead.until < SILENCE) return;
    await this.#record.recordBeginning(toRead.until, oldestListed);
  }

  /**
   * After a refused window: makes the next one shorter. If there is no shorter length, goes on with what is older. If the window is
   * older than all spans, the list seems to begin where it ends. Otherwise it becomes a gap.
   * @throws the error, if it is not known where the window ends, because no page of this run has told the service's time
   */
  async #passOverRefused({ window, error }: RefusedWindow): Promise<void> {
    if (error !== undefined && this.#askShorterWindow(window, error)) return;
    const until = window.until ?? this.#record.servedUntil;
    if (until === undefined) throw error;
    if (this.#record.isOlderThanSpans(until)) await this.#record.recordBeginning(until);
    else await this.#record.recordRefused({ since: window.since, until });
  }

  /** Goes on behind pages that lead nowhere. */
  async #leaveDeadEnd(rest: Part, error: DeadEnd): Promise<void> {
    this.#record.failure ??= error;
    this.#deadEnds.push(rest);
    await this.#leaveToLaterRuns(rest);
  }

  /** Makes the next windows shorter. @returns false if the refused window was of the shortest length already */
  #askShorterWindow(refused: Window, error: ScreenerError): boolean {
    const { client, notes } = this.#run;
    const length = (refused.until ?? client.now()) - refused.since;
    const shorter = [THIRTY_DAYS, SEVEN_DAYS].find(
      (days) => days < this.#longestWindow && days < length,
    );
    if (shorter === undefined) return false;
    notes.debug(`${error.message} Asking for ${Math.round(shorter / DAY)} days at a time.`);
    this.#longestWindow = shorter;
    return true;
  }

  /**
   * Goes on after a walk whose cursor was refused.
   *
   * Examples, for a walk from 31 May back to 1 May:
   * - It came to 20 May: the next window is 1 to 20 May.
   * - Its cards came in no order: a shorter window is next.
   * - It did not get beyond the last second of 31 May: this second becomes a gap.
   */
  async #passOverRefusedCursor(end: StuckWalk): Promise<void> {
    const { window, rest, isSorted, error } = end;
    if (!isSorted) {
      // The cards of a shorter window may fit on one page, which needs no cursor.
      if (this.#askShorterWindow(window, error)) return;
      // A refused cursor says nothing about where the list begins.
      return this.#leaveToLaterRuns(window);
    }
    // The next window ends where this walk stopped, and may lead further.
    if (rest.until < window.until) return;
    // The walk got no further than the window's last second: that second has more cards than a page holds.
    this.#crowdedMoments += 1;
    if (this.#crowdedMoments > MOST_CROWDED) return this.#leaveToLaterRuns(window);
    // A request's `until` is `ROUNDING` after the end of its window. So the gap begins that much before the crowded second: else
    // the next request would reach into that second again.
    const since = Math.max(window.since, window.until - ROUNDING - SECOND);
    await this.#record.recordGap({ since, until: window.until });
  }

  /** Makes a gap of a part. The service did not refuse the part itself, so this is no sign that the list begins after it. */
  async #leaveToLaterRuns(part: Part): Promise<void> {
    if (this.#record.isOlderThanSpans(part.until)) await this.#record.recordGapBefore(part.until);
    else await this.#record.recordGap(part);
  }
}

/**
 * The last walk may have asked for its own rest without a cursor, and the service refused that. If the rest is the next window, it
 * counts as refused, and is not asked for again: the answer would be the same.
 *
 * An example. A walk from 31 May back to 1 May came to 20 May. There the service refused the cursor, and then also 1 to 20 May
 * without a cursor. The next window is 1 to 20 May: it counts as refused.
 * @returns undefined if the window is to be asked for
 */
function refusedByLastWalk(
  window: Window,
  lastEnd: WalkEnd | undefined,
): RefusedWindow | undefined {
  if (lastEnd?.kind !== 'stuck' || !lastEnd.isRestRefused) return undefined;
  const { rest, error } = lastEnd;
  const isRest = window.since === rest.since && window.until === rest.until;
  return isRest ? { kind: 'refused', window, error } : undefined;
}
