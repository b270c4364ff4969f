/**
 * Reads the list of cards into the history: the newest hole first. Each page is saved before the next is asked for.
 *
 * - A window is the part of the list that one walk over pages asks for.
 * - A span is a part that needs no reading now. Most spans were read.
 * - A hole is a part that lies in no span: it is still to be read.
 * - A gap is a part that was asked for, and that the service did not give. It lies in a span, or is older than all spans: runs do
 *   not read it. When its turn has come, it becomes a hole.
 *
 * (`spans.ts` says more of these.) The list is read from its newest card on: "behind" means "older than".
 */

import type { BadCards } from '../../api/bad-cards.ts';
import type { SignalPage } from '../../api/contract/resources.ts';
import { LIMITS } from '../../api/limits.ts';
import { DeadEnd, type ListedPage, pages, refusesWindow } from '../../api/pages.ts';
import { at, formatApiTime, parseApiTime } from '../../api/time.ts';
import { DAY, MINUTE, SECOND } from '../../base/units.ts';
import type { ScreenerError } from '../../errors.ts';
import { isFinal, withObservation } from '../store/final.ts';
import { createdAt, monthOf, type StoredCard } from '../store/layout.ts';
import { type Coverage, type Gap, monthsWithMissing } from '../store/manifest.ts';
import type { ExportRun } from './export-run.ts';
import {
  type DueLook,
  dueGaps,
  gapBehindAll,
  gapsFrom,
  goalOf,
  lookBack,
  newestHole,
  olderParts,
  overlaps,
  partsFrom,
  type Span,
  spansOf,
  wantedFrom,
  without,
  withSpan,
} from './spans.ts';

/** A run lists the cards of the last 30 days before it buys outcomes. Older cards can wait. Milliseconds. */
const NEWEST_PART = 30 * DAY;

/**
 * Lengths of windows for a service that refuses longer ones, milliseconds. They are five minutes short of whole days: a service
 * that rounds the bounds of a window must not find it too long.
 */
const WIDTHS = [30 * DAY - 5 * MINUTE, 7 * DAY - 5 * MINUTE] as const;

/**
 * If three windows of 30 days in a row have no card, a run assumes that the list has no older card either. Milliseconds: a day less
 * than 90, because the windows are a little shorter than 30 days.
 */
const SILENCE = 89 * DAY;

/** How far windows overlap, milliseconds: a service may round their bounds to the minute. */
const ROUNDING = MINUTE;

/** A card counts as late if it was listed more than 10 minutes after its `created_at`. Milliseconds. */
const LATE_AFTER = 10 * MINUTE;

/**
 * A moment is crowded if it has more cards than a page holds. At its third crowded moment, a run leaves the window to later runs.
 */
const MOST_CROWDED = 2;

/** The part of the list that one walk asks for; epoch milliseconds UTC. */
interface Window extends Pick<Span, 'since'> {
  /** Undefined for the newest cards, until the service has said what time it is. */
  readonly until: number | undefined;
}

/** How far holes are read. */
interface HoleLimits {
  /** Cards before this time can wait, epoch milliseconds UTC. 0 if none can. */
  readonly stopAt: number;
  /** After this number of pages the run stops. Pages that it read before count, too. */
  readonly mostPages: number;
  /** Credits that are left to other parts of the run. */
  readonly setAside: number;
}

/** How a walk over a window ended. */
type WalkEnd =
  /**
   * The walk needs no more pages. Either the null cursor came, or the walk reached `stopAt` and older cards can wait. Or the
   * window was long and its pages came in no order: a shorter window is asked for next.
   */
  | { readonly kind: 'read' }
  /** The budget, or the run's limit of pages, ended the walk. */
  | { readonly kind: 'limit' }
  /** The service refused the window itself (422). */
  | { readonly kind: 'refused'; readonly error: ScreenerError }
  /** The service lists nothing so old: the window in its answer begins where the window that was asked for ends, or later. */
  | { readonly kind: 'cut'; readonly until: number }
  | StuckWalk;

/** A walk that could not be read to its end: a cursor was refused, or pages led nowhere. */
interface StuckWalk {
  readonly kind: 'stuck';
  readonly error: ScreenerError;
  /** All cards from this time to the window's end are here, epoch milliseconds UTC. */
  readonly reached: number;
  /** Whether the cards came newest first. */
  readonly isSorted: boolean;
  /** Whether the service refused the cursor, and then also the rest of the window, which was asked for without a cursor. */
  readonly isRestRefused: boolean;
}

/** The fields of a gap that say what the service's answers showed: that the list may begin after it, or has nothing in it. */
type GapMarks = Pick<Gap, 'begin' | 'unlisted'>;

/** What a run lists again to find late cards. Epoch milliseconds UTC. */
interface LookAgain {
  /**
   * The list is read again from this time on. An older card may be new to the history, too. It is not late: it lay in a gap or a
   * hole.
   */
  readonly since: number;
  /** Until when the list had been read before this run. */
  readonly coveredUntil: number;
}

/**
 * The rest of a window that the last walk could not read. The walk asked for the rest without a cursor, and the service refused
 * that request, too.
 */
interface RefusedRest extends Span {
  readonly error: ScreenerError;
}

/** The list as one run reads it. */
export class Listing {
  /** Pages that were received. */
  pages = 0;
  /** Cards that do not match the API document: they are not kept. */
  badCards = 0;
  /** When the list is next worth reading, epoch milliseconds UTC. Undefined if this run reads it. */
  nextAt: number | undefined;
  /** Why the service did not give a part of the list that it should have given. Undefined if it gave all. */
  failure: ScreenerError | undefined;
  readonly #run: ExportRun;
  /** Cards that were received. */
  #cards = 0;
  /**
   * The length of the longest window to ask for, milliseconds. Infinity until the service refuses or shortens a window, or sends
   * its pages in no order.
   */
  #longestWindow = Number.POSITIVE_INFINITY;
  /** Gaps of earlier runs that this run asks for again. */
  #gapsAskedAgain: readonly Gap[] = [];
  /**
   * Where this run's list ends: newer cards are left to the next run. It is `until` of the first page, or now if that is earlier.
   * Epoch milliseconds UTC.
   */
  #servedUntil: number | undefined;
  /** When the oldest card that this run has received was created, epoch milliseconds UTC. Infinity before the first card. */
  #oldest = Number.POSITIVE_INFINITY;
  /** This run's look back; undefined if it does not look back. */
  #lookAgain: LookAgain | undefined;
  /** Undefined if the last walk left no refused rest. The rest is not asked for again: the answer would be the same. */
  #refusedRest: RefusedRest | undefined;
  /** How many crowded moments this run has met: moments with more cards than a page holds. */
  #crowdedMoments = 0;

  constructor(run: ExportRun) {
    this.#run = run;
  }

  get #coverage(): Coverage {
    return this.#run.history.manifest;
  }

  /** The newest part of the list that is still to be read. */
  get hole(): Span | undefined {
    return newestHole(this.#coverage, this.#run.options.since);
  }

  /** How far back this run wants the list, epoch milliseconds UTC. */
  get #wantedFrom(): number {
    return wantedFrom(this.#coverage, this.#run.options.since);
  }

  /** The gaps that this run would ask for if their turn had come. */
  get #wantedGaps(): Gap[] {
    return gapsFrom(this.#coverage.gaps, this.#wantedFrom);
  }

  /** Whether the list is read as far back as it is wanted, and no gap is left there. */
  get isListed(): boolean {
    const hasSpans = this.#coverage.spans.length > 0;
    return hasSpans && this.#wantedGaps.length === 0 && this.hole === undefined;
  }

  /** Whether all is listed, and no month file lacks cards. */
  get isDone(): boolean {
    return this.isListed && monthsWithMissing(this.#run.history.manifest).length === 0;
  }

  /** Later runs list cards before this time, epoch milliseconds UTC. Undefined if the list is read as far back as it is wanted. */
  get missingBefore(): number | undefined {
    const { spans } = this.#coverage;
    return (this.hole ?? gapBehindAll({ spans, gaps: this.#wantedGaps }))?.until;
  }

  /**
   * Lists what is new, what a look back lists again, and the gaps whose turn has come.
   * @param setAside credits that are left to other parts of the run
   * @returns false if it stopped early, because the other credits are spent
   * @throws ScreenerError if the service does not list cards now
   */
  async bringUpToDate(setAside = 0): Promise<boolean> {
    const { account, client } = this.#run;
    const now = client.now();
    await this.#forgetFuture(now);
    // A gap that is asked for again becomes a hole, and a hole has no count of refusals. Without a credit nothing can be asked
    // for: the gaps stay, and keep their counts.
    if (account.left().credits < 1) return false;
    const listedFrom = spansOf(this.#coverage.spans).at(-1)?.since ?? now;
    await this.#makeHoles(now);
    // The run may stop at what is both older than 30 days and older than all that was listed before.
    return this.fillHoles({ stopAt: Math.min(listedFrom, now - NEWEST_PART), setAside });
  }

  /** Makes holes of the parts that are read a second time: those of a look back, and the gaps whose turn has come. */
  async #makeHoles(now: number): Promise<void> {
    const { gaps, look, spans } = this.#coverage;
    const lookDue = this.#lookDue(now);
    // Without a look back the range begins now, and no gap lies in it.
    const rangeOfLook = { since: lookDue?.since ?? now, until: Number.POSITIVE_INFINITY };
    this.#gapsAskedAgain = dueGaps(gaps, now, { recent: rangeOfLook, from: this.#wantedFrom });
    // This run asks for nothing older than this time. If --since is 1 Feb, and a gap is 1 Jan to 1 Mar, this run asks for February.
    // January stays a gap, and keeps its count. A run with an older --since asks for it.
    const readFrom = Math.min(this.#wantedFrom, rangeOfLook.since);
    const toRead = partsFrom(spansOf(this.#gapsAskedAgain), readFrom);
    const kept = gaps.filter((gap) => !this.#gapsAskedAgain.includes(gap));
    if (lookDue !== undefined) {
      const coveredUntil = parseApiTime(spans[0]?.until ?? '') ?? 0;
      this.#lookAgain = { since: lookDue.since, coveredUntil };
      toRead.push(rangeOfLook);
    }
    if (toRead.length === 0) return;
    // If the run is killed after this, the next run finds holes without a count of refusals. It asks for them at once, and
    // counts from 1: that costs one credit more, but no card.
    await this.#save([], {
      spans: toRead.reduce(without, spans),
      gaps: [...kept, ...olderParts(this.#gapsAskedAgain, readFrom)],
      look: lookDue?.look ?? look,
    });
  }

  /**
   * The look back that is due. It is put off while a month file in its range lacks cards. Otherwise the look would list these cards
   * again at once, and exports would buy their outcomes a second time. But a backup may still bring the cards: they count as lost
   * only after two UTC days. The later look reaches as far back as this one would.
   * @returns undefined if none is due, or if it is put off
   */
  #lookDue(now: number): DueLook | undefined {
    const { manifest } = this.#run.history;
    const due = lookBack(manifest.look, now);
    if (due === undefined) return undefined;
    const firstMonth = monthOf(due.since);
    const isInRange = ({ month }: { readonly month: string }) => month >= firstMonth;
    return monthsWithMissing(manifest).some(isInRange) ? undefined : due;
  }

  /** If the spans reach beyond now, a clock was wrong. The spans then end at the newest card that the history has. */
  async #forgetFuture(now: number): Promise<void> {
    const { spans } = this.#run.history.manifest;
    const until = spansOf(spans)[0]?.until;
    if (until === undefined || until <= now) return;
    const newest = await this.#newestCardAt(until);
    const future = { since: Math.min(newest ?? now, now), until: Number.POSITIVE_INFINITY };
    await this.#save([], { spans: without(spans, future) });
  }

  /** When the newest card of the history that is not after `until` was created. Epoch milliseconds UTC. */
  async #newestCardAt(until: number): Promise<number | undefined> {
    const { manifest, months } = this.#run.history;
    for (const month of Object.keys(manifest.months).toReversed()) {
      const { cards } = await months.open(month);
      let newest: number | undefined;
      for (const { at: time } of cards.values())
        if (time <= until) newest = Math.max(time, newest ?? time);
      if (newest !== undefined) return newest;
    }
    return undefined;
  }

  /**
   * Reads holes, the newest first.
   * @param limits `stopAt`: cards before this time can wait. `most`: how many pages may be read. `setAside`: credits that are
   *   left to other parts of the run.
   * @returns false if it stopped early, because `most` pages were read, or all credits but those set aside are spent
   * @throws ScreenerError if the service does not list cards now. What was read is kept, and a later run asks for the rest.
   */
  async fillHoles({ stopAt = 0, most = Number.POSITIVE_INFINITY, setAside = 0 }): Promise<boolean> {
    const limits: HoleLimits = { stopAt, mostPages: this.pages + most, setAside };
    const listedFrom = spansOf(this.#coverage.spans).at(-1)?.since ?? 0;
    this.#refusedRest = undefined;
    for (;;) {
      const window = this.#nextWindow();
      if (window === undefined) return true;
      if (window.until !== undefined && window.until <= stopAt) return true;
      const end = await this.#walk(window, limits);
      switch (end.kind) {
        case 'limit':
          return false;
        case 'read':
          await this.#beginAfterSilence(listedFrom);
          break;
        case 'refused':
          await this.#passOverRefused(window, end.error);
          break;
        case 'cut':
          await this.#passOverUnlisted({ since: window.since, until: end.until });
          break;
        case 'stuck':
          await this.#passOverStuck(window, end);
          break;
      }
    }
  }

  /**
   * Reads a window. The service may have refused just this window already, when the last walk asked for its own rest. Then the
   * window counts as refused, and is not asked for again.
   *
   * An example. A walk from 31 May back to 1 May came to 20 May. There the service refused the cursor, and then also 1 to 20 May
   * without a cursor. The next window is 1 to 20 May: it counts as refused.
   */
  async #walk(window: Window, limits: HoleLimits): Promise<WalkEnd> {
    const refused = this.#refusedRest;
    this.#refusedRest = undefined;
    if (refused !== undefined && isSameWindow(window, refused))
      return { kind: 'refused', error: refused.error };
    const end = await this.#readWindow(window, limits);
    if (end.kind === 'stuck' && end.isRestRefused)
      this.#refusedRest = { since: window.since, until: end.reached, error: end.error };
    return end;
  }

  /** The window to ask for next. What is new since the newest span comes first, and then the newest hole. */
  #nextWindow(): Window | undefined {
    const [newest] = spansOf(this.#coverage.spans);
    const until = this.#servedUntil;
    const since = newest?.until ?? goalOf(this.#coverage, this.#run.options.since);
    // Before the first page, it is not known whether there are new cards: they are asked for.
    const mayHaveNewCards = until === undefined || since < until;
    const part = mayHaveNewCards ? { since, until } : this.hole;
    if (part === undefined) return undefined;
    const end = part.until ?? this.#run.client.now();
    // If the part is longer than the longest window, its newest piece is asked for.
    return { since: Math.max(part.since, end - this.#longestWindow), until: part.until };
  }

  /** Makes the next windows shorter. @returns false if the refused window was of the shortest length already */
  #askShorterWindow(refused: Window, error: ScreenerError): boolean {
    const { client, notes } = this.#run;
    const length = (refused.until ?? client.now()) - refused.since;
    const width = WIDTHS.find((shorter) => shorter < this.#longestWindow && shorter < length);
    if (width === undefined) return false;
    notes.debug(`${error.message} Asking for ${Math.round(width / DAY)} days at a time.`);
    this.#longestWindow = width;
    return true;
  }

  /**
   * After a refused window: makes the next one shorter. If there is no shorter length, goes on with what is older.
   * @throws the error, if it is not known where the window ends, because no page of this run has told the service's time
   */
  async #passOverRefused(window: Window, error: ScreenerError): Promise<void> {
    if (this.#askShorterWindow(window, error)) return;
    const until = window.until ?? this.#servedUntil;
    if (until === undefined) throw error;
    await this.#passOverUnlisted({ since: window.since, until });
  }

  /**
   * Goes on behind a part that the service refuses or cuts off. If the part is older than all spans, the list seems to begin where
   * the part ends. Otherwise the part becomes a gap.
   */
  async #passOverUnlisted(part: Span): Promise<void> {
    if (this.#isBehindAll(part.until)) await this.#beginListHere(part.until);
    else await this.#recordGap(part, { unlisted: true });
  }

  /** Whether a part that ends at `until` is older than all spans. */
  #isBehindAll(until: number): boolean {
    const oldest = spansOf(this.#coverage.spans).at(-1);
    return oldest !== undefined && oldest.since >= until;
  }

  /**
   * Writes down where the list begins, once two UTC days have shown it. On the first of these days, everything older becomes a
   * gap. A later run asks for the gap again. If the service again does not give it, the second day has shown the beginning.
   * @param beginsAt epoch milliseconds UTC
   * @param oldestListed from where on the list has cards, epoch milliseconds UTC. It is later than `beginsAt` if the windows
   *   between the two had no card.
   */
  async #beginListHere(beginsAt: number, oldestListed = beginsAt): Promise<void> {
    const { client, notes, options } = this.#run;
    const gap = this.#gapsAskedAgain.find(({ until }) => at(until) === oldestListed);
    const observations = withObservation(gap?.begin, client.now());
    if (!isFinal('list_begins_here', observations))
      return this.#leaveAllBefore(oldestListed, { begin: observations });
    const begins_at = formatApiTime(beginsAt);
    notes.note(`The service lists nothing before ${begins_at}.`);
    // The --since with which this beginning was found. A run with an older --since asks again.
    const begins_since = formatApiTime(Math.min(options.since ?? beginsAt, beginsAt));
    // What is older than the beginning is no gap any more. Only a run with an older --since finds a hole there.
    const gaps = gapsFrom(this.#coverage.gaps, beginsAt);
    await this.#save([], { begins_at, begins_since, gaps });
  }

  /**
   * Makes one gap of all that is older than `until`. It goes back to where this run would have read, and takes in the gaps that are
   * older than `until`: there is one gap behind all spans, not two. This run asks for no part of the new gap.
   *
   * An example. An earlier gap is 1 Jan to 1 Mar, and --since is 1 Feb. This run asked for February, and in vain. The new gap begins
   * on 1 Jan, not on 1 Feb.
   */
  async #leaveAllBefore(until: number, marks: GapMarks = {}): Promise<void> {
    const { spans, gaps } = this.#coverage;
    const goal = goalOf(this.#coverage, this.#run.options.since);
    const olderGaps = spansOf(gaps).filter((gap) => gap.until <= until);
    const beginningsOfGaps = olderGaps.map((gap) => gap.since);
    const since = Math.min(goal, until, ...beginningsOfGaps);
    const older = { since, until };
    await this.#save([], { spans: without(spans, older), gaps: this.#withGap(older, marks) });
  }

  /** Makes a gap of a part, for later runs to ask for. The gap counts as part of a span, so that this run goes on behind it. */
  async #recordGap(part: Span, marks: GapMarks = {}): Promise<void> {
    await this.#save([], {
      gaps: this.#withGap(part, marks),
      spans: withSpan(this.#coverage.spans, part),
    });
  }

  /**
   * Goes on after a walk that could not be read to its end.
   *
   * Examples, for a walk from 31 May back to 1 May:
   * - It came to 20 May: the next window is 1 to 20 May.
   * - Its cards came in no order: a shorter window is next.
   * - It did not get beyond the last second of 31 May: this second becomes a gap.
   * - Pages led nowhere: what was not read becomes a gap.
   */
  async #passOverStuck(window: Window, { error, reached, isSorted }: StuckWalk): Promise<void> {
    if (error instanceof DeadEnd) {
      this.failure ??= error;
      return this.#leavePart({ since: window.since, until: reached });
    }
    const until = window.until ?? this.#servedUntil ?? reached;
    if (!isSorted) {
      // The cards of a shorter window may fit on one page, which needs no cursor.
      if (this.#askShorterWindow(window, error)) return;
      // A refused cursor says nothing about where the list begins.
      return this.#leavePart({ since: window.since, until });
    }
    // The next window ends where this walk stopped, and may lead further.
    if (reached < until) return;
    // The walk got no further than the window's last second: that second has more cards than a page holds.
    this.#crowdedMoments += 1;
    if (this.#crowdedMoments > MOST_CROWDED) return this.#leavePart({ since: window.since, until });
    // `#boundsOf` sends the end of a window `ROUNDING` later. So the gap is longer than the crowded second by that much: otherwise
    // the next request would cover the second again.
    const crowded = { since: Math.max(window.since, until - ROUNDING - SECOND), until };
    await this.#recordGap(crowded);
  }

  /** Leaves a part to later runs. The service did not refuse the part itself, so this is no sign that the list begins after it. */
  async #leavePart(part: Span): Promise<void> {
    if (this.#isBehindAll(part.until)) await this.#leaveAllBefore(part.until);
    else await this.#recordGap(part);
  }

  /**
   * If the windows behind the oldest card had no card for `SILENCE`, assumes that the list begins where the last of them begins.
   * If the list is read in short windows, nothing else shows where it begins: the null cursor ends the window, not the list.
   * @param listedFrom where the oldest span began when `fillHoles` was called, epoch milliseconds UTC. It is 0 if there was no
   *   span: then this call finds no silence, and a later one does.
   */
  async #beginAfterSilence(listedFrom: number): Promise<void> {
    const { hole } = this;
    // Only the hole behind all spans can begin at 0. Then neither --since, nor a known beginning, nor a gap bounds it.
    if (hole === undefined || hole.since > 0) return;
    const oldestListed = Math.min(listedFrom, this.#oldest);
    if (oldestListed - hole.until >= SILENCE) await this.#beginListHere(hole.until, oldestListed);
  }

  /** The gaps, and one more. Older gaps that lie within the new one are left out, so that no part is asked for twice. */
  #withGap(part: Span, marks: GapMarks = {}): Gap[] {
    const notWithin = this.#coverage.gaps.filter(
      (gap) => at(gap.since) < part.since || at(gap.until) > part.until,
    );
    return [...notWithin, this.#gapOf(part, marks)];
  }

  /**
   * A part as a gap. `times` counts how often it was asked for. If this run asked again for gaps of earlier runs that overlap the
   * part, their count goes on.
   */
  #gapOf(part: Span, marks: GapMarks): Gap {
    const askedAgain = this.#gapsAskedAgain.filter((gap) => overlaps(gap, part));
    const timesBefore = askedAgain.map(({ times }) => times);
    return {
      since: formatApiTime(part.since),
      until: formatApiTime(part.until),
      times: 1 + Math.max(0, ...timesBefore),
      at: formatApiTime(this.#run.client.now()),
      ...marks,
    };
  }

  /**
   * Reads the pages of a window, and saves each of them with the part that is read by then.
   *
   * An example. The window is 1 to 31 May. After a page with cards back to 20 May, the part 20 to 31 May is a span. After the null
   * cursor, the part 1 to 31 May is a span.
   * @throws ScreenerError of the client
   */
  async #readWindow(window: Window, limits: HoleLimits): Promise<WalkEnd> {
    const { client, account, bar } = this.#run;
    const { stopAt, mostPages, setAside } = limits;
    const { since } = window;
    let { until } = window;
    const spansBefore = this.#coverage.spans;
    // All cards from `reached` to the window's end are here. Undefined before the first page.
    let reached: number | undefined;
    let isSorted = true;
    let hadLastPageCards = false;
    const isFarEnough = () => reached !== undefined && reached <= stopAt;
    const isLimitReached = () => account.left().credits <= setAside || this.pages >= mostPages;
    const cardsWanted = () => (isFarEnough() || isLimitReached() ? 0 : LIMITS.cardsPerPage);
    bar.show('Cards', this.#cards);
    try {
      const walk = pages(client, { from: this.#boundsOf(window), wanted: cardsWanted });
      for await (const listed of walk) {
        const { page, place, bad } = listed;
        this.pages += 1;
        // A service may send a page that ends after now.
        this.#servedUntil ??= Math.min(at(page.until), client.now());
        until ??= this.#servedUntil;
        const asked = { since, until };
        isSorted = place.sorted !== false;
        hadLastPageCards = page.items.length > 0;
        reached = reachedBy(listed, asked);
        const badPart = bad === undefined ? undefined : partOfBadCards(bad, page, asked);
        await this.#save(page.items, {
          spans: withSpan(spansBefore, { since: reached, until }),
          gaps: badPart === undefined ? this.#coverage.gaps : this.#withGap(badPart),
        });
        if (bad !== undefined) {
          this.failure ??= bad;
          this.badCards += bad.texts.length;
        }
        bar.show('Cards', this.#cards);
        const end = this.#endAfterPage(listed, asked, reached);
        if (end !== undefined) return end;
      }
    } catch (error) {
      if (!refusesWindow(error)) throw error;
      if (reached === undefined) return { kind: 'refused', error };
      // If a cursor is refused after a page with new cards, `pages` asks for the rest without a cursor. It fails only if the service
      // refuses that request, too.
      const isRestRefused = hadLastPageCards;
      return { kind: 'stuck', error, reached, isSorted, isRestRefused };
    }
    return { kind: isFarEnough() ? 'read' : 'limit' };
  }

  /**
   * Says how a walk ends after this page, and makes the next windows shorter if the service shortened this one, or if its pages came
   * in no order.
   * @returns undefined if the walk goes on
   */
  #endAfterPage(
    { page, place, ended }: ListedPage,
    asked: Span,
    reached: number,
  ): WalkEnd | undefined {
    const { since, until } = asked;
    const isSorted = place.sorted !== false;
    // The service's own window begins later than the one that was asked for.
    const isCut = ended && at(page.since) > since;
    if (isCut && reached >= until) return { kind: 'cut', until };
    if (isCut || !isSorted) this.#longestWindow = Math.min(this.#longestWindow, WIDTHS[0]);
    if (ended) return { kind: 'read' };
    // If pages come in no order, a part counts as read only after its last page. So this walk ends, and a shorter window is asked
    // for: its last page comes sooner.
    const isLong = until - since > WIDTHS[0];
    return isLong && !isSorted ? { kind: 'read' } : undefined;
  }

  /**
   * The bounds that are sent for a window, API times. Each is `ROUNDING` outside of the window, but the end is not after
   * `#servedUntil`.
   */
  #boundsOf({ since, until }: Window): { readonly since: string; readonly until?: string } {
    const sentSince = formatApiTime(Math.max(0, since - ROUNDING));
    if (until === undefined) return { since: sentSince };
    // Cards that came after this run's first page are left to the next run.
    const sentUntil = Math.min(until + ROUNDING, this.#servedUntil ?? until);
    return { since: sentSince, until: formatApiTime(sentUntil) };
  }

  /** Saves cards and changes of the coverage. If some of the cards are late, the coverage keeps how late they were at most. */
  async #save(items: readonly StoredCard[], changes: Partial<Coverage>): Promise<void> {
    let { look } = { ...this.#coverage, ...changes };
    const lateBy = await this.#largestLateness(items);
    if (look !== null && lateBy !== undefined)
      look = { ...look, late_at: look.at, late_by: Math.max(look.late_by, lateBy) };
    await this.#run.history.savePage(items, { ...changes, look });
    this.#cards += items.length;
    this.#oldest = Math.min(this.#oldest, ...items.map(createdAt));
  }

  /**
   * The largest lateness among these cards, if a look back found late ones. A late card was recorded after the list had been read
   * until `coveredUntil`, because otherwise the history would have it. The time from its `created_at` to `coveredUntil` is taken
   * for its lateness.
   * @returns milliseconds; undefined if no card was late
   */
  async #largestLateness(items: readonly StoredCard[]): Promise<number | undefined> {
    if (this.#lookAgain === undefined) return undefined;
    const { since, coveredUntil } = this.#lookAgain;
    let largest: number | undefined;
    for (const card of items) {
      const time = createdAt(card);
      const { cards } = await this.#run.history.months.open(monthOf(time));
      const lateBy = coveredUntil - time;
      const isLate = lateBy > LATE_AFTER && time >= since - ROUNDING;
      if (isLate && !cards.has(card.id)) largest = Math.max(largest ?? 0, lateBy);
    }
    return largest;
  }
}

/** The time from which on all cards of a window are here, after a page. Epoch milliseconds UTC. */
function reachedBy({ page, place, ended }: ListedPage, { since, until }: Span): number {
  const clampToWindow = (time: number) => Math.min(until, Math.max(since, time));
  if (ended) return clampToWindow(at(page.since));
  // If pages come in no order, nothing counts as read before the last of them.
  const isSorted = place.sorted !== false;
  return isSorted && place.oldest !== undefined ? clampToWindow(place.oldest) : until;
}

function isSameWindow(window: Window, { since, until }: Span): boolean {
  return window.since === since && window.until === until;
}

/** The part of a window from the first to the last bad card of a page. Undefined if no bad card lies in the window. */
function partOfBadCards(
  bad: BadCards,
  { items, since, until }: SignalPage,
  window: Span,
): Span | undefined {
  const pageTimes = items.length === 0 ? [at(since), at(until)] : items.map(createdAt);
  const isWithin = (time: number) => time >= window.since && time <= window.until;
  // If a bad card has no time, or none in the window, it may lie anywhere on the page: the times of the whole page then count.
  const times: number[] = [];
  for (const time of bad.times) {
    if (time !== undefined && isWithin(time)) times.push(time);
    else times.push(...pageTimes);
  }
  const part = {
    since: Math.max(Math.min(...times), window.since),
    until: Math.min(Math.max(...times) + SECOND, window.until),
  };
  return part.since < part.until ? part : undefined;
}
