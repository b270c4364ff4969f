/** What screens say of the last 30 days of a group, beside its verdict. */

import type { LatelyNews, Standing } from '../../outcomes/standing.ts';
import { isSide } from '../../statistics/rule.ts';
import { points, signed } from '../format.ts';

/** Whether a type that is above does less than before: it may have stopped working, so it is not called worth keeping. */
export function isLessLately({ word, lately }: Pick<Standing, 'word' | 'lately'>): boolean {
  return word === 'above' && lately !== undefined;
}

/** What it may mean that a type does less than before, that is, that it is nearer to 0. */
export const LESS_LATELY_MEANS: Readonly<Record<'above' | 'below', string>> = {
  above: 'it may have stopped working',
  below: 'it may be less bad by now',
};

/** What is known of the last 30 days of a type. */
type StandingInTime = Pick<Standing, 'figures' | 'lately' | 'isLatelyBesideEnough'>;

/** The difference that decides in the last 30 days, as `partsInTime` tells it; undefined if it is not known. */
function last30DaysOf({
  figures,
  lately,
  isLatelyBesideEnough,
}: StandingInTime): LatelyNews['last30Days'] | undefined {
  if (!isLatelyBesideEnough) return undefined;
  return figures?.last_30_days ?? lately?.last30Days;
}

/** `+0.2 pp in the last 30 days`: the difference that decides; undefined if it is not known. */
export function last30DaysText(standing: Standing): string | undefined {
  const last30Days = last30DaysOf(standing);
  if (last30Days === undefined) return undefined;
  return `${signed(last30Days.percentage_points, 1)} pp in the last 30 days`;
}

/** A difference nearer to 0 than that is 0 as printed. Percentage points. */
const PRINTED_AS_0 = 0.05;

/** Whether the last 30 days of a type that is above or below point the other way. */
export function pointsOtherWay(standing: StandingInTime & Pick<Standing, 'word'>): boolean {
  const { word } = standing;
  const last = last30DaysOf(standing)?.percentage_points;
  if (last === undefined || !isSide(word)) return false;
  return word === 'above' ? last <= -PRINTED_AS_0 : last >= PRINTED_AS_0;
}

/**
 * Whether the last 30 days of a type that is above or below show nothing of it: 0 as printed, or the other way. That is not
 * sure to mean anything, but who acts on the verdict should know it.
 */
export function isNotSeenLately(standing: StandingInTime & Pick<Standing, 'word'>): boolean {
  const last = last30DaysOf(standing)?.percentage_points;
  if (last === undefined || !isSide(standing.word)) return false;
  return Math.abs(last) < PRINTED_AS_0 || pointsOtherWay(standing);
}

/** `+0.3 pp in the last 30 days` beside `below since 12 Nov`; undefined if these days show something of the verdict. */
export function otherWayText(standing: Standing): string | undefined {
  return isNotSeenLately(standing) ? last30DaysText(standing) : undefined;
}

/** `verdict` with the last 30 days, if these show nothing of it: `below since 12 Nov; +0.3 pp in the last 30 days`. */
export function withOtherWay(standing: Standing, verdict: string): string {
  // That it does less lately is said elsewhere on the page, with these figures.
  const otherWay = isLessLately(standing) ? undefined : otherWayText(standing);
  return otherWay === undefined ? verdict : `${verdict}; ${otherWay}`;
}

/**
 * The difference that decides, in the last 30 days and before: the figures of the page, as the report has them; without them
 * those of the notebook. Undefined unless both are known, and compared with enough other cards.
 */
export function partsInTime({
  figures,
  lately,
  isLatelyBesideEnough,
}: StandingInTime): LatelyNews | undefined {
  if (!isLatelyBesideEnough) return undefined;
  const last30Days = figures?.last_30_days ?? null;
  const earlier = figures?.before ?? null;
  return last30Days === null || earlier === null ? lately : { last30Days, earlier };
}

/** `+0.50 in the last 30 days, +2.20 before`. */
export function latelyText({ last30Days, earlier }: LatelyNews): string {
  return `${points(last30Days.percentage_points)} in the last 30 days, ${points(earlier.percentage_points)} before`;
}
