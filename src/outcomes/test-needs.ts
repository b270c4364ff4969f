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
import { RATE_DAYS } from './rate.ts';

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
 * Both dates, `by` and `byFocus`, are for the same needed outcomes.
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
  const asFirst = canBuyFirst(purchases) ? asFocusBuys(basis) : NEVER_ENOUGH;
  const arrival = arrivalOf(basis, asNow) ?? arrivalOf(basis, asFirst);
  const needed = arrival?.outcomes ?? roundedUp(outcomesIfAllBought(basis));
  const daysAsNow = daysUntil(needed, basis, asNow);
  const daysAsFirst = daysUntil(needed, basis, asFirst);
  const by = timeAfter(daysAsNow, now);
  const byFocus = isMuchLater(daysAsNow, daysAsFirst) ? timeAfter(daysAsFirst, now) : undefined;
  // If no forecast reaches enough, what is lacking now decides: days, if the pairs suffice already.
  const isOfDays = arrival?.isOfDays ?? pairsNow >= enough.pairs;
  if (isOfDays) return { lacks: 'days', needed: enough.days, by, byFocus };
  return { lacks: 'outcomes', needed, by, byFocus };
}

/** The time after so many days, epoch milliseconds UTC; undefined if it never comes, or not within two months (`PATIENCE`). */
function timeAfter(days: number | undefined, now: number): number | undefined {
  return days === undefined || days > PATIENCE ? undefined : now + days * DAY;
}

/**
 * Whether exports can be told to buy the type first: it has outcomes to buy, they do not do so already, nor soon buy
 * everything.
 */
function canBuyFirst({ isInFocusAlone, daysToAllBought, unbought }: TypePurchases): boolean {
  return !isInFocusAlone && daysToAllBought === undefined && unbought > 0;
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

/** How many usable outcomes there are once there are enough pairs, if everything is bought from now on. */
function outcomesIfAllBought({ usable, purchases, enough }: ForecastBasis): number {
  const lacking = enough.pairs - (usable.outcomes - usable.days);
  return usable.outcomes + Math.max(0, lacking) / mostPairs(purchases).perCard;
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

/** What is expected after so many days. */
type ForecastOf = (day: number) => Forecast;

/** The forecast for a type that exports cannot be told to buy first. */
const NEVER_ENOUGH: ForecastOf = () => ({ pairs: 0, days: 0, outcomes: 0 });

/** What there is when enough has arrived for a test. */
interface Arrival {
  /** Usable outcomes that are needed in all, rounded up; not rounded if days are missing last. */
  readonly outcomes: number;
  /** Whether days are what is missing last, because there are enough pairs earlier. */
  readonly isOfDays: boolean;
}

function isEnough({ pairs, days }: Forecast, enough: EnoughForTest): boolean {
  return pairs >= enough.pairs && days >= enough.days;
}

/**
 * What there is on the first day on which both pairs and days suffice. If the pairs are the last to suffice, the outcomes of
 * that day are rounded up.
 * @returns undefined if it is never enough while outcomes count
 */
function arrivalOf({ usable, enough }: ForecastBasis, forecastOf: ForecastOf): Arrival | undefined {
  const day = firstDay((later) => isEnough(forecastOf(later), enough));
  if (day === undefined) return undefined;
  const { outcomes } = forecastOf(day);
  const pairsNow = usable.outcomes - usable.days;
  const pairsOfDayBefore = day === 1 ? pairsNow : forecastOf(day - 1).pairs;
  const isOfDays = pairsOfDayBefore >= enough.pairs;
  return { outcomes: isOfDays ? outcomes : roundedUp(outcomes), isOfDays };
}

/**
 * Days until the needed outcomes are there, and are enough. A reader who divides the missing outcomes by the rate gets the same
 * date.
 * @returns undefined if that is never while outcomes count
 */
function daysUntil(
  needed: number,
  { enough }: ForecastBasis,
  forecastOf: ForecastOf,
): number | undefined {
  return firstDay((day) => {
    const forecast = forecastOf(day);
    return isEnough(forecast, enough) && forecast.outcomes >= needed;
  });
}

/** The first day for which something holds; undefined if it holds for none up to `LONGEST`. */
function firstDay(holdsOn: (day: number) => boolean): number | undefined {
  for (let day = 1; day <= LONGEST; day += 1) if (holdsOn(day)) return day;
  return undefined;
}

/** The forecast if exports go on buying as now. */
function asExportsBuyNow(basis: ForecastBasis): ForecastOf {
  const { daysToAllBought, isInFocusAlone } = basis.purchases;
  if (daysToAllBought !== undefined) return asAllIsBought(basis, daysToAllBought);
  return isInFocusAlone ? asFocusBuys(basis) : asSampleBuys(basis);
}

/**
 * The forecast if exports buy a random sample of old and new cards. Let 40 of 100 due outcomes be bought, and let 30 be bought
 * a day while 50 come due. After ten days 340 of 600 are bought, 57 %. Of the 500 new outcomes, 57 % are bought. Of the 100 old
 * ones, the 40 are bought that were bought before, and 28 % of the other 60.
 */
function asSampleBuys(basis: ForecastBasis): ForecastOf {
  const { bought, unbought, sample } = basis.purchases;
  const shareNow = shareOf(sample.bought, sample.due);
  return asDueIsBought(basis, (day, due) => {
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

/** The forecast if all purchases are of this type. */
function asFocusBuys(basis: ForecastBasis): ForecastOf {
  const { bought, boughtPerDayOfAll } = basis.purchases;
  return asDueIsBought(basis, (day, due) => Math.min(due, bought + boughtPerDayOfAll * day));
}

/**
 * The forecast if the credits cover the outcomes of all types. The outcomes that wait are bought evenly until
 * `daysToAllBought`. From then on all are bought as they come due.
 * @param daysToAllBought days from now
 */
function asAllIsBought(basis: ForecastBasis, daysToAllBought: number): ForecastOf {
  const { bought } = basis.purchases;
  return asDueIsBought(basis, (day, due) =>
    day >= daysToAllBought ? due : bought + (due - bought) * (day / daysToAllBought),
  );
}

/**
 * The forecast if the bought outcomes are those of a random choice of the type's cards, old and new. An outcome is due a day
 * after its card.
 * @param boughtAfter how many outcomes are bought after `day` days, when `due` outcomes are due
 */
function asDueIsBought(
  basis: ForecastBasis,
  boughtAfter: (day: number, due: number) => number,
): ForecastOf {
  const { usable, usableShare, purchases } = basis;
  const { bought, unbought, cardsPerDay, days, daysByCards } = purchases;
  const dueNow = bought + unbought;
  const promisedPerDay = cautiousRate(purchases);
  const mostGrowth = Math.max(1, LONGEST / days);
  return (day) => {
    const due = dueNow + promisedPerDay * (day - 1);
    const boughtThen = boughtAfter(day, due);
    const share = (usableShare * boughtThen) / due;
    // The cards and the days that count then, as multiples of those so far. Days to come are taken to have as many cards as the
    // days so far. Outcomes of more than `LONGEST` days never count.
    const growthOfCards = Math.min(due / dueNow, mostGrowth);
    const growthOfDays = Math.min((dueNow + cardsPerDay * (day - 1)) / dueNow, mostGrowth);
    return {
      pairs: growthOfCards * sumOverDays(daysByCards, (count) => expectedPairs(count, share)),
      days: growthOfDays * sumOverDays(daysByCards, (count) => chanceOfAny(count, share)),
      outcomes: usable.outcomes + usableShare * (boughtThen - bought),
    };
  };
}

/**
 * The cards a day that are promised: one standard error below the rate so far. From the cards of a few days the rate may come
 * out too high, and its dates would move later from day to day.
 */
function cautiousRate({ cardsPerDay: perDay, days }: TypePurchases): number {
  // The standard error of a count is its root.
  return Math.max(0, perDay - Math.sqrt(perDay / Math.min(RATE_DAYS, days)));
}

/**
 * The expected pairs of a day: its outcomes, minus one if it has any outcome. With 3 cards and the share 0.5 it has
 * 1.5 − 0.875 = 0.625 pairs.
 * @param cards how many cards the day has
 * @param share of the cards that have a usable outcome, a fraction
 */
function expectedPairs(cards: number, share: number): number {
  return cards * share - chanceOfAny(cards, share);
}

/** The chance that a day has an outcome. The parameters are those of `expectedPairs`. */
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

/** Needs are rough, so they are told in steps of 50 outcomes: in smaller steps they would change from day to day. */
const ROUNDED_TO = 50;

function roundedUp(outcomes: number): number {
  return Math.ceil(outcomes / ROUNDED_TO) * ROUNDED_TO;
}
