/** Which parts of the list are here. Pure. Spans lie newest first and never touch; times are epoch milliseconds UTC. */
import { at, formatApiTime } from '../../api/time.ts';
import { DAY, HOUR } from '../../runtime/units.ts';
import type { LookBack, StoredSpan } from '../store/manifest.ts';

export interface Span {
  readonly since: number;
  readonly until: number;
}

/** Looks for late cards are so far apart: a daily run is seldom 24 hours after the one before. */
const LOOK_EVERY = 20 * HOUR;

/** How late a card may be recorded; and how far to look back when none was late for so long. */
const USUAL_LOOK = 12 * HOUR;
const SHORT_LOOK = 2 * HOUR;
const QUIET = 14 * DAY;

export function spansOf(stored: readonly StoredSpan[]): Span[] {
  return stored.map(({ since, until }) => ({ since: at(since), until: at(until) }));
}

export function storedSpans(spans: readonly Span[]): StoredSpan[] {
  return spans.map(({ since, until }) => ({ since: formatApiTime(since), until: formatApiTime(until) }));
}

/** The spans with another one, which may touch, or lie over, any of them. */
export function withSpan(stored: readonly StoredSpan[], added: Span): StoredSpan[] {
  if (added.until <= added.since) return [...stored];
  let { since, until } = added;
  const apart = spansOf(stored).filter((span) => {
    if (span.until < since || span.since > until) return true;
    since = Math.min(since, span.since);
    until = Math.max(until, span.until);
    return false;
  });
  return storedSpans([...apart, { since, until }].sort((a, b) => b.until - a.until));
}

/** The spans without a part. */
export function without(stored: readonly StoredSpan[], part: Span): StoredSpan[] {
  const left = spansOf(stored).flatMap(({ since, until }) => [
    { since: Math.max(since, part.until), until },
    { since, until: Math.min(until, part.since) },
  ]);
  return storedSpans(left.filter(({ since, until }) => since < until));
}

/** The newest part before the newest span that is not here, back to `since`; undefined if there is none. */
export function newestGap(stored: readonly StoredSpan[], since: number): Span | undefined {
  const [newest, next] = spansOf(stored);
  if (newest === undefined || newest.since <= since) return undefined;
  return { since: Math.max(since, next?.until ?? since), until: newest.since };
}

/**
 * A look back for cards that were recorded late: once a day, 12 hours behind the look before, so that the service is asked
 * for each card's time again at least 12 hours after it.
 * @returns since when cards are asked for again, and the look to keep; undefined if no look is due
 */
export function lookBack(look: LookBack | null, now: number): { since: number; look: LookBack } | undefined {
  if (look === null) return undefined;
  // A wrong clock left one after now.
  const last = Math.min(at(look.at), now);
  if (last === at(look.at) && now - last < LOOK_EVERY) return undefined;
  const back = now - at(look.late_at) > QUIET ? SHORT_LOOK : USUAL_LOOK;
  return { since: last - back, look: { ...look, at: formatApiTime(now), back } };
}

/** The first look: nothing is known of late cards. */
export function firstLook(now: number): LookBack {
  const time = formatApiTime(now);
  return { at: time, back: USUAL_LOOK, late_at: time, late_by: 0 };
}
