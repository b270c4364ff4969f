import { byHorizon, type HorizonName, OUTCOME_FIELDS } from '../api/contract/horizons.ts';
import { groupBy } from '../base/collections.ts';
import type { GroupBy } from './types.ts';

type Fields = Readonly<Record<string, unknown>>;

interface OutcomeCard extends Fields {
  readonly id: number;
  readonly outcome?: Fields | null;
  readonly entry_context?: Fields | null;
}

/** Moves in percent. */
export interface Measured {
  readonly state: unknown;
  /** Null if not measured, whatever the state says. */
  readonly move: number | null;
  readonly btc: number | null;
}

export function isMeasured(one: Measured): one is Measured & { readonly move: number } {
  return one.state === 'available' && one.move !== null;
}

/** `other`: one that the document does not list. */
export function stateOf(one: Measured | undefined) {
  // A line that somebody edited may have no state.
  if (one?.state === undefined) return 'without';
  if (one.state === 'available') return one.move === null ? 'missing' : 'measured';
  return one.state === 'pending' || one.state === 'missing' ? one.state : 'other';
}

export interface Row {
  readonly id: number;
  readonly symbol: string;
  readonly type: string;
  /** `created_at` as epoch milliseconds UTC. */
  readonly at: number;
  readonly isBought: boolean;
  readonly measured: { readonly [name in HorizonName]: Measured } | undefined;
  /** Numbers known at the trigger; undefined if nothing was bought. */
  readonly context?: Fields | undefined;
  readonly entryPrice?: number | null;
}

/** A number at the trigger: an entry of `entry_context`; undefined if the card has none of that name. */
export function numberAt(row: Row, name: string): number | undefined {
  const value = row.context?.[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Whether a line holds a SignalDetail: its outcome was bought, even where the answer was null. */
export function isDetail(card: object): boolean {
  return 'outcome' in card && 'context_scope' in card;
}

export function rowOf(card: OutcomeCard, at: number): Row {
  const { outcome, entry_context: context } = card;
  const isBought = isDetail(card);
  return {
    id: card.id,
    symbol: String(card.source_symbol),
    type: String(card.source_bot_type),
    at,
    isBought,
    measured: isBought && outcome ? byHorizon((name) => measuredAt(outcome, name)) : undefined,
    context: isBought ? (context ?? undefined) : undefined,
    entryPrice: numberOf(outcome?.entry_price),
  };
}

export function measuredAt(outcome: Fields, name: HorizonName): Measured {
  const { state, move, btc } = OUTCOME_FIELDS[name];
  return { state: outcome[state], move: numberOf(outcome[move]), btc: numberOf(outcome[btc]) };
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** Rows by what `by` names, in the order of its values. */
export function groupRows(
  rows: readonly Row[],
  by: GroupBy,
): [key: string, rows: readonly Row[]][] {
  return [...groupBy(rows, KEYS[by])].sort(([a], [b]) => (a < b ? -1 : 1));
}

export const KEYS: Readonly<Record<GroupBy, (row: Row) => string>> = {
  type: ({ type }) => type,
  symbol: ({ symbol }) => symbol,
};
