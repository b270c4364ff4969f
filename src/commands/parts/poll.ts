/**
 * One look of `signals watch`, and the position after it. The position is kept, so that a later watch with the same filters
 * goes on from there.
 */
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { Client } from '../../api/client.ts';
import type { SignalCard } from '../../api/contract/resources.ts';
import { LIMITS } from '../../api/limits.ts';
import type { SignalsQuery } from '../../api/operations.ts';
import { pages } from '../../api/pages.ts';
import { at, formatApiTime } from '../../api/time.ts';
import { DAY, MINUTE } from '../../base/units.ts';
import { jsonText } from '../../runtime/json-text.ts';
import { keptFile } from '../../runtime/kept-file.ts';

/** Milliseconds that each look goes back behind the newest card: the service may record a card late. */
const OVERLAP = 30 * MINUTE;

const Position = v.object({
  /** Where the next look begins: it asks for no earlier cards. Epoch milliseconds UTC. */
  since: v.pipe(v.number(), v.safeInteger()),
  /** Cards that have been seen, and may come once more: their ids, and when they were recorded, epoch milliseconds UTC. */
  shown: v.array(v.tuple([v.pipe(v.number(), v.safeInteger()), v.number()])),
});

type Position = v.InferOutput<typeof Position>;

/** @param filters what tells one watch from another: account, symbol and type */
export function positionFile(stateDirectory: string, filters: readonly (string | undefined)[]) {
  const name = createHash('sha256').update(jsonText(filters)).digest('hex').slice(0, 24);
  return keptFile(stateDirectory, `watch/${name}.json`, v.parser(Position));
}

type QueryFilters = Pick<SignalsQuery, 'symbol' | 'screener_type'>;

interface Look {
  /** The cards that are new, oldest first. */
  readonly cards: readonly SignalCard[];
  /** Where the next look begins; undefined if the watch could not start. */
  readonly position: Position | undefined;
  /** What ended the look early, or what was wrong with single cards; undefined if nothing. */
  readonly failure: unknown;
}

/**
 * Asks for the cards since the last look: one request, unless more than a page of them has come.
 * @param before the position after the last look; undefined at the start: then only cards that are recorded from now on are
 *   new, and those of the newest page are marked as seen
 * @param now epoch milliseconds UTC, by the service's clock
 * @returns a look that ended early has the cards so far; the next look finds the rest
 */
export async function look(
  client: Client,
  filters: QueryFilters,
  before: Position | undefined,
  now: number,
): Promise<Look> {
  if (before === undefined) return await markNewestPage(client, filters, now);
  return await lookAgain(client, filters, before, now);
}

async function markNewestPage(client: Client, filters: QueryFilters, now: number): Promise<Look> {
  const seen = new Map<number, number>();
  let listedUntil = now;
  let hasOlderCards = false;
  let failure: unknown;
  // One page is enough, unless it has no card: bad cards are left out.
  const wanted = () => (seen.size === 0 ? LIMITS.cardsPerPage : 0);
  try {
    for await (const { page, ended, bad } of pages(client, { filters, from: {}, wanted })) {
      listedUntil = Math.min(at(page.until), now);
      hasOlderCards = !ended;
      failure ??= bad;
      for (const card of page.items) seen.set(card.id, at(card.created_at));
    }
  } catch (cause) {
    return { cards: [], position: undefined, failure: cause };
  }
  const newest = seen.size === 0 ? listedUntil : Math.max(...seen.values());
  let since = nextBeginning(newest, listedUntil, now);
  // Older cards than those of this page are not marked: the next look must not reach back to them.
  if (hasOlderCards && seen.size > 0) since = Math.max(since, Math.min(...seen.values()) + 1);
  return { cards: [], position: positionAt(since, seen), failure };
}

async function lookAgain(
  client: Client,
  filters: QueryFilters,
  before: Position,
  now: number,
): Promise<Look> {
  // The time may have been kept by a clock that was ahead.
  const since = Math.min(before.since, now);
  const seen = new Map(before.shown);
  const newCards: SignalCard[] = [];
  let newest = since;
  let listedUntil = now;
  let failure: unknown;
  const from = { since: formatApiTime(since) };
  const wanted = () => LIMITS.cardsPerPage;
  try {
    for await (const { page, bad } of pages(client, { filters, from, wanted })) {
      listedUntil = Math.min(at(page.until), now);
      failure ??= bad;
      for (const card of page.items) {
        const time = at(card.created_at);
        // An old card that was seen again: the service may compare `since` with `last_seen_at`.
        if (time < since) continue;
        newest = Math.max(newest, time);
        if (!seen.has(card.id)) newCards.unshift(card);
        seen.set(card.id, time);
      }
    }
  } catch (cause) {
    return { cards: newCards, position: { since, shown: [...seen] }, failure: cause };
  }
  const next = Math.max(since, nextBeginning(newest, listedUntil, now));
  return { cards: newCards, position: positionAt(next, seen), failure };
}

/**
 * Where the next look begins: `OVERLAP` before the newest card, but at most a day back, because a service may refuse a long
 * window. All times are epoch milliseconds UTC.
 */
function nextBeginning(newestCard: number, listedUntil: number, now: number): number {
  return Math.max(Math.min(newestCard, now) - OVERLAP, listedUntil - DAY);
}

/** @param seen when each card was recorded, by its id */
function positionAt(since: number, seen: ReadonlyMap<number, number>): Position {
  return { since, shown: [...seen].filter(([, time]) => time >= since - OVERLAP) };
}
