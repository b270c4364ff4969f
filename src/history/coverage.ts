/**
 * Which windows of the list to walk, and what is covered after a page. Pure. Epoch milliseconds UTC inside, API times
 * in what is stored.
 *
 * A walk goes back from its end to its goal, in one window where the service takes one that long, else in several. The
 * document does not say by what "newest first" orders, so every claim about cards that are still to come holds for each
 * order that the pages so far agree with.
 */
import { formatApiTime, parseApiTime } from '../api/time.ts';
import { DAY, MINUTE, SECOND } from '../runtime/units.ts';
import type { Coverage, Walk } from './export-manifest.ts';
import { createdAt, type StoredCard } from './layout.ts';

/** A later walk begins this much before the last one ended: cards that were recorded late are found. Milliseconds. */
export const OVERLAP = 10 * MINUTE;

/** Asked for explicitly on a first run, because the document does not show the default of `since`. */
export const BEGINNING = 0;

/** Where nobody said how far back, a walk in several windows ends after so long a time, or so many, without a card. */
const LONGEST_SILENCE = 90 * DAY;
const MOST_EMPTY_WINDOWS = 12;

/** A window is asked for half as long so many times before what lies there counts as out of reach. */
const MOST_HALVINGS = 5;

export interface Page {
  readonly items: readonly StoredCard[];
  readonly next_cursor: string | null;
  readonly since: string;
  readonly until: string;
}

function at(time: string): number {
  return parseApiTime(time) ?? Number.NaN;
}

/** @param goal how far back it has to go, where it is asked for more than it needs */
function newWalk(since: number, until: number, goal = since): Walk {
  const frozen = formatApiTime(until);
  return {
    goal: formatApiTime(goal),
    until: frozen,
    span: null,
    capped: false,
    grain: 0,
    empty_from: null,
    empty_windows: 0,
    ...window(formatApiTime(since), frozen),
  };
}

/** The part of a walk that begins anew with each window. */
function window(since: string | null, until: string) {
  return {
    since,
    reported_since: null,
    window_until: until,
    query_until: until,
    cursor: null,
    oldest: null,
    last: null,
    sorted_by: ['created_at', 'last_seen_at'] as ('created_at' | 'last_seen_at')[],
    pages: 0,
    checking: false,
    repeated: false,
    may_be_by_seen: false,
  };
}

/**
 * The walk that brings the list up to date; undefined where one was just finished up to now.
 *
 * It begins at the end of what is covered, less the overlap; and earlier where the newest card is older, which costs
 * nothing (no known card lies in between) and finds what a wrong clock or a late recording left out.
 */
export function newerWalk(coverage: Coverage, now: number, since: number | undefined, overlap = OVERLAP): Walk {
  const { covered, newest } = coverage;
  if (covered === null) return newWalk(since ?? BEGINNING, now);
  const unknownFrom = newest === null ? at(covered.since) : at(newest) + 1;
  const needed = at(covered.until);
  return newWalk(Math.min(needed - overlap, unknownFrom, now - overlap), now, Math.min(needed, now));
}

/** A walk over a part of what is covered, for cards that were recorded after it was walked. */
export function againWalk({ covered }: Coverage, since: number): Walk | undefined {
  return covered === null ? undefined : newWalk(Math.max(since, at(covered.since)), at(covered.until));
}

/** The walk over what `--since` asks for and no earlier run has covered, as far as the service goes. */
export function olderWalk({ covered, unreachable }: Coverage, since: number | undefined): Walk | undefined {
  if (since === undefined || covered === null || since >= at(covered.since)) return undefined;
  if (unreachable !== null && since >= at(unreachable.asked)) return undefined;
  return newWalk(since, at(covered.since) + SECOND);
}

/** Whether the list reaches back to what was asked for; the server may round a time up, to the hour at most. */
export function reachesBackTo({ covered }: Coverage, since: number | undefined): boolean {
  return since === undefined || (covered !== null && at(covered.since) <= since + 60 * MINUTE);
}

/**
 * Other ways to ask for a walk's first window, where the server refuses it: it may take no window that long, no `until`
 * in its future (its clock may be behind this one), and no `since` in its future. Null leaves a time to its default.
 */
export function otherFirstWindows({ covered }: Coverage, walk: Walk): Walk[] {
  const { since, goal, until, query_until } = walk;
  if (since === null || walk.pages > 0 || walk.window_until !== until) return [];
  const ways: [since: string | null, until: string | null][] = [];
  if (covered === null) {
    ways.push([null, until], [since, null]);
  } else {
    // An older window ends in the past, and only its length can be the reason.
    if (at(until) < at(covered.until)) return [];
    const overlapped = formatApiTime(Math.min(at(goal ?? since), at(until)) - OVERLAP);
    const isLong = at(until) - at(overlapped) > 2 * DAY;
    ways.push([overlapped, until]);
    if (isLong) ways.push([null, until], [overlapped, null]);
    else ways.push([overlapped, null], [formatApiTime(at(overlapped) - DAY), null], [null, until]);
  }
  ways.push([null, null]);
  return ways
    .filter((way) => way[0] !== since || way[1] !== query_until)
    .map((way) => ({ ...walk, since: way[0], query_until: way[1] }));
}

/** Where nobody knows how long a window the server takes. */
const USUAL_SPAN = 30 * DAY;

/**
 * An older window that the server refused, made shorter.
 * @param halvings how often that was done before
 * @returns undefined where it is out of reach
 */
export function shorterWindow(walk: Walk, halvings: number): Walk | undefined {
  if (walk.since === null || walk.pages > 0 || halvings >= MOST_HALVINGS) return undefined;
  const until = at(walk.window_until ?? walk.until);
  const known = walk.span ?? USUAL_SPAN;
  const isLonger = until - at(walk.since) > known + 2 * SECOND;
  const span = isLonger ? known : Math.ceil(known / 2);
  return { ...walk, capped: true, span, since: formatApiTime(until - span) };
}

/**
 * The walk without its cursor, which the server refused: from the latest time that a card still to come can have. That is
 * the window's end where the pages so far have no order in common.
 */
export function withoutCursor(walk: Walk): Walk {
  const end = at(walk.window_until ?? walk.until);
  const bounds = walk.sorted_by.map((key) => {
    // Where the window may be one of `last_seen_at`, a card created earlier may have been seen after any bound.
    if (key === 'created_at') return walk.oldest === null || walk.may_be_by_seen ? end : at(walk.oldest);
    // A card is seen last when it was created or later.
    return walk.last === null ? end : at(walk.last.last_seen_at ?? walk.last.created_at);
  });
  const latest = bounds.length === 0 ? end : Math.max(...bounds);
  // Its second included, whichever way the server reads `until`.
  const until = Math.min(end, raised(latest + SECOND, walk.grain));
  const query_until = until === end && walk.query_until === null ? null : formatApiTime(until);
  return { ...walk, cursor: null, query_until, last: null };
}

/**
 * The walk with a later end of its window, where the server has rounded `until` down: what lies between would be missing.
 * @returns undefined where it has not, or where it does not matter: what is newer than the walk's end is the next walk's
 */
export function withLaterEnd(walk: Walk, page: Page): Walk | undefined {
  if (walk.cursor !== null || walk.query_until === null || at(page.until) >= at(walk.query_until) - SECOND)
    return undefined;
  const cut = at(walk.query_until) - at(page.until);
  const grain = cut < MINUTE ? MINUTE : cut < 60 * MINUTE ? 60 * MINUTE : DAY;
  if (grain <= walk.grain || at(walk.query_until) >= at(walk.until)) return undefined;
  return { ...walk, grain, query_until: formatApiTime(raised(at(walk.query_until), grain)) };
}

function raised(time: number, grain: number): number {
  return grain === 0 ? time : Math.ceil(time / grain) * grain;
}

/**
 * The later part of a window whose pages cannot be walked to their end; the earlier part follows.
 * @param times `created_at` of the window's cards so far
 * @returns undefined where they all share a second
 */
export function laterPart(walk: Walk, times: readonly number[]): Walk | undefined {
  const end = at(walk.window_until ?? walk.until);
  const from = walk.since === null ? Number.NEGATIVE_INFINITY : at(walk.since);
  const inside = times.filter((time) => time > from + SECOND && time < end - SECOND).sort((a, b) => a - b);
  const middle = inside[Math.floor(inside.length / 2)];
  if (middle === undefined) return undefined;
  return {
    ...walk,
    ...window(formatApiTime(middle), walk.window_until ?? walk.until),
    query_until: walk.query_until && walk.window_until,
  };
}

/**
 * What is covered once a page of the walk is in.
 * @param anyNew whether the page had a card that this walk had not seen
 */
export function afterPage(coverage: Coverage, walk: Walk, page: Page, anyNew: boolean): Coverage {
  const ages = page.items.map(createdAt);
  const newest = Math.max(...ages, coverage.newest === null ? Number.NEGATIVE_INFINITY : at(coverage.newest));
  const isFirst = walk.pages === 0 && (walk.window_until ?? walk.until) === walk.until;
  const next: Walk = {
    ...walk,
    ...orderWith(walk, page.items),
    pages: walk.pages + 1,
    oldest: earliest([walk.oldest, ...page.items.map((card) => card.created_at)]),
    reported_since: walk.reported_since ?? page.since,
    // A server may round a time, or put its own in place of one that lies in its future.
    until: isFirst && at(page.until) < at(walk.until) ? page.until : walk.until,
    cursor: page.next_cursor,
    ...windowKind(walk, page),
  };
  if (isFirst) next.window_until = next.until;
  const reached: Coverage = {
    ...coverage,
    newest: Number.isFinite(newest) ? formatApiTime(newest) : null,
    walk: next,
  };
  const isOver = page.next_cursor === null || (walk.checking && !anyNew);
  if (!isOver) return reached;
  // In another order than that of created_at, a card may have moved up, past the pages walked, while others were read.
  if (next.pages > 1 && !next.checking && !next.sorted_by.includes('created_at')) {
    return { ...reached, walk: { ...withoutCursor({ ...next, sorted_by: [] }), checking: true } };
  }
  return afterWindow(reached, next);
}

/** A window's last page is in: the walk is over, or goes on with an earlier window. */
function afterWindow(coverage: Coverage, walk: Walk): Coverage {
  const goal = at(walk.goal ?? walk.since ?? walk.reported_since ?? walk.until);
  const end = at(walk.window_until ?? walk.until);
  const reported = at(walk.reported_since ?? walk.until);
  const from = walk.since === null ? reported : Math.max(at(walk.since), reported);
  if (from <= goal) return finished(coverage, walk, Math.min(goal, walk.since === null ? goal : at(walk.since)));
  const isEmpty = walk.oldest === null;
  const emptyFrom = isEmpty ? at(walk.empty_from ?? formatApiTime(end)) : undefined;
  const emptyWindows = isEmpty ? walk.empty_windows + 1 : 0;
  const isSilent =
    emptyFrom !== undefined && (emptyFrom - from >= LONGEST_SILENCE || emptyWindows >= MOST_EMPTY_WINDOWS);
  if (goal <= BEGINNING && isSilent) return finished(coverage, walk, from);
  if (from >= end - 2 * SECOND) return outOfReach(coverage, walk, from);
  // A window cut in two where a cursor was refused says nothing of how long one may be.
  const isCut = walk.since !== null && at(walk.since) >= reported && walk.span === null;
  const span = isCut ? null : end - from;
  const length = span === null ? Number.POSITIVE_INFINITY : walk.capped ? span : 2 * span;
  // A server that rounds `since` up gets a day more than is needed.
  const least = walk.since !== null && reported > at(walk.since) ? goal - DAY : goal;
  const until = raised(from + SECOND, walk.grain);
  return {
    ...coverage,
    walk: {
      ...walk,
      span,
      empty_from: emptyFrom === undefined ? null : formatApiTime(emptyFrom),
      empty_windows: emptyWindows,
      ...window(formatApiTime(Math.max(least, from - length)), formatApiTime(until)),
    },
  };
}

/** The walk ends before its goal: the server lists nothing further back. */
export function outOfReach(coverage: Coverage, walk: Walk, from = at(walk.window_until ?? walk.until)): Coverage {
  const goal = at(walk.goal ?? walk.since ?? walk.until);
  const { covered } = coverage;
  const isGap = covered !== null && from > at(covered.until);
  return {
    ...finished(coverage, walk, from),
    unreachable: { asked: formatApiTime(goal), since: formatApiTime(from) },
    gaps: isGap ? [...coverage.gaps, { since: covered.until, until: formatApiTime(from) }] : coverage.gaps,
  };
}

function finished(coverage: Coverage, walk: Walk, since: number): Coverage {
  return { ...coverage, walk: null, covered: joined(coverage.covered, formatApiTime(since), walk.until) };
}

/**
 * Whether `since` and `until` may be about `last_seen_at`, which the document leaves open: where cards were seen again
 * later, but none after the window's end.
 */
function windowKind(walk: Walk, page: Page): Pick<Walk, 'repeated' | 'may_be_by_seen'> {
  const seen = page.items.map((card) =>
    typeof card.last_seen_at === 'string' ? at(card.last_seen_at) : createdAt(card),
  );
  const isByCreated = (walk.repeated && !walk.may_be_by_seen) || seen.some((time) => time > at(page.until) + SECOND);
  const repeated =
    walk.repeated || isByCreated || page.items.some((card, i) => (seen[i] ?? 0) > createdAt(card) + SECOND);
  return { repeated, may_be_by_seen: repeated && !isByCreated };
}

/** By what the pages so far, these cards included, may be sorted. */
function orderWith(walk: Walk, items: readonly StoredCard[]): Pick<Walk, 'sorted_by' | 'last'> {
  let { last } = walk;
  let sorted_by = walk.sorted_by;
  for (const { created_at, last_seen_at } of items) {
    const card = { created_at, last_seen_at: typeof last_seen_at === 'string' ? last_seen_at : null };
    const before = last;
    // A card seen last before it was created: nothing follows from the order of such times.
    if (card.last_seen_at !== null && at(card.last_seen_at) < at(created_at)) sorted_by = [];
    if (before !== null) sorted_by = sorted_by.filter((key) => keyOf(before, key) >= keyOf(card, key));
    last = card;
  }
  return { sorted_by, last };
}

function keyOf(card: NonNullable<Walk['last']>, key: Walk['sorted_by'][number]): number {
  return at(key === 'created_at' ? card.created_at : (card.last_seen_at ?? card.created_at));
}

/** Walks only ever begin within, or next to, what is covered: so it stays one window. */
function joined(covered: Coverage['covered'], since: string, until: string): Coverage['covered'] {
  if (covered === null) return { since, until };
  return {
    since: at(since) < at(covered.since) ? since : covered.since,
    until: at(until) > at(covered.until) ? until : covered.until,
  };
}

function earliest(times: readonly (string | null)[]): string | null {
  return times.reduce((a, b) => (a === null || (b !== null && at(b) < at(a)) ? b : a), null);
}
