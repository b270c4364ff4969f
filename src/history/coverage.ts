/**
 * Which window of the list to ask for, and what is covered after a page. Pure. Epoch milliseconds UTC inside, API times
 * in what is stored.
 *
 * A walk goes back from its end to its goal; as a rule in one window. A window is covered once its pages came to a null
 * cursor, whatever order they came in. Where the server refuses a window, or a cursor within it, a shorter one is asked
 * for, its later part first; where it shortens a window by itself, the next one goes on before it.
 */
import type { SignalCard, SignalPage } from '../api/contract/resources.ts';
import { formatApiTime, parseApiTime } from '../api/time.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../runtime/units.ts';
import type { Coverage, Walk } from './export-manifest.ts';
import { createdAt } from './layout.ts';

/** A later walk begins this much before the last one ended: cards that were recorded late are found. Milliseconds. */
export const OVERLAP = 10 * MINUTE;

/** Asked for explicitly on a first run, because the document does not show the default of `since`. */
const BEGINNING = 0;

/** Where nobody said how far back, a walk in several windows ends after so long a time, or so many, without a card. */
const LONGEST_SILENCE = 89 * DAY;
const MOST_EMPTY_WINDOWS = 12;

/** Where nobody knows how long a window the server takes; and where a shorter one than that is not asked for. */
const USUAL_SPAN = 30 * DAY;
const SHORTEST_SPAN = 6 * HOUR;

type Page = Pick<SignalPage, 'items' | 'next_cursor' | 'since' | 'until'>;

function at(time: string): number {
  return parseApiTime(time) ?? Number.NaN;
}

/** @param goal how far back it has to go, where it is asked for more than it needs */
function newWalk(since: number, until: number, goal = since): Walk {
  const whole = { goal: formatApiTime(goal), until: formatApiTime(until), span: null, empty_from: null };
  return inWindow({ ...whole, refused: false }, formatApiTime(since), until);
}

/** The walk at the end of another window, of whose pages nothing is known yet. */
function inWindow(
  { goal, until, span, empty_from, refused }: Pick<Walk, 'goal' | 'until' | 'span' | 'empty_from' | 'refused'>,
  since: string | null,
  end: number,
): Walk {
  return {
    goal,
    until,
    span,
    empty_from,
    refused,
    since,
    window_until: formatApiTime(end),
    query_until: formatApiTime(end),
    cursor: null,
    oldest: null,
    sorted: true,
    seen_again: false,
    checking: false,
  };
}

/** The walk that brings the list up to date. @param overlap how far it goes back into what is covered, milliseconds */
export function newerWalk({ covered }: Coverage, now: number, since = BEGINNING, overlap = OVERLAP): Walk {
  if (covered === null) return newWalk(since, now);
  const needed = Math.min(at(covered.until), now);
  return newWalk(needed - overlap, now, needed);
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

/** Whether all is here that was asked for; the server may round a time up, to the hour at most. */
export function isWhole({ covered, gaps }: Coverage, since: number | undefined): boolean {
  return gaps.length === 0 && (since === undefined || (covered !== null && at(covered.since) <= since + HOUR));
}

/**
 * Other ways to ask for a walk's first window, where the server refuses it: it may take no window that long, and no time
 * in its future (its clock may be behind this one). Null leaves a time to its default.
 */
export function otherFirstWindows({ covered }: Coverage, walk: Walk): Walk[] {
  const { since, goal, until, window_until } = walk;
  if (since === null || window_until !== until) return [];
  // An older window ends in the past, and only its length can be the reason.
  if (covered !== null && at(until) <= at(covered.until)) return [];
  const near = covered === null ? since : formatApiTime(at(goal) - OVERLAP);
  const ways: Pick<Walk, 'since' | 'query_until'>[] = [
    { since: near, query_until: until },
    { since: near, query_until: null },
    { since: null, query_until: null },
  ];
  return ways.slice(near === since ? 1 : 0).map((way) => ({ ...walk, ...way }));
}

/** A shorter window than one that the server refused; undefined where its end is out of reach. */
export function shorterWindow(walk: Walk): Walk | undefined {
  if (walk.since === null) return undefined;
  const end = at(walk.window_until);
  const length = end - at(walk.since);
  const span = length > USUAL_SPAN && walk.span === null ? USUAL_SPAN : Math.ceil(length / 2);
  return span < SHORTEST_SPAN ? undefined : inWindow({ ...walk, span }, formatApiTime(end - span), end);
}

/**
 * The walk without its cursor, which the server refused: it goes on from its oldest card where no card that is still to
 * come can be later. Else a later part of its window is walked by itself, and the rest after it.
 * @param times `created_at` of the window's cards that this run has seen
 * @returns undefined where no shorter window is left
 */
export function withoutCursor(walk: Walk, times: readonly number[]): Walk | undefined {
  const end = at(walk.window_until);
  if (walk.oldest === null) return inWindow(walk, walk.since, end);
  const oldest = at(walk.oldest);
  // Its second included, whichever way the server reads `until`.
  const rest = oldest + SECOND;
  if (walk.sorted && !walk.seen_again && rest < end) return inWindow(walk, walk.since, rest);
  const from = walk.since === null ? Number.NEGATIVE_INFINITY : at(walk.since);
  const known = times.length > 0 ? times : [walk.sorted ? oldest : (oldest + end) / 2];
  const inside = known.filter((time) => time > from + SECOND && time < end - SECOND).sort((a, b) => a - b);
  // In order of created_at, as many cards as were seen lie between the oldest and the end.
  const cut = walk.sorted && inside.length === known.length ? inside[0] : inside[Math.floor(inside.length / 2)];
  return cut === undefined ? undefined : inWindow(walk, formatApiTime(cut), end);
}

/**
 * The walk with a later end of its query, where the server has rounded `until` down: what lies between would be missing.
 * @returns undefined where it has not, or where it does not matter: what is newer than the walk's end is the next walk's
 */
export function withLaterEnd(walk: Walk, page: Page): Walk | undefined {
  const { cursor, query_until, window_until, until } = walk;
  if (cursor !== null || query_until === null || window_until === until) return undefined;
  if (at(page.until) >= at(window_until) - SECOND) return undefined;
  const asked = at(query_until);
  const later = [MINUTE, HOUR, DAY]
    .filter((grain) => grain > asked - at(page.until))
    .map((grain) => Math.ceil(asked / grain) * grain)
    .find((time) => time > asked);
  return later === undefined ? undefined : { ...walk, query_until: formatApiTime(later) };
}

/**
 * What is covered once a page of the walk is in.
 * @param hasNew whether it had a card that the window's pages had not shown before
 */
export function afterPage(coverage: Coverage, walk: Walk, page: Page, hasNew: boolean): Coverage {
  const isFirst = walk.cursor === null && walk.window_until === walk.until;
  // A server may round a time, or put its own in place of one that lies in its future.
  const until = isFirst && at(page.until) < at(walk.until) ? page.until : walk.until;
  const times = page.items.map(createdAt);
  const before = walk.oldest === null ? Number.POSITIVE_INFINITY : at(walk.oldest);
  const oldest = Math.min(before, ...times);
  const window_until = isFirst ? until : walk.window_until;
  const next: Walk = {
    ...walk,
    until,
    window_until,
    // The server's own window is one that it takes.
    span: walk.since === null ? at(window_until) - at(page.since) : walk.span,
    cursor: page.next_cursor,
    oldest: Number.isFinite(oldest) ? formatApiTime(oldest) : null,
    sorted: walk.sorted && times.every((time, i) => time <= (times[i - 1] ?? before)),
    seen_again: isSeenAgain(walk, page),
  };
  if (next.cursor !== null && (hasNew || !walk.checking)) return { ...coverage, walk: next };
  // In another order than that of created_at, a card may have moved up, past the pages walked, while others were read.
  if (walk.cursor !== null && !next.sorted && !walk.checking) {
    return { ...coverage, walk: { ...next, cursor: null, checking: true } };
  }
  return afterWindow(coverage, next, at(page.since));
}

/**
 * Whether `since` and `until` may be about `last_seen_at`, which the document leaves open, so that an older card may lie
 * in a later window: cards were seen again after they were created, but none after the window's end.
 */
function isSeenAgain({ seen_again }: Walk, { items, until }: Page): boolean {
  const seen = ({ last_seen_at }: SignalCard) => (last_seen_at === null ? 0 : at(last_seen_at));
  if (items.some((card) => seen(card) > at(until) + SECOND)) return false;
  return seen_again || items.some((card) => seen(card) > createdAt(card) + SECOND);
}

/** A window's last page is in: the walk is over, or goes on with an earlier window. @param reported its start */
function afterWindow(coverage: Coverage, walk: Walk, reported: number): Coverage {
  const [goal, end] = [at(walk.goal), at(walk.window_until)];
  const asked = walk.since === null ? reported : at(walk.since);
  const from = Math.max(asked, reported);
  if (from <= goal) return finished(coverage, walk, goal);
  const length = end - from;
  const empty_from = walk.oldest === null ? (walk.empty_from ?? walk.window_until) : null;
  const silence = empty_from === null ? 0 : at(empty_from) - from;
  const isSilent = silence >= Math.min(LONGEST_SILENCE, MOST_EMPTY_WINDOWS * length);
  if (goal <= BEGINNING && isSilent) return finished(coverage, walk, from);
  if (length < 2 * SECOND) return outOfReach(coverage, walk, from);
  // A server that rounds `since` up gets a day more than is needed.
  const least = reported > asked ? goal - DAY : goal;
  const until = from + SECOND;
  const since = formatApiTime(walk.span === null ? least : Math.max(least, until - walk.span));
  return { ...coverage, walk: inWindow({ ...walk, empty_from }, since, until) };
}

/** The walk ends before its goal: the server lists nothing further back. */
export function outOfReach(coverage: Coverage, walk: Walk, from = at(walk.window_until)): Coverage {
  const { covered } = coverage;
  const isGap = covered !== null && from > at(covered.until);
  return {
    ...finished(coverage, walk, from),
    unreachable: { asked: walk.goal, since: formatApiTime(from) },
    gaps: isGap ? [...coverage.gaps, { since: covered.until, until: formatApiTime(from) }] : coverage.gaps,
  };
}

/**
 * The walk goes on before a window that the server does not give, or before the last part of one that goes back to the
 * walk's goal.
 * @param length of that part, milliseconds
 */
export function withGap(coverage: Coverage, walk: Walk, length: number): Coverage {
  const [goal, end] = [at(walk.goal), at(walk.window_until)];
  const isLast = walk.since === null || at(walk.since) <= goal;
  const from = Math.max(goal, isLast ? end - length : at(walk.since ?? walk.goal));
  const gaps = [...coverage.gaps, { since: formatApiTime(from), until: walk.window_until }];
  if (from <= goal) return finished({ ...coverage, gaps }, walk, from);
  return { ...coverage, gaps, walk: inWindow(walk, isLast ? walk.since : walk.goal, from) };
}

/** Walks only ever begin within, or next to, what is covered: so it stays one window. */
function finished(coverage: Coverage, { until }: Walk, from: number): Coverage {
  const { covered } = coverage;
  const since = covered === null || from < at(covered.since) ? formatApiTime(from) : covered.since;
  return {
    ...coverage,
    walk: null,
    covered: { since, until: covered === null || at(until) > at(covered.until) ? until : covered.until },
  };
}
