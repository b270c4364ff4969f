/**
 * The rule of every word: what the picture shows decides. Two intervals are drawn, the 95 % one (two standard errors) and
 * the 99.7 % one (three), and a band of 0.1 on either side of 0.
 *
 * Above: the 99.7 % interval lies wholly above the band, and above 0 wherever the lost outcomes lie; withdrawn when the
 * 95 % interval reaches 0 (the notebook waits for a second UTC day that says so). Below likewise. Else small: the 95 %
 * interval lies within the smallest difference that matters; a small one stays small while it lies within 1.5 times that.
 */
import { type Bounds, type Estimate, LEVEL, standardError } from './estimate.ts';
import { cumulative, twoSidedQuantile } from './student-t.ts';

export const WORDS = ['above', 'below', 'small', 'unclear', 'too_few_days'] as const;

/** `small`: known to be smaller than what matters, on whichever side of 0. */
export type Word = (typeof WORDS)[number];

/** Whether a word says on which side of the others, or of BTC, something lies. */
export function isSide(word: Word | null | undefined): word is 'above' | 'below' {
  return word === 'above' || word === 'below';
}

/** The level at which above and below are given: 99.7 %, three standard errors. */
export const SURE_LEVEL = 0.003;

/** The band around 0, in the unit of the estimate: percentage points. */
export const MARGIN = 0.1;

/** A word "small" stays while the 95 % interval lies within this many times the smallest difference that matters. */
export const KEPT_SMALL = 1.5;

export interface Rule {
  /** The smallest difference that matters, in the unit of the estimate. */
  readonly least: number;
  /** The level at which above and below are given. */
  readonly sureLevel?: number;
}

/**
 * @param before the word until now, of the same comparison; undefined for one look
 * @returns null if nothing is measured
 */
export function wordOf(
  estimate: Estimate,
  { least, sureLevel = SURE_LEVEL }: Rule,
  before?: Word | null,
): Word | null {
  if (Number.isNaN(estimate.value)) return null;
  if (estimate.interval(LEVEL) === null) return 'too_few_days';
  const side = estimate.value > 0 ? 'above' : 'below';
  if (isBeyond(estimate, sureLevel, MARGIN)) return side;
  if (before === side && isBeyond(estimate, LEVEL, 0)) return before;
  const bound = before === 'small' ? KEPT_SMALL * least : least;
  return isWithin(estimate, bound) ? 'small' : 'unclear';
}

/** Whether the interval lies wholly beyond `margin`, and beyond 0 wherever the missing outcomes lie. */
function isBeyond(estimate: Estimate, level: number, margin: number): boolean {
  const { value, interval, bounds } = estimate;
  const range = interval(level);
  if (range === null) return false;
  const isClear = distanceFrom0(range, value) > margin;
  if (!isClear || bounds === undefined) return isClear;
  const wide = bounds(level);
  return wide !== null && distanceFrom0(wide, value) > 0;
}

/** How far an interval is from 0 on the side of the estimate: negative if it reaches beyond; 0 if it has no end there. */
function distanceFrom0({ low, high }: Bounds, value: number): number {
  return value > 0 ? (low ?? 0) : -(high ?? 0);
}

/** Whether the 95 % interval lies within ±`bound`, wherever the missing outcomes lie. */
function isWithin({ interval, bounds }: Estimate, bound: number): boolean {
  const isInside = (range: Bounds | null) => {
    // A side without an end may lie anywhere.
    if (range === null || range.low === null || range.high === null) return false;
    return range.low >= -bound && range.high <= bound;
  };
  return isInside(interval(LEVEL)) && (bounds === undefined || isInside(bounds(LEVEL)));
}

/** Whether nothing but missing outcomes makes it unclear. */
export function isUnclearByMissing(estimate: Estimate, rule: Rule): boolean {
  if (wordOf(estimate, rule) !== 'unclear') return false;
  return wordOf({ ...estimate, bounds: undefined }, rule) !== 'unclear';
}

/**
 * The smallest difference that would show now; null if nothing bounds it.
 * @param sureLevel the level at which above and below are given
 */
export function wouldShow({ interval }: Estimate, sureLevel = SURE_LEVEL): number | null {
  const range = interval(sureLevel);
  return range === null ? null : MARGIN + (range.high - range.low) / 2;
}

/** The normal quantile of two in ten. */
const TWO_IN_TEN = -0.8416;

/**
 * The standard error of few days is often too small, so that a promise made with it would not be kept. Times this factor it is
 * the upper end of its one-sided 80 % interval, by the chi-squared quantile of Wilson and Hilferty. Simulated (numpy and this
 * code, 400 accounts of each of six kinds, 1.2 to 6 cards a day of a type, tails of t with 4 degrees of freedom, promises of
 * days 14 to 37 rounded up to half a point): .87 to .99 of the promises are kept on day 60; the fewest of them in accounts of
 * 12 symbols, where more days do not tell more of the symbols.
 */
function forNoisyError(degreesOfFreedom: number): number {
  const variance = 2 / (9 * Math.max(1, degreesOfFreedom));
  return (1 - variance + TWO_IN_TEN * Math.sqrt(variance)) ** -1.5;
}

/**
 * Half of the 99.7 % interval. By ranks it is wider than three standard errors if values far from the median are many: so it
 * is not worked out from the standard error, unless nothing bounds it yet.
 * @returns null if there is no interval
 */
function sureHalfWidth(estimate: Estimate): number | null {
  const range = estimate.interval(SURE_LEVEL);
  if (range !== null) return (range.high - range.low) / 2;
  const error = standardError(estimate);
  return error === null ? null : error * twoSidedQuantile(SURE_LEVEL, estimate.degreesOfFreedom);
}

/**
 * The smallest difference that would surely show when outcomes of `days` calendar days are known, if they come as until now;
 * null if nothing bounds it, or if so many are known already.
 */
export function wouldShowWith(estimate: Estimate, days: number): number | null {
  const { degreesOfFreedom, span } = estimate;
  const half = sureHalfWidth(estimate);
  const share = span / days;
  if (half === null || share >= 1) return null;
  const quantileNow = twoSidedQuantile(SURE_LEVEL, degreesOfFreedom);
  const quantileThen = twoSidedQuantile(SURE_LEVEL, Math.max(1, degreesOfFreedom / share));
  const halfThen = half * (quantileThen / quantileNow) * Math.sqrt(share);
  const size = MARGIN + halfThen * forNoisyError(degreesOfFreedom) + widening(estimate, SURE_LEVEL);
  return Number.isFinite(size) ? size : null;
}

/** An estimate without a word, and how it becomes surer. */
export interface OpenQuestion {
  readonly estimate: Estimate;
  /** The part of the estimate that gets more outcomes: all of it, or the cards after a change. */
  readonly growing: Estimate;
  /** The part that gets none, taken off the growing one: the cards before a change. Undefined if all of it grows. */
  readonly settled: Estimate | undefined;
  readonly rule: Rule;
  /** True values are taken to be normal around 0, with this standard deviation. In the unit of the estimate. */
  readonly spread: number;
  /** Days of outcomes that count, at most: older outcomes are left out. */
  readonly mostDays: number;
}

/** The question whether a whole estimate is above, below or small: all of it gets more outcomes. */
export function questionOfAll(estimate: Estimate, rule: Rule, mostDays: number): OpenQuestion {
  const spread = rule.least;
  return { estimate, growing: estimate, settled: undefined, rule, spread, mostDays };
}

/** Days, as the service's medians come. */
const STEP = 30;

/** From this chance on a date is told: of five such dates, four come true. */
const LIKELY = 0.75;

/**
 * Calendar days until a word is likely, in steps of 30.
 * @returns undefined if none is likely before outcomes are too old to count
 */
export function daysToWord(question: OpenQuestion): number | undefined {
  const longest = question.mostDays - question.growing.span;
  for (let more = STEP; more <= longest; more += STEP)
    if (chanceOfWord(question, more) >= LIKELY) return more;
  return undefined;
}

/** How the outcomes of now and those of a later time go together. */
interface Shares {
  /** Of the outcomes that the growing part will have, the share that is known now. */
  readonly shareKnown: number;
  /** Of the settled part's outcomes of now, the share that will not be too old to count. */
  readonly shareKept: number;
}

/** The chance that a word stands after `more` days, if outcomes come as until now. */
function chanceOfWord(question: OpenQuestion, more: number): number {
  const { estimate, growing, settled, rule, spread, mostDays } = question;
  const days = growing.span + more;
  const error = standardError(growing);
  const settledError = settled === undefined ? 0 : standardError(settled);
  const shareKnown = growing.span / days;
  const shareKept = settled === undefined ? 1 : Math.min(1, (mostDays - days) / settled.span);
  if (!error || settledError === null || shareKept === 0) return 0;
  // The share of the growing part's deviation from 0 that is taken to be chance: outcomes to come lie so much nearer to 0.
  const shareOfChance = error ** 2 / (spread ** 2 + error ** 2 + settledError ** 2);
  const weight = 1 - (1 - shareKnown) * shareOfChance;
  const centre = estimate.value * weight;
  const varianceToCome = error ** 2 * (1 - shareKnown) * weight;
  const varianceLost = settledError ** 2 * (1 / shareKept - 1);
  const deviation = Math.sqrt(varianceToCome + varianceLost);
  const chanceBelow = (bound: number) =>
    cumulative((bound - centre) / deviation, estimate.degreesOfFreedom);
  const chanceWithin = (bound: number) =>
    bound > 0 ? chanceBelow(bound) - chanceBelow(-bound) : 0;
  const halfWidth = (level: number) => halfWidthLater(question, { shareKnown, shareKept }, level);
  const leastOnSide = MARGIN + halfWidth(rule.sureLevel ?? SURE_LEVEL);
  const mostSmall = Math.min(leastOnSide, rule.least - halfWidth(LEVEL));
  return 1 - chanceWithin(leastOnSide) + chanceWithin(mostSmall);
}

/**
 * Half of the interval at a later time. It is as much narrower than now as the standard error and the quantile of t are
 * smaller, but for what missing outcomes add. Of a few outcomes, the 99.7 % interval by ranks is wider than three standard
 * errors: so it is taken from the interval of that level.
 * @returns infinite if nothing bounds it now
 */
function halfWidthLater(
  { estimate, growing, settled }: OpenQuestion,
  { shareKnown, shareKept }: Shares,
  level: number,
): number {
  const range = estimate.interval(level);
  if (range === null) return Number.POSITIVE_INFINITY;
  const variance = (standardError(growing) ?? Number.NaN) ** 2;
  const settledVariance = settled === undefined ? 0 : (standardError(settled) ?? Number.NaN) ** 2;
  const varianceLater = variance * shareKnown;
  const settledLater = settledVariance / shareKept;
  const ofGrowing = varianceLater ** 2 / (growing.degreesOfFreedom / shareKnown);
  const ofSettled =
    settled === undefined ? 0 : settledLater ** 2 / (settled.degreesOfFreedom * shareKept);
  const allLater = varianceLater + settledLater;
  const dfLater = Math.max(1, allLater ** 2 / (ofGrowing + ofSettled));
  const errorRatio = Math.sqrt(allLater / (variance + settledVariance));
  const quantileRatio =
    twoSidedQuantile(level, dfLater) / twoSidedQuantile(level, estimate.degreesOfFreedom);
  const half = ((range.high - range.low) / 2) * errorRatio * quantileRatio;
  return half + widening(estimate, level);
}

/** What missing outcomes add to each side of an interval: it stays, however many days are known. */
function widening({ interval, bounds }: Estimate, level: number): number {
  if (bounds === undefined) return 0;
  const range = interval(level);
  const wide = bounds(level);
  if (range === null || wide === null || wide.low === null || wide.high === null)
    return Number.POSITIVE_INFINITY;
  return Math.max(0, range.low - wide.low, wide.high - range.high);
}
