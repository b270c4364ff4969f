import type {
  MarketSnapshot,
  Screeners,
  SignalCard,
  SignalDetail,
} from '../api/contract/resources.ts';

/** What the key's owner has on the server at a moment (epoch milliseconds UTC). The routes know nothing else of data. */
export interface World {
  /** Newest first. */
  index(now: number): readonly { id: number; createdAt: number; symbol: string; type: string }[];
  detail(id: number, now: number): SignalDetail | undefined;
  screeners(now: number): Screeners;
  snapshot(now: number): MarketSnapshot;
}

export function cardOf(detail: SignalDetail): SignalCard {
  const { outcome: _outcome, entry_context: _context, context_scope: _scope, ...card } = detail;
  return card as SignalCard;
}
