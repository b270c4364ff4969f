/** A card of the history, as the statistics read it. */
import {
  byHorizon,
  type HorizonName,
  OUTCOME_FIELDS,
  OUTCOME_MILLIS,
} from '../api/contract/horizons.ts';
import { groupBy } from '../base/collections.ts';
import { DAY } from '../base/units.ts';
import type { GroupBy } from './types.ts';

type Fields = Readonly<Record<string, unknown>>;

interface OutcomeCard extends Fields {
  readonly id: number;
  readonly outcome?: Fields | null;
  readonly entry_context?: Fields | null;
}

/** What an outcome says of one horizon; moves are in percent. */
export interface Measured {
  readonly state: unknown;
  /** Null if it is no number, whatever the state says. */
  readonly move: number | null;
  /** BTC's move in the same time; null if it is no number. */
  readonly btc: number | null;
}

export function isMeasured(outcome: Measured): outcome is Measured & { readonly move: number } {
  return outcome.state === 'available' && outcome.move !== null;
}

/**
 * What became of an outcome: `measured` if it has a move; `pending` or `missing` as the service says, and `missing` also if
 * it is available without a move; `without` if there is none; `other` for a state that the document does not list.
 */
export type OutcomeState = 'measured' | 'pending' | 'missing' | 'without' | 'other';

export function stateOf(outcome: Measured | undefined): OutcomeState {
  // A line of the history that a user edited may have no state.
  if (outcome?.state === undefined) return 'without';
  const { state, move } = outcome;
  if (state === 'available') return move === null ? 'missing' : 'measured';
  return state === 'pending' || state === 'missing' ? state : 'other';
}

/** A card, bought or not. */
export interface HistoryCard {
  readonly id: number;
  readonly symbol: string;
  readonly type: string;
  /** `created_at` as epoch milliseconds UTC. */
  readonly at: number;
  /** Whether its detail was bought, whatever its outcome is. */
  readonly isBought: boolean;
  /** Undefined if the detail was not bought, or has no outcome. */
  readonly outcomes: { readonly [name in HorizonName]: Measured } | undefined;
  /** Its `entry_context`, with the numbers known at the trigger; undefined if nothing was bought. */
  readonly context?: Fields | undefined;
  /** The price at the trigger; null if the outcome has none. */
  readonly entryPrice?: number | null;
}

/** A number at the trigger: an entry of `entry_context`; undefined if the card has none of that name. */
export function numberAt(card: HistoryCard, name: string): number | undefined {
  const value = card.context?.[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Whether a card of the history is a SignalDetail, which was bought; also true if its outcome is null. */
export function isDetail(card: object): boolean {
  return 'outcome' in card && 'context_scope' in card;
}

export function historyCardOf(card: OutcomeCard, at: number): HistoryCard {
  const { outcome, entry_context: context } = card;
  const isBought = isDetail(card);
  return {
    id: card.id,
    symbol: String(card.source_symbol),
    type: String(card.source_bot_type),
    at,
    isBought,
    outcomes: isBought && outcome ? byHorizon((name) => measuredAt(outcome, name)) : undefined,
    context: isBought ? (context ?? undefined) : undefined,
    entryPrice: numberOrNull(outcome?.entry_price),
  };
}

export function measuredAt(outcome: Fields, name: HorizonName): Measured {
  const { state, move, btc } = OUTCOME_FIELDS[name];
  return {
    state: outcome[state],
    move: numberOrNull(outcome[move]),
    btc: numberOrNull(outcome[btc]),
  };
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** The cards in groups, in the order of the groups' names. */
export function cardsByGroupName(
  cards: readonly HistoryCard[],
  by: GroupBy,
): [name: string, cards: readonly HistoryCard[]][] {
  const groups = [...groupBy(cards, GROUP_NAME[by])];
  return groups.sort(([name], [otherName]) => (name < otherName ? -1 : 1));
}

/** The name of a card's group. */
export const GROUP_NAME: Readonly<Record<GroupBy, (card: HistoryCard) => string>> = {
  type: ({ type }) => type,
  symbol: ({ symbol }) => symbol,
};

/**
 * The last UTC day, counted from 1970, of which every card's outcome is due. On 12 Nov at 10:00 that is 10 Nov: a card of 11
 * Nov 15:00 is not 24 hours old.
 */
export function lastDueDay(time: number): number {
  return Math.floor((time - OUTCOME_MILLIS) / DAY) - 1;
}
