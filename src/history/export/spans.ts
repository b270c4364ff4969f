/**
 * Parts of the list. Pure. Times are epoch milliseconds UTC, except in the manifest, which stores API times.
 *
 * - A span is a part that was read.
 * - An unread part lies in no span: it is between two spans, before the oldest, or, as a gap that is due, after the newest. A run
 *   reads it. If the run fails (404, 500, no network) or has no credits, the part stays unread.
 * - A gap is a note on an unread part: the part was asked for, and the service did not give it. It was a window that the service
 *   refused (422), did not list or left empty, a moment with more cards than a page holds, pages that led nowhere, or bad cards.
 *   Until a gap is due, runs leave its part out.
 */

import { at, formatApiTime } from '../../api/time.ts';
import { MINUTE } from '../../base/units.ts';
import { waitBeforeTrying } from '../../base/waits.ts';
import { secondObservationFrom } from '../store/final.ts';
import type { Coverage, Gap, StoredSpan } from '../store/manifest.ts';

/** How far requests for adjacent parts overlap, milliseconds: a service may round the bounds of a request to the minute. */
export const ROUNDING = MINUTE;

/** A part of the list, epoch milliseconds UTC. */
export interface Part {
  readonly since: number;
  readonly until: number;
}

export function partOf({ since, until }: StoredSpan): Part {
  return { since: at(since), until: at(until) };
}

export function partsOf(stored: readonly StoredSpan[]): Part[] {
  return stored.map(partOf);
}

export function storedSpans(spans: readonly Part[]): StoredSpan[] {
  return spans.map(({ since, until }) => ({
    since: formatApiTime(since),
    until: formatApiTime(until),
  }));
}

/** The spans with one more, which is joined with the spans that it touches. Newest first, as they are stored. */
export function withPart(stored: readonly StoredSpan[], added: Part): StoredSpan[] {
  if (isEmpty(added)) return [...stored];
  const spans = partsOf(stored);
  const isApart = ({ since, until }: Part) => until < added.since || since > added.until;
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
export function withoutPart(stored: readonly StoredSpan[], part: Part): StoredSpan[] {
  const rest: Part[] = [];
  for (const { since, until } of partsOf(stored)) {
    const after = { since: Math.max(since, part.until), until };
    const before = { since, until: Math.min(until, part.since) };
    if (!isEmpty(after)) rest.push(after);
    if (!isEmpty(before)) rest.push(before);
  }
  return storedSpans(rest);
}

/** What of a part lies in spans. */
export function coveredParts(spans: readonly StoredSpan[], { since, until }: Part): Part[] {
  const covered = partsOf(spans).map((span) => ({
    since: Math.max(since, span.since),
    until: Math.min(until, span.until),
  }));
  return covered.filter((part) => !isEmpty(part));
}

/**
 * The gaps without a part of the list. A gap that loses its end has no `begin` any more: no run has seen the list begin elsewhere.
 */
export function gapsWithout(gaps: readonly Gap[], part: Part): Gap[] {
  const rest: Gap[] = [];
  for (const gap of gaps) {
    const { begin, ...others } = gap;
    for (const piece of withoutPart([gap], part)) {
      const hasItsEnd = begin !== undefined && piece.until === gap.until;
      rest.push(hasItsEnd ? { ...gap, ...piece } : { ...others, ...piece });
    }
  }
  return rest;
}

/** What of some parts the service has not answered about: by a page, by a gap, or by where the list begins. */
export function unanswered(
  parts: readonly StoredSpan[],
  { spans, gaps, begins_at }: Pick<Coverage, 'spans' | 'gaps' | 'begins_at'>,
): StoredSpan[] {
  const answered = [...partsOf(spans), ...partsOf(gaps)];
  if (begins_at !== null) answered.push({ since: 0, until: at(begins_at) });
  return answered.reduce(withoutPart, [...parts]);
}

/** The parts without what is older than `since`. @param since epoch milliseconds UTC; undefined if nothing is too old */
export function partsSince(parts: readonly Part[], since: number | undefined): Part[] {
  const wanted = parts.map((part) => ({ ...part, since: Math.max(part.since, since ?? 0) }));
  return wanted.filter((part) => !isEmpty(part));
}

function isEmpty({ since, until }: Part): boolean {
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
export function wantedSince(
  { begins_at, begins_since }: Pick<Coverage, 'begins_at' | 'begins_since'>,
  since: number | undefined,
): number {
  const begin = begins_at === null ? 0 : at(begins_at);
  if (since === undefined) return begin;
  // If no run with a --since this old has found the beginning, the list may go on before it.
  const isBeginKnown = begins_since !== null && since >= at(begins_since);
  return isBeginKnown ? Math.max(since, begin) : since;
}

/** The gaps of which at least the newest piece lies after `since`. @param since epoch milliseconds UTC */
export function gapsSince(gaps: readonly Gap[], since: number): Gap[] {
  return gaps.filter(({ until }) => at(until) > since);
}

/**
 * The newest part that is still to be read.
 * @param coverage its `gaps` are those that are not asked for now: what lies in them is left out
 * @param since the oldest time that is wanted, epoch milliseconds UTC
 * @returns undefined if there is none back to there
 */
export function newestToRead(coverage: Coverage, since: number | undefined): Part | undefined {
  return partsToRead(coverage, since)[0];
}

/** The parts that are still to be read, newest first: what `newestToRead` says of the newest one holds for each. */
export function partsToRead(coverage: Coverage, since: number | undefined): Part[] {
  const known = [...partsOf(coverage.spans), ...partsOf(coverage.gaps)];
  if (known.length === 0) return [];
  const wanted = {
    since: wantedSince(coverage, since),
    until: Math.max(...known.map(({ until }) => until)),
  };
  return partsOf(known.reduce(withoutPart, storedSpans([wanted])));
}

export function overlaps(stored: StoredSpan, { since, until }: Part): boolean {
  return at(stored.since) < until && at(stored.until) > since;
}

/** How many gaps one run asks for again, besides those in the part that its look back lists again. */
const MOST_OTHER_GAPS = 2;

/**
 * The gaps that a run asks for again: all gaps in `recent`, and two others that are due, those that have waited longest.
 * @param range `recent`: the part that the look back of this run lists again. `since`: how far back the list is wanted. The run
 *   does not read what is older, and cannot ask for a gap there.
 */
export function dueGaps(
  gaps: readonly Gap[],
  now: number,
  { recent, since }: { readonly recent: Part; readonly since: number },
): Gap[] {
  const recentGaps = gaps.filter((gap) => overlaps(gap, recent));
  const otherGaps = gapsSince(gaps, since).filter(
    (gap) => !overlaps(gap, recent) && retryTimeOfGap(gap, now) <= now,
  );
  const longestWaitFirst = otherGaps.sort((a, b) => at(a.at) - at(b.at));
  return [...recentGaps, ...longestWaitFirst.slice(0, MOST_OTHER_GAPS)];
}

/** From when on runs ask for a gap again, epoch milliseconds UTC. */
export function retryTimeOfGap({ at: lastAt, times, begin }: Gap, now: number): number {
  // The list seems to begin at this gap. Another refusal makes that sure only from this time on.
  if (begin !== undefined) return secondObservationFrom(at(begin.first));
  // A wrong clock may have left a time after now.
  return Math.min(now, at(lastAt)) + waitBeforeTrying(times);
}
