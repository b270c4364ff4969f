/** The screeners of the invented market, and their settings. */
import type { Screeners } from '../../api/contract/resources.ts';
import { DAY, dayNumber } from '../../base/units.ts';
import type { DEMO_TYPES } from '../names.ts';

export type Metric = 'price' | 'oi' | 'volume' | 'funding';

interface EarlierSetting {
  /** It was lower than the present one. */
  readonly threshold: number;
  /** What is added for the cards that only the lower threshold let through, in the place of `effect` of `Screener`. */
  readonly effectOfExtraCards: number;
}

/** A screener. Types, and the keys inside `conditions`, are the sandbox's own: the document shows neither. */
export interface Screener {
  readonly type: (typeof DEMO_TYPES)[number];
  /** Cards a day, on average, at the lower of its thresholds. */
  readonly perDay: number;
  readonly metric: Metric;
  /** Minutes over which the change is measured; null if it is measured at one moment. */
  readonly window: number | null;
  /** In the unit of the metric: percent, or a fraction for funding. */
  readonly threshold: number;
  /** Percentage points that are added to the movement of 24 h after each of its cards. */
  readonly effect: number;
  /** Percentage points that are added for each unit of a card's strength: strong cards are better. */
  readonly slope?: number;
  /** What was set before the settings changed. */
  readonly earlier?: EarlierSetting;
  /** For how many days the screener has recorded no card. */
  readonly silentDays?: number;
}

/**
 * The first screener is better than the others, and best if open interest rose much. The second was made stricter, which
 * helped. The fourth is worse than the others. The last has fallen silent.
 */
export const SCREENERS: readonly Screener[] = [
  {
    type: 'oi_growth',
    perDay: 11,
    metric: 'oi',
    window: 60,
    threshold: 2.8,
    effect: 2,
    slope: 3.3,
  },
  {
    type: 'price_spike',
    perDay: 19,
    metric: 'price',
    window: 15,
    threshold: 1.6,
    effect: 0.3,
    earlier: { threshold: 1.2, effectOfExtraCards: -4.6 },
  },
  { type: 'volume_burst', perDay: 10, metric: 'volume', window: 30, threshold: 100, effect: 0.3 },
  {
    type: 'funding_extreme',
    perDay: 6,
    metric: 'funding',
    window: null,
    threshold: 0.0006,
    effect: -1.6,
  },
  {
    type: 'breakout',
    perDay: 3,
    metric: 'price',
    window: 240,
    threshold: 4,
    effect: 0.3,
    silentDays: 17,
  },
];

/** How many days before the start of the sandbox the settings changed. */
const CHANGED_DAYS_AGO = 45;

/** When the settings changed: at a midnight, epoch milliseconds UTC. @param startedAt start of the sandbox, epoch milliseconds UTC */
export const changedAt = (startedAt: number): number =>
  (dayNumber(startedAt) - CHANGED_DAYS_AGO) * DAY;

/** A screener's threshold at a time. @param at, @param startedAt epoch milliseconds UTC */
export function thresholdAt(
  { threshold, earlier }: Screener,
  at: number,
  startedAt: number,
): number {
  const isBeforeChange = at < changedAt(startedAt);
  return earlier !== undefined && isBeforeChange ? earlier.threshold : threshold;
}

/** For 15 minutes after a notification, a symbol is not notified again. */
export const QUIET_MINUTES = 15;

/** Writes a screener's `conditions` in one of several shapes. All are invented: code that reads `conditions` can rely on none. */
type ConditionsWriter = (
  screener: { metric: string; window: number | null },
  threshold: number,
) => Record<string, unknown>;

const flat: ConditionsWriter = ({ metric, window }, threshold) => ({
  [`${metric}_min`]: threshold,
  window_minutes: window,
  [`max_per_${QUIET_MINUTES}_min`]: 1,
});
const parts: ConditionsWriter = ({ metric, window }, threshold) => ({
  parts: [{ metric, comparison: 'abs_gte', value: threshold, window_min: window }],
  rate_limit: { notifications: 1, per_minutes: QUIET_MINUTES },
});
const nested: ConditionsWriter = ({ metric, window }, threshold) => ({
  [metric]: {
    atLeast: threshold,
    ...(window === null ? { eitherWay: true } : { within: `${window}m` }),
  },
  quiet: `${QUIET_MINUTES}m`,
});

/** The shape of the `conditions` of each screener, by what it watches. */
const WRITERS: Readonly<Record<Metric, ConditionsWriter>> = {
  oi: flat,
  price: parts,
  volume: nested,
  funding: nested,
};

/**
 * The answer of `/screeners` at a time: all SCREENERS, and one that is switched off and has no cards.
 * @param at, @param startedAt epoch milliseconds UTC
 */
export function settingsAt(at: number, startedAt: number): Screeners {
  const items = SCREENERS.map((screener) => {
    const conditions = WRITERS[screener.metric](screener, thresholdAt(screener, at, startedAt));
    return { type: screener.type, active: true, conditions };
  });
  const paused = flat({ metric: 'liquidated_usd', window: 5 }, 500_000);
  return {
    scope: 'current_settings',
    items: [...items, { type: 'liquidations', active: false, conditions: paused }],
  };
}
