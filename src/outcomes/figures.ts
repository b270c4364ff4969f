/**
 * From cards to figures. Pure; `src/outcomes/types.ts` says what each figure is, `screener help figures` how it is made.
 */
import { DAY, dayNumber, HOUR } from '../runtime/units.ts';
import {
  type ClusteredMedian,
  clusteredMedian,
  FEW_CLUSTERS,
  LEAST_CLUSTERS,
  medianInterval,
  pValue,
} from './clustered-median.ts';
import { clusterDaysOf } from './clusters.ts';
import { groupRows } from './group.ts';
import { type Adjusted, holm, LEVEL } from './holm.ts';
import { quantile, type Sorted } from './quantile.ts';
import { isMeasured, type Row } from './row.ts';
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

interface FiguresQuestion {
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
  const all = grouped.map(([group, ofGroup]) => ({
    group,
    rows: ofGroup,
    samples: { '1h': sampleOf(ofGroup, '1h'), '24h': sampleOf(ofGroup, '24h') },
  }));
  const shown = all.filter(({ samples }) => HORIZON_NAMES.some((name) => samples[name].size >= minSample));
  const tested = shown
    .flatMap(({ samples }) => HORIZON_NAMES.map((name) => samples[name]))
    .filter((sample): sample is typeof sample & { p: number } => sample.p !== null);
  const adjusted = holm(tested.map(({ p }) => p));
  const verdicts = new Map<Sample, Adjusted | undefined>(tested.map((sample, i) => [sample, adjusted[i]]));
  return {
    groups: shown.map(({ group, rows: ofGroup, samples }) => ({
      group,
      ...countsOf(ofGroup, now),
      horizons: {
        '1h': horizonFigures(samples['1h'], verdicts.get(samples['1h'])),
        '24h': horizonFigures(samples['24h'], verdicts.get(samples['24h'])),
      },
    })),
    comparisons: tested.length,
    groups_left_out: all.length - shown.length,
  };
}

/** Both horizons are settled a day after the card; the service is given an hour more. */
const DUE_AFTER = DAY + HOUR;

function countsOf(rows: readonly Row[], now: number): Omit<GroupFigures, 'group' | 'horizons'> {
  let bought = 0;
  let due = 0;
  let boughtOfDue = 0;
  for (const { at, isBought } of rows) {
    const isDue = at + DUE_AFTER <= now;
    if (isBought) bought += 1;
    if (isDue) due += 1;
    if (isBought && isDue) boughtOfDue += 1;
  }
  return { rows: rows.length, bought, due, bought_share: due === 0 ? null : clean(boughtOfDue / due) };
}

type Sample = ReturnType<typeof sampleOf>;

/** A horizon of a group, as far as it needs no other group. */
function sampleOf(rows: readonly Row[], name: HorizonName) {
  const states = { pending: 0, missing: 0, other: 0 };
  const symbols = new Set<string>();
  const moves: number[] = [];
  const moveDays: number[] = [];
  const differences: number[] = [];
  const differenceDays: number[] = [];
  let without = 0;
  let ties = 0;
  let above = 0;
  for (const { symbol, at, measured } of rows) {
    if (measured === undefined) {
      without += 1;
      continue;
    }
    const one = measured[name];
    if (!isMeasured(one)) {
      const { state } = one;
      if (state === 'available' || state === 'missing') states.missing += 1;
      else if (state === 'pending') states.pending += 1;
      else states.other += 1;
      continue;
    }
    const { move, btc } = one;
    symbols.add(symbol);
    moves.push(move);
    moveDays.push(dayNumber(at));
    if (btc === null) continue;
    differences.push(move - btc);
    differenceDays.push(dayNumber(at));
    if (move === btc) ties += 1;
    else if (move > btc) above += 1;
  }
  const days = new Set(moveDays).size;
  const clusterDays = clusterDaysOf(name, days);
  const ofDifferences = clusteredMedian(differences, differenceDays, clusterDays);
  return {
    /** Measured moves. */
    size: moves.length,
    states,
    /** Cards without an outcome. */
    without,
    symbols: symbols.size,
    /** UTC days, and how many of them make a cluster. */
    days,
    clusterDays,
    moves: clusteredMedian(moves, moveDays, clusterDays),
    /** The moves less BTC's. */
    differences: ofDifferences,
    /** Moves that equal BTC's, and that are above it. */
    ties,
    above,
    /** Of a median difference of zero. */
    p: cleanOrNull(pValue(ofDifferences, 0)),
  };
}

function horizonFigures(sample: Sample, adjusted: Adjusted | undefined): HorizonFigures {
  const { size, states, moves, differences, ties, above } = sample;
  const pairs = differences.sorted.length;
  return {
    sample: size,
    pending: states.pending,
    missing: states.missing,
    other_states: states.other,
    without_outcome: sample.without,
    distinct_symbols: sample.symbols,
    distinct_days: sample.days,
    clusters: moves.clusters,
    cluster_days: sample.clusterDays,
    effective_sample: cleanOrNull(moves.effectiveSample),
    median_move_pct: cleanOrNull(moves.median),
    median_move_pct_interval_95: cleanInterval(medianInterval(moves, LEVEL)),
    quartiles_move_pct: quartilesOf(moves.sorted),
    missing_bounds: missingBounds(moves.sorted, states.missing),
    btc_sample: pairs,
    ties_with_btc: ties,
    btc_clusters: differences.clusters,
    btc_effective_sample: cleanOrNull(differences.effectiveSample),
    median_vs_btc_percentage_points: cleanOrNull(differences.median),
    median_vs_btc_interval_95: cleanInterval(medianInterval(differences, LEVEL)),
    share_above_btc: pairs === ties ? null : clean(above / (pairs - ties)),
    share_above_btc_interval_95: shareInterval(above, ties, differences),
    median_vs_btc_interval_holm:
      adjusted === undefined ? null : cleanInterval(medianInterval(differences, adjusted.level)),
    p_vs_btc: sample.p,
    p_vs_btc_holm: adjusted === undefined ? null : clean(adjusted.p),
    verdict: verdictOf(differences, adjusted),
    weak: Math.min(moves.clusters, pairs === 0 ? moves.clusters : differences.clusters) < FEW_CLUSTERS,
  };
}

function verdictOf({ sorted, median }: ClusteredMedian, adjusted: Adjusted | undefined): Verdict | null {
  if (sorted.length === 0) return null;
  if (adjusted === undefined) return 'too_few_days';
  if (adjusted.p >= LEVEL) return 'unclear';
  return median > 0 ? 'above_btc' : 'below_btc';
}

function shareInterval(above: number, ties: number, differences: ClusteredMedian): Interval | null {
  const { sorted, effectiveSample, degreesOfFreedom, clusters } = differences;
  const untied = sorted.length - ties;
  if (clusters < LEAST_CLUSTERS || effectiveSample === null || untied === 0) return null;
  const worth = (effectiveSample * untied) / sorted.length;
  return cleanInterval(wilsonInterval(above / untied, worth, degreesOfFreedom, LEVEL));
}

function quartilesOf(sorted: Sorted): Interval | null {
  if (sorted.length === 0) return null;
  return { low: clean(quantile(sorted, 0.25)), high: clean(quantile(sorted, 0.75)) };
}

/** Manski (2003): what is missing may have moved anywhere. */
function missingBounds(sorted: Sorted, missing: number): HorizonFigures['missing_bounds'] {
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
