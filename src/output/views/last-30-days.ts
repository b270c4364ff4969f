/** What screens say of the last 30 days of a group, and of other newer cards, beside its verdict. */

import type { FiguresOfTimes } from '../../outcomes/last-30-days.ts';
import type { Standing } from '../../outcomes/standing.ts';
import { isInDoubt, last30DaysAndBefore } from '../../outcomes/still-holds.ts';
import { dayAndMonth, points, signed } from '../format.ts';

/** What every page says of a type that is above, but of which newer cards show less than was known before. */
export const MAY_HAVE_STOPPED = 'may have stopped working';

/** What it may mean that a type does less than before, that is, that it is nearer to 0. */
export const LESS_LATELY_MEANS: Readonly<Record<'above' | 'below', string>> = {
  above: `it ${MAY_HAVE_STOPPED}`,
  below: 'it may be less bad by now',
};

/** `in the last 30 days`; of figures that the service counted some time ago, `in the 30 days to 2 Sep`. */
export function inLast30Days({ lastDaysUntil }: Pick<Standing, 'lastDaysUntil'>): string {
  if (lastDaysUntil === undefined) return 'in the last 30 days';
  return `in the 30 days to ${dayAndMonth(lastDaysUntil)}`;
}

/**
 * `but +0.5 pp in newer cards`, of a type to drop: they cast doubt on its verdict. It may be chance, but whoever drops the type should
 * know it. Undefined if they cast none.
 */
export function butNewerCards(standing: Standing): string | undefined {
  if (!isInDoubt(standing) || standing.newest === undefined) return undefined;
  return `but ${signed(standing.newest.percentage_points, 1)} pp ${IN_NEWER_CARDS}`;
}

/** A day would be another one each morning. */
const IN_NEWER_CARDS = 'in newer cards';

/** What newer cards of a type show, and what was known before. Percentage points. */
export interface NewerAndBefore {
  readonly newer: number;
  /** Which cards are newer: `in the last 30 days`. */
  readonly when: string;
  readonly before: number;
}

/** For a type that surely does less lately, or that newer cards cast doubt on. Undefined for any other, or if the figures are not known. */
export function newerAndBefore(standing: Standing): NewerAndBefore | undefined {
  const { newest } = standing;
  if (isInDoubt(standing) && newest?.earlier !== undefined)
    return { newer: newest.percentage_points, when: IN_NEWER_CARDS, before: newest.earlier };
  const parts = standing.lessLately && last30DaysAndBefore(standing);
  if (parts === undefined) return undefined;
  const { last30Days, earlier } = parts;
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

/** `+0.50 in the last 30 days, +2.20 before`. */
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
