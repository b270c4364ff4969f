import type { Client } from '../../api/client.ts';
import type { SignalCard } from '../../api/contract/resources.ts';
import type { SignalsQuery } from '../../api/operations.ts';
import { pages } from '../../api/pages.ts';
import { formatApiTime, parseApiTime } from '../../api/time.ts';
import { DAY, HOUR, MINUTE } from '../../runtime/units.ts';
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

/** So far back a watch that starts now looks once, to know what was there: more than clocks differ. */
const BEFORE = HOUR;

/**
 * A position from which only cards count that are recorded from now on. The cards of the last hour are marked as shown
 * rather than asked for by time: this machine's clock need not be the service's.
 * @param now epoch milliseconds UTC
 * @returns the position, or what went wrong
 */
export async function startNow(
  client: Client,
  filters: Pick<SignalsQuery, 'symbol' | 'screener_type'>,
  now: number,
): Promise<Look> {
  return { ...(await look(client, filters, { since: now - BEFORE, shown: [] }, now)), cards: [] };
}

/**
 * One look: every card since the position, in one list call unless more than a page has come.
 * @param now epoch milliseconds UTC at which the look begins
 */
export async function look(
  client: Client,
  filters: Pick<SignalsQuery, 'symbol' | 'screener_type'>,
  position: Position,
  now: number,
): Promise<Look> {
  const shown = new Map(position.shown);
  const found: SignalCard[] = [];
  const request = { filters, from: { since: formatApiTime(position.since) } };
  let failure: { readonly cause: unknown } | undefined;
  let newest = position.since;
  let until = now;
  try {
    for await (const { page } of pages(client, request)) {
      until = parseApiTime(page.until) ?? now;
      for (const card of page.items) {
        // The service may take `since` for the time a card was last seen: such a card is an old one.
        if (recordedAt(card) < position.since) continue;
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
  const since = failure === undefined ? nextSince(position.since, { newest, until, now }) : position.since;
  const kept = [...shown].filter(([, at]) => at >= since - OVERLAP);
  return {
    cards: found.reverse(),
    position: { since, shown: kept },
    ...(failure === undefined ? {} : { failure: failure.cause }),
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
