/**
 * What screens say of the newer cards of a group, beside its verdict. Of a type in doubt they show its newest cards; of a type that
 * surely does less lately, its last 30 days. They never show both.
 */

import { NEWEST_DAYS, type NewestCards } from '../../outcomes/doubt.ts';
import type { FiguresOfTimes } from '../../outcomes/last-30-days.ts';
import type { Standing } from '../../outcomes/standing.ts';
import { isInDoubt, last30DaysAndBefore } from '../../outcomes/still-holds.ts';
import { dayAndMonth, points, signed } from '../format.ts';

/** What every page says of a type that is above, but whose newer cards show a smaller lead, or none. */
export const MAY_HAVE_STOPPED = 'may have stopped working';

/** What to do with a type that may have stopped working. */
export const DO_NOT_ACT = 'do not act on its cards until newer ones show it again';

/** What it may mean that a type does less than before: that its difference is nearer to 0. */
export const IF_LESS_LATELY: Readonly<Record<'above' | 'below', string>> = {
  above: `it ${MAY_HAVE_STOPPED}`,
  below: 'it may be less bad by now',
};

/** `in the last 30 days`; of figures that the service counted some time ago, `in the 30 days to 2 Sep`. */
export function inLast30Days({ lastDaysUntil }: Pick<Standing, 'lastDaysUntil'>): string {
  if (lastDaysUntil === undefined) return 'in the last 30 days';
  return `in the 30 days to ${dayAndMonth(lastDaysUntil)}`;
}

/**
 * `but +0.5 pp in the last 20 days`, of a type to drop: newer cards cast doubt on its verdict. It may be chance, but whoever drops the
 * type should know it. Undefined if they cast none.
 */
export function butNewerCards(standing: Standing): string | undefined {
  if (!isInDoubt(standing) || standing.newest === undefined) return undefined;
  const { newest } = standing;
  return `but ${signed(newest.percentage_points, 1)} pp ${whenNewest(newest)}`;
}

/** `in the last 20 days`; while the verdict is younger, `since 9 Sep`, so that the text does not change each day. */
function whenNewest({ since, isSinceVerdict }: NewestTimes): string {
  return isSinceVerdict ? `since ${dayAndMonth(since)}` : `in the last ${NEWEST_DAYS} days`;
}

type NewestTimes = Pick<NewestCards, 'since' | 'isSinceVerdict'>;

/** What newer cards of a type show, and what was known before. Percentage points. */
export interface NewerAndBefore {
  readonly newer: number;
  /** Which cards are newer: `in the last 30 days`. */
  readonly when: string;
  readonly before: number;
}

/** For a type that surely does less lately, or that newer cards cast doubt on. Undefined for any other, or if the figures are not known. */
export function newerAndBefore(standing: Standing): NewerAndBefore | undefined {
  const { newest, doubt } = standing;
  // Without an interval, the newest cards are too few for a figure.
  if (isInDoubt(standing) && doubt !== undefined && newest?.interval_95 != null)
    return { newer: newest.percentage_points, when: whenNewest(newest), before: doubt.before };
  if (standing.lessLately === undefined) return undefined;
  const times = last30DaysAndBefore(standing);
  if (times === undefined) return undefined;
  const { last30Days, earlier } = times;
  return {
    newer: last30Days.percentage_points,
    when: inLast30Days(standing),
    before: earlier.percentage_points,
  };
}

/** `+0.50 in the last 30 days, +2.20 before`. */
export function newerAndBeforeText({ newer, when, before }: NewerAndBefore): string {
  return `${points(newer)} ${when}, ${points(before)} before`;
}

/** The same text, from the figures of both times. */
export function last30DaysAndBeforeText(
  { last30Days, earlier }: FiguresOfTimes,
  times: Pick<Standing, 'lastDaysUntil'>,
): string {
  return newerAndBeforeText({
    newer: last30Days.percentage_points,
    when: inLast30Days(times),
    before: earlier.percentage_points,
  });
}
