/**
 * The figures of outcomes as plain objects: what `stats` writes as JSON, and what `today` and the report are drawn from.
 * Fields that mean what the API's `Horizon` means carry its names. Moves are percent, differences to BTC's move
 * percentage points, shares fractions from 0 to 1, times epoch milliseconds UTC or UTC days as `2026-11-20`. Price
 * movement after a trigger, not trading profit.
 */

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
export type Verdict = 'above_btc' | 'below_btc' | 'unclear' | 'too_few_days';

/** One horizon of a group, on its own sample. */
export interface HorizonFigures {
  /** Cards with a measured move. */
  readonly sample: number;
  readonly pending: number;
  /** The service said missing, or available without a move. */
  readonly missing: number;
  /** A state that the API document does not list. */
  readonly other_states: number;
  /** Cards whose outcome is not bought, or that have none. */
  readonly without_outcome: number;
  /** The next three over the sample. */
  readonly distinct_symbols: number;
  /** UTC days. */
  readonly distinct_days: number;
  /** Blocks of `cluster_days` UTC days, within which moves may depend on each other. */
  readonly clusters: number;
  /** 1 for the 1 h horizon; 2 or 3 for the 24 h horizon, whose windows reach into the next day. */
  readonly cluster_days: number;
  /** How many independent cards would say as much about the median; null below 2 clusters. At most `sample`. */
  readonly effective_sample: number | null;
  /** Percent; null where nothing is measured yet. */
  readonly median_move_pct: number | null;
  /** Percent; null below 6 clusters, or where the data bound it on neither side. */
  readonly median_move_pct_interval_95: Interval | null;
  /** Percent: lower and upper quartile. */
  readonly quartiles_move_pct: Interval | null;
  /**
   * Percent: the median if every missing move lay below, and above, all measured ones. Null unless more than 5 % are
   * missing; an end is null where half or more are.
   */
  readonly missing_bounds: { readonly low: number | null; readonly high: number | null } | null;
  /** Cards with a measured move and BTC's move. */
  readonly btc_sample: number;
  /** Of these, the ones that moved exactly as BTC did. */
  readonly ties_with_btc: number;
  /** As `clusters` and `effective_sample`, of the difference to BTC's move. */
  readonly btc_clusters: number;
  readonly btc_effective_sample: number | null;
  /** Percentage points. */
  readonly median_vs_btc_percentage_points: number | null;
  /** Percentage points, of this group alone. */
  readonly median_vs_btc_interval_95: Interval | null;
  /** Percentage points, widened for all groups and both horizons: leaves out zero exactly where the verdict does. */
  readonly median_vs_btc_interval_holm: Interval | null;
  /** Fraction of `btc_sample`, ties left out, that moved more than BTC. */
  readonly share_above_btc: number | null;
  readonly share_above_btc_interval_95: Interval | null;
  /** Two-sided, of a median difference of zero; null below 6 clusters. */
  readonly p_vs_btc: number | null;
  /** The same after Holm's adjustment for all groups and both horizons. */
  readonly p_vs_btc_holm: number | null;
  /** Null where no difference is measured yet. */
  readonly verdict: Verdict | null;
  /** Whether there are fewer than 12 clusters: the interval holds, but leans on few days. */
  readonly weak: boolean;
}

export interface GroupFigures {
  /** The screener type, symbol, `2026-11-20`, `00` to `23`, `Mon` to `Sun`; null for all cards together. */
  readonly group: string | null;
  /** Cards. */
  readonly rows: number;
  /** Of these, the ones whose outcome was bought. */
  readonly bought: number;
  /** Cards old enough for both horizons to be settled. */
  readonly due: number;
  /** Fraction of `due` whose outcome was bought; null where nothing is due. */
  readonly bought_share: number | null;
  readonly horizons: { readonly [name in HorizonName]: HorizonFigures };
}

/** Figures of one set of cards or of several, compared with each other. */
export interface Comparison {
  readonly groups: readonly GroupFigures[];
  /** How many p values the adjustment is over: groups times horizons, less those with too few clusters. */
  readonly comparisons: number;
  /** Groups left out because both samples were smaller than asked for. */
  readonly groups_left_out: number;
}
