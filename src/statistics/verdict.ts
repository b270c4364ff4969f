import { type HorizonName, horizonOf } from '../api/contract/horizons.ts';
import { type ClusteredMedian, type MissingBounds, medianInterval, pValue } from './clustered-median.ts';
import { type Adjusted, FAMILY_LEVEL, holm, LEVEL } from './holm.ts';
import { clean, type Interval, type PlainVerdict } from './quantile.ts';
import { cumulative, twoSidedQuantile, twoSidedTail } from './student-t.ts';

/** Percentage points. */
export interface Estimate {
  readonly value: number;
  /** Two-sided p; null if there are too few clusters. */
  readonly p: number | null;
  readonly degreesOfFreedom: number;
  readonly days: number;
  readonly clusters: number;
  readonly interval: (level: number) => Interval | null;
  /** Bounds wherever missing outcomes lie; null if nothing bounds it. Absent if none is missing. */
  readonly bounds?: ((level: number) => MissingBounds | null) | undefined;
}

/** The estimate of a sample that is too small. */
export const UNKNOWN: Estimate = {
  value: Number.NaN,
  p: null,
  degreesOfFreedom: 1,
  days: 0,
  clusters: 0,
  interval: () => null,
};

export function estimateOf(sample: ClusteredMedian, bounds?: Estimate['bounds']): Estimate {
  const { median: value, degreesOfFreedom, span: days, clusters } = sample;
  const interval = (level: number) => medianInterval(sample, level);
  return { value, p: pValue(sample, 0), degreesOfFreedom, days, clusters, interval, bounds };
}

/** @param error the standard error of `value`, percentage points */
export function estimateByT(
  value: number,
  error: number,
  degreesOfFreedom: number,
  of: Pick<Estimate, 'days' | 'clusters'>,
): Estimate {
  return {
    ...of,
    value,
    p: twoSidedTail(Math.abs(value) / error, degreesOfFreedom),
    degreesOfFreedom,
    interval: (level) => {
      const half = twoSidedQuantile(level, degreesOfFreedom) * error;
      return { low: clean(value - half), high: clean(value + half) };
    },
  };
}

/** After less before, of two independent estimates: Welch (1947) and Satterthwaite (1946). */
export function differenceOfEstimates(after: Estimate, before: Estimate): Estimate {
  const value = clean(after.value - before.value);
  const [first, second] = [standardError(before), standardError(after)];
  const of = { days: before.days + after.days, clusters: Math.min(before.clusters, after.clusters) };
  if (first === null || second === null || Math.max(first, second) === 0) return { ...UNKNOWN, ...of, value };
  const error = Math.hypot(first, second);
  const degreesOfFreedom = error ** 4 / (first ** 4 / before.degreesOfFreedom + second ** 4 / after.degreesOfFreedom);
  return estimateByT(value, error, degreesOfFreedom, of);
}

export interface Judged extends Estimate {
  /** Undefined if there are too few clusters. */
  readonly adjusted: Adjusted | undefined;
  readonly level: number;
  /** Percentage points. */
  readonly least: number;
}

/** @param estimates one family, of one horizon and one comparison: a reader looks at one at a time */
export function judged(estimates: readonly Estimate[], least: number, level = FAMILY_LEVEL): Judged[] {
  const adjusted = holm(
    estimates.map(({ p }) => p),
    level,
  );
  return estimates.map((one, i) => ({ ...one, least, level, adjusted: adjusted[i] }));
}

export function verdictOf(one: Judged): PlainVerdict | null {
  const { value, adjusted, level, least } = one;
  if (Number.isNaN(value)) return null;
  if (adjusted === undefined) return 'too_few_days';
  if (adjusted.p < level && missingAllow(one, adjusted.level)) return value > 0 ? 'above' : 'below';
  // Two one-sided tests (Schuirmann 1987).
  const isSmall = (range: MissingBounds | null | undefined) =>
    range === undefined || ((range?.low ?? -Infinity) >= -least && (range?.high ?? Infinity) <= least);
  const isKnown = isSmall(one.interval(2 * LEVEL)) && isSmall(one.bounds?.(2 * LEVEL));
  return isKnown && holdsZero(one.interval(LEVEL)) ? 'none' : 'unclear';
}

/** Zero must lie within: else .6 to .95 pp were called none in a quarter of seasons. */
const holdsZero = (range: Interval | null) => range === null || (range.low <= 0 && range.high >= 0);

/** Above and below stay while the own p is below `LEVEL`, so that words do not flicker. */
export function verdictAfter(before: PlainVerdict | null | undefined, one: Judged): PlainVerdict | null {
  const sign = before === 'above' ? 1 : before === 'below' ? -1 : 0;
  const isKept = one.value * sign > 0 && (one.p ?? 1) < LEVEL && missingAllow(one, LEVEL);
  return isKept ? (before as PlainVerdict) : verdictOf(one);
}

function missingAllow({ value, bounds }: Judged, level: number): boolean {
  if (bounds === undefined) return true;
  const range = bounds(level);
  return value > 0 ? (range?.low ?? 0) > 0 : (range?.high ?? 0) < 0;
}

/** Whether nothing but missing outcomes makes it unclear. */
export function isHeldBack(one: Judged): boolean {
  return verdictOf(one) === 'unclear' && verdictOf({ ...one, bounds: undefined }) !== 'unclear';
}

/** The normal quantile of a power of 80 %. */
const POWER = 0.84;

/** Percentage points that show in four of five cases; null if nothing bounds it. */
export function wouldShow(one: Judged): number | null {
  const error = standardError(one);
  if (one.adjusted === undefined || error === null) return null;
  return (twoSidedQuantile(one.adjusted.level, one.degreesOfFreedom) + POWER) * error;
}

/** Days, as the service's medians come. */
const STEP = 30;

/** Chances at which a wait ends: .8 to .9 of them came true; the last step may be less certain. */
const LIKELY = 0.85;
const LIKELY_AT_LAST = 0.5;

/** Calendar days until a word is likely, in steps of 30; undefined if it is not within `most` days of outcomes in all. */
export function daysToWord(one: Judged, most: number): number | undefined {
  const count = Math.max(0, Math.floor((most - one.days) / STEP));
  const steps = Array.from({ length: count }, (_, i) => (i + 1) * STEP);
  const isLikely = (chance: number) => (more: number) => chanceOfWord(one, one.days + more) >= chance;
  return steps.find(isLikely(LIKELY)) ?? steps.slice(-1).find(isLikely(LIKELY_AT_LAST));
}

/** The chance that a word stands when outcomes of `days` are known, if true differences spread by `least` around 0. */
function chanceOfWord(one: Judged, days: number): number {
  const { value, adjusted, degreesOfFreedom: df, least } = one;
  const error = standardError(one);
  if (adjusted === undefined || !error) return 0;
  const share = one.days / days;
  const kept = 1 / (1 + (error / least) ** 2);
  const centre = value * (share + (1 - share) * kept);
  const spread = error * Math.sqrt((1 - share) * (share + (1 - share) * kept));
  const below = (bound: number) => cumulative((bound - centre) / spread, df);
  const within = (bound: number) => (bound > 0 ? below(bound) - below(-bound) : 0);
  const half = (level: number) => twoSidedQuantile(level, Math.max(1, df / share)) * error * Math.sqrt(share);
  const far = half(adjusted.level) + widening(one, adjusted.level);
  const inner = half(2 * LEVEL) + widening(one, 2 * LEVEL);
  return 1 - within(far) + within(Math.min(half(LEVEL), least - inner));
}

/** What missing outcomes add to each side of an interval: it stays, however many days are known. */
function widening({ interval, bounds }: Judged, level: number): number {
  if (bounds === undefined) return 0;
  const [own, wide] = [interval(level), bounds(level)];
  if (own === null || wide === null || wide.low === null || wide.high === null) return Number.POSITIVE_INFINITY;
  return Math.max(0, own.low - wide.low, wide.high - own.high);
}

function standardError({ degreesOfFreedom, interval }: Estimate): number | null {
  const known = interval(LEVEL);
  return known === null ? null : (known.high - known.low) / (2 * twoSidedQuantile(LEVEL, degreesOfFreedom));
}

/** Percentage points after 24 h. */
export const LEAST = 1;

export function leastOf(horizon: HorizonName, least: number): number {
  return least * horizonOf(horizon).least;
}
