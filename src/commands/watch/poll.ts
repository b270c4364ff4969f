import type { Client } from '../../api/client.ts';
import type { SignalCard } from '../../api/contract/resources.ts';
import { LIMITS } from '../../api/limits.ts';
import type { SignalsQuery } from '../../api/operations.ts';
import { pages } from '../../api/pages.ts';
import { formatApiTime, parseApiTime } from '../../api/time.ts';
import { DAY, MINUTE } from '../../runtime/units.ts';
import type { Position } from './position.ts';

/**
 * The service may record a card some time after the moment it names: every look goes back this far behind the newest
 * card. It costs nothing unless more than a page of cards come in so short a time.
 */
const OVERLAP = 30 * MINUTE;

interface Look {
  /** Cards not shown before, oldest first. */
  readonly cards: readonly SignalCard[];
  /** Where the next look goes on. */
  readonly position: Position;
  /** What ended the look early. The cards that had arrived are in `cards`; the next look finds the rest. */
  readonly failure?: unknown;
}

/**
 * A position from which only cards count that are recorded from now on. Nobody but the service knows when now is: it is
 * asked for its newest page, whose cards are marked as shown.
 * @param now the service's time as far as it is known, epoch milliseconds UTC
 * @returns the position, or what went wrong
 */
export async function startNow(
  client: Client,
  filters: Pick<SignalsQuery, 'symbol' | 'screener_type'>,
  now: number,
): Promise<Look> {
  const seen = new Map<number, number>();
  let since = now;
  let asked = 0;
  try {
    // Empty pages may come first.
    const wanted = () => (asked++ > 0 && seen.size > 0 ? 0 : LIMITS.cardsPerPage);
    for await (const { page, ended } of pages(client, { filters, from: {}, wanted, seen })) {
      const served = Math.min(parseApiTime(page.until) ?? now, now);
      const times = page.items.map(recordedAt);
      const newest = Math.min(served, Math.max(...times));
      // What lies before a full page was not marked.
      since =
        times.length === 0 ? served - 2 * OVERLAP : Math.max(newest - OVERLAP, ended ? 0 : Math.min(...times) + 1);
    }
  } catch (failure) {
    return { cards: [], position: { since, shown: [] }, failure };
  }
  return { cards: [], position: { since, shown: [...seen] } };
}

/**
 * One look: every card since the position, in one list call unless more than a page has come.
 * @param now the service's time at which the look begins, epoch milliseconds UTC
 */
export async function look(
  client: Client,
  filters: Pick<SignalsQuery, 'symbol' | 'screener_type'>,
  position: Position,
  now: number,
): Promise<Look> {
  const shown = new Map(position.shown);
  // A time that was kept may be one of a wrong clock.
  const from = Math.min(position.since, now);
  const found: SignalCard[] = [];
  const request = { filters, from: { since: formatApiTime(from) } };
  let failure: { readonly cause: unknown } | undefined;
  let broken: unknown;
  let newest = from;
  let until = now;
  try {
    for await (const { page, bad } of pages(client, request)) {
      until = parseApiTime(page.until) ?? now;
      broken ??= bad;
      for (const card of page.items) {
        // The service may take `since` for the time a card was last seen: such a card is an old one.
        if (recordedAt(card) < from) continue;
        newest = Math.max(newest, recordedAt(card));
        if (shown.has(card.id)) continue;
        shown.set(card.id, recordedAt(card));
        found.push(card);
      }
    }
  } catch (cause) {
    failure = { cause };
  }
  // After a look that did not reach the end the next one begins where this one did.
  const since = failure === undefined ? nextSince(from, { newest, until, now }) : from;
  const kept = [...shown].filter(([, at]) => at >= since - OVERLAP);
  return {
    cards: found.reverse(),
    position: { since, shown: kept },
    failure: failure === undefined ? broken : failure.cause,
  };
}

/**
 * From when on the next look asks. The service may set the `until` of a page to the end of its hour or day, and this
 * machine's clock may be ahead of the service's: neither says up to when every card has been seen. The newest card does.
 * Where nothing comes for days the window still ends a day back, because a service may refuse a long one.
 */
function nextSince(since: number, { newest, until, now }: { newest: number; until: number; now: number }): number {
  return Math.max(since, Math.min(newest, now) - OVERLAP, Math.min(until, now) - DAY);
}

function recordedAt(card: SignalCard): number {
  return parseApiTime(card.created_at) ?? 0;
}
