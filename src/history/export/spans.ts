/**
 * Parts of the list. Pure. Times are epoch milliseconds UTC, except in the manifest, which stores API times.
 *
 * - A span is a part that needs no reading now: it was read, or given up until a later run.
 * - A hole is a part that lies in no span: between two spans, or before the oldest. A run reads it. If the run fails (404, 500,
 *   no network) or has no credits, the hole stays.
 * - A gap is a part that was asked for, and that the service did not give: a window that it refused (422), cut off or left
 *   empty, a moment with more cards than a page holds, pages that led nowhere, or bad cards. A gap lies inside a span, or is
 *   older than all spans. When its turn has come, it is taken out of the spans. It is then a hole, and a run reads it.
 */

import { at, formatApiTime } from '../../api/time.ts';
import { DAY, HOUR, utcDay } from '../../base/units.ts';
import { waitBeforeTrying } from '../../base/waits.ts';
import { secondLookFrom } from '../store/final.ts';
import type { Coverage, Gap, LookBack, StoredSpan } from '../store/manifest.ts';

/** Epoch milliseconds UTC. */
export interface Span {
  readonly since: number;
  readonly until: number;
}

export function spansOf(stored: readonly StoredSpan[]): Span[] {
  return stored.map(({ since, until }) => ({ since: at(since), until: at(until) }));
}

export function storedSpans(spans: readonly Span[]): StoredSpan[] {
  return spans.map(({ since, until }) => ({
    since: formatApiTime(since),
    until: formatApiTime(until),
  }));
}

/** The spans with one more, which is joined with the spans that it touches. Newest first, as they are stored. */
export function withSpan(stored: readonly StoredSpan[], added: Span): StoredSpan[] {
  if (isEmpty(added)) return [...stored];
  const spans = spansOf(stored);
  const isApart = ({ since, until }: Span) => until < added.since || since > added.until;
  const touching = spans.filter((span) => !isApart(span));
  const joined = {
    since: Math.min(added.since, ...touching.map(({ since }) => since)),
    until: Math.max(added.until, ...touching.map(({ until }) => until)),
  };
  const newestFirst = [...spans.filter(isApart), joined].sort((a, b) => b.until - a.until);
  return storedSpans(newestFirst);
}

/**
 * The spans without a part of the list. A span with the part in its middle becomes two: what is after the part, and what is
 * before.
 */
export function without(stored: readonly StoredSpan[], part: Span): StoredSpan[] {
  const rest: Span[] = [];
  for (const { since, until } of spansOf(stored)) {
    const after = { since: Math.max(since, part.until), until };
    const before = { since, until: Math.min(until, part.since) };
    if (!isEmpty(after)) rest.push(after);
    if (!isEmpty(before)) rest.push(before);
  }
  return storedSpans(rest);
}

/** The gaps without a part of the list. Only gaps that the service refused or cut off lose the part. Other gaps stay whole. */
export function gapsWithout(gaps: readonly Gap[], part: Span): Gap[] {
  const rest: Gap[] = [];
  for (const gap of gaps) {
    if (gap.unlisted !== true) {
      rest.push(gap);
      continue;
    }
    for (const outside of without([gap], part)) rest.push({ ...gap, ...outside });
  }
  return rest;
}

/** The parts without what lies in gaps. */
export function outsideGaps(parts: readonly Span[], gaps: readonly Gap[]): Span[] {
  const outside = spansOf(gaps).reduce(without, storedSpans(parts));
  return spansOf(outside);
}

/** Whether the service has answered about all of a part: it is read, a gap, or before the beginning of the list. */
export function isListAnswered(part: Span, { spans, gaps, begins_at }: Coverage): boolean {
  const answered = [...spansOf(spans), ...spansOf(gaps)];
  if (begins_at !== null) answered.push({ since: 0, until: at(begins_at) });
  const unanswered = answered.reduce(without, storedSpans([part]));
  return unanswered.length === 0;
}

/** The parts without what is older than `since`. @param since epoch milliseconds UTC; undefined if nothing is too old */
export function partsFrom(parts: readonly Span[], since: number | undefined): Span[] {
  const wanted = parts.map((part) => ({ ...part, since: Math.max(part.since, since ?? 0) }));
  return wanted.filter((part) => !isEmpty(part));
}

function isEmpty({ since, until }: Span): boolean {
  return until <= since;
}

/**
 * How far back the list is wanted: to `since`, or to where the list begins.
 *
 * An example. A run with --since May found that the list begins in June. With --since May or later, the list is wanted back to June
 * at most. With --since April, it is wanted back to April.
 * @param since --since; undefined if it is not given
 * @returns epoch milliseconds UTC; 0 if nothing bounds it
 */
export function wantedFrom(
  { begins_at, begins_since }: Pick<Coverage, 'begins_at' | 'begins_since'>,
  since: number | undefined,
): number {
  const begin = begins_at === null ? 0 : at(begins_at);
  if (since === undefined) return begin;
  // If no run with a --since this old has found the beginning, the list may go on before it.
  const isBeginKnown = begins_since !== null && since >= at(begins_since);
  return isBeginKnown ? Math.max(since, begin) : since;
}

/**
 * How far back a run reads the list: as far as it is wanted, but no further than to the end of a gap that is older than all
 * spans. Such a gap is asked for again when its turn has come.
 * @returns epoch milliseconds UTC; 0 if nothing bounds it
 */
export function goalOf(coverage: Coverage, since: number | undefined): number {
  const gapEnd = gapBehindAll(coverage)?.until ?? 0;
  return Math.max(wantedFrom(coverage, since), gapEnd);
}

/** The gaps of which at least the newest piece lies in the wanted part of the list. @param from where that part begins */
export function gapsFrom(gaps: readonly Gap[], from: number): Gap[] {
  return gaps.filter(({ until }) => at(until) > from);
}

/**
 * What is left of gaps if all that is newer than a time is taken out of them. What is left ends at that time. It has no `begin`,
 * because no run has seen the list begin there.
 */
export function olderParts(gaps: readonly Gap[], time: number): Gap[] {
  const newer: Span = { since: time, until: Number.POSITIVE_INFINITY };
  const parts: Gap[] = [];
  for (const { begin: _ofWholeGap, ...gap } of gaps) {
    for (const older of without([gap], newer)) parts.push({ ...gap, ...older });
  }
  return parts;
}

/** The gap that is older than all spans; undefined if there is none. */
export function gapBehindAll({ spans, gaps }: Pick<Coverage, 'spans' | 'gaps'>): Span | undefined {
  const oldest = spansOf(spans).at(-1);
  if (oldest === undefined) return undefined;
  return spansOf(gaps).find((gap) => gap.until <= oldest.since);
}

/**
 * The newest hole that a run has to read.
 * @param since the oldest time that is wanted, epoch milliseconds UTC
 * @returns undefined if there is none back to there
 */
export function newestHole(coverage: Coverage, since: number | undefined): Span | undefined {
  const [newest, next] = spansOf(coverage.spans);
  const goal = goalOf(coverage, since);
  if (newest === undefined || newest.since <= goal) return undefined;
  const holeSince = next === undefined ? goal : Math.max(goal, next.until);
  return { since: holeSince, until: newest.since };
}

export function overlaps(stored: StoredSpan, { since, until }: Span): boolean {
  return at(stored.since) < until && at(stored.until) > since;
}

/** How many gaps one run asks for again, besides those in the part that its look back lists again. */
const MOST_OTHER_GAPS = 2;

/**
 * The gaps that a run asks for again: all gaps in `recent`, and two others whose turn has come, those that have waited longest.
 * @param range `recent`: the part that the look back of this run lists again. `from`: how far back the list is wanted. The run
 *   does not read what is older, and cannot ask for a gap there.
 */
export function dueGaps(
  gaps: readonly Gap[],
  now: number,
  { recent, from }: { readonly recent: Span; readonly from: number },
): Gap[] {
  const recentGaps = gaps.filter((gap) => overlaps(gap, recent));
  const otherGaps = gapsFrom(gaps, from).filter((gap) => !overlaps(gap, recent) && isDue(gap, now));
  const longestWaitFirst = otherGaps.sort((a, b) => at(a.at) - at(b.at));
  return [...recentGaps, ...longestWaitFirst.slice(0, MOST_OTHER_GAPS)];
}

function isDue(gap: Gap, now: number): boolean {
  // A wrong clock may have left a time after now.
  const lastTime = Math.min(now, at(gap.at));
  if (gap.begin !== undefined) {
    // The list seems to begin at this gap. Another refusal makes that sure only from this time on.
    return secondLookFrom('list_begins_here', at(gap.begin.first)) <= now;
  }
  return gap.times === 0 || lastTime + waitBeforeTrying(gap.times) <= now;
}

/** A look back begins 12 hours before the last look back: cards may be recorded that late. Milliseconds. */
const USUAL_LOOK = 12 * HOUR;

/** A look back begins 2 hours before the last one if no late card has come for `QUIET_TIME`. Milliseconds. */
const SHORT_LOOK = 2 * HOUR;

/** After this time without a late card, looks back are short. Milliseconds. */
const QUIET_TIME = 14 * DAY;

/** A look back: the newest part of the list is read a second time, to find cards that were recorded late. */
export interface DueLook {
  /** The list is read again from this time on, epoch milliseconds UTC. */
  readonly since: number;
  /** What the manifest keeps of the look. */
  readonly look: LookBack;
}

/**
 * The look back of this run: there is one each UTC day. An example: after a look on 5 May at 9:00, the next reads the list again
 * from 4 May at 21:00 on.
 * @param before the last look; null before the first one, which begins 12 hours before now
 * @returns undefined if none is due
 */
export function lookBack(before: LookBack | null, now: number): DueLook | undefined {
  const time = formatApiTime(now);
  const look = before ?? { at: time, back: USUAL_LOOK, late_at: time, late_by: 0 };
  const lastLook = at(look.at);
  // A time after now comes from a wrong clock: it is no look of today.
  const isOfToday = lastLook <= now && utcDay(lastLook) === utcDay(now);
  if (before !== null && isOfToday) return undefined;
  const isQuiet = now - at(look.late_at) > QUIET_TIME;
  const back = isQuiet ? SHORT_LOOK : USUAL_LOOK;
  const since = Math.min(lastLook, now) - back;
  return { since, look: { ...look, at: time, back } };
}
