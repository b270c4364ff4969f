/**
 * What one run has received of the list, and what it writes down of it:
 *
 * - cards;
 * - spans: parts of the list that were read;
 * - gaps: parts that were asked for, and that the service did not give. They are asked for again later;
 * - where the list begins.
 *
 * What lies in no span is unread. It is not written down: it is what the spans leave. A gap that waits is unread, but not to be read
 * (`newestToRead` in `spans.ts`).
 */

import type { SignalPage } from '../../api/contract/resources.ts';
import type { ListedPage } from '../../api/pages.ts';
import { at, formatApiTime } from '../../api/time.ts';
import type { ScreenerError } from '../../errors.ts';
import { isFinal, type Observations, withObservation } from '../store/final.ts';
import { createdAt, monthOf, monthPath, type StoredCard } from '../store/layout.ts';
import { type Coverage, type Gap, listedUntil } from '../store/manifest.ts';
import type { ExportRun } from './export-run.ts';
import { type LookAgain, largestLateness, lookOfRun } from './look-back.ts';
import {
  dueGaps,
  gapsSince,
  gapsWithout,
  newestToRead,
  overlaps,
  type Part,
  partOf,
  partsOf,
  wantedSince,
  withoutPart,
  withPart,
} from './spans.ts';

export class ListRecord {
  /** Pages that were received. */
  pages = 0;
  /** Cards that were received. */
  cards = 0;
  /** Cards that do not match the API document: they are not kept. */
  badCards = 0;
  /** When the oldest card that this run has received was created, epoch milliseconds UTC. Infinity before the first card. */
  oldestCardAt = Number.POSITIVE_INFINITY;
  /** Why the service did not give a part of the list that it should have given. Undefined if it gave all. */
  failure: ScreenerError | undefined;
  /**
   * Where this run's list ends: newer cards are left to the next run. It is `until` of the first page, or now if that is earlier.
   * Epoch milliseconds UTC.
   */
  servedUntil: number | undefined;
  readonly #run: ExportRun;
  /** Gaps of earlier runs that this run asks for again. */
  #gapsAskedAgain: readonly Gap[] = [];
  /** This run's look back; undefined if it does not look back. */
  #lookAgain: LookAgain | undefined;

  constructor(run: ExportRun) {
    this.#run = run;
  }

  get coverage(): Coverage {
    return this.#run.history.manifest;
  }

  /** The gaps that this run does not ask for: they are not due, or it has asked for them in vain. */
  get waitingGaps(): Gap[] {
    return this.coverage.gaps.filter((gap) => !this.#isAskedAgain(gap));
  }

  /** Whether this run asks for a gap again, and has not done so in vain. */
  #isAskedAgain(gap: Gap): boolean {
    return this.#gapsAskedAgain.some(
      (asked) => asked.times === gap.times && overlaps(asked, partOf(gap)),
    );
  }

  /** The newest part of the list that is still to be read; undefined if all is read that is wanted. */
  get toRead(): Part | undefined {
    return newestToRead({ ...this.coverage, gaps: this.waitingGaps }, this.#run.options.since);
  }

  /** From when on all is new to this run, epoch milliseconds UTC. */
  get newSince(): number {
    const [newest] = partsOf(this.coverage.spans);
    const ends = partsOf(this.waitingGaps).map(({ until }) => until);
    return Math.max(newest?.until ?? this.wantedSince, ...ends);
  }

  /** How far back this run wants the list, epoch milliseconds UTC. */
  get wantedSince(): number {
    return wantedSince(this.coverage, this.#run.options.since);
  }

  /** Whether nothing was read before `until`, and the list is known from there on: by a span, or by a gap that waits. */
  isOlderThanSpans(until: number): boolean {
    const spans = partsOf(this.coverage.spans);
    const known = [...spans, ...partsOf(this.waitingGaps)];
    return known.some(({ since }) => since >= until) && spans.every(({ since }) => since >= until);
  }

  /** Chooses the gaps that this run asks for again. If a look back is due, takes its part out of the spans. */
  async beginReading(now: number): Promise<void> {
    const { gaps, spans } = this.coverage;
    const lookDue = lookOfRun(this.#run.history.manifest, now);
    // Without a look back the range begins now, and no gap lies in it.
    const rangeOfLook = { since: lookDue?.since ?? now, until: Number.POSITIVE_INFINITY };
    this.#gapsAskedAgain = dueGaps(gaps, now, { recent: rangeOfLook, since: this.wantedSince });
    if (lookDue === undefined) return;
    this.#lookAgain = { since: lookDue.since, coveredUntil: partsOf(spans)[0]?.until ?? 0 };
    await this.#save([], { spans: withoutPart(spans, rangeOfLook), look: lookDue.look });
  }

  /** If spans or gaps reach beyond now, a clock was wrong. They then end at the newest card that the history has. */
  async forgetFuture(now: number): Promise<void> {
    const { spans, gaps } = this.coverage;
    const until = listedUntil({ spans, gaps }, Number.POSITIVE_INFINITY);
    if (until === undefined || until <= now) return;
    const newest = await this.#newestCardAt(until);
    const future = { since: Math.min(newest ?? now, now), until: Number.POSITIVE_INFINITY };
    await this.#save([], { spans: withoutPart(spans, future), gaps: gapsWithout(gaps, future) });
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

  /** Takes from the first page of the run where its list ends. */
  noteServedUntil({ until }: SignalPage): number {
    // A service may send a page that ends after now.
    this.servedUntil ??= Math.min(at(until), this.#run.client.now());
    return this.servedUntil;
  }

  /**
   * Saves a page of a walk.
   * @param spans the spans with what the walk has read by now
   * @param badPart where bad cards may lie; undefined if there are none, or if that is not known yet
   */
  async savePage(
    { page, bad }: Pick<ListedPage, 'page' | 'bad'>,
    spans: Coverage['spans'],
    badPart: Part | undefined,
  ): Promise<void> {
    this.pages += 1;
    const gaps = badPart === undefined ? this.coverage.gaps : this.#withGap(badPart);
    await this.#save(page.items, { spans, gaps });
    if (bad === undefined) return;
    this.failure ??= bad;
    this.badCards += bad.texts.length;
  }

  /** Makes a gap of a part, for later runs to ask for. This run reads on behind it. */
  async recordGap(part: Part): Promise<void> {
    await this.#save([], { gaps: this.#withGap(part) });
  }

  /**
   * Makes one gap of all that is older than `until`. It goes back to where this run would have read, and takes in the gaps that are
   * older than `until`: there is one gap before all spans, not two. This run asks for no part of the new gap.
   *
   * An example. An earlier gap is 1 Jan to 1 Mar, and --since is 1 Feb. This run asked for February, and in vain. The new gap begins
   * on 1 Jan, not on 1 Feb.
   * @param begin when runs saw the list begin at `until`; undefined if nothing shows that it does
   */
  async recordGapBefore(until: number, begin?: Observations): Promise<void> {
    const olderGaps = partsOf(this.coverage.gaps).filter((gap) => gap.until <= until);
    const beginningsOfGaps = olderGaps.map((gap) => gap.since);
    const since = Math.min(this.wantedSince, until, ...beginningsOfGaps);
    await this.#save([], { gaps: this.#withGap({ since, until }, begin) });
  }

  /**
   * Writes down where the list begins, once two UTC days have shown it. On the first of these days, everything older becomes a
   * gap. A later run asks for the gap again. If the service again does not give it, the second day has shown the beginning.
   * @param beginsAt epoch milliseconds UTC
   * @param oldestListed from where on the list has cards, epoch milliseconds UTC. It is later than `beginsAt` if the windows
   *   between the two had no card.
   */
  async recordBeginning(beginsAt: number, oldestListed = beginsAt): Promise<void> {
    const { notes, options } = this.#run;
    const observations = this.#observeBeginning(oldestListed);
    if (!isFinal(observations)) return this.recordGapBefore(oldestListed, observations);
    const begins_at = formatApiTime(beginsAt);
    notes.note(`The service lists nothing before ${begins_at}.`);
    // The --since with which this beginning was found. A run with an older --since asks again.
    const begins_since = formatApiTime(Math.min(options.since ?? beginsAt, beginsAt));
    // What is older than the beginning is no gap any more. Only a run with an older --since finds it unread.
    const gaps = gapsSince(this.coverage.gaps, beginsAt);
    await this.#save([], { begins_at, begins_since, gaps });
  }

  /**
   * Writes down that the service refused a window that lies between spans. If the month file has lost cards there, and the service
   * lists nothing so old any more, their part of the list counts as read once two UTC days have shown it. Otherwise the window
   * becomes a gap.
   */
  async recordRefused(window: Part): Promise<void> {
    const { until } = window;
    const lostPart = this.#lostPartBefore(until);
    if (lostPart === undefined) {
      // Lost cards in the middle of the window are a gap of their own.
      const endsOfLost = partsOf(this.coverage.lost).map((part) => part.until);
      const olderEnds = endsOfLost.filter((end) => end < until);
      return this.recordGap({ since: Math.max(window.since, ...olderEnds), until });
    }
    const observations = this.#observeBeginning(until);
    const gaps = this.#withGap(lostPart, observations);
    if (!isFinal(observations)) return this.#save([], { gaps });
    const { history, notes } = this.#run;
    const path = monthPath(history.directory, monthOf(lostPart.since));
    const from = formatApiTime(lostPart.since);
    notes.warn(
      `The service no longer lists the lost cards from ${from} to ${formatApiTime(until)}. They stay lost unless you append a backup to ${path}.`,
    );
    await this.#save([], { spans: withPart(this.coverage.spans, lostPart) });
  }

  /** The unread part that ends at `until`, as far back as a month file has lost cards; undefined if it has lost none there. */
  #lostPartBefore(until: number): Part | undefined {
    const { toRead } = this;
    const lostParts = partsOf(this.coverage.lost);
    const lost = lostParts.find((part) => part.since < until && part.until >= until);
    if (lost === undefined || toRead?.until !== until) return undefined;
    return { since: Math.max(lost.since, toRead.since), until };
  }

  /** When runs saw the list begin at `until`: this run sees it, and perhaps an earlier one did. */
  #observeBeginning(until: number): Observations {
    const gap = this.#gapsAskedAgain.find((asked) => at(asked.until) === until);
    return withObservation(gap?.begin, this.#run.client.now());
  }

  /**
   * The gaps, and one more. `times` counts how often the part was asked for: if this run asked again for gaps of earlier runs that
   * overlap it, their count goes on.
   */
  #withGap(part: Part, begin?: Observations): Gap[] {
    const askedAgain = this.#gapsAskedAgain.filter((gap) => overlaps(gap, part));
    const timesBefore = askedAgain.map(({ times }) => times);
    const gap = {
      since: formatApiTime(part.since),
      until: formatApiTime(part.until),
      times: 1 + Math.max(0, ...timesBefore),
      at: formatApiTime(this.#run.client.now()),
    };
    const otherGaps = gapsWithout(this.coverage.gaps, part);
    return [...otherGaps, begin === undefined ? gap : { ...gap, begin }];
  }

  /**
   * Saves cards and changes of the coverage. What was read is no gap any more. A gap that this run has just found was not read,
   * though the pages around it were. If some of the cards are late, the coverage keeps how late they were at most.
   */
  async #save(items: readonly StoredCard[], changes: Partial<Coverage>): Promise<void> {
    let { spans, gaps, look } = { ...this.coverage, ...changes };
    const gapsNotRead = gaps.filter((gap) => !this.#isAskedAgain(gap));
    spans = partsOf(gapsNotRead).reduce(withoutPart, spans);
    gaps = partsOf(spans).reduce(gapsWithout, gaps);
    const lateBy = await this.#largestLateness(items);
    if (look !== null && lateBy !== undefined)
      look = { ...look, late_at: look.at, late_by: Math.max(look.late_by, lateBy) };
    await this.#run.history.savePage(items, { ...changes, spans, gaps, look });
    this.cards += items.length;
    this.oldestCardAt = Math.min(this.oldestCardAt, ...items.map(createdAt));
  }

  /** By how much the latest of these cards was recorded late, milliseconds. Undefined if none was, or without a look back. */
  async #largestLateness(items: readonly StoredCard[]): Promise<number | undefined> {
    if (this.#lookAgain === undefined) return undefined;
    return largestLateness(items, this.#lookAgain, this.#run.history.months);
  }
}
