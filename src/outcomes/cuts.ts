/**
 * Stricter settings for a number that tells: fixed cuts, of which one is the advice. They are three quantiles of the
 * number, 0 in the place of the nearest one if it has two sides: no outcome is looked at to choose them.
 */
import { blocksOf } from '../api/contract/horizons.ts';
import { formatApiTime, at as timeAt } from '../api/time.ts';
import { clusteredMedian } from '../statistics/clustered-median.ts';
import { differenceOfEstimates, type Estimate, LEVEL } from '../statistics/estimate.ts';
import { clean, cleanOrNull, medianOf, quantile } from '../statistics/quantile.ts';
import { SURE_LEVEL } from '../statistics/rule.ts';
import { twoSidedQuantile } from '../statistics/student-t.ts';
import type { Difference } from './differences.ts';
import { sinceThenOf } from './figure.ts';
import type { BetterSide, NumberTest, TellingFinding } from './numbers.ts';
import type { Cut } from './tune-types.ts';

/** Shares of the cards that are dropped. */
const SHARES = [0.3, 0.5, 0.7] as const;

/** A cut before any outcome is looked at. */
interface FixedCut {
  readonly value: number;
  /** Share of the cards below it. */
  readonly share: number;
}

/**
 * The cuts that a first look tries, the loosest first. At most one is the advice: 0 if it clearly helps, because a number
 * with two sides means two directions, and a looser cut keeps part of the wrong one; else the loosest that clearly helps.
 */
export function cutsOf(test: NumberTest, betterSide: BetterSide): Cut[] {
  const cuts = fixedCuts(test, betterSide)
    .filter(({ value }) => dividesCards(test, betterSide, value))
    .map((fixed) => cutAt(fixed, test, betterSide));
  const clear = cuts.filter(clearlyHelps);
  const advice = clear.find(({ value }) => value === 0 && test.hasTwoSides) ?? clear[0];
  return cuts.map((cut) => ({ ...cut, is_advice: cut === advice }));
}

export function adviceOf(cuts: readonly Cut[]): Cut | undefined {
  return cuts.find((cut) => cut.is_advice);
}

/** The same cuts with the one that the notebook advises, chosen when the number was found. */
export function cutsAround(
  test: NumberTest,
  { verdict: betterSide, cut: cutInNotebook, at }: TellingFinding,
): Cut[] {
  const advised = cutInNotebook.at_least ?? cutInNotebook.at_most;
  if (advised === undefined) return cutsOf(test, betterSide);
  const inOrder = looseFirst(withCutAt(advised, fixedCuts(test, betterSide), test), betterSide);
  return inOrder
    .filter(({ value }) => value === advised || dividesCards(test, betterSide, value))
    .map((cut) => {
      const isAdvice = cut.value === advised;
      const since = isAdvice ? timeAt(at) : undefined;
      return { ...cutAt(cut, test, betterSide, since), is_advice: isAdvice };
    });
}

/** Rounded to the two digits in which a cut is typed before anything is compared. */
function fixedCuts(test: NumberTest, betterSide: BetterSide): FixedCut[] {
  const sorted = test.values.toSorted();
  const cuts: FixedCut[] = [];
  for (const share of SHARES) {
    const value = Number(clean(quantile(sorted, share)).toPrecision(2));
    if (!cuts.some((cut) => cut.value === value)) cuts.push({ value, share });
  }
  return looseFirst(test.hasTwoSides ? withCutAt(0, cuts, test) : cuts, betterSide);
}

/** The cuts with one at `value`: it takes the place of the one that drops most nearly as many cards. */
function withCutAt(value: number, cuts: readonly FixedCut[], { values }: NumberTest): FixedCut[] {
  if (cuts.some((cut) => cut.value === value)) return [...cuts];
  const share = values.filter((number) => number < value).length / values.length;
  const distances = cuts.map((cut) => Math.abs(cut.share - share));
  const nearest = distances.indexOf(Math.min(...distances));
  return cuts.map((cut, i) => (i === nearest ? { value, share: Number(share.toFixed(2)) } : cut));
}

function looseFirst(cuts: readonly FixedCut[], betterSide: BetterSide): FixedCut[] {
  return cuts.toSorted((one, other) =>
    betterSide === 'higher' ? one.value - other.value : other.value - one.value,
  );
}

function keeps(betterSide: BetterSide, value: number): (number: number) => boolean {
  return betterSide === 'higher' ? (number) => number >= value : (number) => number <= value;
}

/** Whether a cut keeps some cards and drops some. */
function dividesCards({ values }: NumberTest, betterSide: BetterSide, value: number): boolean {
  const kept = values.filter(keeps(betterSide, value)).length;
  return kept > 0 && kept < values.length;
}

function clearlyHelps({ kept_vs_dropped_interval: interval }: Cut): boolean {
  return interval !== null && interval.low > 0;
}

/**
 * Compares the cards that a cut keeps with those that it drops, each beside the other types' cards of its day. The interval
 * of the difference is at the level of the number's own test among all numbers, because the number was chosen: at 95 % for
 * the cuts of one number, accounts without an effect saw a number named within half a year in .14, so in .06 or less.
 * @param since when it was advised, epoch milliseconds UTC
 */
function cutAt(
  { value, share }: FixedCut,
  test: NumberTest,
  betterSide: BetterSide,
  since?: number,
): Cut {
  const { type, key, absolute, horizon, cards, values, cardsPerDay, estimate } = test;
  const level = estimate.adjusted?.level ?? LEVEL;
  const isKept = keeps(betterSide, value);
  const kept = cards.filter((_, i) => isKept(values[i] ?? 0));
  const dropped = cards.filter((_, i) => !isKept(values[i] ?? 0));
  const keptVsBtc = clusteredMedian(kept, blocksOf(horizon));
  const medianOfAll = medianOf(cards.map(({ value: difference }) => difference));
  const keptVsOthers = medianVsOthers(kept, test);
  const droppedVsOthers = medianVsOthers(dropped, test);
  const difference = differenceOfEstimates(keptVsOthers, droppedVsOthers);
  return {
    type,
    key,
    absolute,
    horizon,
    value,
    quantile: share,
    direction: betterSide === 'higher' ? 'at_least' : 'at_most',
    is_advice: false,
    cards_per_day: cardsPerDay * (kept.length / cards.length),
    kept_vs_btc: cleanOrNull(keptVsBtc.value),
    kept_vs_btc_interval_95: keptVsBtc.interval(LEVEL),
    kept_vs_btc_lowered: cleanOrNull(
      medianOfAll + (keptVsBtc.value - medianOfAll) * loweringOf(test),
    ),
    kept_vs_others: cleanOrNull(keptVsOthers.value),
    kept_vs_others_interval_95: keptVsOthers.interval(LEVEL),
    kept_vs_others_interval_997: keptVsOthers.interval(SURE_LEVEL),
    dropped_vs_others: cleanOrNull(droppedVsOthers.value),
    dropped_vs_others_interval_95: droppedVsOthers.interval(LEVEL),
    dropped_vs_others_interval_997: droppedVsOthers.interval(SURE_LEVEL),
    kept_vs_dropped: cleanOrNull(difference.value),
    kept_vs_dropped_interval: difference.interval(level),
    verdict_since: since === undefined ? null : formatApiTime(since),
    since_then:
      since === undefined ? null : sinceThenOf(differenceSince(since, kept, dropped, test)),
  };
}

/**
 * Kept minus dropped, on the cards created since a time.
 * @param since epoch milliseconds UTC
 */
function differenceSince(
  since: number,
  kept: readonly Difference[],
  dropped: readonly Difference[],
  test: NumberTest,
): Estimate {
  const isLater = ({ card }: Difference) => card.at >= since;
  const keptLater = medianVsOthers(kept.filter(isLater), test);
  const droppedLater = medianVsOthers(dropped.filter(isLater), test);
  return differenceOfEstimates(keptLater, droppedLater);
}

/** The median difference to other types' cards, over the cards whose day has enough of these. */
function medianVsOthers(
  cards: readonly Difference[],
  { differenceToOthers, horizon }: NumberTest,
): Estimate {
  const differences = cards
    .map(({ card }) => differenceToOthers.get(card))
    .filter((difference) => difference !== undefined);
  return clusteredMedian(differences, blocksOf(horizon));
}

/**
 * A number that was chosen among many looks better than it is. What to expect shrinks as the test's quantile does by
 * Holm's adjustment (after Bigdeli et al. 2016).
 * @returns a fraction of the measured gain
 */
function loweringOf({ estimate }: NumberTest): number {
  const { p, adjusted, degreesOfFreedom } = estimate;
  if (p === null || p === 0 || adjusted === undefined) return 1;
  const adjustedQuantile = twoSidedQuantile(adjusted.p, degreesOfFreedom);
  return adjustedQuantile / twoSidedQuantile(p, degreesOfFreedom);
}
