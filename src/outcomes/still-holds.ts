/**
 * Whether a verdict above or below still holds, from the cards that came after it was found. All pages ask here, so that one
 * does not doubt what another calls worth keeping.
 */
import type { Interval } from '../statistics/quantile.ts';
import { isSide } from '../statistics/rule.ts';
import { isOnSide } from './doubt.ts';
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

/** Whether exports found that newer cards cast doubt on a verdict, and no more than that: they did not find that the group does less. */
export function isInDoubt({ doubt, lessLately }: Standing): boolean {
  return doubt !== undefined && lessLately === undefined;
}

/**
 * Whether cards that had no part in the verdict show it by themselves, at 95 %: the newer cards, or the last 30 days, if all of
 * their cards came after the verdict.
 */
function isConfirmed({ verdict, newest, figures, areLastDaysNewer }: Standing): boolean {
  if (!isSide(verdict)) return false;
  const showsIt = (interval: Interval | null | undefined) =>
    interval != null && isOnSide(interval, verdict);
  if (showsIt(newest?.interval_95)) return true;
  return areLastDaysNewer && showsIt(figures?.last_30_days?.interval_95);
}

/**
 * The difference that decides, in the last 30 days: from the figures of this page, otherwise from the group's `lessLately`.
 * Undefined if neither has it.
 */
function last30DaysOf({
  figures,
  lessLately,
}: Last30Days): FiguresOfTimes['last30Days'] | undefined {
  return figures?.last_30_days ?? lessLately?.last30Days;
}

/**
 * The difference that decides, in the last 30 days and in the time before. Both are taken from the figures of this page. If
 * these lack one of the two, both are taken from `lessLately`, which only a group has that does less than before. Undefined if
 * neither has them. Undefined for a group in doubt, too: pages show its newest cards instead, and two pairs of figures would seem
 * to contradict each other.
 */
export function last30DaysAndBefore(standing: Standing): FiguresOfTimes | undefined {
  if (isInDoubt(standing)) return undefined;
  const { figures, lessLately } = standing;
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
