/**
 * What a type lacks before the numbers of its cards can be tested: how many outcomes that takes, when they come, and whether
 * they come sooner if exports buy the type first.
 *
 * A test compares cards of the same day. A day with one outcome compares nothing; each further outcome of the day adds one
 * comparison, here called a pair (of n ranks on a day, n − 1 are free). So a type has as many pairs as it has outcomes, minus
 * its days with outcomes: a type with one outcome a day is never tested, however many outcomes there are.
 */
import { blockLengthsOf, type HorizonName } from '../api/contract/horizons.ts';
import { DAY } from '../base/units.ts';
import { POWER_QUANTILE } from '../statistics/holm.ts';
import { LEAST_FOR_TEST } from '../statistics/rank-test.ts';
import { twoSidedQuantile } from '../statistics/student-t.ts';
import { PATIENCE, type TypePurchases } from './purchases.ts';
import { JUDGED_WINDOW } from './question.ts';

/** A correlation of this size is hardly ever there. A number is tested well enough once a smaller one would be found. */
export const LARGEST_PLAUSIBLE = 0.5;

/** Degrees of freedom of a typical test that has just enough days. */
const TYPICAL_DEGREES = 20;

/**
 * Cards of one day, and of one symbol, resemble each other, and the spread is only estimated. So a test needs so many times
 * the pairs that it would need if cards were independent. Simulated (numpy, seven kinds of accounts of 2 to 7 types, 1.4 to 50
 * cards a day): with these pairs a plausible correlation would be found in .86 of cases, from .70 in accounts of few symbols
 * that move together to .95 in those whose cards are independent.
 *
 * How far the outcomes of the number spread so far does not enter. That is so noisy that in one of ten cases the need of day 90
 * was 1.2 to 3.7 times that of day 20, where it is now 1.2 to 1.3 times. The mean spread of all numbers did no better.
 */
const FOR_DEPENDENCE = 1.8;

/**
 * A type that can never have this share of the needed pairs cannot be tested. With just this share, about half of its numbers
 * could be.
 */
const ENOUGH_FOR_HALF = 0.7;

/** Days of cards that are judged. What takes longer never comes: the first cards are then too old. */
const LONGEST = JUDGED_WINDOW / DAY;

/** Buying a type first is proposed only if it brings the outcomes so many times as soon. */
const WORTH_BUYING_FIRST = 2;

/** How much data finds a correlation of `LARGEST_PLAUSIBLE` in four of five cases. */
export interface EnoughForTest {
  /** Outcomes less days. */
  readonly pairs: number;
  /** UTC days with outcomes. */
  readonly days: number;
}

/**
 * @param tests how many numbers are tested together
 * @param level of all tests together
 */
export function enoughForTest(tests: number, level: number, horizon: HorizonName): EnoughForTest {
  const standardErrorsNeeded =
    twoSidedQuantile(level / Math.max(1, tests), TYPICAL_DEGREES) + POWER_QUANTILE;
  return {
    pairs: FOR_DEPENDENCE * (standardErrorsNeeded / LARGEST_PLAUSIBLE) ** 2,
    days: LEAST_FOR_TEST.clusters * blockLengthsOf(horizon).ofFewDays,
  };
}

/** Outcomes of a type that have the number, and a move beside BTC's. */
export interface UsableOutcomes {
  readonly outcomes: number;
  /** UTC days of their cards. */
  readonly days: number;
}

/** What a number still lacks before it is tested well enough. */
export type TestNeed =
  | {
      /** `outcomes` where too few cards of the same day are known, `days` where these are of too few days. */
      readonly of: 'outcomes' | 'days';
      /** About how many are needed in all. */
      readonly needed: number;
      /** When there are so many as exports buy now, epoch milliseconds UTC; undefined if that is not within two months. */
      readonly by: number | undefined;
      /** When there are so many if exports buy the type first, within two months; undefined if that is not proposed. */
      readonly byFocus: number | undefined;
    }
  /** Too few days have two cards of the type: it cannot be tested, whatever is bought. */
  | { readonly of: 'cards_a_day' };

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
  const canBeTested = LONGEST * mostPairs(purchases).perDay >= ENOUGH_FOR_HALF * enough.pairs;
  if (!canBeTested) return { of: 'cards_a_day' };
  const flow = { usable, usableShare: usableShareOf(usable, purchases), purchases, enough };
  const focus = byFocus(flow);
  const asNow = asExportsBuyNow(flow);
  const daysAsNow = asNow?.days;
  const focusDays = focus?.days;
  const isFocusProposed =
    !purchases.isInFocusAlone &&
    purchases.daysToAllBought === undefined &&
    purchases.unbought > 0 &&
    focusDays !== undefined &&
    focusDays <= PATIENCE &&
    (daysAsNow === undefined ||
      (daysAsNow > PATIENCE && daysAsNow >= WORTH_BUYING_FIRST * focusDays));
  const coming = isFocusProposed ? focus : asNow;
  // If no forecast reaches enough, what is lacking now decides: days, if the pairs suffice already.
  const isOfDays = coming?.isOfDays ?? pairsNow >= enough.pairs;
  const outcomes = coming?.outcomes ?? roundedUp(outcomesIfAllBought(flow));
  return {
    of: isOfDays ? 'days' : 'outcomes',
    needed: isOfDays ? enough.days : outcomes,
    by: daysAsNow === undefined || daysAsNow > PATIENCE ? undefined : now + daysAsNow * DAY,
    byFocus: isFocusProposed ? now + focusDays * DAY : undefined,
  };
}

/** How many pairs a type's cards give if everything is bought. */
interface PairRates {
  readonly perDay: number;
  readonly perCard: number;
}

/**
 * The most pairs that can be hoped for. The days so far show whether cards come together; if these are few, cards might come
 * more often than they did.
 */
function mostPairs({ bought, unbought, days, daysByCards }: TypePurchases): PairRates {
  const cards = bought + unbought;
  // One standard error, and a card, more than were seen.
  const cardsADay = (cards + Math.sqrt(cards) + 1) / days;
  // If cards come independently of each other (Poisson), this is the chance of a day without a card. A day with cards has one
  // pair fewer than it has cards.
  const chanceOfNone = Math.exp(-cardsADay);
  const ifAtRandom = cardsADay - (1 - chanceOfNone);
  const pairsSoFar = sumOverDays(daysByCards, (count) => count - 1);
  return {
    perDay: Math.max(ifAtRandom, pairsSoFar / days),
    perCard: Math.max(ifAtRandom / cardsADay, cards === 0 ? 0 : pairsSoFar / cards),
  };
}

/** How many usable outcomes there are when the pairs are enough, if everything is bought from now on. */
function outcomesIfAllBought({ usable, purchases, enough }: Flow): number {
  const lacking = enough.pairs - (usable.outcomes - usable.days);
  return usable.outcomes + Math.max(0, lacking) / mostPairs(purchases).perCard;
}

/** The share of the bought cards that are usable; all of them if none is bought yet. */
function usableShareOf({ outcomes }: UsableOutcomes, { bought }: TypePurchases): number {
  return bought === 0 ? 1 : Math.min(1, outcomes / bought);
}

/** What a forecast is made from. */
interface Flow {
  readonly usable: UsableOutcomes;
  readonly usableShare: number;
  readonly purchases: TypePurchases;
  readonly enough: EnoughForTest;
}

/** What is expected after some days. */
interface Forecast {
  /** Outcomes less days. */
  readonly pairs: number;
  /** UTC days with outcomes. */
  readonly days: number;
  /** Usable outcomes bought until then. */
  readonly outcomes: number;
}

/** When enough has come. */
interface Coming {
  /** Days until then; undefined if `outcomes` are not there while the first of them count. */
  readonly days: number | undefined;
  /** Usable outcomes that are needed in all, rounded up as they are told. */
  readonly outcomes: number;
  /** Whether days are what it waits for last: the pairs suffice earlier. */
  readonly isOfDays: boolean;
}

/**
 * The date is that of the outcomes as they are told, rounded up: whoever divides what is missing by the rate gets the same.
 * @param forecastOf what is expected after so many days
 * @returns undefined if it is never enough while outcomes count
 */
function comingOf(
  { usable, enough }: Flow,
  forecastOf: (day: number) => Forecast,
): Coming | undefined {
  let hadPairs = usable.outcomes - usable.days >= enough.pairs;
  let needed: number | undefined;
  for (let day = 1; day <= LONGEST; day += 1) {
    const { pairs, days, outcomes } = forecastOf(day);
    const hasPairs = pairs >= enough.pairs;
    if (needed === undefined && hasPairs && days >= enough.days) {
      if (hadPairs) return { days: day, outcomes, isOfDays: true };
      needed = roundedUp(outcomes);
    }
    if (needed !== undefined && outcomes >= needed)
      return { days: day, outcomes: needed, isOfDays: false };
    hadPairs = hasPairs;
  }
  return needed === undefined ? undefined : { days: undefined, outcomes: needed, isOfDays: false };
}

/** @returns undefined if it is never enough while outcomes count */
function asExportsBuyNow(flow: Flow): Coming | undefined {
  const { daysToAllBought, isInFocusAlone } = flow.purchases;
  if (daysToAllBought !== undefined) return byAllBought(flow, daysToAllBought);
  return isInFocusAlone ? byFocus(flow) : bySample(flow);
}

/** If exports buy a random sample of all types. @returns undefined if it is never enough while outcomes count */
function bySample(flow: Flow): Coming | undefined {
  const { usable, usableShare, purchases } = flow;
  const { cardsPerDay: perDay, days, daysByCards, delay } = purchases;
  if (perDay === 0) return undefined;
  const boughtPerDay = delay?.boughtPerDay ?? purchases.boughtPerDay;
  const daysOfDelay = delay?.days ?? 0;
  const share = usableShare * Math.min(1, boughtPerDay / perDay);
  const pairsPerDay = sumOverDays(daysByCards, (count) => pairsOf(count, share)) / days;
  const daysPerDay = sumOverDays(daysByCards, (count) => anyOf(count, share)) / days;
  const pairsNow = usable.outcomes - usable.days;
  return comingOf(flow, (day) => {
    // The oldest outcomes count no more by then.
    const stillCounting = 1 - Math.max(0, days + day - LONGEST) / days;
    const buyingDays = Math.max(0, day - daysOfDelay);
    return {
      pairs: stillCounting * pairsNow + buyingDays * pairsPerDay,
      days: stillCounting * usable.days + buyingDays * daysPerDay,
      outcomes: usable.outcomes + buyingDays * usableShare * boughtPerDay,
    };
  });
}

/** If all purchases are of this type. @returns undefined if it is never enough while outcomes count */
function byFocus(flow: Flow): Coming | undefined {
  const { bought, boughtPerDayOfAll } = flow.purchases;
  return byDueBought(flow, (day, due) => Math.min(due, bought + boughtPerDayOfAll * day));
}

/**
 * If the credits cover all types: what waits is bought evenly until then, and from then on all that comes due.
 * @param daysToAllBought days from now
 * @returns undefined if it is never enough while outcomes count
 */
function byAllBought(flow: Flow, daysToAllBought: number): Coming | undefined {
  const { bought } = flow.purchases;
  return byDueBought(flow, (day, due) =>
    day >= daysToAllBought ? due : bought + (due - bought) * (day / daysToAllBought),
  );
}

/**
 * If outcomes of the type are bought at random of its cards, old and new. An outcome is due a day after its card.
 * @param boughtAfter how many are bought after so many days, when so many are due
 * @returns undefined if it is never enough while outcomes count
 */
function byDueBought(
  flow: Flow,
  boughtAfter: (day: number, due: number) => number,
): Coming | undefined {
  const { usable, usableShare, purchases } = flow;
  const { bought, unbought, cardsPerDay: perDay, days, daysByCards } = purchases;
  const dueNow = bought + unbought;
  return comingOf(flow, (day) => {
    const due = dueNow + perDay * (day - 1);
    const boughtThen = boughtAfter(day, due);
    const share = (usableShare * boughtThen) / due;
    // Days to come are taken to have as many cards as those so far. More than `LONGEST` days never count.
    const growth = Math.min(due / dueNow, Math.max(1, LONGEST / days));
    return {
      pairs: growth * sumOverDays(daysByCards, (count) => pairsOf(count, share)),
      days: growth * sumOverDays(daysByCards, (count) => anyOf(count, share)),
      outcomes: usable.outcomes + usableShare * (boughtThen - bought),
    };
  });
}

/** The expected outcomes of a day with so many cards, less one if there is any. @param share of the cards that are usable */
function pairsOf(cards: number, share: number): number {
  return cards * share - anyOf(cards, share);
}

/** The chance that a day with so many cards has an outcome. */
function anyOf(cards: number, share: number): number {
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
 * Needs are told in whole hundreds. They are rough: in smaller steps they would change as the outcomes come in. Simulated (the
 * accounts above, on days 20, 40 and 60): so many are enough in .75 (cards in bursts) to .98 of cases, and the test is made by
 * the date of the need that is told in .71 to 1.00, on average .89. By the date on which the pairs were expected it was .59.
 */
const STEP = 100;

function roundedUp(outcomes: number): number {
  return Math.ceil(outcomes / STEP) * STEP;
}
