import type { SignalCard } from '../../api/contract/resources.ts';
import type { SignalsQuery } from '../../api/operations.ts';
import { pages } from '../../api/pages.ts';
import { formatApiTime, parseApiTime } from '../../api/time.ts';
import type { Client } from '../../api/types.ts';
import type { Position } from './position.ts';

/** A card may be recorded a little after the moment it names: every look goes back this far behind the one before. */
const OVERLAP = 5 * 60_000;

export interface Look {
  /** Cards not shown before, oldest first. */
  readonly cards: readonly SignalCard[];
  /** Where the next look goes on. */
  readonly position: Position;
  /** What ended the look early. The cards that had arrived are in `cards`; the next look finds the rest. */
  readonly failure?: unknown;
}

export function startAt(since: number): Position {
  return { since, shown: [] };
}

/** So far back a watch that starts now looks once, to know what was there: more than clocks differ. */
const BEFORE = 60 * 60_000;

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
  return { ...(await look(client, filters, startAt(now - BEFORE), now)), cards: [] };
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
  const request = {
    filters: { ...filters, since: formatApiTime(position.since) },
    cursor: undefined,
    cards: Number.POSITIVE_INFINITY,
  };
  let failure: { readonly cause: unknown } | undefined;
  let serverNow = now;
  try {
    for await (const page of pages(client, request)) {
      serverNow = clockOf(page.until, now);
      for (const card of page.items) {
        if (shown.has(card.id)) continue;
        shown.set(card.id, recordedAt(card));
        found.push(card);
      }
    }
  } catch (cause) {
    failure = { cause };
  }
  // After a look that did not reach the end the next one begins where this one did.
  const since = failure === undefined ? Math.max(position.since, serverNow - OVERLAP) : position.since;
  const kept = [...shown].filter(([, at]) => at >= since - OVERLAP);
  return {
    cards: found.reverse(),
    position: { since, shown: kept },
    ...(failure === undefined ? {} : { failure: failure.cause }),
  };
}

/** Further apart than that, `until` is something else than the service's clock. */
const CLOCKS_DIFFER = 24 * 60 * 60_000;

/** The service's own time: what a page that was asked for without `until` reports as its end. */
function clockOf(until: string, now: number): number {
  const at = parseApiTime(until) ?? now;
  return Math.abs(at - now) < CLOCKS_DIFFER ? at : now;
}

function recordedAt(card: SignalCard): number {
  return parseApiTime(card.created_at) ?? 0;
}
