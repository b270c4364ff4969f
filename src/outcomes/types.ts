/** The words of the figures: what cards are grouped by, the horizons, the verdicts. */

/** What cards are grouped by: screener type, symbol, UTC day, UTC hour of the day, day of the week (UTC). */
export const GROUPS = ['type', 'symbol', 'day', 'hour', 'weekday'] as const;

export type GroupBy = (typeof GROUPS)[number];

export const HORIZON_NAMES = ['1h', '24h'] as const;
export type HorizonName = (typeof HORIZON_NAMES)[number];

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * How a group's moves compare with BTC's, after Holm's adjustment for all groups and both horizons: its median
 * difference is above or below zero; or the data do not tell; or there are too few clusters to ask.
 */
export const VERDICTS = ['above_btc', 'below_btc', 'unclear', 'too_few_days'] as const;
export type Verdict = (typeof VERDICTS)[number];
