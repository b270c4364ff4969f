/** How many cards come in a day, and whether a type has stopped sending them. */
import { DAY } from '../base/units.ts';

/** Milliseconds without a card after which a group is called silent: no more outcomes are expected. */
export const SILENT_AFTER = 14 * DAY;

/** The days over which a rate is taken. Four weeks have each weekday equally often. */
export const RATE_DAYS = 28;

/** The time over which a rate is averaged. */
interface RateTime {
  /** At most this many days before `until` count; 28 if left out. */
  readonly days?: number;
  /** Earlier cards do not count. Epoch milliseconds UTC. */
  readonly since: number;
}

/**
 * Cards a day in the time up to a moment: 21 cards in the last 28 days are 0.75 a day, 21 cards of a type that is 7 days old
 * are 3 a day. Days without a card count. A time shorter than a day counts as one day.
 * @param until epoch milliseconds UTC
 */
export function cardsPerDay(
  cards: readonly { readonly at: number }[],
  until: number,
  { days = RATE_DAYS, since }: RateTime,
): number {
  const counted = cards.filter(({ at }) => at > until - days * DAY && at >= since && at <= until);
  const length = Math.min(days, (until - since) / DAY);
  return counted.length / Math.max(1, length);
}

/**
 * When the days begin over which the rates of a type are taken: at the oldest card of the history. If the type came into use with
 * its present settings after that card, they begin then. Epoch milliseconds UTC.
 * @param inUseSince undefined if the type always was in use, or if it has no card
 * @param firstCardAt the oldest card of any type
 */
export function beginOfRate(inUseSince: number | undefined, firstCardAt: number): number {
  return inUseSince === undefined ? firstCardAt : Math.max(inUseSince, firstCardAt);
}

/** How many cards a day a group has under its present settings. */
export interface PresentRate {
  readonly perDay: number;
  /** Whether it is the first day after a change of settings: the days before the change then give the rate. */
  readonly isOfDaysBefore: boolean;
}

/** The times that bound a rate, epoch milliseconds UTC. */
interface RateBounds {
  readonly historyBegins: number;
  /** Since when the group has been in use under its present settings; undefined if it always was. */
  readonly inUseSince: number | undefined;
}

/**
 * The rate of a group's present settings. On the first day after a change it is the rate of the days before the change, because
 * the cards of a few hours say nothing about a day.
 * @param cards the group's cards under any settings
 * @param until the end of the history, epoch milliseconds UTC
 */
export function presentRate(
  cards: readonly { readonly at: number }[],
  until: number,
  { historyBegins, inUseSince = historyBegins }: RateBounds,
): PresentRate {
  const isOfDaysBefore = inUseSince > historyBegins && until - inUseSince < DAY;
  const daysBefore = { since: historyBegins, until: inUseSince };
  const daysInUse = { since: Math.max(inUseSince, historyBegins), until };
  const days = isOfDaysBefore ? daysBefore : daysInUse;
  const perDay = cardsPerDay(cards, days.until, { since: days.since });
  return { perDay: twoDecimals(perDay), isOfDaysBefore };
}

/** If 5 cards are expected, chance brings none in one of 150 cases (e^−5). */
const LEAST_MISSING = 5;

/** Milliseconds. Six quiet hours are no pause, though a type with 20 cards a day lacks five then: cards come in bursts. */
const SHORTEST_PAUSE = 2 * DAY;

/**
 * The whole days since a group's last card, if it pauses. It pauses if this time is at least 2 days, and long enough for 5
 * cards at its usual rate (of the 28 days until its last card). A type of 2 cards a day pauses after 2.5 days, one of 10 a day
 * after 2. No date of a verdict can be told during a pause, because it is not known when outcomes come again.
 * @param cards its cards under its present settings, oldest first
 * @param until the end of the history, epoch milliseconds UTC
 * @returns undefined if the group does not pause, or if it has had no card since it is in use
 */
export function daysOfPause(
  cards: readonly { readonly at: number }[],
  until: number,
  { historyBegins, inUseSince = historyBegins }: RateBounds,
): number | undefined {
  const lastCardAt = cards.at(-1)?.at;
  if (lastCardAt === undefined || lastCardAt < inUseSince) return undefined;
  const usual = cardsPerDay(cards, lastCardAt, { since: Math.max(inUseSince, historyBegins) });
  const pause = until - lastCardAt;
  const missingCards = (pause / DAY) * usual;
  const isPause = pause >= SHORTEST_PAUSE && missingCards >= LEAST_MISSING;
  return isPause ? Math.floor(pause / DAY) : undefined;
}

/** Milliseconds. A shorter pause is no news. */
const SHORTEST_LONG_PAUSE = 3 * DAY;

/** A pause is compared with the pauses of the 90 days before a type's last card. */
const MOST_DAYS_OF_PAUSES = 90;

/** 28 days before a type's last card must be known: fewer do not show how long its pauses usually are. */
const LEAST_DAYS_OF_PAUSES = 28;

/**
 * The whole days since a type's last card, if the pause is long: at least 3 days, and at least twice as long as the longest
 * pause in the 90 days until that card.
 *
 * Why twice the longest pause, and not five times the usual gap between two cards? Because cards come in bursts. Types with one
 * card a day were simulated: with steady rates, with bursts, and with quiet weeks of the market. A gap of five times the usual
 * one came 2 to 24 times a year, a pause of twice the longest one about once in three years. If a type of 2 to 8 cards a day
 * stops, this is said after 3 to 6 days if its cards came steadily, and after 5 to 14 days if they came in bursts.
 * @param cards its cards under its present settings, oldest first
 * @param until the end of the history, epoch milliseconds UTC
 * @returns undefined if the pause is shorter, if fewer than 28 days until the last card are known, or if there is no card
 */
export function daysOfLongPause(
  cards: readonly { readonly at: number }[],
  until: number,
  { historyBegins, inUseSince = historyBegins }: RateBounds,
): number | undefined {
  const lastCardAt = cards.at(-1)?.at;
  if (lastCardAt === undefined) return undefined;
  const begins = Math.max(historyBegins, inUseSince, lastCardAt - MOST_DAYS_OF_PAUSES * DAY);
  if (lastCardAt - begins < LEAST_DAYS_OF_PAUSES * DAY) return undefined;
  let longestPause = 0;
  let cardBeforeAt = begins;
  for (const { at } of cards) {
    if (at < begins) continue;
    longestPause = Math.max(longestPause, at - cardBeforeAt);
    cardBeforeAt = at;
  }
  const pause = until - lastCardAt;
  const isLong = pause >= SHORTEST_LONG_PAUSE && pause >= 2 * longestPause;
  return isLong ? Math.floor(pause / DAY) : undefined;
}

export function twoDecimals(rate: number): number {
  return Number(rate.toFixed(2));
}
