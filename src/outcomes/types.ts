/** The words of the figures: what cards are grouped by, and the verdicts. */

/** What cards are grouped by: screener type, symbol, UTC month. */
export const GROUPS = ['type', 'symbol', 'month'] as const;

export type GroupBy = (typeof GROUPS)[number];

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * How a group's moves compare, after Holm's adjustment for all groups of the horizon and comparison: its median
 * difference is above or below zero; or it is known to be too small to matter; or the data do not tell; or there are too
 * few clusters to ask.
 */
export type PlainVerdict = 'above' | 'below' | 'none' | 'unclear' | 'too_few_days';

const UNDECIDED = ['none', 'unclear', 'too_few_days'] as const;

/** Compared with BTC. */
export const VERDICTS = ['above_btc', 'below_btc', ...UNDECIDED] as const;

/** Compared with the user's other cards of the same day. */
export const VERDICTS_VS_OTHERS = ['above_others', 'below_others', ...UNDECIDED] as const;

/** Of the one comparison that is shown. */
export const SHOWN_VERDICTS = ['above_others', 'below_others', 'above_btc', 'below_btc', ...UNDECIDED] as const;
export type ShownVerdict = (typeof SHOWN_VERDICTS)[number];
