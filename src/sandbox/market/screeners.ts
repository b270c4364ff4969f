import type { HorizonName } from '../../api/contract/horizons.ts';
import type { Screeners } from '../../api/contract/resources.ts';
import { DAY, dayNumber } from '../../runtime/units.ts';

type Effect = Readonly<Record<HorizonName, number>>;
export type Metric = 'price' | 'oi' | 'volume' | 'funding';

/** A screener of the invented owner. Types and the keys inside `conditions` are the sandbox's own: the document shows neither. */
export interface Screener {
  readonly type: string;
  readonly perDay: number;
  /** Added to the price movement after each of its cards, percentage points. */
  readonly effect: Effect;
  /** Added for each standard deviation of what it measured at the trigger: it tells good cards from bad. */
  readonly slope?: Effect;
  /** What it measures, over how many minutes (null: at a moment), and the least that notifies. */
  readonly metric: Metric;
  readonly window: number | null;
  readonly threshold: number;
  /** Before the change of settings: the lower threshold, and the effect on cards that only this one let through. */
  readonly before?: { readonly threshold: number; readonly effect: Effect };
  readonly silentDays?: number;
}

/**
 * Beside the others the first rises, its cards with more open interest most; the second was made stricter, which helped;
 * the fourth falls; the last has fallen silent.
 */
export const SCREENERS: readonly Screener[] = [
  {
    type: 'oi_growth',
    perDay: 11,
    effect: { '1h': 0.5, '24h': 2 },
    slope: { '1h': 0.5, '24h': 2 },
    metric: 'oi',
    window: 60,
    threshold: 2.8,
  },
  {
    type: 'price_spike',
    perDay: 19,
    effect: { '1h': 0.05, '24h': 0.3 },
    metric: 'price',
    window: 15,
    threshold: 1.6,
    before: { threshold: 1.2, effect: { '1h': -0.8, '24h': -3.4 } },
  },
  {
    type: 'volume_burst',
    perDay: 10,
    effect: { '1h': 0.05, '24h': 0.3 },
    metric: 'volume',
    window: 30,
    threshold: 100,
  },
  {
    type: 'funding_extreme',
    perDay: 6,
    effect: { '1h': -0.4, '24h': -1.6 },
    metric: 'funding',
    window: null,
    threshold: 0.0006,
  },
  {
    type: 'breakout',
    perDay: 3,
    effect: { '1h': 0.1, '24h': 0.3 },
    metric: 'price',
    window: 240,
    threshold: 4,
    silentDays: 20,
  },
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
  return {
    parts: [
      { metric, comparison: metric === 'price' || metric === 'funding' ? 'abs_gte' : 'gte', value, window_min: window },
    ],
    rate_limit: { notifications: 1, per_minutes: QUIET_MINUTES },
  };
}
