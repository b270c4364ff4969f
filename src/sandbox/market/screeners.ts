import type { Screeners } from '../../api/contract/resources.ts';
import { MINUTE } from '../../runtime/units.ts';
import { FUNDING_INTERVAL, type Market } from './market.ts';

/** A screener of the invented owner: what it watches and when it notifies. */
export interface Screener {
  readonly type: string;
  /** Minutes over which it measures; undefined where it looks at a moment. */
  readonly window: number | undefined;
  /** Whether its condition holds at a slot (epoch milliseconds UTC). */
  readonly holds: (market: Market, at: number) => boolean;
  readonly conditions: Record<string, unknown>;
}

const PRICE_PCT = 1.6;
const INTEREST_PCT = 2.8;
const TURNOVER_PCT = 100;
const FUNDING = 0.0006;

/** Minutes between two notifications of one episode. */
export const QUIET_MINUTES = 15;

/**
 * Types and the keys inside `conditions` are the sandbox's own: the document shows neither.
 */
export const SCREENERS: readonly Screener[] = [
  {
    type: 'price_spike',
    window: 15,
    holds: (market, at) => Math.abs(market.move(at - 15 * MINUTE, at)) >= PRICE_PCT,
    conditions: conditions('price_pct', 'abs_gte', PRICE_PCT, 15),
  },
  {
    type: 'oi_growth',
    window: 60,
    holds: (market, at) => market.openInterestMove(at - 60 * MINUTE, at) >= INTEREST_PCT,
    conditions: conditions('oi_pct', 'gte', INTEREST_PCT, 60),
  },
  {
    type: 'volume_burst',
    window: 30,
    holds: (market, at) => market.turnoverMove(at) >= TURNOVER_PCT,
    conditions: conditions('volume_pct', 'gte', TURNOVER_PCT, 30),
  },
  {
    type: 'funding_extreme',
    window: undefined,
    holds: (market, at) => Number.isInteger(at / FUNDING_INTERVAL) && Math.abs(market.funding(at)) >= FUNDING,
    conditions: conditions('funding', 'abs_gte', FUNDING, null),
  },
];

/** The answer of `/screeners`: one more than those above is switched off and has no cards. */
export function currentSettings(): Screeners {
  const active = SCREENERS.map(({ type, conditions }) => ({ type, active: true, conditions }));
  const paused = { type: 'liquidations', active: false, conditions: conditions('liquidated_usd', 'gte', 500_000, 5) };
  return { scope: 'current_settings', items: [...active, paused] };
}

function conditions(metric: string, comparison: string, value: number, window: number | null): Record<string, unknown> {
  return {
    parts: [{ metric, comparison, value, window_min: window }],
    rate_limit: { notifications: 1, per_minutes: QUIET_MINUTES },
  };
}
