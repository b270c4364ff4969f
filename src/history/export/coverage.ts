/**
 * Which window of the list to ask for, and what is covered after a page. Pure. Epoch milliseconds UTC inside, API times
 * in what is stored.
 *
 * A walk goes back from its end to its goal; as a rule in one window. A window is covered once its pages came to a null
 * cursor, whatever order they came in. Where the server refuses a window, or a cursor within it, a shorter one is asked
 * for, its later part first; where it shortens a window by itself, the next one goes on before it.
 */
import type { SignalPage } from '../../api/contract/resources.ts';
import type { Place } from '../../api/pages.ts';
import { at, formatApiTime } from '../../api/time.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../runtime/units.ts';
import type { Coverage, Walk } from '../store/manifest.ts';

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

type Page = Pick<SignalPage, 'since' | 'until'>;

/** @param goal how far back it has to go, where it is asked for more than it needs */
export function newWalk(since: number, until: number, goal = since): Walk {
  const whole = { goal: formatApiTime(goal), until: formatApiTime(until) };
  return inWindow({ ...whole, span: null, empty_from: null, refused: false }, since, until);
}

/** The walk that brings the list up to date: to now, which the service knows better than anybody here. */
export function newerWalk(now: number, since = BEGINNING, goal = since): Walk {
  return { ...newWalk(since, now, goal), query_until: null };
}

/** The walk at the end of another window, of whose pages nothing is known yet. */
function inWindow(
  walk: Pick<Walk, 'goal' | 'until' | 'span' | 'empty_from' | 'refused'>,
  since: number,
  end: number,
): Walk {
  return {
    ...walk,
    since: formatApiTime(since),
    window_until: formatApiTime(end),
    query_until: formatApiTime(end),
    cursor: null,
    oldest: null,
    sorted: true,
    seen_again: false,
    checking: false,
  };
}

/**
 * The walk over what no earlier run has covered, back to `since`, or as far as the service goes.
 * @returns undefined where nothing is left of it
 */
export function olderWalk({ covered, older, unreachable, begun }: Coverage, since = BEGINNING): Walk | undefined {
  if (covered === null) return undefined;
  if (older !== null) return older;
  if (since >= at(covered.since) || (begun && since === BEGINNING)) return undefined;
  if (unreachable !== null && since >= at(unreachable.asked)) return undefined;
  return newWalk(since, at(covered.since) + SECOND);
}

/** Whether all is here that was asked for; the server may round a time up, to the hour at most. */
export function isListDone(coverage: Coverage, since: number | undefined): boolean {
  if (coverage.covered === null || coverage.gaps.length > 0) return false;
  if (since === undefined) return olderWalk(coverage) === undefined;
  return at(coverage.covered.since) <= since + HOUR;
}

/** Down to where everything is here, of a walk under way. */
export function walkedTo({ sorted, oldest, window_until }: Walk): number {
  return sorted && oldest !== null ? Math.min(at(oldest) + SECOND, at(window_until)) : at(window_until);
}

/** What is covered where a walk ends half-way: to go on later from where it stands, unless the rest of it is covered. */
export function putOff(coverage: Coverage, walk: Walk): Coverage {
  const { covered } = coverage;
  const isRestCovered = covered !== null && at(walk.goal) >= at(covered.since);
  return { ...finished(coverage, walk, walkedTo(walk)), older: isRestCovered ? coverage.older : walk };
}

/** Where the walk stands in its window. */
export function placeOf({ since, query_until, until, cursor, oldest, sorted, seen_again }: Walk): Place {
  return {
    since,
    until: query_until ?? undefined,
    cursor: cursor ?? undefined,
    oldest: oldest === null ? undefined : at(oldest),
    sorted,
    seenAgain: seen_again,
    // What is newer than the walk's end is the next walk's.
    adjoins: query_until !== null && query_until !== until,
  };
}

/** A shorter window than one that the server refused; undefined where its end is out of reach. */
export function shorterWindow(walk: Walk): Walk | undefined {
  const end = at(walk.window_until);
  const length = end - at(walk.since);
  const span = length > USUAL_SPAN && walk.span === null ? USUAL_SPAN : Math.ceil(length / 2);
  if (span < SHORTEST_SPAN) return undefined;
  const shorter = inWindow({ ...walk, span }, end - span, end);
  // Up to now stays up to now: a service may take no time in its future.
  return walk.query_until === null ? { ...shorter, query_until: null } : shorter;
}

/**
 * A later part of a window of which the service refuses the cursors: to be walked by itself, and the rest after it.
 * @param times `created_at` of the window's cards that this run has seen
 * @returns undefined where no shorter window is left
 */
export function laterPart(walk: Walk, times: readonly number[]): Walk | undefined {
  const [from, end] = [at(walk.since), at(walk.window_until)];
  // A cursor of an earlier run, of a window without a card so far.
  if (times.length === 0 && walk.oldest === null) return inWindow(walk, from, end);
  const inside = times.filter((time) => time > from + SECOND && time < end - SECOND).sort((a, b) => a - b);
  const cut = inside[Math.floor(inside.length / 2)];
  return cut === undefined ? undefined : inWindow(walk, cut, end);
}

/** The walk once a page of its window is in. @param place where it stands in the window */
export function afterPage(walk: Walk, page: Page, place: Place): Walk {
  const isFirst = walk.cursor === null && walk.window_until === walk.until;
  // A server may round a time, or put its own in place of one that lies in its future.
  const until = isFirst && at(page.until) < at(walk.until) ? page.until : walk.until;
  return {
    ...walk,
    until,
    window_until: isFirst ? until : walk.window_until,
    query_until: place.until ?? null,
    cursor: place.cursor ?? null,
    oldest: place.oldest === undefined ? null : formatApiTime(place.oldest),
    sorted: place.sorted ?? true,
    seen_again: place.seenAgain ?? false,
  };
}

/** What is covered once the last page of the walk's window is in. @param several whether it had others before */
export function afterPages(coverage: Coverage, walk: Walk, page: Page, several: boolean): Coverage {
  // In another order than that of created_at, a card may have moved up, past the pages walked, while others were read.
  if (several && !walk.sorted && !walk.checking) {
    return { ...coverage, walk: { ...walk, cursor: null, checking: true } };
  }
  return afterWindow(coverage, walk, at(page.since));
}

/** A window's last page is in: the walk is over, or goes on with an earlier window. @param reported its start */
function afterWindow(coverage: Coverage, walk: Walk, reported: number): Coverage {
  const [goal, end] = [at(walk.goal), at(walk.window_until)];
  const asked = at(walk.since);
  const from = Math.max(asked, reported);
  if (from <= goal) return finished(coverage, walk, goal);
  const length = end - from;
  const empty_from = walk.oldest === null ? (walk.empty_from ?? walk.window_until) : null;
  const silence = empty_from === null ? 0 : at(empty_from) - from;
  const isSilent = silence >= Math.min(LONGEST_SILENCE, MOST_EMPTY_WINDOWS * length);
  if (goal <= BEGINNING && isSilent) return { ...finished(coverage, walk, from), begun: true };
  if (length < 2 * SECOND) return outOfReach(coverage, walk, from);
  // A server that rounds `since` up gets a day more than is needed.
  const least = reported > asked ? goal - DAY : goal;
  const until = from + SECOND;
  const since = walk.span === null ? least : Math.max(least, until - walk.span);
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
  const since = at(walk.since);
  const isLast = since <= goal;
  const from = Math.max(goal, isLast ? end - length : since);
  const gaps = [...coverage.gaps, { since: formatApiTime(from), until: walk.window_until }];
  if (from <= goal) return finished({ ...coverage, gaps }, walk, from);
  return { ...coverage, gaps, walk: inWindow(walk, isLast ? since : goal, from) };
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
