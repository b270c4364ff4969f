/** How many cards come in a day. */
import { DAY } from '../base/units.ts';

/** Milliseconds without a card after which a group is silent: no outcomes are to come. */
export const SILENT_AFTER = 14 * DAY;

/** The days before now, or before another moment, of which a rate is told. */
export const RATE_DAYS = 28;

/** The days of which a rate is told. */
interface RateTime {
  /** So many days up to `until`; 28 if left out. */
  readonly days?: number;
  /** No earlier cards count, epoch milliseconds UTC. */
  readonly since: number;
}

/**
 * Cards a day up to a moment. Days without a card count; a shorter time than a day counts as one day.
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

/** How many cards a day a group has under its present settings. */
export interface PresentRate {
  readonly perDay: number;
  /** True on the first day after a change of settings: the rate is then that of the days before the change. */
  readonly isOfDaysBefore: boolean;
}

/** The times that bound a rate, epoch milliseconds UTC. */
interface RateBounds {
  readonly historyBegins: number;
  /** Since when the group has been in use under its present settings; undefined if it always was. */
  readonly inUseSince: number | undefined;
}

/**
 * The rate of a group's present settings. On the first day after a change it is the rate of the days before, because the
 * cards of some hours, or none, say nothing of a day.
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

/** So many cards must be missing before a type's pause is more than chance: none of 5 comes in fewer than 1 of 100 cases. */
const LEAST_MISSING = 5;

/** Cards come in bursts: of a type with many cards a day, five are missing after some quiet hours. */
const SHORTEST_PAUSE = 2 * DAY;

/**
 * For how many whole days a group has had no card, if these are at least 2, and at least 5 cards were to be expected in them at
 * its usual rate: that of the 28 days until its last card. Its outcomes will then hardly come as they did.
 * @param cards its cards under its present settings, oldest first
 * @param until the end of the history, epoch milliseconds UTC
 * @returns undefined if the pause is shorter, or if it has no card
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
  const missing = (pause / DAY) * usual;
  const isPause = pause >= SHORTEST_PAUSE && missing >= LEAST_MISSING;
  return isPause ? Math.floor(pause / DAY) : undefined;
}

/** A shorter pause is no news. */
const SHORTEST_LONG_PAUSE = 3 * DAY;

/** The days before a type's last card in which its pauses are looked at, and how many of them there must be. */
const PAUSE_DAYS = { most: 90, least: 28 };

/**
 * For how many whole days a type has had no card, if that is at least 3 days and twice its longest pause in the 90 days until
 * its last card. Five times its usual gap would be said too often: cards come in bursts. Simulated with steady rates, with
 * bursts, and with quiet weeks of the market, a type of a card a day had such a pause 2 to 24 times a year, but a pause that
 * is told here about once in three years. A type of 2 to 8 cards a day that stops is told after 3 to 6 days if its cards came
 * steadily, after 5 to 14 if they came in bursts.
 * @param cards its cards under its present settings, oldest first
 * @param until the end of the history, epoch milliseconds UTC
 * @returns undefined if the pause is no longer than that, or if fewer than 28 days until its last card are known
 */
export function daysOfLongPause(
  cards: readonly { readonly at: number }[],
  until: number,
  { historyBegins, inUseSince = historyBegins }: RateBounds,
): number | undefined {
  const lastCardAt = cards.at(-1)?.at;
  if (lastCardAt === undefined) return undefined;
  const begins = Math.max(historyBegins, inUseSince, lastCardAt - PAUSE_DAYS.most * DAY);
  if (lastCardAt - begins < PAUSE_DAYS.least * DAY) return undefined;
  let longestPause = 0;
  let before = begins;
  for (const { at } of cards) {
    if (at < begins) continue;
    longestPause = Math.max(longestPause, at - before);
    before = at;
  }
  const pause = until - lastCardAt;
  const isLong = pause >= SHORTEST_LONG_PAUSE && pause >= 2 * longestPause;
  return isLong ? Math.floor(pause / DAY) : undefined;
}

export function twoDecimals(rate: number): number {
  return Number(rate.toFixed(2));
}
