/**
 * Which windows of the list to walk, and what is covered after a page. Pure.
 */
import { formatApiTime, parseApiTime } from '../api/time.ts';
import type { Coverage, Walk } from './export-manifest.ts';
import { createdAt, type StoredCard } from './layout.ts';

/** A later walk begins this much before the last one ended: cards that were recorded late are found. Milliseconds. */
export const OVERLAP = 10 * 60_000;

/** Asked for explicitly on a first run, because the document does not show the default of `since`. */
export const BEGINNING = 0;

function at(time: string): number {
  return parseApiTime(time) ?? Number.NaN;
}

function newWalk(since: number, until: number): Walk {
  const frozen = formatApiTime(until);
  return {
    since: formatApiTime(since),
    reported_since: null,
    until: frozen,
    query_until: frozen,
    cursor: null,
    oldest: null,
  };
}

/**
 * The walk that brings the list up to date; undefined where one was just finished up to now.
 *
 * It begins at the end of what is covered, less the overlap; and earlier where the newest card is older, which costs
 * nothing (no known card lies in between) and finds what a wrong clock or a late recording left out.
 */
export function newerWalk(coverage: Coverage, now: number, since: number | undefined): Walk {
  const { covered, newest } = coverage;
  if (covered === null) return newWalk(since ?? BEGINNING, now);
  const unknownFrom = newest === null ? at(covered.since) : at(newest) + 1;
  return newWalk(Math.min(at(covered.until) - OVERLAP, unknownFrom, now - OVERLAP), now);
}

/** The walk over what `--since` asks for and no earlier run has covered. */
export function olderWalk(coverage: Coverage, since: number | undefined): Walk | undefined {
  if (since === undefined || coverage.covered === null || since >= at(coverage.covered.since)) return undefined;
  return newWalk(since, at(coverage.covered.since) + 1000);
}

/** A refused cursor: go on from the oldest card, its second included, whichever way the server reads `until`. */
export function fromOldest(walk: Walk): Walk {
  if (walk.oldest === null) return { ...walk, cursor: null, query_until: walk.until };
  const until = Math.min(at(walk.query_until ?? walk.until), at(walk.oldest) + 1000);
  return { ...walk, cursor: null, query_until: formatApiTime(until) };
}

/** What is covered once a page of the walk is in. */
export function afterPage(
  coverage: Coverage,
  walk: Walk,
  page: { items: readonly StoredCard[]; next_cursor: string | null; since: string; until: string },
): Coverage {
  const ages = page.items.map(createdAt);
  const oldest = earliest([walk.oldest, ...page.items.map((card) => card.created_at)]);
  const newest = Math.max(...ages, coverage.newest === null ? Number.NEGATIVE_INFINITY : at(coverage.newest));
  const reached: Coverage = {
    covered: coverage.covered,
    newest: Number.isFinite(newest) ? formatApiTime(newest) : null,
    walk: {
      ...walk,
      oldest,
      reported_since: walk.reported_since ?? page.since,
      until: walk.query_until === null ? earlier(walk.until, page.until) : walk.until,
      cursor: page.next_cursor,
    },
  };
  if (page.next_cursor !== null) return reached;
  return {
    ...reached,
    walk: null,
    covered: joined(coverage.covered, walk.since ?? page.since, reached.walk?.until ?? walk.until),
  };
}

/** Walks only ever begin within, or next to, what is covered: so it stays one window. */
function joined(covered: Coverage['covered'], since: string, until: string): Coverage['covered'] {
  if (covered === null) return { since, until };
  return {
    since: at(since) < at(covered.since) ? since : covered.since,
    until: at(until) > at(covered.until) ? until : covered.until,
  };
}

function earlier(a: string, b: string): string {
  return at(b) < at(a) ? b : a;
}

function earliest(times: readonly (string | null)[]): string | null {
  return times.reduce((a, b) => (a === null || (b !== null && at(b) < at(a)) ? b : a), null);
}
