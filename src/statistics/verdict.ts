import { type HorizonName, horizonOf } from '../api/contract/horizons.ts';
import { type Bounds, type Estimate, LEVEL, standardError } from './estimate.ts';
import { clean } from './quantile.ts';
import { cumulative, twoSidedQuantile } from './student-t.ts';

export const PLAIN_VERDICTS = ['above', 'below', 'none', 'unclear', 'too_few_days'] as const;

/** A verdict after Holm's adjustment; `none`: the difference is known to be too small to matter. */
export type PlainVerdict = (typeof PLAIN_VERDICTS)[number];

/** The level of a whole family: of 900 simulated seasons .059 saw a false word within 90 mornings, at .02 .066. */
export const FAMILY_LEVEL = 0.015;

export interface Judged extends Estimate {
  /** `level`: of its own interval that agrees with this `p`; undefined if there are too few clusters. */
  readonly adjusted: { readonly p: number; readonly level: number } | undefined;
  readonly level: number;
  /** Percentage points. */
  readonly least: number;
}

/**
 * Holm (1979): bounds the chance of even one false difference by `level`, however the comparisons depend.
 * @param estimates one family, of one horizon and one comparison: a reader looks at one at a time
 */
export function judged<One extends Estimate>(
  estimates: readonly One[],
  least: number,
  level = FAMILY_LEVEL,
) {
  const order = estimates.flatMap(({ p }, index) => (p === null ? [] : [{ p, index }]));
  // Of two types that are compared with each other both have one p: neighbouring floats give no order.
  order.sort((a, b) => clean(a.p) - clean(b.p));
  const adjusted: Judged['adjusted'][] = [];
  let [largest, ownLevel] = [0, level];
  for (const [place, { p, index }] of order.entries()) {
    const left = order.length - place;
    // The first difference that fails sets the level of all after it.
    if (largest < level) ownLevel = level / left;
    largest = Math.max(largest, Math.min(1, p * left));
    adjusted[index] = { p: largest, level: ownLevel };
  }
  return estimates.map((one, i): One & Judged => ({ ...one, least, level, adjusted: adjusted[i] }));
}

export function verdictOf(one: Judged): PlainVerdict | null {
  const { value, adjusted, level, least } = one;
  if (Number.isNaN(value)) return null;
  if (adjusted === undefined) return 'too_few_days';
  if (adjusted.p < level && missingAllow(one, adjusted.level)) return value > 0 ? 'above' : 'below';
  // Two one-sided tests (Schuirmann 1987).
  const isSmall = (range: Bounds | null | undefined) =>
    range === undefined ||
    ((range?.low ?? -Infinity) >= -least && (range?.high ?? Infinity) <= least);
  const isKnown = isSmall(one.interval(2 * LEVEL)) && isSmall(one.bounds?.(2 * LEVEL));
  // Zero must lie within: else .6 to .95 pp were called none in a quarter of seasons.
  const { low, high } = one.interval(LEVEL) ?? { low: 0, high: 0 };
  return isKnown && low <= 0 && high >= 0 ? 'none' : 'unclear';
}

/** Above and below stay while the own p is below `LEVEL`, so that words do not flicker. */
export function verdictAfter(
  before: PlainVerdict | null | undefined,
  one: Judged,
): PlainVerdict | null {
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

/** Chances at which a wait ends: .8 to .9 of simulated ones came true. */
const LIKELY = 0.75;
const LIKELY_AT_LAST = 0.5;

/** Calendar days until a word is likely, in steps of 30; infinite if not within `most` days of outcomes in all. */
export function daysToWord(one: Judged, most: number): number {
  const count = Math.max(0, Math.floor((most - one.span) / STEP));
  const steps = Array.from({ length: count }, (_, i) => (i + 1) * STEP);
  const isLikely = (chance: number) => (more: number) =>
    chanceOfWord(one, one.span + more) >= chance;
  return (
    steps.find(isLikely(LIKELY)) ??
    steps.slice(-1).find(isLikely(LIKELY_AT_LAST)) ??
    Number.POSITIVE_INFINITY
  );
}

/** The chance that a word stands when outcomes of `days` are known, if true differences spread by `least` around 0. */
function chanceOfWord(one: Judged, days: number): number {
  const { value, adjusted, degreesOfFreedom: df, least } = one;
  const error = standardError(one);
  if (adjusted === undefined || !error) return 0;
  const share = one.span / days;
  const kept = 1 / (1 + (error / least) ** 2);
  const centre = value * (share + (1 - share) * kept);
  const spread = error * Math.sqrt((1 - share) * (share + (1 - share) * kept));
  const below = (bound: number) => cumulative((bound - centre) / spread, df);
  const within = (bound: number) => (bound > 0 ? below(bound) - below(-bound) : 0);
  const half = (level: number) =>
    twoSidedQuantile(level, Math.max(1, df / share)) * error * Math.sqrt(share);
  const far = half(adjusted.level) + widening(one, adjusted.level);
  const inner = half(2 * LEVEL) + widening(one, 2 * LEVEL);
  return 1 - within(far) + within(Math.min(half(LEVEL), least - inner));
}

/** What missing outcomes add to each side of an interval: it stays, however many days are known. */
function widening({ interval, bounds }: Judged, level: number): number {
  if (bounds === undefined) return 0;
  const [own, wide] = [interval(level), bounds(level)];
  if (own === null || wide === null || wide.low === null || wide.high === null)
    return Number.POSITIVE_INFINITY;
  return Math.max(0, own.low - wide.low, wide.high - own.high);
}

/** Percentage points after 24 h. */
export const LEAST = 1;

export function leastOf(horizon: HorizonName, least: number): number {
  return least * horizonOf(horizon).least;
}
