/**
 * The rule of every verdict: what the picture shows decides. The picture shows two intervals of a difference, of 95 % (two
 * standard errors) and of 99.7 % (three), and a band from −0.1 to 0.1 percentage points.
 *
 * - Above: the 99.7 % interval lies wholly above the band, and wholly above 0 whatever the missing outcomes were. It is
 *   withdrawn when the 95 % interval reaches 0 (the notebook waits for a second UTC day on which it does).
 * - Below: likewise, on the other side.
 * - Small, if the difference is neither above nor below: the 95 % interval lies within ± the smallest difference that matters,
 *   whatever the missing outcomes were. It stays small while the interval lies within 1.5 times that difference.
 * - Unclear: none of these.
 *
 * If 1 pp matters: 0.2 to 2.0 (99.7 %) is above; −0.6 to 0.8 (95 %) is small; −0.6 to 1.2 is unclear, and small if it was
 * small before.
 */
import { type Bounds, type Estimate, LEVEL, standardError } from './estimate.ts';
import { cumulative, twoSidedQuantile } from './student-t.ts';

export const VERDICTS = ['above', 'below', 'small', 'unclear', 'too_few_days'] as const;

/**
 * A verdict. It does not say what the cards are compared with: it is `above` if JSON has `above_others` or
 * `above_btc`. `small`: the difference is known to be smaller than what matters, on either side of 0. `too_few_days`: there is
 * no interval.
 */
export type Verdict = (typeof VERDICTS)[number];

/** Whether a verdict says on which side of the others, or of BTC, something lies. */
export function isSide(verdict: Verdict | null | undefined): verdict is 'above' | 'below' {
  return verdict === 'above' || verdict === 'below';
}

/**
 * Above and below are given by this interval's chance to miss the true value: 0.003. So it is a 99.7 % interval, three standard
 * errors.
 */
export const SURE_LEVEL = 0.003;

/**
 * How far the band reaches on either side of 0, percentage points. Simulated, a band of 0.2 would halve the false verdicts, and
 * bring the right ones a week later.
 */
export const MARGIN = 0.1;

/**
 * The verdict `small` stays while the 95 % interval lies within this many times the smallest difference that matters. If this were
 * 1, it would come and go with the outcomes of each day.
 */
export const KEPT_SMALL = 1.5;

export interface Rule {
  /** The smallest difference that matters, percentage points. */
  readonly least: number;
  /** The level at which above and below are given; `SURE_LEVEL` if absent. */
  readonly sureLevel?: number;
}

/**
 * The verdict of an estimate by the rule.
 * @param before the verdict that the same comparison had until now. The rule keeps a verdict longer than it would give it. Undefined
 *   if there is none, or if it is not to count
 * @returns null if nothing is measured
 */
export function verdictByRule(
  estimate: Estimate,
  { least, sureLevel = SURE_LEVEL }: Rule,
  before?: Verdict | null,
): Verdict | null {
  if (Number.isNaN(estimate.value)) return null;
  if (estimate.interval(LEVEL) === null) return 'too_few_days';
  const side = estimate.value > 0 ? 'above' : 'below';
  if (isBeyond(estimate, sureLevel, MARGIN)) return side;
  if (before === side && isBeyond(estimate, LEVEL, 0)) return before;
  const bound = before === 'small' ? KEPT_SMALL * least : least;
  return isWithin(estimate, bound) ? 'small' : 'unclear';
}

/** Whether the interval lies wholly beyond `margin`, and beyond 0 whatever the missing outcomes were. */
function isBeyond(estimate: Estimate, level: number, margin: number): boolean {
  const { value, interval, bounds } = estimate;
  const range = interval(level);
  if (range === null) return false;
  const isClear = distanceFrom0(range, value) > margin;
  if (!isClear || bounds === undefined) return isClear;
  const wide = bounds(level);
  return wide !== null && distanceFrom0(wide, value) > 0;
}

/**
 * How far an interval lies from 0, on the side of the estimate: 0.4 for 0.4 to 2 and for −2 to −0.4, −0.1 for −0.1 to 2. It is
 * 0 if nothing bounds the interval there.
 */
function distanceFrom0({ low, high }: Bounds, value: number): number {
  return value > 0 ? (low ?? 0) : -(high ?? 0);
}

/** Whether the 95 % interval lies within ±`bound`, whatever the missing outcomes were. */
function isWithin({ interval, bounds }: Estimate, bound: number): boolean {
  const isInside = (range: Bounds | null) => {
    // A side without an end may lie anywhere.
    if (range === null || range.low === null || range.high === null) return false;
    return range.low >= -bound && range.high <= bound;
  };
  return isInside(interval(LEVEL)) && (bounds === undefined || isInside(bounds(LEVEL)));
}

/** Whether an estimate is unclear only because outcomes are missing. */
export function isUnclearByMissing(estimate: Estimate, rule: Rule): boolean {
  if (verdictByRule(estimate, rule) !== 'unclear') return false;
  return verdictByRule({ ...estimate, bounds: undefined }, rule) !== 'unclear';
}

/**
 * The smallest difference that would show now, percentage points: the band and half of the interval. With an interval from −1
 * to 3 that is 0.1 + 2 = 2.1.
 * @param sureLevel the level at which above and below are given
 * @returns null if nothing bounds it
 */
export function wouldShow({ interval }: Estimate, sureLevel = SURE_LEVEL): number | null {
  const range = interval(sureLevel);
  return range === null ? null : MARGIN + (range.high - range.low) / 2;
}

/** The standard normal quantile of 20 %. */
const QUANTILE_OF_FIFTH = -0.8416;

/**
 * How many times too small a standard error of few days may be: 1.27 times with 10 degrees of freedom, 1.13 times with 30. In
 * four of five cases the true standard error is smaller than the estimated one times this factor. (The factor is √(d / q),
 * where q is the 20 % quantile of chi-squared with d degrees of freedom, by Wilson & Hilferty 1931.) Without the factor,
 * promises of what will show would often not be kept.
 *
 * In simulations (numpy and this code, 400 accounts of each of six kinds, 1.2 to 6 cards a day of a type, outcomes with the
 * tails of t with 4 degrees of freedom, promises of days 14 to 37 rounded up to half a point) 87 to 99 % of the promises are
 * kept on day 60. The fewest are kept in accounts of 12 symbols, because more days bring no more symbols.
 */
function factorOfNoisyError(degreesOfFreedom: number): number {
  const variance = 2 / (9 * Math.max(1, degreesOfFreedom));
  return (1 - variance + QUANTILE_OF_FIFTH * Math.sqrt(variance)) ** -1.5;
}

/**
 * Half of the 99.7 % interval, percentage points. If there is none yet, it is worked out from the standard error. An interval
 * by ranks is preferred, because it is wider than three standard errors if many values lie far from the median.
 * @returns null if there is no 95 % interval either
 */
function sureHalfWidth(estimate: Estimate): number | null {
  const range = estimate.interval(SURE_LEVEL);
  if (range !== null) return (range.high - range.low) / 2;
  const error = standardError(estimate);
  return error === null ? null : error * twoSidedQuantile(SURE_LEVEL, estimate.degreesOfFreedom);
}

/**
 * The smallest difference that would surely show once outcomes of `days` calendar days are known, percentage points, if
 * outcomes come as until now. The interval narrows by the root of the days: from 15 to 60 days to half of its width, and a
 * little more because t gets smaller.
 * @returns null if nothing bounds it, or if outcomes of `days` days are known already
 */
export function wouldShowWith(estimate: Estimate, days: number): number | null {
  const { degreesOfFreedom, span } = estimate;
  const half = sureHalfWidth(estimate);
  const fractionKnown = span / days;
  if (half === null || fractionKnown >= 1) return null;
  const quantileNow = twoSidedQuantile(SURE_LEVEL, degreesOfFreedom);
  const quantileThen = twoSidedQuantile(SURE_LEVEL, Math.max(1, degreesOfFreedom / fractionKnown));
  const halfThen = half * (quantileThen / quantileNow) * Math.sqrt(fractionKnown);
  const size =
    MARGIN + halfThen * factorOfNoisyError(degreesOfFreedom) + widening(estimate, SURE_LEVEL);
  return Number.isFinite(size) ? size : null;
}

/** An unclear estimate of which it is asked whether it will be above, below or small. */
interface OpenQuestion {
  readonly estimate: Estimate;
  /** True values are taken to lie around 0, with the smallest difference that matters as the standard deviation. */
  readonly rule: Pick<Rule, 'least'>;
}

/** Days: dates are foreseen in steps as long as the windows of the service's medians. */
const STEP_DAYS = 30;

/** A date is told if a verdict is at least this likely by then. In simulations, four of five such dates come true. */
const LIKELY = 0.75;

/**
 * Calendar days until above, below or small is likely: 30, 60, 90 and so on.
 * @param mostDays the most days of outcomes that count: older outcomes are left out
 * @returns undefined if none is likely before outcomes are too old to count
 */
export function daysToVerdict(question: OpenQuestion, mostDays: number): number | undefined {
  const longest = mostDays - question.estimate.span;
  for (let more = STEP_DAYS; more <= longest; more += STEP_DAYS) {
    if (chanceOfVerdict(question, more) >= LIKELY) return more;
  }
  return undefined;
}

/**
 * The chance that the verdict is above, below or small after `more` days, if outcomes come as until now: the later estimate must
 * lie beyond the bound of the sides, or within the bound of small.
 *
 * An example. The later estimate is expected at 1.5, with the deviation 0.6, sides begin at 1.2, and small is not possible. Then
 * the chance of a side is that of more than (1.2 − 1.5) / 0.6 = −0.5 deviations, 69 % (and hardly any chance below −1.2).
 */
function chanceOfVerdict(question: OpenQuestion, more: number): number {
  const { estimate, rule } = question;
  // 30 days of outcomes are known, and 30 more come: half of the later outcomes is known.
  const fractionKnown = estimate.span / (estimate.span + more);
  const later = laterEstimate(question, fractionKnown);
  if (later === undefined) return 0;
  const chanceBelow = (bound: number) =>
    cumulative((bound - later.centre) / later.deviation, estimate.degreesOfFreedom);
  const chanceWithin = (bound: number) =>
    bound > 0 ? chanceBelow(bound) - chanceBelow(-bound) : 0;
  const halfWidth = (level: number) => halfWidthLater(estimate, fractionKnown, level);
  // Beyond this bound an estimate is above or below.
  const boundOfSides = MARGIN + halfWidth(SURE_LEVEL);
  // Within this bound an estimate is small.
  const boundOfSmall = Math.min(boundOfSides, rule.least - halfWidth(LEVEL));
  const chanceOfSides = 1 - chanceWithin(boundOfSides);
  return chanceOfSides + chanceWithin(boundOfSmall);
}

/** What the estimate of a later time is expected to be: distributed like t around a centre. Percentage points. */
interface LaterEstimate {
  readonly centre: number;
  readonly deviation: number;
}

/**
 * The estimate at a later time, as it is foreseen now (the predictive distribution of a normal mean whose true value has the
 * prior N(0, least²)).
 *
 * An example: the value is 2, its standard error 1, the smallest difference that matters 1, and half of the later outcomes are known.
 * - The part of the value that is chance is c = 1² / (1² + 1²) = 0.5: outcomes to come are expected at 2 (1 − c) = 1.
 * - With s = 0.5 for the known fraction, the later estimate is expected at 2 (s + (1 − s) (1 − c)) = 2 × 0.75 = 1.5.
 * - It deviates from 1.5, because outcomes to come have chance of their own, and because the true value is not known: the variance
 *   is 1² (1 − s) (s + (1 − s) (1 − c)) = 0.375, the deviation 0.61.
 * @returns undefined if nothing of it can be foreseen
 */
function laterEstimate(
  { estimate, rule }: OpenQuestion,
  fractionKnown: number,
): LaterEstimate | undefined {
  const error = standardError(estimate);
  if (error === null || error === 0) return undefined;
  const fractionOfChance = error ** 2 / (rule.least ** 2 + error ** 2);
  // The same as s + (1 − s) (1 − c).
  const weight = 1 - (1 - fractionKnown) * fractionOfChance;
  const variance = error ** 2 * (1 - fractionKnown) * weight;
  return { centre: estimate.value * weight, deviation: Math.sqrt(variance) };
}

/**
 * Half of the interval of a level at a later time, percentage points. It is half of the present interval, narrowed as the
 * standard error and t get smaller, plus what missing outcomes add: that part stays. It is made from the interval of this
 * level, not from the standard error, because with few outcomes the 99.7 % interval by ranks is wider than three standard
 * errors.
 *
 * An example: the interval is 2 wide on each side, and half of the later outcomes are known. The standard error gets smaller by
 * √0.5 = 0.71. With 20 degrees of freedom now and 40 then, t of 99.7 % falls from 3.38 to 3.16: half of the later interval is
 * 2 × 0.71 × 3.16 / 3.38 = 1.32.
 * @returns infinite if nothing bounds it now
 */
function halfWidthLater(estimate: Estimate, fractionKnown: number, level: number): number {
  const range = estimate.interval(level);
  if (range === null) return Number.POSITIVE_INFINITY;
  const { degreesOfFreedom } = estimate;
  const quantileNow = twoSidedQuantile(level, degreesOfFreedom);
  const quantileThen = twoSidedQuantile(level, Math.max(1, degreesOfFreedom / fractionKnown));
  const halfNow = (range.high - range.low) / 2;
  const half = halfNow * Math.sqrt(fractionKnown) * (quantileThen / quantileNow);
  return half + widening(estimate, level);
}

/** What missing outcomes add to each side of an interval, percentage points; infinite if because of them a side has no end. */
function widening({ interval, bounds }: Estimate, level: number): number {
  if (bounds === undefined) return 0;
  const range = interval(level);
  const wide = bounds(level);
  if (range === null || wide === null || wide.low === null || wide.high === null)
    return Number.POSITIVE_INFINITY;
  return Math.max(0, range.low - wide.low, wide.high - range.high);
}
