/**
 * From counts to figures. Fields that mean what the API's `Horizon` means carry its names.
 */
import { dayOf, type GroupBy, groupRows } from './group.ts';
import { type Histogram, histogramOf } from './histogram.ts';
import { type Interval, medianIntervalRanks, quantile, sortedOf, wilson } from './order.ts';
import type { Row } from './row.ts';

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

/**
 * Figures of cards, one group for each value of `by`, in the order of the groups' keys: days oldest first; a single
 * group with a null key where nothing is grouped.
 */
export function reportGroups(rows: readonly Row[], by: GroupBy | undefined): DrawnGroup[] {
  const groups: readonly [string | null, readonly Row[]][] = by === undefined ? [[null, rows]] : groupRows(rows, by);
  return groups.map(([key, ofGroup]) => {
    const horizons = { '1h': drawHorizon(ofGroup, 0), '24h': drawHorizon(ofGroup, 1) };
    const { '1h': short, '24h': long } = horizons;
    return {
      report: { group: key, rows: ofGroup.length, horizons: { '1h': short.report, '24h': long.report } },
      histograms: { '1h': short.histogram, '24h': long.histogram },
    };
  });
}

function drawHorizon(rows: readonly Row[], horizon: 0 | 1) {
  const bought = rows.flatMap((row) => (row.measured === undefined ? [] : [{ row, ...row.measured[horizon] }]));
  const pending = bought.filter(({ state }) => state === 'pending').length;
  const measured = bought.flatMap(({ state, move, ...rest }) =>
    state === 'available' && move !== null ? [{ ...rest, move }] : [],
  );
  const pairs = measured.flatMap(({ move, btc }) => (btc === null ? [] : [{ move, btc }]));
  const moves = sortedOf(measured.map(({ move }) => move));
  const differences = sortedOf(pairs.map(({ move, btc }) => move - btc));
  const beating = pairs.filter(({ move, btc }) => move > btc).length;
  const ranks = medianIntervalRanks(moves.length);
  const report: HorizonReport = {
    sample: moves.length,
    pending,
    missing: bought.length - pending - measured.length,
    without_outcome: rows.length - bought.length,
    distinct_symbols: new Set(measured.map(({ row }) => row.symbol)).size,
    distinct_days: new Set(measured.map(({ row }) => dayOf(row.at))).size,
    median_move_pct: quantileOf(moves, 0.5),
    median_move_pct_interval_95:
      ranks === undefined ? null : { low: clean(moves[ranks.low] ?? 0), high: clean(moves[ranks.high] ?? 0) },
    quartiles_move_pct:
      moves.length === 0 ? null : { low: quantileOf(moves, 0.25) ?? 0, high: quantileOf(moves, 0.75) ?? 0 },
    btc_sample: pairs.length,
    median_vs_btc_percentage_points: quantileOf(differences, 0.5),
    share_beating_btc: pairs.length === 0 ? null : clean(beating / pairs.length),
    share_beating_btc_interval_95: pairs.length === 0 ? null : cleanInterval(wilson(beating, pairs.length)),
  };
  return { report, histogram: histogramOf(moves) };
}

function quantileOf(sorted: readonly number[], share: number): number | null {
  return sorted.length === 0 ? null : clean(quantile(sorted, share));
}

/** Differences of decimal fractions carry noise in their 16th digit (1.2 - 0.7): 12 digits are more than the data's. */
function clean(value: number): number {
  return Number(value.toPrecision(12));
}

function cleanInterval({ low, high }: Interval): Interval {
  return { low: clean(low), high: clean(high) };
}
