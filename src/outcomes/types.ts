/** Screener type, symbol, UTC month. */
export const GROUPS = ['type', 'symbol', 'month'] as const;

export type GroupBy = (typeof GROUPS)[number];

const UNDECIDED = ['none', 'unclear', 'too_few_days'] as const;

export const VERDICTS = ['above_btc', 'below_btc', ...UNDECIDED] as const;

export const VERDICTS_VS_OTHERS = ['above_others', 'below_others', ...UNDECIDED] as const;

export const SHOWN_VERDICTS = ['above_others', 'below_others', ...VERDICTS] as const;
export type ShownVerdict = (typeof SHOWN_VERDICTS)[number];
