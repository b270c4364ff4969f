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

/** How long before the newest card so far a look begins, milliseconds: the service may record a card late. */
const OVERLAP = 30 * MINUTE;

const Position = v.object({
  /** The next look asks for the cards from this time on, epoch milliseconds UTC. */
  since: v.pipe(v.number(), v.safeInteger()),
  /** The cards that a later look may list once more: each card's id, and when it was recorded, epoch milliseconds UTC. */
  shown: v.array(v.tuple([v.pipe(v.number(), v.safeInteger()), v.number()])),
});

type Position = v.InferOutput<typeof Position>;

/** @param watched what tells one watch from another: account, symbol and type */
export function positionFile(stateDirectory: string, watched: readonly (string | undefined)[]) {
  const name = createHash('sha256').update(jsonText(watched)).digest('hex').slice(0, 24);
  return keptFile(stateDirectory, `watch/${name}.json`, v.parser(Position));
}

type QueryFilters = Pick<SignalsQuery, 'symbol' | 'screener_type'>;

interface Look {
  /** The new cards, oldest first. If the look ended early, some are missing: the next look finds them. */
  readonly cards: readonly SignalCard[];
  /** Where the next look begins; undefined if the watch could not start. */
  readonly position: Position | undefined;
  /** What ended the look early, or what was wrong with single cards; undefined if nothing. */
  readonly failure: unknown;
}

/**
 * Asks for the cards since the last look: one request, unless more than a page of cards is new.
 * @param before the position after the last look; undefined at the start of a watch. The cards of the newest page then count as
 *   seen: only cards that are recorded from now on are new.
 * @param now epoch milliseconds UTC, by the service's clock
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
  // One page is enough, unless it has only bad cards, which are left out. The walk ends when no more cards are wanted.
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
  const newestCardAt = seen.size === 0 ? listedUntil : Math.max(...seen.values());
  let since = nextBeginning(newestCardAt, listedUntil, now);
  // Older pages were not read. The next look begins right after the oldest card of this page, so that it lists no older card.
  if (hasOlderCards && seen.size > 0) since = Math.max(since, Math.min(...seen.values()) + 1);
  return { cards: [], position: positionAt(since, seen), failure };
}

async function lookAgain(
  client: Client,
  filters: QueryFilters,
  before: Position,
  now: number,
): Promise<Look> {
  // A position of an earlier watch may lie ahead of now, if a clock was wrong then.
  const since = Math.min(before.since, now);
  const seen = new Map(before.shown);
  const newCards: SignalCard[] = [];
  let newestCardAt = since;
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
        // A service may compare `since` with `last_seen_at`: it then lists an old card, if that card was updated.
        if (time < since) continue;
        newestCardAt = Math.max(newestCardAt, time);
        if (!seen.has(card.id)) newCards.unshift(card);
        seen.set(card.id, time);
      }
    }
  } catch (cause) {
    return { cards: newCards, position: { since, shown: [...seen] }, failure: cause };
  }
  const next = Math.max(since, nextBeginning(newestCardAt, listedUntil, now));
  return { cards: newCards, position: positionAt(next, seen), failure };
}

/**
 * Where the next look begins: `OVERLAP` before the newest card, but at most a day before the end of the list, because a service
 * may refuse a long window. All times are epoch milliseconds UTC.
 */
function nextBeginning(newestCard: number, listedUntil: number, now: number): number {
  return Math.max(Math.min(newestCard, now) - OVERLAP, listedUntil - DAY);
}

/**
 * The position, with the cards that a later look may list once more. Cards from before `since` are kept, too: the next
 * look begins earlier, if the clock is set back.
 * @param seen when each card was recorded, by its id
 */
function positionAt(since: number, seen: ReadonlyMap<number, number>): Position {
  return { since, shown: [...seen].filter(([, time]) => time >= since - OVERLAP) };
}
