import type { Screeners } from '../../api/contract/resources.ts';
import { DAY } from '../../runtime/units.ts';

/** A screener of the invented owner. Types and the keys inside `conditions` are the sandbox's own: the document shows neither. */
export interface Screener {
  readonly type: string;
  /** Its share of all cards, relative to the others'. */
  readonly weight: number;
  /** Added to the price movement after each of its cards, percentage points; with one it has no cards of BTC itself. */
  readonly effect: { readonly '1h': number; readonly '24h': number };
  /** What it measures, over how many minutes (null: at a moment), and the least that notifies. */
  readonly metric: 'price' | 'oi' | 'volume' | 'funding';
  readonly window: number | null;
  readonly threshold: number;
  /** It has had no card for so long when the world starts, milliseconds. */
  readonly silentFor?: number;
}

const NONE = { '1h': 0, '24h': 0 };

/** One of them has an effect, the others are placebos; the last has fallen silent. */
export const SCREENERS: readonly [Screener, ...Screener[]] = [
  { type: 'price_spike', weight: 7, effect: NONE, metric: 'price', window: 15, threshold: 1.6 },
  { type: 'oi_growth', weight: 6, effect: { '1h': 0.4, '24h': 1.8 }, metric: 'oi', window: 60, threshold: 2.8 },
  { type: 'volume_burst', weight: 5, effect: NONE, metric: 'volume', window: 30, threshold: 100 },
  { type: 'funding_extreme', weight: 2, effect: NONE, metric: 'funding', window: null, threshold: 0.0006 },
  { type: 'breakout', weight: 2, effect: NONE, metric: 'price', window: 240, threshold: 4, silentFor: 20 * DAY },
];

/** Minutes between two notifications of one card. */
export const QUIET_MINUTES = 15;

/** The answer of `/screeners`: one more than those given is switched off and has no cards. */
export function settingsOf(screeners: readonly Screener[]): Screeners {
  const active = screeners.map(({ type, metric, window, threshold }) => ({
    type,
    active: true,
    conditions: conditions(metric, threshold, window),
  }));
  const paused = { type: 'liquidations', active: false, conditions: conditions('liquidated_usd', 500_000, 5) };
  return { scope: 'current_settings', items: [...active, paused] };
}

function conditions(metric: string, value: number, window: number | null): Record<string, unknown> {
  return {
    parts: [
      { metric, comparison: metric === 'price' || metric === 'funding' ? 'abs_gte' : 'gte', value, window_min: window },
    ],
    rate_limit: { notifications: 1, per_minutes: QUIET_MINUTES },
  };
}
