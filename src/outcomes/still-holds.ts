/**
 * Whether a verdict above or below still holds, from the cards that came after it was found. All pages ask here, so that one
 * does not doubt what another calls worth keeping.
 */
import type { Interval } from '../statistics/quantile.ts';
import { isSide } from '../statistics/rule.ts';
import type { FiguresOfTimes } from './last-30-days.ts';
import type { Standing } from './standing.ts';

/**
 * What the cards that came after a verdict say of the verdict. `less`: the group surely does less than before, that is, its
 * difference is nearer to 0, or on the other side of 0. `not_clear`: newer cards cast doubt on it (see `isInDoubt`).
 * `too_few`: newer cards do not contradict the verdict, but are too few to confirm it.
 */
export const STILL_HOLDS = ['yes', 'less', 'not_clear', 'too_few', 'withdrawn'] as const;
export type StillHolds = (typeof STILL_HOLDS)[number];

/** What is known of the last 30 days of a group. */
type Last30Days = Pick<Standing, 'figures' | 'lessLately'>;

/** So many bought cards since the verdict can cast doubt on it. */
const LEAST_FOR_DOUBT = 30;

/**
 * Whether the verdict of a group that is or was above or below still holds.
 * @param standing whose verdict is above or below, or whose last one was withdrawn
 */
export function stillHolds(standing: Standing): StillHolds {
  if (standing.withdrawn !== undefined) return 'withdrawn';
  if (standing.lessLately !== undefined) return 'less';
  if (isInDoubt(standing)) return 'not_clear';
  return isConfirmed(standing) ? 'yes' : 'too_few';
}

/** Whether a group is above or below, or was so until its verdict was withdrawn. */
export function hasOrHadSide({
  verdict,
  withdrawn,
}: Pick<Standing, 'verdict' | 'withdrawn'>): boolean {
  return isSide(verdict) || withdrawn !== undefined;
}

/**
 * Whether newer cards (`NewestCards`) cast doubt on a verdict. They do if three things are true of their difference:
 *
 * 1. it is less than half of the difference of the earlier cards;
 * 2. its 95 % interval reaches 0, or lies beyond it;
 * 3. its 95 % interval does not reach the difference of the earlier cards. So few cards, whose interval is wide, cast no doubt.
 *
 * Simulated (numpy; edges of 1.2, 2 and 3 pp with 12, 4 and 2 bought cards a day): of edges that live, 0 to 3 % are in doubt on a
 * day. Of edges that ended 20 days ago, 80 to 96 % are in doubt where the cards tell the edge from 0, 20 to 46 % where they are few.
 * @returns false if the group is neither above nor below, or if exports found that it does less: that is more than a doubt
 */
export function isInDoubt({ verdict, lessLately, newest }: Standing): boolean {
  if (!isSide(verdict) || lessLately !== undefined || newest === undefined) return false;
  const { outcomes, percentage_points: points, interval_95: interval, earlier } = newest;
  if (outcomes < LEAST_FOR_DOUBT || interval === null || earlier === undefined) return false;
  const isBelowEarlier = verdict === 'above' ? interval.high < earlier : interval.low > earlier;
  return isUnderHalf(points, earlier, verdict) && !isOnSide(interval, verdict) && isBelowEarlier;
}

/** Whether a group that is above may have stopped working: exports found that it does less, or newer cards cast doubt on it. */
export function mayHaveStopped(standing: Standing): boolean {
  if (standing.verdict !== 'above') return false;
  return standing.lessLately !== undefined || isInDoubt(standing);
}

/**
 * Whether cards that had no part in the verdict show it by themselves, at 95 %: the newer cards, or the last 30 days, if all of
 * their cards came after the verdict.
 */
function isConfirmed({ verdict, newest, figures, areLastDaysNewer }: Standing): boolean {
  if (isOnSide(newest?.interval_95, verdict)) return true;
  return areLastDaysNewer && isOnSide(figures?.last_30_days?.interval_95, verdict);
}

/** Whether all of an interval lies on the verdict's side of 0. */
function isOnSide(interval: Interval | null | undefined, verdict: Standing['verdict']): boolean {
  if (interval == null || !isSide(verdict)) return false;
  return verdict === 'above' ? interval.low > 0 : interval.high < 0;
}

/**
 * The difference that decides, in the last 30 days: from the figures of this page, otherwise from what an export wrote down.
 * Undefined if it is not known.
 */
function last30DaysOf({
  figures,
  lessLately,
}: Last30Days): FiguresOfTimes['last30Days'] | undefined {
  return figures?.last_30_days ?? lessLately?.last30Days;
}

/**
 * The difference that decides, in the last 30 days and in the time before. Both are taken from the figures of this page. If
 * these lack one of the two, both are taken from what an export wrote down. (Exports write them down only for groups that do
 * less than before.) Undefined if neither source has them.
 */
export function last30DaysAndBefore({
  figures,
  lessLately,
}: Last30Days): FiguresOfTimes | undefined {
  const last30Days = figures?.last_30_days;
  const earlier = figures?.before;
  if (last30Days == null || earlier == null) return lessLately;
  return { last30Days, earlier };
}

/** Differences nearer to 0 are printed as 0.0. Percentage points. */
const PRINTED_AS_0 = 0.05;

/** Whether a group is above, but below 0 in the last 30 days, or the other way round. */
export function pointsOtherWay(standing: Last30Days & Pick<Standing, 'verdict'>): boolean {
  const { verdict } = standing;
  const last = last30DaysOf(standing)?.percentage_points;
  if (last === undefined || !isSide(verdict)) return false;
  return verdict === 'above' ? last <= -PRINTED_AS_0 : last >= PRINTED_AS_0;
}

/** Whether the newer figure of a group that is above or below is less than half of the whole one: +0.7 of +2.0. */
function isUnderHalf(newer: number, whole: number, verdict: 'above' | 'below'): boolean {
  return verdict === 'above' ? newer < whole / 2 : newer > whole / 2;
}
