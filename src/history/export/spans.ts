/**
 * Parts of the list, epoch milliseconds UTC. Pure.
 *
 * A span is read, or given up for now. A hole lies between two spans, or is older than the oldest: a run reads it. A gap
 * is what the service did not give, a refused window or bad cards: it lies inside a span, or is older than the oldest,
 * and is asked for again when its turn has come.
 */

import { at, formatApiTime } from '../../api/time.ts';
import { DAY, HOUR, utcDay } from '../../base/units.ts';
import { waitBeforeTrying } from '../../base/waits.ts';
import type { Coverage, Gap, LookBack, StoredSpan } from '../store/manifest.ts';

export interface Span {
  readonly since: number;
  readonly until: number;
}

const USUAL_LOOK = 12 * HOUR;
const SHORT_LOOK = 2 * HOUR;
const QUIET = 14 * DAY;

export function spansOf(stored: readonly StoredSpan[]): Span[] {
  return stored.map(({ since, until }) => ({ since: at(since), until: at(until) }));
}

function storedSpans(spans: readonly Span[]): StoredSpan[] {
  return spans.map(({ since, until }) => ({
    since: formatApiTime(since),
    until: formatApiTime(until),
  }));
}

export function withSpan(stored: readonly StoredSpan[], added: Span): StoredSpan[] {
  if (added.until <= added.since) return [...stored];
  const spans = spansOf(stored);
  const isApart = ({ since, until }: Span) => until < added.since || since > added.until;
  const joined = [added, ...spans.filter((span) => !isApart(span))];
  const since = Math.min(...joined.map((span) => span.since));
  const until = Math.max(...joined.map((span) => span.until));
  return storedSpans(
    [...spans.filter(isApart), { since, until }].sort((a, b) => b.until - a.until),
  );
}

export function without(stored: readonly StoredSpan[], part: Span): StoredSpan[] {
  const left = spansOf(stored).flatMap(({ since, until }) => [
    { since: Math.max(since, part.until), until },
    { since, until: Math.min(until, part.since) },
  ]);
  return storedSpans(left.filter(({ since, until }) => since < until));
}

/**
 * How far back a run asks: to `since`, else to where the list begins; never into a gap behind all that is listed, which
 * is asked for again when its turn has come.
 */
export function goalOf(coverage: Coverage, since: number | undefined): number {
  const { begins_at, begins_since } = coverage;
  const begin = begins_at === null ? 0 : at(begins_at);
  const isAnswered = since === undefined || (begins_since !== null && since >= at(begins_since));
  const goal = isAnswered ? Math.max(since ?? 0, begin) : since;
  return Math.max(goal, lastGap(coverage)?.until ?? 0);
}

/** The gap behind all that is listed, if there is one. */
export function lastGap({ spans, gaps }: Pick<Coverage, 'spans' | 'gaps'>): Span | undefined {
  const oldest = spansOf(spans).at(-1);
  return spansOf(gaps).find(({ until }) => oldest !== undefined && until <= oldest.since);
}

/** @param since the oldest time that is wanted @returns undefined if spans reach from there to the newest of them */
export function newestHole(coverage: Coverage, since: number | undefined): Span | undefined {
  const [newest, next] = spansOf(coverage.spans);
  const goal = goalOf(coverage, since);
  if (newest === undefined || newest.since <= goal) return undefined;
  return { since: Math.max(goal, next?.until ?? goal), until: newest.since };
}

export function overlaps(stored: StoredSpan, { since, until }: Span): boolean {
  return at(stored.since) < until && at(stored.until) > since;
}

const MOST_GAPS = 2;

/** Gaps that a run asks for again: those in `recent`, which it lists again in any case, and two whose turn has come. */
export function dueGaps(gaps: readonly Gap[], now: number, recent: Span): Gap[] {
  const inRecent = gaps.filter((gap) => overlaps(gap, recent));
  const isDue = ({ at: last, times, begin }: Gap) => {
    const asked = Math.min(now, at(last));
    // On the same day a second refusal would say no more.
    if (begin !== undefined) return utcDay(asked) !== utcDay(now);
    return times === 0 || asked + waitBeforeTrying(times) <= now;
  };
  const others = gaps
    .filter((gap) => !inRecent.includes(gap) && isDue(gap))
    .sort((a, b) => at(a.at) - at(b.at));
  return [...inRecent, ...others.slice(0, MOST_GAPS)];
}

/** Looks back once a UTC day, 12 hours behind the look before. @returns undefined if no look is due */
export function lookBack(
  before: LookBack | null,
  now: number,
): { since: number; look: LookBack } | undefined {
  const time = formatApiTime(now);
  const look = before ?? { at: time, back: USUAL_LOOK, late_at: time, late_by: 0 };
  const last = at(look.at);
  // A wrong clock may have left one after now.
  if (before !== null && last <= now && utcDay(last) === utcDay(now)) return undefined;
  const back = now - at(look.late_at) > QUIET ? SHORT_LOOK : USUAL_LOOK;
  return { since: Math.min(last, now) - back, look: { ...look, at: time, back } };
}
