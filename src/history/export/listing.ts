/**
 * Reads the list of cards into the history: the newest hole first, and each page is saved before the next is asked for.
 * A span is read, or given up for now. A hole is what no span covers. A gap is what the service did not give; it lies inside a
 * span, or before all spans (more in `spans.ts`). A window is what one walk over pages asks for. The list is read from its newest
 * card on: "behind" means "older than".
 */

import type { BadCards } from '../../api/bad-cards.ts';
import type { SignalPage } from '../../api/contract/resources.ts';
import { LIMITS } from '../../api/limits.ts';
import { DeadEnd, type ListedPage, pages, refusesWindow } from '../../api/pages.ts';
import { at, formatApiTime, parseApiTime } from '../../api/time.ts';
import { DAY, MINUTE, SECOND } from '../../base/units.ts';
import type { ScreenerError } from '../../errors.ts';
import { isFinal, type Observations, observed } from '../store/final.ts';
import { createdAt, monthOf, type StoredCard } from '../store/layout.ts';
import { type Coverage, type Gap, monthsWithMissing } from '../store/manifest.ts';
import type { ExportRun } from './export-run.ts';
import {
  type DueLook,
  dueGaps,
  goalOf,
  lastGap,
  lookBack,
  newestHole,
  overlaps,
  type Span,
  spansOf,
  without,
  withSpan,
} from './spans.ts';

/** A run lists the cards of this time before it buys outcomes, milliseconds. Older cards can wait. */
const NEWEST = 30 * DAY;

/** Lengths of windows for a service that refuses longer ones, milliseconds. A rounded window must not exceed whole days. */
const WIDTHS = [30 * DAY - 5 * MINUTE, 7 * DAY - 5 * MINUTE] as const;

/** If no card lies in this time before the oldest one, the list is taken to begin there, milliseconds: a little less than three windows. */
const SILENCE = 89 * DAY;

/** By how much windows overlap, milliseconds: a service may round their bounds to the minute. */
const ROUNDING = MINUTE;

/** A card that is listed so soon after its `created_at` is not late, milliseconds. */
const PUNCTUAL = 10 * MINUTE;

/** A moment is crowded if it has more cards than a page. One run passes over so many of them; at the next it leaves the window. */
const MOST_CROWDED = 2;

/** The part of the list that one walk asks for; epoch milliseconds UTC. */
interface Window extends Pick<Span, 'since'> {
  /** Undefined for the newest cards, until the service has said what time it is. */
  readonly until: number | undefined;
}

/** How far holes are read. */
interface HoleLimits {
  /** Cards before this time can wait, epoch milliseconds UTC. */
  readonly stopAt: number;
  /** Pages of the whole run. */
  readonly mostPages: number;
  /** Credits that are left to other parts of the run. */
  readonly setAside: number;
}

/** How a walk over a window ended. */
type WalkEnd =
  /** Read to its null cursor, or to `stopAt`: older cards can wait. */
  | { readonly kind: 'read' }
  /** The budget, or the run's limit of pages, ended it. */
  | { readonly kind: 'limit' }
  /** The service refused the window itself (422). */
  | { readonly kind: 'refused'; readonly error: ScreenerError }
  /** The service lists nothing so old: its own window begins after the one that was asked for, which ends at `until`. */
  | { readonly kind: 'cut'; readonly until: number }
  /** A cursor was refused, or pages led nowhere. All cards from `reached` to the window's end are here. */
  | {
      readonly kind: 'stuck';
      readonly error: ScreenerError;
      readonly reached: number;
      readonly isSorted: boolean;
      /** Whether the walk went on without the cursor, and the service refused the rest of the window, too. */
      readonly isRestRefused: boolean;
    };

/** What a run lists again to find late cards. Epoch milliseconds UTC. */
interface LookAgain {
  /** From where on the list is read again. A new card that is older was not recorded late: an earlier run did not get it. */
  readonly since: number;
  /** Until when the list was here before. */
  readonly coveredUntil: number;
}

/** The rest of a window, which a walk asked for without its cursor, and the service refused. */
interface RefusedRest extends Span {
  readonly error: ScreenerError;
}

/** The list as one run reads it. */
export class Listing {
  /** Pages that were received. */
  pages = 0;
  /** Cards that do not match the API document: they are not kept. */
  badCards = 0;
  /** When the list is next worth reading, epoch milliseconds UTC, if this run does not read it. */
  nextAt: number | undefined;
  /** Why a part of the list is missing that the service should have given; undefined if none is. */
  failure: ScreenerError | undefined;
  readonly #run: ExportRun;
  /** Cards that were received. */
  #cards = 0;
  /** The length of the longest window to ask for, milliseconds. */
  #width = Number.POSITIVE_INFINITY;
  /** Gaps of earlier runs that this run asks for again. */
  #gapsAskedAgain: readonly Gap[] = [];
  /** `until` of this run's first page, epoch milliseconds UTC: newer cards are left to the next run. */
  #servedUntil: number | undefined;
  /** The oldest card that this run has seen, epoch milliseconds UTC. */
  #oldest = Number.POSITIVE_INFINITY;
  /** This run's look back; undefined if it does not look back. */
  #lookAgain: LookAgain | undefined;
  /** The rest that the service refused in the last walk. It is not asked for again: the answer would be the same. */
  #refusedRest: RefusedRest | undefined;
  /** Moments of which more cards were listed than a page holds. */
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

  /** Whether all was listed that was to be listed. */
  get isListed(): boolean {
    const { spans, gaps } = this.#coverage;
    return spans.length > 0 && gaps.length === 0 && this.hole === undefined;
  }

  /** Whether all was listed, and the month files still have it. */
  get isDone(): boolean {
    return this.isListed && monthsWithMissing(this.#run.history.manifest).length === 0;
  }

  /** Cards older than this are missing, epoch milliseconds UTC; undefined if the list is here back to its goal. */
  get missingBefore(): number | undefined {
    return (this.hole ?? lastGap(this.#coverage))?.until;
  }

  /**
   * Lists what is new, what a look back lists again, and the gaps whose turn has come.
   * @param setAside as in `HoleLimits`
   * @returns false if the budget, or what is set aside, ended it
   * @throws ScreenerError if the service does not list cards now
   */
  async bringUpToDate(setAside = 0): Promise<boolean> {
    const { account, client } = this.#run;
    const now = client.now();
    await this.#forgetFuture(now);
    // Making a gap a hole forgets how often it was refused. That is only done if it can be asked for now.
    if (account.left().credits < 1) return false;
    const { gaps, look, spans } = this.#coverage;
    const lookDue = this.#lookDue(now);
    const listedAgain = { since: lookDue?.since ?? now, until: Number.POSITIVE_INFINITY };
    this.#gapsAskedAgain = dueGaps(gaps, now, listedAgain);
    const toRead = spansOf(this.#gapsAskedAgain);
    if (lookDue !== undefined) {
      const coveredUntil = parseApiTime(spans[0]?.until ?? '') ?? 0;
      this.#lookAgain = { since: lookDue.since, coveredUntil };
      toRead.push(listedAgain);
    }
    // A run that is killed here has forgotten it, too. The next run then asks for the gaps at once, and their count begins at 1
    // again: that costs a credit more, but no card.
    if (toRead.length > 0)
      await this.#save([], {
        spans: toRead.reduce(without, spans),
        gaps: gaps.filter((gap) => !this.#gapsAskedAgain.includes(gap)),
        look: lookDue?.look ?? look,
      });
    const oldest = spansOf(spans).at(-1)?.since ?? Number.POSITIVE_INFINITY;
    return this.fillHoles({ stopAt: Math.min(oldest, now - NEWEST), setAside });
  }

  /**
   * The look back that is due. It is put off while a month file in its range lacks cards: it would list the lacking cards again,
   * and exports would buy them, before the loss is sure. A look that is put off still starts where it would have started.
   */
  #lookDue(now: number): DueLook | undefined {
    const { manifest } = this.#run.history;
    const due = lookBack(manifest.look, now);
    if (due === undefined) return undefined;
    const firstMonth = monthOf(due.since);
    const isInRange = ({ month }: { readonly month: string }) => month >= firstMonth;
    return monthsWithMissing(manifest).some(isInRange) ? undefined : due;
  }

  /** If the spans reach beyond now, a clock was wrong. The list is then here up to its newest card. */
  async #forgetFuture(now: number): Promise<void> {
    const { manifest, months } = this.#run.history;
    const until = spansOf(manifest.spans)[0]?.until;
    if (until === undefined || until <= now) return;
    let newest: number | undefined;
    for (const month of Object.keys(manifest.months).toReversed()) {
      if (newest !== undefined) break;
      const { cards } = await months.open(month);
      for (const { at: time } of cards.values())
        if (time <= until) newest = Math.max(time, newest ?? time);
    }
    const future = { since: Math.min(newest ?? now, now), until: Number.POSITIVE_INFINITY };
    await this.#save([], { spans: without(manifest.spans, future) });
  }

  /**
   * Reads holes, the newest first.
   * @param limits `stopAt` and `setAside`: as in `HoleLimits`; `most`: pages
   * @returns false if the budget, what is set aside, or `most` pages, ended it
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

  /** Asks for a window, unless it is the rest that the service has just refused. */
  async #walk(window: Window, limits: HoleLimits): Promise<WalkEnd> {
    const refused = this.#refusedRest;
    if (refused !== undefined && isSameWindow(window, refused)) {
      this.#refusedRest = undefined;
      return { kind: 'refused', error: refused.error };
    }
    const end = await this.#readWindow(window, limits);
    this.#refusedRest = restRefusedBy(end, window);
    return end;
  }

  /** The window to ask for next: first what is new, up to `until` of this run's first page; then the newest hole. */
  #nextWindow(): Window | undefined {
    const [newest] = spansOf(this.#coverage.spans);
    const until = this.#servedUntil;
    const since = newest?.until ?? goalOf(this.#coverage, this.#run.options.since);
    const isNewToRead = until === undefined || since < until;
    const window = isNewToRead ? { since, until } : this.hole;
    if (window === undefined) return undefined;
    const end = window.until ?? this.#run.client.now();
    return { since: Math.max(window.since, end - this.#width), until: window.until };
  }

  /** Makes the next windows shorter. @returns false if the refused one was the shortest */
  #askShorterWindow(refused: Window, error: ScreenerError): boolean {
    const { client, notes } = this.#run;
    const length = (refused.until ?? client.now()) - refused.since;
    const width = WIDTHS.find((shorter) => shorter < this.#width && shorter < length);
    if (width === undefined) return false;
    notes.debug(`${error.message} Asking for ${Math.round(width / DAY)} days at a time.`);
    this.#width = width;
    return true;
  }

  /**
   * Asks for a shorter window next. If the shortest was refused, goes on with what is older.
   * @throws the error, if the window has no end, and no page of this run has told the service's time
   */
  async #passOverRefused(window: Window, error: ScreenerError): Promise<void> {
    if (this.#askShorterWindow(window, error)) return;
    const until = window.until ?? this.#servedUntil;
    if (until === undefined) throw error;
    await this.#passOverUnlisted({ since: window.since, until });
  }

  /** Goes on behind a part of the list that the service does not give. If nothing is listed behind it, the list begins there. */
  async #passOverUnlisted(part: Span): Promise<void> {
    if (this.#isBehindAll(part.until)) await this.#beginListHere(part.until);
    else await this.#recordGap(part, true);
  }

  #isBehindAll(until: number): boolean {
    const oldest = spansOf(this.#coverage.spans).at(-1);
    return oldest !== undefined && oldest.since >= until;
  }

  /**
   * Writes down where the list begins, once two UTC days have shown it. The first day that shows it leaves a gap behind the listed
   * cards: asking for it again is the second.
   * @param beginsAt epoch milliseconds UTC
   * @param oldestListed where the listed cards end, epoch milliseconds UTC: later than `beginsAt` if the windows between were empty
   */
  async #beginListHere(beginsAt: number, oldestListed = beginsAt): Promise<void> {
    const { client, notes, options } = this.#run;
    const gap = this.#gapsAskedAgain.find(({ until }) => at(until) === oldestListed);
    const observations = observed(gap?.begin, client.now());
    // Only the second UTC day that shows it makes it sure.
    if (!isFinal('list_begins_here', observations))
      return this.#leaveAllBefore(oldestListed, observations);
    const begins_at = formatApiTime(beginsAt);
    notes.note(`The service lists nothing before ${begins_at}.`);
    // A run with an older --since asks again.
    const begins_since = formatApiTime(Math.min(options.since ?? beginsAt, beginsAt));
    await this.#save([], { begins_at, begins_since });
  }

  /** All before `until` is one gap: this run asks for none of it. @param begin on which days the list seemed to begin there */
  async #leaveAllBefore(until: number, begin?: Observations): Promise<void> {
    const { spans, gaps } = this.#coverage;
    const goal = goalOf(this.#coverage, this.#run.options.since);
    const rest = { since: Math.min(goal, until), until };
    await this.#save([], {
      spans: without(spans, rest),
      gaps: [...gaps, this.#gapOf(rest, begin)],
    });
  }

  /**
   * Leaves a part that the service did not give as a gap, for later runs to ask for. This run goes on behind it: the gap counts as
   * part of a span.
   * @param isUnlisted whether the service refused the part, or cut it off
   */
  async #recordGap(part: Span, isUnlisted = false): Promise<void> {
    await this.#save([], {
      gaps: this.#withGap(part, isUnlisted),
      spans: withSpan(this.#coverage.spans, part),
    });
  }

  async #passOverStuck(
    window: Window,
    { error, reached, isSorted }: Extract<WalkEnd, { kind: 'stuck' }>,
  ): Promise<void> {
    if (error instanceof DeadEnd) {
      this.failure ??= error;
      return this.#leavePart({ since: window.since, until: reached });
    }
    const until = window.until ?? this.#servedUntil ?? reached;
    if (!isSorted) {
      // A shorter window may need no cursor. A refused cursor says nothing about where the list begins.
      if (this.#askShorterWindow(window, error)) return;
      return this.#leavePart({ since: window.since, until });
    }
    // The next window ends where this walk stopped, and may lead further.
    if (reached < until) return;
    // More cards of one moment are listed than a page holds.
    this.#crowdedMoments += 1;
    if (this.#crowdedMoments > MOST_CROWDED) return this.#leavePart({ since: window.since, until });
    // The next window is sent with an overlap: the gap is longer by that, so that it does not list the crowded second again.
    const crowded = { since: Math.max(window.since, until - ROUNDING - SECOND), until };
    await this.#recordGap(crowded);
  }

  /** Leaves a part to later runs. The list is not taken to begin there, because the service did not refuse it. */
  async #leavePart(part: Span): Promise<void> {
    if (this.#isBehindAll(part.until)) await this.#leaveAllBefore(part.until);
    else await this.#recordGap(part);
  }

  /**
   * If the list is read window by window, no page says that the list has ended: `SILENCE` without a card says it.
   * @param listedFrom where the listed part ended when this run began to fill holes, epoch milliseconds UTC
   */
  async #beginAfterSilence(listedFrom: number): Promise<void> {
    const rest = this.hole;
    if (rest === undefined || rest.since > 0) return;
    const oldestListed = Math.min(listedFrom, this.#oldest);
    if (oldestListed - rest.until >= SILENCE) await this.#beginListHere(rest.until, oldestListed);
  }

  /** The gaps with one more, which takes the place of the gaps within it: no part is asked for twice. */
  #withGap(part: Span, isUnlisted = false): Gap[] {
    const notWithin = this.#coverage.gaps.filter(
      (gap) => at(gap.since) < part.since || at(gap.until) > part.until,
    );
    const gap = this.#gapOf(part);
    return [...notWithin, isUnlisted ? { ...gap, unlisted: true } : gap];
  }

  #gapOf(part: Span, begin?: Observations): Gap {
    const askedAgain = this.#gapsAskedAgain.filter((gap) => overlaps(gap, part));
    const timesBefore = askedAgain.map(({ times }) => times);
    const gap = {
      since: formatApiTime(part.since),
      until: formatApiTime(part.until),
      times: 1 + Math.max(0, ...timesBefore),
      at: formatApiTime(this.#run.client.now()),
    };
    return begin === undefined ? gap : { ...gap, begin };
  }

  /**
   * Reads the pages of a window, and saves each of them.
   * @throws ScreenerError of the client
   */
  async #readWindow(window: Window, limits: HoleLimits): Promise<WalkEnd> {
    const { client, account, bar } = this.#run;
    const { stopAt, mostPages, setAside } = limits;
    const { since } = window;
    let { until } = window;
    const spansBefore = this.#coverage.spans;
    // All cards from `reached` to the window's end are here; Infinity before the first page.
    let reached = Number.POSITIVE_INFINITY;
    let isSorted = true;
    let hasNewCards = false;
    const canBePaid = () => account.left().credits > setAside;
    const mayAskForMore = () => reached > stopAt && canBePaid() && this.pages < mostPages;
    const cardsWanted = () => (mayAskForMore() ? LIMITS.cardsPerPage : 0);
    bar.show('Cards', this.#cards);
    try {
      const walk = pages(client, { from: this.#boundsOf(window), wanted: cardsWanted });
      for await (const listed of walk) {
        const { page, place, bad } = listed;
        this.pages += 1;
        // A page may end after now.
        this.#servedUntil ??= Math.min(at(page.until), client.now());
        until ??= this.#servedUntil;
        const asked = { since, until };
        isSorted = place.sorted !== false;
        hasNewCards = page.items.length > 0;
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
      if (!Number.isFinite(reached)) return { kind: 'refused', error };
      // If the last page had cards, the walk has already tried to go on without the cursor: the rest was refused.
      const isRestRefused = hasNewCards;
      return { kind: 'stuck', error, reached, isSorted, isRestRefused };
    }
    return { kind: reached <= stopAt ? 'read' : 'limit' };
  }

  /**
   * The end of a walk, if this page is its last. Asks for shorter windows next if the service shortened this one, or if its pages
   * come in no order.
   */
  #endAfterPage(
    { page, place, ended }: ListedPage,
    asked: Span,
    reached: number,
  ): WalkEnd | undefined {
    const { since, until } = asked;
    const isSorted = place.sorted !== false;
    const isCut = ended && at(page.since) > since;
    if (isCut && reached >= until) return { kind: 'cut', until };
    if (isCut || !isSorted) this.#width = Math.min(this.#width, WIDTHS[0]);
    if (ended) return { kind: 'read' };
    // Pages in no order cover nothing before the last of them. In a shorter window the last comes sooner.
    const isLong = until - since > WIDTHS[0];
    return isLong && !isSorted ? { kind: 'read' } : undefined;
  }

  /** The bounds that are sent for a window, in API time. */
  #boundsOf({ since, until }: Window): { readonly since: string; readonly until?: string } {
    const sentSince = formatApiTime(Math.max(0, since - ROUNDING));
    if (until === undefined) return { since: sentSince };
    // Cards that came after this run's first page are left to the next run.
    const sentUntil = Math.min(until + ROUNDING, this.#servedUntil ?? until);
    return { since: sentSince, until: formatApiTime(sentUntil) };
  }

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
   * How late the latest card of a look back was recorded: as late as it lies before the end of what was covered.
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
      const isLate = lateBy > PUNCTUAL && time >= since - ROUNDING;
      if (isLate && !cards.has(card.id)) largest = Math.max(largest ?? 0, lateBy);
    }
    return largest;
  }
}

/** The time from which on all cards of a window are here, after a page. */
function reachedBy({ page, place, ended }: ListedPage, { since, until }: Span): number {
  const within = (time: number) => Math.min(until, Math.max(since, time));
  if (ended) return within(at(page.since));
  // Pages in no order cover nothing before the last of them is here.
  const isSorted = place.sorted !== false;
  return isSorted && place.oldest !== undefined ? within(place.oldest) : within(until);
}

function isSameWindow(window: Window, { since, until }: Span): boolean {
  return window.since === since && window.until === until;
}

function restRefusedBy(end: WalkEnd, { since }: Window): RefusedRest | undefined {
  if (end.kind !== 'stuck' || !end.isRestRefused || end.error instanceof DeadEnd) return undefined;
  return { since, until: end.reached, error: end.error };
}

/** The part of a window from the first to the last bad card of a page; undefined if none lies in the window. */
function partOfBadCards(
  bad: BadCards,
  { items, since, until }: SignalPage,
  window: Span,
): Span | undefined {
  const pageTimes = items.length === 0 ? [at(since), at(until)] : items.map(createdAt);
  const isWithin = (time: number) => time >= window.since && time <= window.until;
  // A bad card without a time in the window may lie anywhere on the page.
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
