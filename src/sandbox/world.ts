import type {
  MarketSnapshot,
  Screeners,
  SignalCard,
  SignalDetail,
} from '../api/contract/resources.ts';

/** What a list needs to know of a card. */
export interface IndexedCard {
  readonly id: number;
  /** Epoch milliseconds UTC. */
  readonly createdAt: number;
  readonly symbol: string;
  readonly type: string;
}

/** What the sandbox has for the owner of its key at one time (`now`, epoch milliseconds UTC). All answers are made from it. */
export interface World {
  /** All cards, newest first. */
  index(now: number): readonly IndexedCard[];
  /** Undefined if there is no card with this id. */
  detail(id: number, now: number): SignalDetail | undefined;
  screeners(now: number): Screeners;
  snapshot(now: number): MarketSnapshot;
}

/** A card as a list has it: a detail without the fields that only details have. */
export function cardOf(detail: SignalDetail): SignalCard {
  const { outcome: _outcome, entry_context: _context, context_scope: _scope, ...card } = detail;
  return card as SignalCard;
}
