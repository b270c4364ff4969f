/**
 * From counts to figures. Fields that mean what the API's `Horizon` means carry its names.
 */
import { type Histogram, histogramOf } from './histogram.ts';
import { type Interval, medianIntervalRanks, quantile, wilson } from './order.ts';
import type { Sorted } from './sorted.ts';
import type { GroupTally, HorizonTally } from './tally.ts';

export interface HorizonReport {
  /** Rows with a measured move. */
  readonly sample: number;
  readonly pending: number;
  readonly missing: number;
  readonly without_outcome: number;
  /** Over the sample. */
  readonly distinct_symbols: number;
  readonly distinct_days: number;
  /** Percent; null where nothing is measured yet. */
  readonly median_move_pct: number | null;
  /** 95 %, from order statistics; null below 6 rows. */
  readonly median_move_pct_interval_95: Interval | null;
  readonly quartiles_move_pct: Interval | null;
  /** Rows with a measured move and BTC's move. */
  readonly btc_sample: number;
  readonly median_vs_btc_percentage_points: number | null;
  /** Fraction of `btc_sample` that moved more than BTC. */
  readonly share_beating_btc: number | null;
  /** 95 %, Wilson. */
  readonly share_beating_btc_interval_95: Interval | null;
}

export interface GroupReport {
  /** The screener type, symbol or UTC day; null for all rows together. */
  readonly group: string | null;
  readonly rows: number;
  readonly horizons: { readonly '1h': HorizonReport; readonly '24h': HorizonReport };
}

/** A report with what a terminal draws besides. */
export interface DrawnGroup {
  readonly report: GroupReport;
  readonly histograms: { readonly '1h': Histogram | undefined; readonly '24h': Histogram | undefined };
}

export function reportGroup(group: string | null, tally: GroupTally): DrawnGroup {
  const [short, long] = tally.horizons.map((horizon) => {
    const moves = horizon.moves.sorted();
    return { report: reportHorizon(horizon, moves, tally.withoutOutcome), histogram: histogramOf(moves) };
  }) as [DrawnHorizon, DrawnHorizon];
  return {
    report: { group, rows: tally.rows, horizons: { '1h': short.report, '24h': long.report } },
    histograms: { '1h': short.histogram, '24h': long.histogram },
  };
}

interface DrawnHorizon {
  readonly report: HorizonReport;
  readonly histogram: Histogram | undefined;
}

function reportHorizon(tally: HorizonTally, moves: Sorted, withoutOutcome: number): HorizonReport {
  const differences = tally.differences.sorted();
  const ranks = medianIntervalRanks(moves.length);
  const pairs = differences.length;
  return {
    sample: moves.length,
    pending: tally.pending,
    missing: tally.missing,
    without_outcome: withoutOutcome,
    distinct_symbols: tally.symbols.size,
    distinct_days: tally.days.size,
    median_move_pct: quantileOf(moves, 0.5),
    median_move_pct_interval_95:
      ranks === undefined ? null : { low: clean(moves.at(ranks.low)), high: clean(moves.at(ranks.high)) },
    quartiles_move_pct:
      moves.length === 0 ? null : { low: quantileOf(moves, 0.25) ?? 0, high: quantileOf(moves, 0.75) ?? 0 },
    btc_sample: pairs,
    median_vs_btc_percentage_points: quantileOf(differences, 0.5),
    share_beating_btc: pairs === 0 ? null : clean(tally.beating / pairs),
    share_beating_btc_interval_95: pairs === 0 ? null : cleanInterval(wilson(tally.beating, pairs)),
  };
}

function quantileOf(sorted: Sorted, share: number): number | null {
  if (sorted.length === 0) return null;
  const { low, high, weight } = quantile(sorted.length, share);
  const from = sorted.at(low);
  return clean(from + (sorted.at(high) - from) * weight);
}

/** Differences of decimal fractions carry noise in their 16th digit (1.2 - 0.7): 12 digits are more than the data's. */
function clean(value: number): number {
  return Number(value.toPrecision(12));
}

function cleanInterval({ low, high }: Interval): Interval {
  return { low: clean(low), high: clean(high) };
}
