/** How many cards come in a day, and whether a type has stopped sending them. */
import { DAY } from '../base/units.ts';

/** Milliseconds without a card after which a group is silent, however rare its cards were. Forecasts then expect no more cards. */
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
  readonly isFromBeforeChange: boolean;
}

/** From when on the cards of a group are known, and count. Epoch milliseconds UTC. */
interface KnownTime {
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
  { historyBegins, inUseSince }: KnownTime,
): PresentRate {
  const begin = beginOfRate(inUseSince, historyBegins);
  const isFromBeforeChange = begin > historyBegins && until - begin < DAY;
  const daysBefore = { since: historyBegins, until: begin };
  const daysInUse = { since: begin, until };
  const days = isFromBeforeChange ? daysBefore : daysInUse;
  const perDay = cardsPerDay(cards, days.until, { since: days.since });
  return { perDay: twoDecimals(perDay), isFromBeforeChange };
}

/** Milliseconds. A type with a shorter pause is not silent. */
const SHORTEST_SILENCE = 3 * DAY;

/** A pause is compared with the pauses of the 90 days before a type's last card. */
const MOST_DAYS_OF_PAUSES = 90;

/** 28 days before a type's last card must be known: fewer do not show how long its pauses usually are. */
const LEAST_DAYS_OF_PAUSES = 28;

/**
 * After how long a pause a type is silent, milliseconds: after twice the longest pause in the 90 days until its last card, but after
 * 3 days at the earliest, and 14 at the latest. After 14 days, too, if less than 28 days before its last card are known.
 *
 * Why twice the longest pause, and not five times the usual gap between two cards? Because cards come in bursts. Types with one
 * card a day were simulated: with steady rates, with bursts, and with quiet weeks of the market. A gap of five times the usual
 * one came 2 to 24 times a year, a pause of twice the longest one about once in three years. A type of 2 to 8 cards a day that
 * stops is called silent after 3 to 6 days if its cards came steadily, and after 5 to 14 days if they came in bursts.
 * @param cards its cards under its present settings, oldest first
 */
export function silentAfter(
  cards: readonly { readonly at: number }[],
  { historyBegins, inUseSince = historyBegins }: KnownTime,
): number {
  const lastCardAt = cards.at(-1)?.at;
  if (lastCardAt === undefined) return SILENT_AFTER;
  const begins = Math.max(historyBegins, inUseSince, lastCardAt - MOST_DAYS_OF_PAUSES * DAY);
  if (lastCardAt - begins < LEAST_DAYS_OF_PAUSES * DAY) return SILENT_AFTER;
  let longestPause = 0;
  // The time from the beginning to the first card counts as a pause.
  let cardBeforeAt = begins;
  for (const { at } of cards) {
    if (at < begins) continue;
    longestPause = Math.max(longestPause, at - cardBeforeAt);
    cardBeforeAt = at;
  }
  return Math.min(SILENT_AFTER, Math.max(SHORTEST_SILENCE, 2 * longestPause));
}

export function twoDecimals(rate: number): number {
  return Number(rate.toFixed(2));
}
