/**
 * What a type lacks until the numbers of its cards can be tested: how many outcomes, when they come, and whether they come
 * sooner if exports buy the type first.
 *
 * A test compares cards of the same day. A day with one outcome compares nothing; each further outcome of the day adds one
 * comparison, here called a pair (of n ranks on a day, n − 1 are free). So the pairs are the outcomes minus the days with
 * outcomes: 40 outcomes of 15 days are 25 pairs. A type with one outcome a day can never be tested, however many outcomes it
 * has.
 */
import { blockLengthsOf, type HorizonName } from '../api/contract/horizons.ts';
import { DAY } from '../base/units.ts';
import { POWER_QUANTILE } from '../statistics/holm.ts';
import { LEAST_FOR_TEST } from '../statistics/rank-test.ts';
import { twoSidedQuantile } from '../statistics/student-t.ts';
import { PATIENCE, type TypePurchases } from './purchases.ts';
import { JUDGED_WINDOW } from './question.ts';

/** A larger correlation hardly ever exists. A number is tested well enough once a smaller correlation would be found. */
export const LARGEST_PLAUSIBLE = 0.5;

/** The degrees of freedom of a typical test that has just enough days. */
const TYPICAL_DEGREES = 20;

/**
 * A test needs 1.8 times as many pairs as it would need if cards were independent. Cards of one day, or of one symbol, depend
 * on each other, and their spread is only estimated. In simulations (numpy, seven kinds of accounts of 2 to 7 types, 1.4 to 50
 * cards a day), so many pairs find a plausible correlation in 86 % of cases: from 70 % in accounts of few symbols that move
 * together, to 95 % in accounts whose cards are independent.
 *
 * The spread of the outcomes so far is not used, because it is too noisy: with it, in one of ten cases the need of day 90 was
 * 1.2 to 3.7 times that of day 20. Without the spread, the need of day 90 is 1.2 to 1.3 times that of day 20. The mean spread
 * of all numbers did no better.
 */
const FOR_DEPENDENCE = 1.8;

/**
 * A type is said to be untestable if it can never have this share of the needed pairs. With just this share, about half of its
 * numbers could be tested. A fraction.
 */
const LEAST_SHARE_OF_PAIRS = 0.7;

/** Days of cards that are judged. A test that takes longer never comes: the first cards are too old by then. */
const LONGEST = JUDGED_WINDOW / DAY;

/** A type is worth buying first if its outcomes then come in half the time or less, or if they would never come otherwise. */
const WORTH_BUYING_FIRST = 2;

/** How much data finds a correlation of `LARGEST_PLAUSIBLE` in four of five cases. */
export interface EnoughForTest {
  /** Outcomes minus days with outcomes. */
  readonly pairs: number;
  /** UTC days with outcomes. */
  readonly days: number;
}

/**
 * How much data a test needs. With 20 numbers at the level 0.05 a correlation must be 3.46 + 0.84 = 4.3 standard errors to be
 * found in four of five cases. Of n independent pairs the standard error is 1 / √n, so that 0.5 takes (4.3 / 0.5)² = 74 pairs,
 * and 1.8 × 74 = 133 with dependence.
 * @param tests how many numbers are tested together
 * @param level of all tests together
 */
export function enoughForTest(tests: number, level: number, horizon: HorizonName): EnoughForTest {
  const standardErrorsNeeded =
    twoSidedQuantile(level / Math.max(1, tests), TYPICAL_DEGREES) + POWER_QUANTILE;
  return {
    pairs: FOR_DEPENDENCE * (standardErrorsNeeded / LARGEST_PLAUSIBLE) ** 2,
    days: LEAST_FOR_TEST.blocks * blockLengthsOf(horizon).ofFewDays,
  };
}

/** Outcomes of a type that have the number and a measured difference to BTC. */
export interface UsableOutcomes {
  readonly outcomes: number;
  /** UTC days of their cards. */
  readonly days: number;
}

/** What a number still lacks before it is tested well enough. */
export type TestNeed =
  | {
      /** `outcomes`: there are too few pairs. `days`: there are enough pairs, but of too few days. */
      readonly lacks: 'outcomes' | 'days';
      /** About how many outcomes, or days, are needed in all. */
      readonly needed: number;
      /**
       * When they are there if exports go on buying as now, epoch milliseconds UTC; undefined if that is not within two months.
       */
      readonly by: number | undefined;
      /**
       * When they are there if exports buy the type first, epoch milliseconds UTC; undefined if that is not within two months,
       * or not proposed.
       */
      readonly byFocus: number | undefined;
    }
  /** Too few days have two cards of the type: it cannot be tested, whatever is bought. */
  | { readonly lacks: 'cards_a_day' };

/**
 * What a number lacks, and when it comes. The needed outcomes are, rounded up:
 * 1. those of the day on which the test can be made, if exports go on buying as now;
 * 2. if that day never comes: those of the day on which it can be made, if exports buy the type first;
 * 3. if that day never comes either: those that a test would need if everything were bought.
 *
 * Both dates, `by` and `byFocus`, are for the same needed outcomes. In simulations (numpy, 100 accounts of 2 to 7 types that buy
 * 5 to 100 % of their outcomes), 96 % of the dates came true: pages name the end of the month.
 * @param usable what is there
 * @param now epoch milliseconds UTC
 * @returns undefined if nothing is lacking
 */
export function testNeedOf(
  usable: UsableOutcomes,
  purchases: TypePurchases,
  enough: EnoughForTest,
  now: number,
): TestNeed | undefined {
  const pairsNow = usable.outcomes - usable.days;
  if (pairsNow >= enough.pairs && usable.days >= enough.days) return undefined;
  const most = mostPairs(purchases);
  if (LONGEST * most.perDay < LEAST_SHARE_OF_PAIRS * enough.pairs) return { lacks: 'cards_a_day' };
  const { boughtPerDay, boughtPerDayIfFirst = 0 } = purchases;
  const asNow = arrivalAt(boughtPerDay, usable, purchases, enough);
  const asFirst = arrivalAt(boughtPerDayIfFirst, usable, purchases, enough);
  const arrival = asNow ?? asFirst;
  // If no pace brings enough, what is lacking now decides: days, if the pairs suffice already.
  const isOfDays = arrival?.isOfDays ?? pairsNow >= enough.pairs;
  const ifAllBought = usable.outcomes + Math.max(0, enough.pairs - pairsNow) / most.perCard;
  const outcomes = roundedUp(arrival?.outcomes ?? ifAllBought);
  const missing = isOfDays ? 0 : outcomes - usable.outcomes;
  const daysAsNow = asNow && Math.max(asNow.day, missing / asNow.perDay);
  const daysAsFirst = asFirst && Math.max(asFirst.day, missing / asFirst.perDay);
  return {
    lacks: isOfDays ? 'days' : 'outcomes',
    needed: isOfDays ? enough.days : outcomes,
    by: timeAfter(daysAsNow, now),
    byFocus: isMuchLater(daysAsNow, daysAsFirst) ? timeAfter(daysAsFirst, now) : undefined,
  };
}

/** The time after so many days, epoch milliseconds UTC; undefined if it never comes, or not within two months (`PATIENCE`). */
function timeAfter(days: number | undefined, now: number): number | undefined {
  return days === undefined || days > PATIENCE ? undefined : now + Math.ceil(days) * DAY;
}

/**
 * Whether the outcomes come much later if exports go on buying as now than if they buy the type first. The two times are
 * compared by their ratio, which stays about the same until the outcomes are there. If only late dates counted, types would
 * leave one by one as their dates come near, and the advice would change from type to type.
 * @param daysAsNow days until the outcomes are there if exports go on as now; undefined: never
 * @param daysAsFirst days until they are there if exports buy the type first; undefined: never
 */
function isMuchLater(daysAsNow: number | undefined, daysAsFirst: number | undefined): boolean {
  if (daysAsFirst === undefined) return false;
  return daysAsNow === undefined || daysAsNow >= WORTH_BUYING_FIRST * daysAsFirst;
}

/** How many pairs a type's cards give if everything is bought. */
interface PairRates {
  readonly perDay: number;
  readonly perCard: number;
}

/**
 * The most pairs that can be hoped for: the larger of two rates. One is the rate of the days so far. The other is the rate if
 * cards come at random. With few cards, the true rate of cards may be larger than the rate so far. So it is taken one standard
 * error, and one card, higher.
 */
function mostPairs({ bought, unbought, days, daysWithCards }: TypePurchases): PairRates {
  const cards = bought + unbought;
  // The standard error of a count is its root.
  const cardsADay = (cards + Math.sqrt(cards) + 1) / days;
  const ifAtRandom = cardsADay - daysWithAny(cardsADay, 1);
  const pairsSoFar = cards - daysWithCards;
  return {
    perDay: Math.max(ifAtRandom, pairsSoFar / days),
    perCard: Math.max(ifAtRandom / cardsADay, cards === 0 ? 0 : pairsSoFar / cards),
  };
}

/**
 * On how many of the days there is an outcome, if so many more outcomes fall on the days at random (Poisson).
 * @param daysWithAnyNow on how many of the days there is one already
 */
function daysWithAny(moreOutcomes: number, days: number, daysWithAnyNow = 0): number {
  return days - (days - daysWithAnyNow) * Math.exp(-moreOutcomes / days);
}

/** The share of the bought cards that are usable, if too few are bought to tell. (Usually 4 % have no figure.) A fraction. */
const USUAL_SHARE = 0.96;

/** `USUAL_SHARE` has the weight of this number of bought cards. */
const WEIGHT_OF_USUAL_SHARE = 25;

/** The share of the bought cards that are usable. */
function usableShareOf({ outcomes }: UsableOutcomes, { bought }: TypePurchases): number {
  const share = (outcomes + USUAL_SHARE * WEIGHT_OF_USUAL_SHARE) / (bought + WEIGHT_OF_USUAL_SHARE);
  return Math.min(1, share);
}

/** What there is when enough has arrived for a test. */
interface Arrival {
  /** Days from now. */
  readonly day: number;
  /** Usable outcomes by then. */
  readonly outcomes: number;
  /** Whether days are what is missing last, because there are enough pairs earlier. */
  readonly isOfDays: boolean;
  /** Usable outcomes that are bought a day. */
  readonly perDay: number;
}

/**
 * The first day on which pairs and days suffice for a test, if exports go on at a pace. The outcomes to come fall at random on
 * the days so far and on those to come, which have cards as often as the days so far.
 * @param boughtPerDay outcomes of the type that are bought a day
 * @returns undefined if it is never enough while outcomes count
 */
function arrivalAt(
  boughtPerDay: number,
  usable: UsableOutcomes,
  purchases: TypePurchases,
  enough: EnoughForTest,
): Arrival | undefined {
  const perDay = boughtPerDay * usableShareOf(usable, purchases);
  if (perDay === 0) return undefined;
  const { days: daysSoFar, daysWithCards } = purchases;
  let hadEnoughPairs = usable.outcomes - usable.days >= enough.pairs;
  for (let day = 1; day <= LONGEST; day += 1) {
    // The outcomes of the first cards do not count any more once these are older than `LONGEST`.
    const stillCounts = Math.min(1, LONGEST / (daysSoFar + day));
    const daysOfCards = daysWithCards * (1 + day / daysSoFar);
    const outcomes = stillCounts * (usable.outcomes + perDay * day);
    const days = stillCounts * daysWithAny(perDay * day, daysOfCards, usable.days);
    const hasEnoughPairs = outcomes - days >= enough.pairs;
    if (hasEnoughPairs && days >= enough.days)
      return { day, outcomes, isOfDays: hadEnoughPairs, perDay };
    hadEnoughPairs = hasEnoughPairs;
  }
  return undefined;
}

/** Needs are rough, so they are told in steps of 50 outcomes: in smaller steps they would change from day to day. */
const ROUNDED_TO = 50;

function roundedUp(outcomes: number): number {
  return Math.ceil(outcomes / ROUNDED_TO) * ROUNDED_TO;
}
