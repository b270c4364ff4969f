/**
 * What the figures need of a card.
 */
import { parseApiTime } from '../api/time.ts';

/** A card of a history as its line holds it: a SignalCard, or a SignalDetail once its outcome was bought. */
export interface OutcomeCard {
  readonly created_at: string;
  readonly [field: string]: unknown;
}

/** One horizon of an outcome. Moves are percent. */
export interface Measured {
  readonly state: unknown;
  /** Null where it was not measured, whatever the state says. */
  readonly move: number | null;
  readonly btc: number | null;
}

export interface Row {
  readonly symbol: string;
  readonly type: string;
  /** `created_at` as epoch milliseconds UTC. */
  readonly at: number;
  /** The 1 h and the 24 h horizon; undefined for a card without an outcome. */
  readonly measured: readonly [Measured, Measured] | undefined;
}

export function rowOf(card: OutcomeCard): Row {
  return {
    symbol: String(card.source_symbol),
    type: String(card.source_bot_type),
    at: parseApiTime(card.created_at) ?? Number.NaN,
    measured: 'context_scope' in card ? measuredOf(card.outcome) : undefined,
  };
}

function measuredOf(outcome: unknown): Row['measured'] {
  if (outcome === null || typeof outcome !== 'object') return undefined;
  const fields = outcome as Record<string, unknown>;
  return [
    { state: fields.state_1h, move: numberOf(fields.move_1h_pct), btc: numberOf(fields.btc_move_1h_pct) },
    { state: fields.state_24h, move: numberOf(fields.move_24h_pct), btc: numberOf(fields.btc_move_24h_pct) },
  ];
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
