import type {
  MarketSnapshot,
  Screeners,
  SignalCard,
  SignalDetail,
} from '../api/contract/resources.ts';

/** What the key's owner has on the server at a moment. All answers are made from it. Times are epoch milliseconds UTC. */
export interface World {
  /** All cards, newest first. */
  index(now: number): readonly { id: number; createdAt: number; symbol: string; type: string }[];
  /** Undefined if there is no such card. */
  detail(id: number, now: number): SignalDetail | undefined;
  screeners(now: number): Screeners;
  snapshot(now: number): MarketSnapshot;
}

/** The card of a list: a detail without the fields that only a detail has. */
export function cardOf(detail: SignalDetail): SignalCard {
  const { outcome: _outcome, entry_context: _context, context_scope: _scope, ...card } = detail;
  return card as SignalCard;
}
