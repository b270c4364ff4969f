/**
 * What one run has received of the list, and what it writes down of it:
 *
 * - cards;
 * - spans: parts of the list that need no reading now. Most of them were read;
 * - gaps: parts that were asked for, and that the service did not give. They are asked for again later;
 * - where the list begins.
 *
 * A part that lies in no span is unread. It is not written down: it is what the spans leave (`newestUnread` in `spans.ts`).
 */

import type { BadCards } from '../../api/bad-cards.ts';
import type { SignalPage } from '../../api/contract/resources.ts';
import type { ListedPage } from '../../api/pages.ts';
import { at, formatApiTime } from '../../api/time.ts';
import { SECOND } from '../../base/units.ts';
import type { ScreenerError } from '../../errors.ts';
import { isFinal, withObservation } from '../store/final.ts';
import { createdAt, type StoredCard } from '../store/layout.ts';
import type { Coverage, Gap } from '../store/manifest.ts';
import type { ExportRun } from './export-run.ts';
import { type LookAgain, largestLateness, lookOfRun } from './look-back.ts';
import {
  dueGaps,
  gapsFrom,
  goalOf,
  newestUnread,
  olderParts,
  overlaps,
  type Part,
  partsFrom,
  partsOf,
  wantedFrom,
  withoutPart,
  withPart,
} from './spans.ts';

/** The field of a gap that says what the service's answers showed: that the list may begin after it. */
type GapMarks = Pick<Gap, 'begin'>;

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

  /** The newest part of the list that is still to be read; undefined if all is read that is wanted. */
  get unread(): Part | undefined {
    return newestUnread(this.coverage, this.#run.options.since);
  }

  /** How far back this run wants the list, epoch milliseconds UTC. */
  get wantedFrom(): number {
    return wantedFrom(this.coverage, this.#run.options.since);
  }

  /** How far back this run reads the list, epoch milliseconds UTC. */
  get goal(): number {
    return goalOf(this.coverage, this.#run.options.since);
  }

  /** Whether a part that ends at `until` is older than all spans. */
  isOlderThanSpans(until: number): boolean {
    const oldest = partsOf(this.coverage.spans).at(-1);
    return oldest !== undefined && oldest.since >= until;
  }

  /** Takes parts out of the spans that are read a second time: those of a look back, and the gaps that are due. */
  async uncoverDue(now: number): Promise<void> {
    const { gaps, look, spans } = this.coverage;
    const lookDue = lookOfRun(this.#run.history.manifest, now);
    // Without a look back the range begins now, and no gap lies in it.
    const rangeOfLook = { since: lookDue?.since ?? now, until: Number.POSITIVE_INFINITY };
    this.#gapsAskedAgain = dueGaps(gaps, now, { recent: rangeOfLook, from: this.wantedFrom });
    // This run asks for nothing older than this time. If --since is 1 Feb, and a gap is 1 Jan to 1 Mar, this run asks for February.
    // January stays a gap, and keeps its count. A run with an older --since asks for it.
    const readFrom = Math.min(this.wantedFrom, rangeOfLook.since);
    const toRead = partsFrom(partsOf(this.#gapsAskedAgain), readFrom);
    const gapsNotDue = gaps.filter((gap) => !this.#gapsAskedAgain.includes(gap));
    if (lookDue !== undefined) {
      const coveredUntil = partsOf(spans)[0]?.until ?? 0;
      this.#lookAgain = { since: lookDue.since, coveredUntil };
      toRead.push(rangeOfLook);
    }
    if (toRead.length === 0) return;
    // If the run is killed after this, the next run finds the parts unread, without a count of refusals. It asks for them at once,
    // and counts from 1: that costs one credit more, but no card.
    await this.#save([], {
      spans: toRead.reduce(withoutPart, spans),
      gaps: [...gapsNotDue, ...olderParts(this.#gapsAskedAgain, readFrom)],
      look: lookDue?.look ?? look,
    });
  }

  /** If the spans reach beyond now, a clock was wrong. The spans then end at the newest card that the history has. */
  async forgetFuture(now: number): Promise<void> {
    const { spans } = this.coverage;
    const until = partsOf(spans)[0]?.until;
    if (until === undefined || until <= now) return;
    const newest = await this.#newestCardAt(until);
    const future = { since: Math.min(newest ?? now, now), until: Number.POSITIVE_INFINITY };
    await this.#save([], { spans: withoutPart(spans, future) });
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
   * @param window what the walk asks for
   * @param spans the spans with what the walk has read by now
   */
  async savePage(
    { page, bad }: Pick<ListedPage, 'page' | 'bad'>,
    window: Part,
    spans: Coverage['spans'],
  ): Promise<void> {
    this.pages += 1;
    const badPart = bad === undefined ? undefined : partOfBadCards(bad, page, window);
    const gaps = badPart === undefined ? this.coverage.gaps : this.#withGap(badPart);
    await this.#save(page.items, { spans, gaps });
    if (bad === undefined) return;
    this.failure ??= bad;
    this.badCards += bad.texts.length;
  }

  /** Makes a gap of a part, for later runs to ask for. The gap counts as part of a span, so that this run reads on behind it. */
  async recordGap(part: Part, marks: GapMarks = {}): Promise<void> {
    await this.#save([], {
      gaps: this.#withGap(part, marks),
      spans: withPart(this.coverage.spans, part),
    });
  }

  /**
   * Makes one gap of all that is older than `until`. It goes back to where this run would have read, and takes in the gaps that are
   * older than `until`: there is one gap before all spans, not two. This run asks for no part of the new gap.
   *
   * An example. An earlier gap is 1 Jan to 1 Mar, and --since is 1 Feb. This run asked for February, and in vain. The new gap begins
   * on 1 Jan, not on 1 Feb.
   */
  async recordGapBefore(until: number, marks: GapMarks = {}): Promise<void> {
    const { spans, gaps } = this.coverage;
    const olderGaps = partsOf(gaps).filter((gap) => gap.until <= until);
    const beginningsOfGaps = olderGaps.map((gap) => gap.since);
    const since = Math.min(this.goal, until, ...beginningsOfGaps);
    const older = { since, until };
    await this.#save([], { spans: withoutPart(spans, older), gaps: this.#withGap(older, marks) });
  }

  /**
   * Writes down where the list begins, once two UTC days have shown it. On the first of these days, everything older becomes a
   * gap. A later run asks for the gap again. If the service again does not give it, the second day has shown the beginning.
   * @param beginsAt epoch milliseconds UTC
   * @param oldestListed from where on the list has cards, epoch milliseconds UTC. It is later than `beginsAt` if the windows
   *   between the two had no card.
   */
  async recordBeginning(beginsAt: number, oldestListed = beginsAt): Promise<void> {
    const { client, notes, options } = this.#run;
    const gap = this.#gapsAskedAgain.find(({ until }) => at(until) === oldestListed);
    const observations = withObservation(gap?.begin, client.now());
    if (!isFinal(observations)) return this.recordGapBefore(oldestListed, { begin: observations });
    const begins_at = formatApiTime(beginsAt);
    notes.note(`The service lists nothing before ${begins_at}.`);
    // The --since with which this beginning was found. A run with an older --since asks again.
    const begins_since = formatApiTime(Math.min(options.since ?? beginsAt, beginsAt));
    // What is older than the beginning is no gap any more. Only a run with an older --since finds it unread.
    const gaps = gapsFrom(this.coverage.gaps, beginsAt);
    await this.#save([], { begins_at, begins_since, gaps });
  }

  /** The gaps, and one more. Older gaps that lie within the new one are left out, so that no part is asked for twice. */
  #withGap(part: Part, marks: GapMarks = {}): Gap[] {
    const notWithin = this.coverage.gaps.filter(
      (gap) => at(gap.since) < part.since || at(gap.until) > part.until,
    );
    return [...notWithin, this.#gapOf(part, marks)];
  }

  /**
   * A part as a gap. `times` counts how often it was asked for. If this run asked again for gaps of earlier runs that overlap the
   * part, their count goes on.
   */
  #gapOf(part: Part, marks: GapMarks): Gap {
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

  /** Saves cards and changes of the coverage. If some of the cards are late, the coverage keeps how late they were at most. */
  async #save(items: readonly StoredCard[], changes: Partial<Coverage>): Promise<void> {
    let { look } = { ...this.coverage, ...changes };
    const lateBy = await this.#largestLateness(items);
    if (look !== null && lateBy !== undefined)
      look = { ...look, late_at: look.at, late_by: Math.max(look.late_by, lateBy) };
    await this.#run.history.savePage(items, { ...changes, look });
    this.cards += items.length;
    this.oldestCardAt = Math.min(this.oldestCardAt, ...items.map(createdAt));
  }

  /** By how much the latest of these cards was recorded late, milliseconds. Undefined if none was, or without a look back. */
  async #largestLateness(items: readonly StoredCard[]): Promise<number | undefined> {
    if (this.#lookAgain === undefined) return undefined;
    return largestLateness(items, this.#lookAgain, this.#run.history.months);
  }
}

/** The part of a window from the first to the last bad card of a page. Undefined if no bad card lies in the window. */
function partOfBadCards(
  bad: BadCards,
  { items, since, until }: SignalPage,
  window: Part,
): Part | undefined {
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
