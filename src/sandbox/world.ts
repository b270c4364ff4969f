import type { MarketSnapshot, Screeners, SignalCard, SignalDetail } from '../api/contract/resources.ts';
import { parseApiTime } from '../api/time.ts';
import { SCREENERS, settingsOf } from './market/screeners.ts';
import { snapshotAt } from './market/snapshot.ts';

/** What the list needs of a card to filter and to page. */
export interface CardKey {
  readonly id: number;
  /** Epoch milliseconds UTC. */
  readonly createdAt: number;
  readonly symbol: string;
  readonly type: string;
}

/** What the key's owner has on the server at a moment (epoch milliseconds UTC). The routes know nothing else of data. */
export interface World {
  /** The owner's cards, newest first (by `created_at`, then by id). */
  index(now: number): readonly CardKey[];
  detail(id: number, now: number): SignalDetail | undefined;
  screeners(now: number): Screeners;
  snapshot(now: number): MarketSnapshot;
}

/** A world of given cards, served as they are, fields unknown to the document included. */
export function worldOf(given: readonly SignalDetail[]): World {
  const details = new Map(given.map((detail) => [detail.id, detail]));
  const index = [...details.values()].map(keyOf).sort((a, b) => b.createdAt - a.createdAt || b.id - a.id);
  return {
    index: () => index,
    detail: (id) => details.get(id),
    screeners: () => settingsOf(SCREENERS),
    snapshot: (now) => snapshotAt(1, now),
  };
}

function keyOf(detail: SignalDetail): CardKey {
  const createdAt = parseApiTime(detail.created_at) ?? 0;
  return { id: detail.id, createdAt, symbol: detail.source_symbol, type: detail.source_bot_type };
}

/** The card a detail extends. */
export function cardOf(detail: SignalDetail): SignalCard {
  const { outcome: _outcome, entry_context: _context, context_scope: _scope, ...card } = detail;
  return card as SignalCard;
}
