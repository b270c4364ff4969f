import { DAY } from '../base/units.ts';

export const RATE_DAYS = 28;

/**
 * Cards a day in the `days` before `until`, but not before `since`, silent days counted; at least of one day.
 * @param until epoch milliseconds UTC, as `since`
 */
export function cardsPerDay(
  cards: readonly { readonly at: number }[],
  until: number,
  { days = RATE_DAYS, since }: { days?: number; since: number },
): number {
  const within = cards.filter(({ at }) => at > until - days * DAY && at >= since && at <= until);
  return within.length / Math.max(1, Math.min(days, (until - since) / DAY));
}

/** Cards a day of a group's present settings. */
export interface PresentRate {
  readonly perDay: number;
  /** Whether it is of the days before a change of settings, because less than a day has passed since. */
  readonly isOfDaysBefore: boolean;
}

/**
 * Silent days counted. On the first day after a change of settings it is the rate of the days before: the cards of some
 * hours, or none, say nothing of a day.
 * @param cards of the group, under any settings
 * @param until the end of the history, epoch milliseconds UTC, as the following
 * @param since when the history begins, and since when the present settings hold, if they ever changed
 */
export function presentRate(
  cards: readonly { readonly at: number }[],
  until: number,
  since: { readonly first: number; readonly settings: number | undefined },
): PresentRate {
  const { first, settings = first } = since;
  const isOfDaysBefore = settings > first && until - settings < DAY;
  const perDay = isOfDaysBefore
    ? cardsPerDay(cards, settings, { since: first })
    : cardsPerDay(cards, until, { since: Math.max(settings, first) });
  return { perDay: twoDecimals(perDay), isOfDaysBefore };
}

export function twoDecimals(rate: number): number {
  return Number(rate.toFixed(2));
}
