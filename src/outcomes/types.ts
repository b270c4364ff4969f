/** What cards can be grouped by: their screener type, or their symbol. */
export const GROUPS = ['type', 'symbol'] as const;

export type GroupBy = (typeof GROUPS)[number];

/** The verdicts that name no side. */
const UNDECIDED = ['small', 'unclear', 'too_few_days'] as const;

export const VERDICTS_VS_BTC = ['above_btc', 'below_btc', ...UNDECIDED] as const;

export const VERDICTS_VS_OTHERS = ['above_others', 'below_others', ...UNDECIDED] as const;

/** The verdicts of the comparison that decides, with the others or with BTC. */
export const SHOWN_VERDICTS = ['above_others', 'below_others', ...VERDICTS_VS_BTC] as const;
export type ShownVerdict = (typeof SHOWN_VERDICTS)[number];

/** What a group is compared with: the other groups' cards of the same UTC day, or BTC. */
export type ComparedWith = 'others' | 'btc';

/** What the comparison that decides rests on: the service's medians, or the bought outcomes. */
export type Source = 'service' | 'bought';

/**
 * A time in which a type was switched on, under the same settings throughout. Epoch milliseconds UTC, both ends inclusive. A
 * time in which it was switched off is none of these.
 */
export interface SettingsTime {
  /** Undefined for the first settings that were recorded: they are taken to have held ever since the type was made. */
  readonly since: number | undefined;
  /** Undefined for the present settings. */
  readonly until: number | undefined;
}
