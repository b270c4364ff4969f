/** Parts of the list that are here: newest first, never touching; epoch milliseconds UTC. Pure. */
import { waitBeforeTrying } from '../../api/retry.ts';
import { at, formatApiTime } from '../../api/time.ts';
import { DAY, HOUR, utcDay } from '../../runtime/units.ts';
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
  const [since, until] = [
    Math.min(...joined.map((one) => one.since)),
    Math.max(...joined.map((one) => one.until)),
  ];
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

/** @param since else where the list begins */
export function goalOf({ begins_at, refuses_older }: Coverage, since: number | undefined): number {
  const begin = begins_at === null ? 0 : at(begins_at);
  return since === undefined ? begin : refuses_older ? Math.max(since, begin) : since;
}

export function newestGap(coverage: Coverage, since: number | undefined): Span | undefined {
  const [newest, next] = spansOf(coverage.spans);
  const goal = goalOf(coverage, since);
  if (newest === undefined || newest.since <= goal) return undefined;
  return { since: Math.max(goal, next?.until ?? goal), until: newest.since };
}

export function overlaps(one: StoredSpan, { since, until }: Span): boolean {
  return at(one.since) < until && at(one.until) > since;
}

const MOST_GAPS = 2;

/** What a run asks for again: what it looks at in any case, and two gaps whose turn has come. */
export function dueGaps(gaps: readonly Gap[], now: number, look: Span): Gap[] {
  const inLook = gaps.filter((gap) => overlaps(gap, look));
  const isDue = ({ at: last, times }: Gap) =>
    times === 0 || Math.min(now, at(last)) + waitBeforeTrying(times) <= now;
  const others = gaps
    .filter((gap) => !inLook.includes(gap) && isDue(gap))
    .sort((a, b) => at(a.at) - at(b.at));
  return [...inLook, ...others.slice(0, MOST_GAPS)];
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
