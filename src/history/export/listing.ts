/** What a run learns of the list: fills holes, the newest first; saves each page before the next is asked for. */

import type { BadCards } from '../../api/bad-cards.ts';
import type { SignalPage } from '../../api/contract/resources.ts';
import { LIMITS } from '../../api/limits.ts';
import { DeadEnd, pages, refusesWindow } from '../../api/pages.ts';
import { at, formatApiTime, parseApiTime } from '../../api/time.ts';
import { DAY, MINUTE, SECOND } from '../../base/units.ts';
import type { ScreenerError } from '../../errors.ts';
import { isFinal, type Observations, observed } from '../store/final.ts';
import { createdAt, monthOf, type StoredCard } from '../store/layout.ts';
import type { Coverage, Gap } from '../store/manifest.ts';
import type { Session } from './session.ts';
import {
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

const NEWEST = 30 * DAY;

/** Windows for a service that refuses longer ones; each stays below whole days when the service rounds it. */
const WIDTHS = [30 * DAY - 5 * MINUTE, 7 * DAY - 5 * MINUTE] as const;

const SILENCE = 89 * DAY;

/** Allows for a service that rounds the bounds of a window to the minute. */
const ROUNDING = MINUTE;

/** Allows for a card that is listed a moment after its `created_at`. */
const PUNCTUAL = 10 * MINUTE;

/** Gaps at single moments of which more than a page of cards is listed, in one run. */
const MOST_CROWDED = 2;

/** Without an end before the service has said what time it is. */
type Window = Pick<Span, 'since'> & { readonly until: number | undefined };

/** How a walk over a window ended. */
type WalkEnd =
  /** Read to its null cursor, or as far as it may wait. */
  | { readonly kind: 'read' }
  /** The budget, or the run's limit of pages, ended it. */
  | { readonly kind: 'limit' }
  /** The service refused the window itself (422). */
  | { readonly kind: 'refused'; readonly error: ScreenerError }
  /** The service's own window lies wholly after the one that was asked for. */
  | { readonly kind: 'cut' }
  /** A cursor was refused, or pages led nowhere; all from `reached` on is here, if pages came newest first. */
  | {
      readonly kind: 'stuck';
      readonly error: ScreenerError;
      readonly reached: number;
      readonly isSorted: boolean;
      /** Whether the walk went on without the cursor, and was refused that window, too. */
      readonly isRestRefused: boolean;
    };

/** A window that a walk asked for last, and was refused. */
interface RefusedRest extends Span {
  readonly error: ScreenerError;
}

export class Listing {
  pages = 0;
  /** Cards that do not match the API document: they are not kept. */
  badCards = 0;
  /** When the list is worth reading, epoch milliseconds UTC, if this run leaves it. */
  nextAt: number | undefined;
  /** Why parts of the list are missing that the service had to give. */
  failure: ScreenerError | undefined;
  readonly #session: Session;
  #cards = 0;
  /** Of the longest window to ask for, milliseconds. */
  #width = Number.POSITIVE_INFINITY;
  /** Gaps of earlier runs that this run asks for again. */
  #gapsAskedAgain: readonly Gap[] = [];
  /** `until` of this run's first page, epoch milliseconds UTC: newer cards are left to the next run. */
  #servedUntil: number | undefined;
  /** The oldest card that this run has seen, epoch milliseconds UTC. */
  #oldest = Number.POSITIVE_INFINITY;
  /** Up to when the list was here before a look back, epoch milliseconds UTC. */
  #coveredUntil = Number.NEGATIVE_INFINITY;
  #crowded = 0;

  constructor(session: Session) {
    this.#session = session;
  }

  get #coverage(): Coverage {
    return this.#session.history.manifest;
  }

  /** The newest part of the list that is still to be read. */
  get hole(): Span | undefined {
    return newestHole(this.#coverage, this.#session.options.since);
  }

  get isDone(): boolean {
    const { spans, gaps } = this.#coverage;
    return spans.length > 0 && gaps.length === 0 && this.hole === undefined;
  }

  /** Cards before this are missing, epoch milliseconds UTC; undefined if none are behind all that is listed. */
  get missingBefore(): number | undefined {
    return (this.hole ?? lastGap(this.#coverage))?.until;
  }

  /** @returns false if the budget ended it @throws ScreenerError if the service does not list cards now */
  async bringUpToDate(): Promise<boolean> {
    const now = this.#session.client.now();
    await this.#forgetFuture(now);
    const before = this.#coverage;
    const due = lookBack(before.look, now);
    const recent = { since: due?.since ?? now, until: Number.POSITIVE_INFINITY };
    this.#gapsAskedAgain = dueGaps(before.gaps, now, recent);
    if (due !== undefined) this.#coveredUntil = parseApiTime(before.spans[0]?.until ?? '') ?? 0;
    if (due !== undefined || this.#gapsAskedAgain.length > 0) {
      const toRead = spansOf(this.#gapsAskedAgain);
      if (due !== undefined) toRead.push(recent);
      const spans = toRead.reduce(without, before.spans);
      const gaps = before.gaps.filter((gap) => !this.#gapsAskedAgain.includes(gap));
      // A run that is killed from here on leaves holes, and no word of how often they were refused: the next run asks at
      // once, and counts the two UTC days of a beginning anew. That may cost a credit, and loses no card.
      await this.#save([], { spans, gaps, look: due?.look ?? before.look });
    }
    const oldest = spansOf(before.spans).at(-1)?.since ?? Number.POSITIVE_INFINITY;
    return this.fillHoles({ stopAt: Math.min(oldest, now - NEWEST) });
  }

  /** Where the list was taken to reach beyond now, a clock was wrong: it is here up to its newest card. */
  async #forgetFuture(now: number): Promise<void> {
    const { manifest, months } = this.#session.history;
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
   * @param limits what is older than `stopAt` can wait
   * @returns false if the budget, or `most` pages, ended it
   * @throws ScreenerError if the service does not list cards now: what is here stays, the rest is asked for again
   */
  async fillHoles({ stopAt = 0, most = Number.POSITIVE_INFINITY }): Promise<boolean> {
    const pageLimit = this.pages + most;
    const start = this.hole?.until ?? 0;
    let rest: RefusedRest | undefined;
    for (;;) {
      const window = this.#nextWindow();
      if (window === undefined) return true;
      if (window.until !== undefined && window.until <= stopAt) return true;
      // To ask for it again at once may cost a credit, and the answer would be the same.
      const isRefused = window.since === rest?.since && window.until === rest.until;
      const end: WalkEnd =
        rest !== undefined && isRefused
          ? { kind: 'refused', error: rest.error }
          : await this.#walkWindow(window, stopAt, pageLimit);
      rest = refusedRest(window, end);
      if (end.kind === 'limit') return false;
      if (end.kind === 'refused' && !this.#askShorterWindow(window, end.error))
        await this.#passOverRefused(window, end.error);
      if (end.kind === 'cut') await this.#passOverRefused(window);
      if (end.kind === 'stuck') await this.#passOverStuck(window, end);
      if (end.kind === 'read') await this.#endSilence(start);
    }
  }

  /** First what is new, to `until` of this run's first page; then the newest hole. */
  #nextWindow(): Window | undefined {
    const [newest] = spansOf(this.#coverage.spans);
    const until = this.#servedUntil;
    const since = newest?.until ?? goalOf(this.#coverage, this.#session.options.since);
    const window = until === undefined || since < until ? { since, until } : this.hole;
    if (window === undefined) return undefined;
    const end = window.until ?? this.#session.client.now();
    return { since: Math.max(window.since, end - this.#width), until: window.until };
  }

  /** @returns false if the service refuses the shortest window, too */
  #askShorterWindow(refused: Window, error: ScreenerError): boolean {
    const { client, notes } = this.#session;
    const length = (refused.until ?? client.now()) - refused.since;
    const width = WIDTHS.find((shorter) => shorter < this.#width && shorter < length);
    if (width === undefined) return false;
    notes.debug(`${error.message} Asking for ${Math.round(width / DAY)} days at a time.`);
    this.#width = width;
    return true;
  }

  /** @param error undefined where the service cut all of it off @throws the error, if nothing at all is listed */
  async #passOverRefused(window: Window, error?: ScreenerError): Promise<void> {
    const until = window.until ?? this.#servedUntil;
    if (until === undefined) throw error;
    if (this.#isBehindAll(until)) await this.#beginListHere(until);
    else await this.#recordGap({ since: window.since, until });
  }

  #isBehindAll(until: number): boolean {
    const oldest = spansOf(this.#coverage.spans).at(-1);
    return oldest !== undefined && oldest.since >= until;
  }

  /**
   * The list begins at `until`, once that was found on two UTC days. Until then what lies before is a gap.
   * @param until epoch milliseconds UTC, as `emptyUntil`: where the listed cards end, if windows before it are empty
   */
  async #beginListHere(until: number, emptyUntil = until): Promise<void> {
    const { client, notes, options } = this.#session;
    const before = this.#gapsAskedAgain.find((gap) => at(gap.until) === emptyUntil);
    const begin = observed(before?.begin, client.now());
    if (!isFinal('list_begins_here', begin)) return this.#leaveRest(emptyUntil, begin);
    const begins_at = formatApiTime(until);
    notes.note(`The service lists nothing before ${begins_at}.`);
    const begins_since = formatApiTime(Math.min(options.since ?? until, until));
    await this.#save([], { begins_at, begins_since });
  }

  /** All before `until` is one gap: this run asks for none of it. */
  async #leaveRest(until: number, begin?: Observations): Promise<void> {
    const { spans, gaps } = this.#coverage;
    const goal = goalOf(this.#coverage, this.#session.options.since);
    const rest = { since: Math.min(goal, until), until };
    await this.#save([], {
      spans: without(spans, rest),
      gaps: [...gaps, this.#gapOf(rest, begin)],
    });
  }

  /** What the service did not give is asked for again by later runs; this one goes on behind it. */
  async #recordGap(lack: Span): Promise<void> {
    await this.#save([], {
      gaps: this.#withGap(lack),
      spans: withSpan(this.#coverage.spans, lack),
    });
  }

  async #passOverStuck(
    window: Window,
    { error, reached, isSorted }: Extract<WalkEnd, { kind: 'stuck' }>,
  ): Promise<void> {
    if (error instanceof DeadEnd) {
      this.failure ??= error;
      return this.#passOver({ since: window.since, until: reached });
    }
    if (!isSorted) {
      if (!this.#askShorterWindow(window, error)) await this.#passOverRefused(window, error);
      return;
    }
    const until = window.until ?? this.#servedUntil ?? reached;
    // A page of its own may lead on from there.
    if (reached < until) return;
    // More cards of one moment than a page holds.
    this.#crowded += 1;
    if (this.#crowded > MOST_CROWDED) return this.#passOver({ since: window.since, until });
    await this.#recordGap({ since: Math.max(window.since, until - ROUNDING - SECOND), until });
  }

  async #passOver(lack: Span): Promise<void> {
    if (this.#isBehindAll(lack.until)) await this.#leaveRest(lack.until);
    else await this.#recordGap(lack);
  }

  /** Where the service gives a window at a time, the list ends somewhere: 89 days without a card are its beginning. */
  async #endSilence(start: number): Promise<void> {
    const rest = this.hole;
    if (rest === undefined || rest.since > 0) return;
    const end = Math.min(start, this.#oldest);
    if (end - rest.until >= SILENCE) await this.#beginListHere(rest.until, end);
  }

  /** One entry for what a page, or a window, lacks: each is asked for again by itself. */
  #withGap(lack: Span): Gap[] {
    const apart = this.#coverage.gaps.filter(
      (gap) => at(gap.since) < lack.since || at(gap.until) > lack.until,
    );
    return [...apart, this.#gapOf(lack)];
  }

  #gapOf(lack: Span, begin?: Observations): Gap {
    const earlier = this.#gapsAskedAgain
      .filter((gap) => overlaps(gap, lack))
      .map((gap) => gap.times);
    return {
      since: formatApiTime(lack.since),
      until: formatApiTime(lack.until),
      times: 1 + Math.max(0, ...earlier),
      at: formatApiTime(this.#session.client.now()),
      ...(begin !== undefined && { begin }),
    };
  }

  /** Counts pages in another order than newest first only once the last is in. @throws ScreenerError of the client */
  async #walkWindow(window: Window, stopAt: number, pageLimit: number): Promise<WalkEnd> {
    const { client, account, bar } = this.#session;
    const { since } = window;
    let { until } = window;
    const before = this.#coverage.spans;
    const from = {
      since: formatApiTime(Math.max(0, since - ROUNDING)),
      until:
        until === undefined
          ? undefined
          : formatApiTime(Math.min(until + ROUNDING, this.#servedUntil ?? until)),
    };
    let reached = Number.POSITIVE_INFINITY;
    let isSorted = true;
    let hasNewCards = false;
    const isOver = () => reached <= stopAt || account.left().credits < 1 || this.pages >= pageLimit;
    const wanted = () => (isOver() ? 0 : LIMITS.cardsPerPage);
    bar.show('Cards', this.#cards);
    try {
      for await (const { page, place, ended, bad } of pages(client, { from, wanted })) {
        this.pages += 1;
        // The end of a page may lie beyond now.
        this.#servedUntil ??= Math.min(at(page.until), client.now());
        until ??= this.#servedUntil;
        const isCut = ended && at(page.since) > since;
        isSorted = place.sorted !== false;
        hasNewCards = page.items.length > 0;
        const oldest = isSorted ? place.oldest : undefined;
        reached = Math.min(until, Math.max(since, ended ? at(page.since) : (oldest ?? until)));
        const lack = bad && lackOf(bad, page, { since, until });
        const gaps = lack ? this.#withGap(lack) : this.#coverage.gaps;
        await this.#save(page.items, { spans: withSpan(before, { since: reached, until }), gaps });
        this.failure ??= bad;
        this.badCards += bad?.texts.length ?? 0;
        bar.show('Cards', this.#cards);
        if (isCut && reached >= until) return { kind: 'cut' };
        const isLong = until - since > WIDTHS[0];
        if (isCut || !isSorted) this.#width = Math.min(this.#width, WIDTHS[0]);
        if (ended || (isLong && !isSorted)) return { kind: 'read' };
      }
    } catch (error) {
      if (!refusesWindow(error)) throw error;
      if (!Number.isFinite(reached)) return { kind: 'refused', error };
      // After a page with new cards, a walk whose cursor is refused goes on without it first.
      return { kind: 'stuck', error, reached, isSorted, isRestRefused: hasNewCards };
    }
    return { kind: reached <= stopAt ? 'read' : 'limit' };
  }

  async #save(items: readonly StoredCard[], changes: Partial<Coverage>): Promise<void> {
    const { history } = this.#session;
    let { look } = { ...this.#coverage, ...changes };
    for (const card of items) {
      const by = this.#coveredUntil - createdAt(card);
      const { cards } = await history.months.open(monthOf(createdAt(card)));
      if (look === null || by <= PUNCTUAL || cards.has(card.id)) continue;
      look = { ...look, late_at: look.at, late_by: Math.max(look.late_by, by) };
    }
    await history.savePage(items, { ...changes, look });
    this.#cards += items.length;
    this.#oldest = Math.min(this.#oldest, ...items.map(createdAt));
  }
}

/** What of a window a walk asked for without its cursor, and was refused. */
function refusedRest({ since }: Window, end: WalkEnd): RefusedRest | undefined {
  if (end.kind !== 'stuck' || !end.isRestRefused || end.error instanceof DeadEnd) return undefined;
  return { since, until: end.reached, error: end.error };
}

/** From the first to the last bad card of a page: one without a time of the window may lie anywhere in it. */
function lackOf(
  bad: BadCards,
  { items, since, until }: SignalPage,
  window: Span,
): Span | undefined {
  const ofPage = items.length === 0 ? [at(since), at(until)] : items.map(createdAt);
  const isWithin = (time: number) => time >= window.since && time <= window.until;
  const times = bad.times.flatMap((time) => (time !== undefined && isWithin(time) ? time : ofPage));
  const lack = { since: Math.min(...times), until: Math.max(...times) + SECOND };
  const within = {
    since: Math.max(lack.since, window.since),
    until: Math.min(lack.until, window.until),
  };
  return within.since < within.until ? within : undefined;
}
