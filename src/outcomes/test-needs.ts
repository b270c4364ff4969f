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

/** A larger correlation hardly ever exists. A number is tested well enough once a smaller one than this would be found. */
export const LARGEST_PLAUSIBLE = 0.5;

/** The degrees of freedom of a typical test that has just enough days. */
const TYPICAL_DEGREES = 20;

/**
 * A test needs 1.8 times as many pairs as it would need if cards were independent. Cards of one day, or of one symbol, depend
 * on each other, and their spread is only estimated. Simulated (numpy, seven kinds of accounts of 2 to 7 types, 1.4 to 50 cards
 * a day), with these pairs a plausible correlation is found in 86 % of cases: from 70 % in accounts of few symbols that move together,
 * to 95 % in accounts whose cards are independent.
 *
 * The spread of the outcomes so far is not used, because it is too noisy: with it, in one of ten cases the need of day 90 was
 * 1.2 to 3.7 times that of day 20. Without the spread, the need of day 90 is 1.2 to 1.3 times that of day 20. The mean spread of
 * all numbers did no better.
 */
const FOR_DEPENDENCE = 1.8;

/**
 * A type is said to be untestable if it can never have this share of the needed pairs. With just this share, about half of its
 * numbers could be tested. A fraction.
 */
const LEAST_SHARE_OF_PAIRS = 0.7;

/** Days of cards that are judged. What takes longer never comes: the first cards are too old by then. */
const LONGEST = JUDGED_WINDOW / DAY;

/** A type is worth buying first if the outcomes then come in half the time or less. */
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
      /** `outcomes`: there are too few pairs. `days`: there are enough, but of too few days. */
      readonly lacks: 'outcomes' | 'days';
      /** About how many are needed in all. */
      readonly needed: number;
      /** When there are so many as exports buy now, epoch milliseconds UTC; undefined if that is not within two months. */
      readonly by: number | undefined;
      /** When there are so many if exports buy the type first, within two months; undefined if that is not proposed. */
      readonly byFocus: number | undefined;
    }
  /** Too few days have two cards of the type: it cannot be tested, whatever is bought. */
  | { readonly lacks: 'cards_a_day' };

/**
 * What a number lacks, and when it comes.
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
  const canBeTested = LONGEST * mostPairs(purchases).perDay >= LEAST_SHARE_OF_PAIRS * enough.pairs;
  if (!canBeTested) return { lacks: 'cards_a_day' };
  const basis = { usable, usableShare: usableShareOf(usable, purchases), purchases, enough };
  const asNow = asExportsBuyNow(basis);
  const proposedFocus = focusToPropose(basis, asNow?.days);
  const by = timeAfter(asNow?.days, now);
  const focusTime = timeAfter(proposedFocus?.days, now);
  const arrival = proposedFocus ?? asNow;
  // If no forecast reaches enough, what is lacking now decides: days, if the pairs suffice already.
  const isOfDays = arrival?.isOfDays ?? pairsNow >= enough.pairs;
  if (isOfDays) return { lacks: 'days', needed: enough.days, by, byFocus: focusTime };
  const needed = arrival?.outcomes ?? roundedUp(outcomesIfAllBought(basis));
  return { lacks: 'outcomes', needed, by, byFocus: focusTime };
}

/** The time after so many days, epoch milliseconds UTC; undefined if that is never, or not within two months (`PATIENCE`). */
function timeAfter(days: number | undefined, now: number): number | undefined {
  return days === undefined || days > PATIENCE ? undefined : now + days * DAY;
}

/**
 * When enough arrives if exports buy the type first.
 * @param daysAsNow days until enough is there in the way that exports buy now; undefined: never
 * @returns undefined if that is not to be proposed: the type cannot be bought first, or that would not bring enough much earlier
 */
function focusToPropose(basis: ForecastBasis, daysAsNow: number | undefined): Arrival | undefined {
  const { isInFocusAlone, daysToAllBought, unbought } = basis.purchases;
  const canBuyFirst = !isInFocusAlone && daysToAllBought === undefined && unbought > 0;
  if (!canBuyFirst) return undefined;
  const arrival = byFocus(basis);
  if (arrival?.days === undefined || arrival.days > PATIENCE) return undefined;
  return isMuchLater(daysAsNow, arrival.days) ? arrival : undefined;
}

/**
 * Whether the type is worth buying first, because the outcomes come too late in the way that exports buy now.
 * @param daysAsNow days until the outcomes are there in the present way; undefined: never
 * @param focusDays days until they are there if exports buy the type first
 */
function isMuchLater(daysAsNow: number | undefined, focusDays: number): boolean {
  if (daysAsNow === undefined) return true;
  return daysAsNow > PATIENCE && daysAsNow >= WORTH_BUYING_FIRST * focusDays;
}

/** How many pairs a type's cards give if everything is bought. */
interface PairRates {
  readonly perDay: number;
  readonly perCard: number;
}

/**
 * The most pairs that can be hoped for: as many as the days so far had, or as many as cards give that come at random,
 * whichever is more. Of few cards, the rate may be larger than it was so far: it is taken one standard error, and one card,
 * higher.
 */
function mostPairs({ bought, unbought, days, daysByCards }: TypePurchases): PairRates {
  const cards = bought + unbought;
  // The standard error of a count is its root.
  const cardsADay = (cards + Math.sqrt(cards) + 1) / days;
  // The chance of a day without a card, if cards come independently of each other (Poisson). A day with cards has one pair
  // fewer than it has cards.
  const chanceOfNone = Math.exp(-cardsADay);
  const ifAtRandom = cardsADay - (1 - chanceOfNone);
  const pairsSoFar = sumOverDays(daysByCards, (count) => count - 1);
  return {
    perDay: Math.max(ifAtRandom, pairsSoFar / days),
    perCard: Math.max(ifAtRandom / cardsADay, cards === 0 ? 0 : pairsSoFar / cards),
  };
}

/** How many usable outcomes there are when the pairs are enough, if everything is bought from now on. */
function outcomesIfAllBought({ usable, purchases, enough }: ForecastBasis): number {
  const lacking = enough.pairs - (usable.outcomes - usable.days);
  return usable.outcomes + Math.max(0, lacking) / mostPairs(purchases).perCard;
}

/** The share of the bought cards that are usable; all of them if none is bought yet. */
function usableShareOf({ outcomes }: UsableOutcomes, { bought }: TypePurchases): number {
  return bought === 0 ? 1 : Math.min(1, outcomes / bought);
}

/** What a forecast is made from. */
interface ForecastBasis {
  readonly usable: UsableOutcomes;
  readonly usableShare: number;
  readonly purchases: TypePurchases;
  readonly enough: EnoughForTest;
}

/** What is expected after some days. */
interface Forecast {
  /** Outcomes minus days with outcomes. */
  readonly pairs: number;
  /** UTC days with outcomes. */
  readonly days: number;
  /** Usable outcomes bought until then. */
  readonly outcomes: number;
}

/** When enough has arrived for a test. */
interface Arrival {
  /** Days until then; undefined if so many `outcomes` are never there at once, because the oldest no longer count by then. */
  readonly days: number | undefined;
  /** Usable outcomes that are needed in all, rounded up to whole hundreds; not rounded if days are missing last. */
  readonly outcomes: number;
  /** Whether days are what is missing last, because there are enough pairs earlier. */
  readonly isOfDays: boolean;
}

/**
 * When enough arrives: on the first day on which both pairs and days suffice. If the pairs are the last to suffice, the outcomes of
 * that day are rounded up, and enough arrives on the day on which the rounded number is there. A reader who divides the missing
 * outcomes by the rate then gets the same date.
 * @param forecastOf what is expected after so many days
 * @returns undefined if it is never enough while outcomes count
 */
function arrivalOf(
  { usable, enough }: ForecastBasis,
  forecastOf: (day: number) => Forecast,
): Arrival | undefined {
  const dayOfBoth = firstDay(1, (day) => {
    const { pairs, days } = forecastOf(day);
    return pairs >= enough.pairs && days >= enough.days;
  });
  if (dayOfBoth === undefined) return undefined;
  const { outcomes } = forecastOf(dayOfBoth);
  const pairsNow = usable.outcomes - usable.days;
  const pairsOfDayBefore = dayOfBoth === 1 ? pairsNow : forecastOf(dayOfBoth - 1).pairs;
  const isOfDays = pairsOfDayBefore >= enough.pairs;
  if (isOfDays) return { days: dayOfBoth, outcomes, isOfDays };
  const needed = roundedUp(outcomes);
  const dayOfNeeded = firstDay(dayOfBoth, (day) => forecastOf(day).outcomes >= needed);
  return { days: dayOfNeeded, outcomes: needed, isOfDays };
}

/** The first day for which something holds; undefined if it holds for none up to `LONGEST`. @param from the first day looked at */
function firstDay(from: number, holdsOn: (day: number) => boolean): number | undefined {
  for (let day = from; day <= LONGEST; day += 1) if (holdsOn(day)) return day;
  return undefined;
}

/** @returns undefined if it is never enough while outcomes count */
function asExportsBuyNow(basis: ForecastBasis): Arrival | undefined {
  const { daysToAllBought, isInFocusAlone } = basis.purchases;
  if (daysToAllBought !== undefined) return byAllBought(basis, daysToAllBought);
  return isInFocusAlone ? byFocus(basis) : bySample(basis);
}

/**
 * If exports buy a random sample of old and new cards. Let 40 of 100 due outcomes be bought, and let 30 be bought a day while 50
 * come due: after ten days 340 of 600 are bought, 57 %. These are 57 % of the new ones, and of the old ones 40 % and 28 % of the
 * rest.
 * @returns undefined if it is never enough while outcomes count
 */
function bySample(basis: ForecastBasis): Arrival | undefined {
  const { bought, unbought, sample } = basis.purchases;
  const shareNow = shareOf(sample.bought, sample.due);
  return byDueBought(basis, (day, due) => {
    const newDue = due - bought - unbought;
    const newDueOfSample = sample.cardsPerDay * day;
    const boughtUntilThen = sample.boughtPerDay * Math.max(0, day - sample.delayDays);
    const shareThen = shareOf(sample.bought + boughtUntilThen, sample.due + newDueOfSample);
    // A share that falls buys no old cards.
    if (shareThen <= shareNow) return bought + newDue * shareOf(boughtUntilThen, newDueOfSample);
    const shareOfOld = (shareThen - shareNow) / (1 - shareNow);
    return bought + unbought * shareOfOld + newDue * shareThen;
  });
}

/** A fraction, at most 1; 0 if no outcome is due. */
function shareOf(bought: number, due: number): number {
  return due <= 0 ? 0 : Math.min(1, bought / due);
}

/** If all purchases are of this type. @returns undefined if it is never enough while outcomes count */
function byFocus(basis: ForecastBasis): Arrival | undefined {
  const { bought, boughtPerDayOfAll } = basis.purchases;
  return byDueBought(basis, (day, due) => Math.min(due, bought + boughtPerDayOfAll * day));
}

/**
 * If the credits cover all types: what waits is bought evenly until then, and from then on all that comes due.
 * @param daysToAllBought days from now
 * @returns undefined if it is never enough while outcomes count
 */
function byAllBought(basis: ForecastBasis, daysToAllBought: number): Arrival | undefined {
  const { bought } = basis.purchases;
  return byDueBought(basis, (day, due) =>
    day >= daysToAllBought ? due : bought + (due - bought) * (day / daysToAllBought),
  );
}

/**
 * If outcomes are bought of a random choice of the type's cards, old and new. An outcome is due a day after its card.
 * @param boughtAfter how many outcomes are bought after `day` days, when `due` outcomes are due
 * @returns undefined if it is never enough while outcomes count
 */
function byDueBought(
  basis: ForecastBasis,
  boughtAfter: (day: number, due: number) => number,
): Arrival | undefined {
  const { usable, usableShare, purchases } = basis;
  const { bought, unbought, cardsPerDay: perDay, days, daysByCards } = purchases;
  const dueNow = bought + unbought;
  return arrivalOf(basis, (day) => {
    const due = dueNow + perDay * (day - 1);
    const boughtThen = boughtAfter(day, due);
    const share = (usableShare * boughtThen) / due;
    // The days that count then, as a multiple of the days so far. Days to come are taken to have as many cards as the days so
    // far. Outcomes of more than `LONGEST` days never count.
    const growth = Math.min(due / dueNow, Math.max(1, LONGEST / days));
    return {
      pairs: growth * sumOverDays(daysByCards, (count) => expectedPairs(count, share)),
      days: growth * sumOverDays(daysByCards, (count) => chanceOfAny(count, share)),
      outcomes: usable.outcomes + usableShare * (boughtThen - bought),
    };
  });
}

/**
 * The expected pairs of a day with so many cards: its outcomes, minus one if it has any. Of 3 cards with the share 0.5 these
 * are 1.5 − 0.875 = 0.625.
 * @param share of the cards that have a usable outcome, a fraction
 */
function expectedPairs(cards: number, share: number): number {
  return cards * share - chanceOfAny(cards, share);
}

/** The chance that a day with so many cards has an outcome. */
function chanceOfAny(cards: number, share: number): number {
  return 1 - (1 - share) ** cards;
}

function sumOverDays(
  daysByCards: TypePurchases['daysByCards'],
  amountOf: (cards: number) => number,
): number {
  let sum = 0;
  for (const [cards, days] of daysByCards) sum += days * amountOf(cards);
  return sum;
}

/**
 * Needs are told in whole hundreds of outcomes, because they are rough: in smaller steps they would change from day to day.
 * Simulated with the accounts of `FOR_DEPENDENCE`, on days 20, 40 and 60:
 * - the told number of outcomes is enough in 75 % of cases (if cards come in bursts) to 98 %;
 * - the test can be made by the told date in 82 to 100 % of cases, at the median 2 to 6 days before it (days 7, 20 and 40 of
 *   accounts with 36 to 41 cards and 15 to 33 purchases a day).
 */
const ROUNDED_TO = 100;

function roundedUp(outcomes: number): number {
  return Math.ceil(outcomes / ROUNDED_TO) * ROUNDED_TO;
}
