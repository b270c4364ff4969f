import type { MarketSnapshot, Screeners, SignalCard, SignalDetail } from '../api/contract/resources.ts';

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

/** The card a detail extends. */
export function cardOf(detail: SignalDetail): SignalCard {
  const { outcome: _outcome, entry_context: _context, context_scope: _scope, ...card } = detail;
  return card as SignalCard;
}
