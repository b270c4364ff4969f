/**
 * Stricter settings for a number that goes with the move: cuts, below or above which cards are dropped. Three cuts are
 * tried, at fixed quantiles of the number, so that no outcome decides where they lie. If the number has two sides, 0
 * takes the place of the nearest of them. One cut may be the advice.
 */
import { blockLengthsOf } from '../api/contract/horizons.ts';
import { apiTimeOrNull, at as timeAt } from '../api/time.ts';
import { clusteredMedian } from '../statistics/clustered-median.ts';
import { differenceOfEstimates, type Estimate, LEVEL } from '../statistics/estimate.ts';
import { clean, cleanOrNull, medianOf, quantile } from '../statistics/quantile.ts';
import { SURE_LEVEL } from '../statistics/rule.ts';
import { twoSidedQuantile } from '../statistics/student-t.ts';
import type { Difference } from './differences.ts';
import { sinceThenOf } from './figure.ts';
import type { BetterSide, NumberTest, TellingFinding } from './numbers.ts';
import { bringsEnough, type Cut } from './tune-types.ts';

/** The quantiles of the number at which cuts lie. */
const QUANTILES = [0.3, 0.5, 0.7] as const;

/** A cut, before any outcome is looked at. */
interface FixedCut {
  readonly value: number;
  /** Which quantile of the number it is: the share of the cards below it. */
  readonly quantile: number;
}

/**
 * The cuts of a number that the notebook does not have yet, the loosest first. One of the cuts that clearly help, and bring
 * enough, is the advice: 0 if it is among them, otherwise the loosest. (The two sides of 0 mean two directions, and a looser
 * cut than 0 would keep a part of the wrong side.)
 */
export function freshCuts(test: NumberTest, betterSide: BetterSide): Cut[] {
  const cuts = fixedCuts(test, betterSide)
    .filter(({ value }) => dividesCards(test, betterSide, value))
    .map((fixedCut) => measureCut(fixedCut, test, betterSide));
  const cutsToTry = cuts.filter((cut) => clearlyHelps(cut) && bringsEnough(cut));
  const cutAtZero = cutsToTry.find(({ value }) => value === 0 && test.hasTwoSides);
  const advice = cutAtZero ?? cutsToTry[0];
  return cuts.map((cut) => ({ ...cut, is_advice: cut === advice }));
}

/** The cut that is to be tried; undefined if there is none. */
export function cutToTry(cuts: readonly Cut[]): Cut | undefined {
  return cuts.find((cut) => cut.is_advice);
}

/**
 * The cuts of a number in the notebook, the loosest first. The advice is the cut that was written there when the number
 * was found, even if another one would be chosen now.
 */
export function cutsWithAdvised(test: NumberTest, line: TellingFinding): Cut[] {
  const { verdict: betterSide, cut: cutInNotebook } = line;
  const advisedValue = cutInNotebook.at_least ?? cutInNotebook.at_most;
  if (advisedValue === undefined) return freshCuts(test, betterSide);
  const allCuts = withCutAt(advisedValue, fixedCuts(test, betterSide), test);
  const cuts: Cut[] = [];
  for (const fixedCut of looseFirst(allCuts, betterSide)) {
    const isAdvice = fixedCut.value === advisedValue;
    if (!isAdvice && !dividesCards(test, betterSide, fixedCut.value)) continue;
    const advisedSince = isAdvice ? timeAt(line.at) : undefined;
    cuts.push({ ...measureCut(fixedCut, test, betterSide, advisedSince), is_advice: isAdvice });
  }
  return cuts;
}

/**
 * The cuts that are tried, the loosest first. Each value is rounded to two significant digits, as users type it, before
 * anything is compared.
 */
function fixedCuts(test: NumberTest, betterSide: BetterSide): FixedCut[] {
  const sorted = test.values.toSorted();
  const cuts: FixedCut[] = [];
  for (const share of QUANTILES) {
    const exact = clean(quantile(sorted, share));
    const value = Number(exact.toPrecision(2));
    if (!cuts.some((cut) => cut.value === value)) cuts.push({ value, quantile: share });
  }
  return looseFirst(test.hasTwoSides ? withCutAt(0, cuts, test) : cuts, betterSide);
}

/**
 * The same cuts, but a cut at `value` takes the place of one of them: of the cut whose quantile is nearest to the share of
 * cards below `value`. If there is a cut at `value` already, nothing changes.
 */
function withCutAt(value: number, cuts: readonly FixedCut[], { values }: NumberTest): FixedCut[] {
  if (cuts.some((cut) => cut.value === value)) return [...cuts];
  const shareBelow = values.filter((number) => number < value).length / values.length;
  const distances = cuts.map((cut) => Math.abs(cut.quantile - shareBelow));
  const nearest = distances.indexOf(Math.min(...distances));
  return cuts.with(nearest, { value, quantile: Number(shareBelow.toFixed(2)) });
}

/** The cut that drops the fewest cards comes first. */
function looseFirst(cuts: readonly FixedCut[], betterSide: BetterSide): FixedCut[] {
  return cuts.toSorted((a, b) => (betterSide === 'higher' ? a.value - b.value : b.value - a.value));
}

/** Whether a cut at `value` keeps a card with this number. */
function keeps(betterSide: BetterSide, value: number): (number: number) => boolean {
  return betterSide === 'higher' ? (number) => number >= value : (number) => number <= value;
}

/** Whether a cut keeps some cards and drops some. */
function dividesCards({ values }: NumberTest, betterSide: BetterSide, value: number): boolean {
  const kept = values.filter(keeps(betterSide, value)).length;
  return kept > 0 && kept < values.length;
}

/** Whether the kept cards did better than the dropped ones: the interval at the level of the number's test lies above 0. */
function clearlyHelps({ kept_vs_dropped_interval: interval }: Cut): boolean {
  return interval !== null && interval.low > 0;
}

/**
 * Compares the cards that a cut keeps with the cards that it drops. Each card is taken beside the other types' cards of its
 * day.
 *
 * The interval of the difference has the level of the number's test. That test is adjusted for all numbers, because the number
 * was chosen among them. Accounts without any effect were simulated: with intervals of 95 %, a number was named within half a
 * year in 14 % of the accounts; with these intervals in 6 % at most.
 * @param advisedSince since when the cut is the advice, epoch milliseconds UTC
 */
function measureCut(
  { value, quantile }: FixedCut,
  test: NumberTest,
  betterSide: BetterSide,
  advisedSince?: number,
): Cut {
  const { type, key, absolute, horizon, cards, values, cardsPerDay, estimate } = test;
  const level = estimate.adjusted?.level ?? LEVEL;
  const keepsNumber = keeps(betterSide, value);
  const kept: Difference[] = [];
  const dropped: Difference[] = [];
  for (const [i, card] of cards.entries()) {
    const group = keepsNumber(values[i] as number) ? kept : dropped;
    group.push(card);
  }
  const keptVsBtc = clusteredMedian(kept, blockLengthsOf(horizon));
  const medianOfAll = medianOf(cards.map((card) => card.value));
  const gainLowered = (keptVsBtc.value - medianOfAll) * shrinkageOf(test);
  const keptVsOthers = medianVsOthers(kept, test);
  const droppedVsOthers = medianVsOthers(dropped, test);
  const difference = differenceOfEstimates(keptVsOthers, droppedVsOthers);
  const sinceThen =
    advisedSince === undefined
      ? null
      : sinceThenOf(differenceSince(advisedSince, kept, dropped, test));
  return {
    type,
    key,
    absolute,
    horizon,
    value,
    quantile,
    direction: betterSide === 'higher' ? 'at_least' : 'at_most',
    // The caller says which cut is the advice.
    is_advice: false,
    cards_per_day: cardsPerDay * (kept.length / cards.length),
    kept_vs_btc: cleanOrNull(keptVsBtc.value),
    kept_vs_btc_interval_95: keptVsBtc.interval(LEVEL),
    kept_vs_btc_lowered: cleanOrNull(medianOfAll + gainLowered),
    gain_lowered: cleanOrNull(gainLowered),
    kept_vs_others: cleanOrNull(keptVsOthers.value),
    kept_vs_others_interval_95: keptVsOthers.interval(LEVEL),
    kept_vs_others_interval_997: keptVsOthers.interval(SURE_LEVEL),
    dropped_vs_others: cleanOrNull(droppedVsOthers.value),
    dropped_vs_others_interval_95: droppedVsOthers.interval(LEVEL),
    dropped_vs_others_interval_997: droppedVsOthers.interval(SURE_LEVEL),
    kept_vs_dropped: cleanOrNull(difference.value),
    kept_vs_dropped_interval: difference.interval(level),
    verdict_since: apiTimeOrNull(advisedSince),
    since_then: sinceThen,
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

/**
 * The median difference to the other types' cards of the same day. Cards of days with too few of these are left out.
 */
function medianVsOthers(
  cards: readonly Difference[],
  { differenceToOthers, horizon }: NumberTest,
): Estimate {
  const differences = cards
    .map(({ card }) => differenceToOthers.get(card))
    .filter((difference) => difference !== undefined);
  return clusteredMedian(differences, blockLengthsOf(horizon));
}

/**
 * By how much the measured gain of a number is lowered, because a number that was chosen among many looks better than it is
 * (after Bigdeli et al. 2016). It is the quantile of Student's t for the p adjusted by Holm's method, divided by the quantile
 * for the p itself.
 * @returns a fraction; 1 if nothing was adjusted
 */
function shrinkageOf({ estimate }: NumberTest): number {
  const { p, adjusted, degreesOfFreedom } = estimate;
  if (p === null || p === 0 || adjusted === undefined) return 1;
  const adjustedQuantile = twoSidedQuantile(adjusted.p, degreesOfFreedom);
  return adjustedQuantile / twoSidedQuantile(p, degreesOfFreedom);
}
