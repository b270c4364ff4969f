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

/** How far beyond the smallest difference that matters the interval of a small one may come to lie. */
const KEPT_SMALL = 1.5;

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
  if (isBeyond(estimate, sureLevel, MARGIN)) return estimate.value > 0 ? 'above' : 'below';
  const isOnSide = before === (estimate.value > 0 ? 'above' : 'below');
  if (isOnSide && isBeyond(estimate, LEVEL, 0)) return before;
  const bound = before === 'small' ? KEPT_SMALL * least : least;
  return isWithin(estimate, bound) ? 'small' : 'unclear';
}

/** Whether the interval lies wholly beyond `margin`, and beyond 0 wherever the missing outcomes lie. */
function isBeyond(estimate: Estimate, level: number, margin: number): boolean {
  const { value, interval, bounds } = estimate;
  const range = interval(level);
  if (range === null) return false;
  const isClear = value > 0 ? range.low > margin : range.high < -margin;
  if (!isClear || bounds === undefined) return isClear;
  const wide = bounds(level);
  return value > 0 ? (wide?.low ?? 0) > 0 : (wide?.high ?? 0) < 0;
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

/** A difference of this size would show now; null if nothing bounds it. */
export function wouldShow({ interval }: Estimate): number | null {
  const range = interval(SURE_LEVEL);
  return range === null ? null : MARGIN + (range.high - range.low) / 2;
}

/**
 * The same when outcomes of `days` calendar days are known, if they come as until now; null if nothing bounds it, or if
 * so many are known already.
 */
export function wouldShowWith(estimate: Estimate, days: number): number | null {
  const { degreesOfFreedom, span } = estimate;
  const error = standardError(estimate);
  const share = span / days;
  if (error === null || share >= 1) return null;
  const quantile = twoSidedQuantile(SURE_LEVEL, Math.max(1, degreesOfFreedom / share));
  const shown = MARGIN + quantile * error * Math.sqrt(share) + widening(estimate, SURE_LEVEL);
  return Number.isFinite(shown) ? shown : null;
}

/** From one number of outcomes to the next one that is tried. */
const STEP_OF_SIZES = 1.05;

/** Nobody waits for more than so many times the outcomes that are known. */
const MOST_TIMES = 1000;

/**
 * How many outcomes would show a difference of `size`, if they come as until now; at most some 5 % too many.
 * @returns null if it would show by now, or if no number of outcomes is known to show it
 */
export function outcomesToShow(estimate: Estimate, size: number): number | null {
  const half = halfOfSureInterval(estimate);
  if (half === null || MARGIN + half <= size) return null;
  const { degreesOfFreedom } = estimate;
  const quantileNow = twoSidedQuantile(SURE_LEVEL, Math.max(1, degreesOfFreedom));
  const fixed = MARGIN + widening(estimate, SURE_LEVEL);
  for (let times = STEP_OF_SIZES; times <= MOST_TIMES; times *= STEP_OF_SIZES) {
    const quantile = twoSidedQuantile(SURE_LEVEL, Math.max(1, times * degreesOfFreedom));
    const halfThen = (half * quantile) / (quantileNow * Math.sqrt(times));
    if (fixed + halfThen <= size) return Math.ceil(estimate.size * times);
  }
  return null;
}

/** Half the width of the 99.7 % interval; where nothing bounds it yet, by the 95 % one. Null without either. */
function halfOfSureInterval(estimate: Estimate): number | null {
  const shows = wouldShow(estimate);
  if (shows !== null) return shows - MARGIN;
  const error = standardError(estimate);
  if (error === null) return null;
  return error * twoSidedQuantile(SURE_LEVEL, Math.max(1, estimate.degreesOfFreedom));
}

/** Days, as the service's medians come. */
const STEP = 30;

/** The chance of a word from which on one is expected: four of five such waits end with one. */
const LIKELY = 0.75;

/** Calendar days until a word is likely, in steps of 30; infinite if not within `most` days of outcomes in all. */
export function daysToWord(estimate: Estimate, least: number, most: number): number {
  const count = Math.max(0, Math.floor((most - estimate.span) / STEP));
  const steps = Array.from({ length: count }, (_, i) => (i + 1) * STEP);
  const isLikely = (more: number) => chanceOfWord(estimate, least, estimate.span + more) >= LIKELY;
  return steps.find(isLikely) ?? Number.POSITIVE_INFINITY;
}

/** The chance that a word stands when outcomes of `days` are known, if true differences spread by `least` around 0. */
function chanceOfWord(estimate: Estimate, least: number, days: number): number {
  const { value, degreesOfFreedom: df, span } = estimate;
  const error = standardError(estimate);
  if (!error) return 0;
  const shareKnown = span / days;
  // So much of the estimate is believed: the more exact it is beside the spread of true differences, the more.
  const trust = 1 / (1 + (error / least) ** 2);
  // Where the estimate is expected then: what is known stays, and the rest comes as far from 0 as is believed.
  const weight = shareKnown + (1 - shareKnown) * trust;
  const centre = value * weight;
  const spread = error * Math.sqrt((1 - shareKnown) * weight);
  const chanceBelow = (bound: number) => cumulative((bound - centre) / spread, df);
  const chanceWithin = (bound: number) =>
    bound > 0 ? chanceBelow(bound) - chanceBelow(-bound) : 0;
  // The interval narrows with the square root of the outcomes, but for what missing ones add.
  const halfWidth = (level: number) => {
    const quantile = twoSidedQuantile(level, Math.max(1, df / shareKnown));
    return quantile * error * Math.sqrt(shareKnown) + widening(estimate, level);
  };
  const leastOnSide = MARGIN + halfWidth(SURE_LEVEL);
  const mostSmall = Math.min(leastOnSide, least - halfWidth(LEVEL));
  return 1 - chanceWithin(leastOnSide) + chanceWithin(mostSmall);
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
