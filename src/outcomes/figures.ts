/**
 * From cards to figures. Pure; `src/outcomes/types.ts` says what each figure is, `screener help figures` how it is made.
 */
import { DAY, HOUR } from '../runtime/units.ts';
import {
  type ClusteredMedian,
  clusteredMedian,
  FEW_CLUSTERS,
  LEAST_CLUSTERS,
  medianInterval,
  pValue,
} from './clustered-median.ts';
import { dayOf, groupRows } from './group.ts';
import { type Adjusted, holm, LEVEL } from './holm.ts';
import { quantile } from './quantile.ts';
import type { Row } from './row.ts';
import {
  type Comparison,
  type GroupBy,
  type GroupFigures,
  HORIZON_NAMES,
  type HorizonFigures,
  type HorizonName,
  type Interval,
  type Verdict,
} from './types.ts';
import { wilsonInterval } from './wilson.ts';

export interface FiguresQuestion {
  /** Undefined for one group of all cards. */
  readonly by?: GroupBy | undefined;
  /** When the figures are of: says which cards are due. Epoch milliseconds UTC. */
  readonly now: number;
  /** Groups whose samples are both smaller are left out, and are not among the comparisons. */
  readonly minSample?: number | undefined;
}

/** Groups in the order of `groupRows`. */
export function figuresOf(rows: readonly Row[], { by, now, minSample = 0 }: FiguresQuestion): Comparison {
  const grouped: readonly [string | null, readonly Row[]][] = by === undefined ? [[null, rows]] : groupRows(rows, by);
  const all = grouped.map(([group, ofGroup]) => prepareGroup(group, ofGroup, now));
  const shown = all.filter(({ horizons }) =>
    Object.values(horizons).some(({ figures }) => figures.sample >= minSample),
  );
  const compared = shown.flatMap(({ horizons }) => HORIZON_NAMES.map((name) => horizons[name]));
  const tested = compared.filter(({ figures }) => figures.p_vs_btc !== null);
  const adjusted = holm(tested.map(({ figures }) => figures.p_vs_btc ?? 1));
  const verdicts = new Map(tested.map((one, i) => [one, adjusted[i]]));
  return {
    groups: shown.map(({ horizons, ...group }) => ({
      ...group,
      horizons: {
        '1h': withVerdict(horizons['1h'], verdicts.get(horizons['1h'])),
        '24h': withVerdict(horizons['24h'], verdicts.get(horizons['24h'])),
      },
    })),
    comparisons: tested.length,
    groups_left_out: all.length - shown.length,
  };
}

/** Both horizons are settled a day after the card; the service is given an hour more. */
const DUE_AFTER = DAY + HOUR;

function prepareGroup(group: string | null, rows: readonly Row[], now: number) {
  const due = rows.filter(({ at }) => at + DUE_AFTER <= now);
  const boughtOfDue = due.filter(({ isBought }) => isBought).length;
  return {
    group,
    rows: rows.length,
    bought: rows.filter(({ isBought }) => isBought).length,
    due: due.length,
    bought_share: due.length === 0 ? null : clean(boughtOfDue / due.length),
    horizons: { '1h': prepareHorizon(rows, '1h'), '24h': prepareHorizon(rows, '24h') },
  } satisfies Omit<GroupFigures, 'horizons'> & { horizons: Record<HorizonName, Prepared> };
}

/** A horizon's figures as far as they need no other group, and what the rest is made from. */
interface Prepared {
  readonly figures: Omit<HorizonFigures, 'median_vs_btc_interval_holm' | 'p_vs_btc_holm' | 'verdict'>;
  readonly differences: ClusteredMedian;
}

function prepareHorizon(rows: readonly Row[], name: HorizonName): Prepared {
  const counts = { bought: 0, pending: 0, missing: 0, other: 0 };
  const measured: { readonly row: Row; readonly move: number; readonly btc: number | null }[] = [];
  for (const row of rows) {
    if (row.measured === undefined) continue;
    const { state, move, btc } = row.measured[name];
    counts.bought += 1;
    if (state === 'available' && move !== null) measured.push({ row, move, btc });
    else if (state === 'available' || state === 'missing') counts.missing += 1;
    else if (state === 'pending') counts.pending += 1;
    else counts.other += 1;
  }
  const days = new Set(measured.map(({ row }) => dayOf(row.at))).size;
  const clusterDays = clusterDaysOf(name, days);
  const inCluster = (row: Row, value: number) => ({ value, cluster: Math.floor(dayOf(row.at) / clusterDays) });
  const moves = clusteredMedian(measured.map(({ row, move }) => inCluster(row, move)));
  const pairs = measured.filter((one): one is typeof one & { btc: number } => one.btc !== null);
  const differences = clusteredMedian(pairs.map(({ row, move, btc }) => inCluster(row, move - btc)));
  const ties = pairs.filter(({ move, btc }) => move === btc).length;
  const above = pairs.filter(({ move, btc }) => move > btc).length;
  return {
    differences,
    figures: {
      sample: measured.length,
      pending: counts.pending,
      missing: counts.missing,
      other_states: counts.other,
      without_outcome: rows.length - counts.bought,
      distinct_symbols: new Set(measured.map(({ row }) => row.symbol)).size,
      distinct_days: days,
      clusters: moves.clusters,
      cluster_days: clusterDays,
      effective_sample: cleanOrNull(moves.effectiveSample),
      median_move_pct: cleanOrNull(moves.median),
      median_move_pct_interval_95: cleanInterval(medianInterval(moves, LEVEL)),
      quartiles_move_pct: quartilesOf(moves.sorted),
      missing_bounds: missingBounds(moves.sorted, counts.missing),
      btc_sample: pairs.length,
      ties_with_btc: ties,
      btc_clusters: differences.clusters,
      btc_effective_sample: cleanOrNull(differences.effectiveSample),
      median_vs_btc_percentage_points: cleanOrNull(differences.median),
      median_vs_btc_interval_95: cleanInterval(medianInterval(differences, LEVEL)),
      share_above_btc: pairs.length === ties ? null : clean(above / (pairs.length - ties)),
      share_above_btc_interval_95: shareInterval(above, ties, differences),
      p_vs_btc: cleanOrNull(pValue(differences, 0)),
      weak: Math.min(moves.clusters, pairs.length === 0 ? moves.clusters : differences.clusters) < FEW_CLUSTERS,
    },
  };
}

/**
 * How many UTC days make a cluster. A 24 h window reaches into the next day, so that single days depend on each other
 * (intervals from them covered 0.90 to 0.93 in simulations; from blocks of two 0.92 to 0.95; of three 0.94 to 0.95, but
 * those need more days).
 */
function clusterDaysOf(name: HorizonName, days: number): number {
  if (name === '1h') return 1;
  return days < 36 ? 2 : 3;
}

function withVerdict({ figures, differences }: Prepared, adjusted: Adjusted | undefined): HorizonFigures {
  const { p_vs_btc, weak, ...rest } = figures;
  return {
    ...rest,
    median_vs_btc_interval_holm:
      adjusted === undefined ? null : cleanInterval(medianInterval(differences, adjusted.level)),
    p_vs_btc,
    p_vs_btc_holm: adjusted === undefined ? null : clean(adjusted.p),
    verdict: verdictOf(figures, adjusted),
    weak,
  };
}

function verdictOf(
  { btc_sample, median_vs_btc_percentage_points: median }: Prepared['figures'],
  adjusted: Adjusted | undefined,
): Verdict | null {
  if (btc_sample === 0) return null;
  if (adjusted === undefined) return 'too_few_days';
  if (adjusted.p >= LEVEL) return 'unclear';
  return (median ?? 0) > 0 ? 'above_btc' : 'below_btc';
}

function shareInterval(above: number, ties: number, differences: ClusteredMedian): Interval | null {
  const { sorted, effectiveSample, degreesOfFreedom, clusters } = differences;
  const untied = sorted.length - ties;
  if (clusters < LEAST_CLUSTERS || effectiveSample === null || untied === 0) return null;
  const worth = (effectiveSample * untied) / sorted.length;
  return cleanInterval(wilsonInterval(above / untied, worth, degreesOfFreedom, LEVEL));
}

function quartilesOf(sorted: readonly number[]): Interval | null {
  if (sorted.length === 0) return null;
  return { low: clean(quantile(sorted, 0.25)), high: clean(quantile(sorted, 0.75)) };
}

/** Manski (2003): what is missing may have moved anywhere. */
function missingBounds(sorted: readonly number[], missing: number): HorizonFigures['missing_bounds'] {
  if (missing === 0 || missing / (missing + sorted.length) <= 0.05) return null;
  const all = (value: number) => Array.from({ length: missing }, () => value);
  return {
    low: cleanOrNull(quantile([...all(Number.NEGATIVE_INFINITY), ...sorted], 0.5)),
    high: cleanOrNull(quantile([...sorted, ...all(Number.POSITIVE_INFINITY)], 0.5)),
  };
}

/** Differences of decimal fractions carry noise in their 16th digit (1.2 - 0.7): 12 digits are more than the data's. */
function clean(value: number): number {
  return Number(value.toPrecision(12));
}

function cleanOrNull(value: number | null): number | null {
  return value === null || !Number.isFinite(value) ? null : clean(value);
}

function cleanInterval(interval: Interval | null): Interval | null {
  return interval === null ? null : { low: clean(interval.low), high: clean(interval.high) };
}
