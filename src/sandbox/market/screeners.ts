import type { Screeners } from '../../api/contract/resources.ts';
import { DAY, dayNumber } from '../../runtime/units.ts';

export type Metric = 'price' | 'oi' | 'volume' | 'funding';

/** A screener of the invented owner. Types and the keys inside `conditions` are the sandbox's own: the document shows neither. */
export interface Screener {
  readonly type: string;
  readonly perDay: number;
  readonly metric: Metric;
  /** Minutes over which it measures; null: at a moment. */
  readonly window: number | null;
  /** The least that notifies. */
  readonly threshold: number;
  /** Added to the movement of 24 h after each of its cards, percentage points. */
  readonly effect: number;
  /** Added for each unit of a card's strength: what it measured tells good cards from bad. */
  readonly slope?: number;
  /** Before the change of settings: the lower threshold, and the effect on cards that only this one let through. */
  readonly before?: { readonly threshold: number; readonly effect: number };
  readonly silentDays?: number;
}

/**
 * Beside the others the first rises, its cards with more open interest most; the second was made stricter, which helped;
 * the fourth falls; the last has fallen silent.
 */
export const SCREENERS: readonly Screener[] = [
  { type: 'oi_growth', perDay: 11, metric: 'oi', window: 60, threshold: 2.8, effect: 2, slope: 3.3 },
  {
    type: 'price_spike',
    perDay: 19,
    metric: 'price',
    window: 15,
    threshold: 1.6,
    effect: 0.3,
    before: { threshold: 1.2, effect: -3.4 },
  },
  { type: 'volume_burst', perDay: 10, metric: 'volume', window: 30, threshold: 100, effect: 0.3 },
  { type: 'funding_extreme', perDay: 6, metric: 'funding', window: null, threshold: 0.0006, effect: -1.6 },
  { type: 'breakout', perDay: 3, metric: 'price', window: 240, threshold: 4, effect: 0.3, silentDays: 20 },
];

/** So many days before the world starts, at midnight, the settings changed. */
const CHANGED_DAYS = 45;

/** @param startedAt epoch milliseconds UTC, as the result: worlds started on one day agree */
export const changedAt = (startedAt: number): number => (dayNumber(startedAt) - CHANGED_DAYS) * DAY;

export function thresholdAt({ threshold, before }: Screener, at: number, startedAt: number): number {
  return before !== undefined && at < changedAt(startedAt) ? before.threshold : threshold;
}

export const QUIET_MINUTES = 15;

/** The answer of `/screeners` at a moment: one more than those there are is switched off and has no cards. */
export function settingsAt(at: number, startedAt: number): Screeners {
  const active = SCREENERS.map((screener) => ({
    type: screener.type,
    active: true,
    conditions: conditions(screener.metric, thresholdAt(screener, at, startedAt), screener.window),
  }));
  const paused = { type: 'liquidations', active: false, conditions: conditions('liquidated_usd', 500_000, 5) };
  return { scope: 'current_settings', items: [...active, paused] };
}

function conditions(metric: string, value: number, window: number | null): Record<string, unknown> {
  const comparison = metric === 'price' || metric === 'funding' ? 'abs_gte' : 'gte';
  return {
    parts: [{ metric, comparison, value, window_min: window }],
    rate_limit: { notifications: 1, per_minutes: QUIET_MINUTES },
  };
}
