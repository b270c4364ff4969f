import type { Screeners } from '../../api/contract/resources.ts';
import { DAY, dayNumber } from '../../runtime/units.ts';
import type { DEMO_TYPES } from '../names.ts';

export type Metric = 'price' | 'oi' | 'volume' | 'funding';

/** A screener of the invented owner. Types and the keys inside `conditions` are the sandbox's own: the document shows neither. */
export interface Screener {
  readonly type: (typeof DEMO_TYPES)[number];
  readonly shape: keyof typeof SHAPES;
  readonly perDay: number;
  readonly metric: Metric;
  /** Minutes over which it measures; null: at a moment. */
  readonly window: number | null;
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
  { type: 'oi_growth', shape: 'flat', perDay: 11, metric: 'oi', window: 60, threshold: 2.8, effect: 2, slope: 3.3 },
  {
    type: 'price_spike',
    shape: 'parts',
    perDay: 19,
    metric: 'price',
    window: 15,
    threshold: 1.6,
    effect: 0.3,
    before: { threshold: 1.2, effect: -3.4 },
  },
  { type: 'volume_burst', shape: 'nested', perDay: 10, metric: 'volume', window: 30, threshold: 100, effect: 0.3 },
  {
    type: 'funding_extreme',
    shape: 'nested',
    perDay: 6,
    metric: 'funding',
    window: null,
    threshold: 0.0006,
    effect: -1.6,
  },
  {
    type: 'breakout',
    shape: 'parts',
    perDay: 3,
    metric: 'price',
    window: 240,
    threshold: 4,
    effect: 0.3,
    silentDays: 17,
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
    conditions: SHAPES[screener.shape](screener, thresholdAt(screener, at, startedAt)),
  }));
  const paused = { metric: 'liquidated_usd', window: 5 };
  const conditions = SHAPES.flat(paused, 500_000);
  return { scope: 'current_settings', items: [...active, { type: 'liquidations', active: false, conditions }] };
}

type Measures = { readonly metric: string; readonly window: number | null };

/** Shapes of `conditions`, several and invented: whoever reads them can rely on none. */
const SHAPES = {
  flat: ({ metric, window }: Measures, value: number) => ({
    [`${metric}_min`]: value,
    window_minutes: window,
    max_per_15_min: 1,
  }),
  parts: ({ metric, window: window_min }: Measures, value: number) => ({
    parts: [{ metric, comparison: 'abs_gte', value, window_min }],
    rate_limit: { notifications: 1, per_minutes: QUIET_MINUTES },
  }),
  nested: ({ metric, window }: Measures, value: number) => ({
    [metric]: { atLeast: value, ...(window === null ? { eitherWay: true } : { within: `${window}m` }) },
    quiet: `${QUIET_MINUTES}m`,
  }),
};
