import type { MarketSnapshot, Screeners, SignalCard, SignalDetail } from '../api/contract/resources.ts';

export interface CardKey {
  readonly id: number;
  readonly createdAt: number;
  readonly symbol: string;
  readonly type: string;
}

/** What the key's owner has on the server at a moment (epoch milliseconds UTC). The routes know nothing else of data. */
export interface World {
  index(now: number): readonly CardKey[];
  detail(id: number, now: number): SignalDetail | undefined;
  screeners(now: number): Screeners;
  snapshot(now: number): MarketSnapshot;
}

export function cardOf(detail: SignalDetail): SignalCard {
  const { outcome: _outcome, entry_context: _context, context_scope: _scope, ...card } = detail;
  return card as SignalCard;
}
