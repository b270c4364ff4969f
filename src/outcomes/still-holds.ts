/**
 * Whether a verdict above or below still holds, from the cards that came after it was found. All pages ask here, so that one
 * does not doubt what another calls worth keeping.
 */
import type { Interval } from '../statistics/quantile.ts';
import { isSide } from '../statistics/rule.ts';
import type { BoughtCards } from './lately.ts';
import type { LatelyNews, Standing } from './standing.ts';

/**
 * What the cards that came after a verdict say of the verdict. `less`: the group surely does less than before, that is, its
 * difference is nearer to 0, or on the other side of 0. `not_clear`: newer cards show little of the verdict (see `Doubt`).
 * `too_few`: newer cards do not contradict the verdict, but are too few to confirm it.
 */
export const STILL_HOLDS = ['yes', 'less', 'not_clear', 'too_few', 'withdrawn'] as const;
export type StillHolds = (typeof STILL_HOLDS)[number];

/** Newer cards that show less than half of a verdict's difference, or nothing of it. */
export interface Doubt {
  /** Their difference, percentage points. */
  readonly points: number;
  readonly cards: 'last_30_days' | 'last_15_days' | 'since_verdict';
}

/** What is known of the last 30 days of a group. */
export type Last30Days = Pick<Standing, 'figures' | 'lately' | 'isLatelyBesideEnough'>;

/** So many bought cards since the verdict can cast doubt on the service's figures, which are older. */
const LEAST_FOR_DOUBT = 30;

/**
 * Whether the verdict of a group that is or was above or below still holds.
 * @param standing whose verdict is above or below, or whose last one was withdrawn
 */
export function stillHolds(standing: Standing): StillHolds {
  if (standing.withdrawn !== undefined) return 'withdrawn';
  if (doesSurelyLess(standing)) return 'less';
  if (doubtOf(standing) !== undefined) return 'not_clear';
  return isConfirmed(standing) ? 'yes' : 'too_few';
}

/** Whether a group is above or below, or was so until its verdict was withdrawn. */
export function hasOrHadSide({
  verdict,
  withdrawn,
}: Pick<Standing, 'verdict' | 'withdrawn'>): boolean {
  return isSide(verdict) || withdrawn !== undefined;
}

/** Whether exports found that a group does less than before. For a group below, that counts only beside enough other cards. */
function doesSurelyLess({ verdict, lately, isLatelyBesideEnough }: Standing): boolean {
  if (lately === undefined) return false;
  // If the group is compared with few other types, perhaps those types do worse.
  return verdict !== 'below' || isLatelyBesideEnough;
}

/**
 * The newer cards that show less than half of a verdict's difference. Besides the last 30 days, the last 15 days are looked at:
 * if an edge ended within the last 30 days, the figure of these 30 days may still show it.
 *
 * Simulated (numpy; edges of 1.2, 2 and 3 pp with 12, 4 and 2 bought cards a day): of edges that live, 1 to 5 % are in doubt in
 * the first 20 days after the verdict, and 11 to 18 % later. Of edges that ended 15 days ago, 68 % are in doubt; after 22 days
 * 79 to 84 %. Without the last 15 days these are 7 to 11 %, 49 to 55 % and 75 to 78 %.
 * @returns undefined if the group is neither above nor below, or does surely less: that is more than a doubt
 */
export function doubtOf(standing: Standing): Doubt | undefined {
  const { verdict, lately, base, newest } = standing;
  if (!isSide(verdict) || lately !== undefined) return undefined;
  // The service's last 30 days are those before it was asked. Bought cards are newer, if there are enough of them.
  const areBoughtNewer = base.source === 'service' && newest !== undefined;
  if (areBoughtNewer && newest.outcomes >= LEAST_FOR_DOUBT)
    return last15DaysInDoubt(standing) ?? newestInDoubt(standing);
  return last30DaysInDoubt(standing) ?? last15DaysInDoubt(standing);
}

/**
 * The bought cards that cast doubt on a verdict. Undefined if there is no doubt, or if the last 30 days cast it, which pages show
 * beside the time before them.
 */
export function boughtCardsInDoubt(standing: Standing): BoughtCards | undefined {
  switch (doubtOf(standing)?.cards) {
    case 'last_15_days':
      return standing.newest?.last15Days;
    case 'since_verdict':
      return standing.newest;
    default:
      return undefined;
  }
}

/** The last 30 days, if they do not lie on the verdict's side of 0 at 95 %, and show less than half of the time before. */
function last30DaysInDoubt(standing: Standing): Doubt | undefined {
  const { verdict } = standing;
  const last = last30DaysOf(standing);
  if (last === undefined || !isSide(verdict) || areLastDaysOnSide(standing)) return undefined;
  const points = last.percentage_points;
  const before = last30DaysAndBefore(standing)?.earlier.percentage_points;
  const isLittle = before !== undefined && isUnderHalf(points, before, verdict);
  return isLittle || isNothing(points, verdict) ? { points, cards: 'last_30_days' } : undefined;
}

/** The last 15 days, if they show less than half of the verdict, though all newer cards together confirm it. */
function last15DaysInDoubt(standing: Standing): Doubt | undefined {
  const points = standing.newest?.last15Days?.percentage_points;
  if (points === undefined || !areNewestOnSide(standing)) return undefined;
  return isUnderHalfOfAllDays(standing, points) ? { points, cards: 'last_15_days' } : undefined;
}

/** All newer cards, if they do not confirm the verdict, and show less than half of it. */
function newestInDoubt(standing: Standing): Doubt | undefined {
  const points = standing.newest?.percentage_points;
  if (points === undefined || areNewestOnSide(standing)) return undefined;
  return isUnderHalfOfAllDays(standing, points) ? { points, cards: 'since_verdict' } : undefined;
}

/** Whether cards that had no part in the verdict show it by themselves, at 95 %. */
function isConfirmed(standing: Standing): boolean {
  return areNewestOnSide(standing) || doesServiceConfirm(standing);
}

/** Whether the service's last 30 days (the 30 days before it was asked) came after the verdict and show it. */
function doesServiceConfirm(standing: Standing): boolean {
  if (standing.base.source !== 'service') return false;
  return areLastDaysATest(standing) && areLastDaysOnSide(standing);
}

/** Whether the bought cards that came after the verdict show it by themselves, at 95 %. */
export function areNewestOnSide(standing: Standing): boolean {
  const { verdict, newest, base } = standing;
  if (hasNewerCards(standing)) return isOnSide(newest?.interval_95, verdict);
  return base.source === 'bought' && areLastDaysATest(standing) && areLastDaysOnSide(standing);
}

/**
 * Whether a page can show newer cards besides the last 30 days. Newer cards are those of the last 30 days that came after the
 * verdict. If all cards of the last 30 days did, both are the same cards.
 */
export function hasNewerCards(standing: Standing): boolean {
  const { newest, base } = standing;
  const areSameCards = base.source === 'bought' && areLastDaysATest(standing);
  return newest !== undefined && newest.interval_95 !== null && !areSameCards;
}

/** Whether all cards of the last 30 days came after the verdict, so that they test it. */
export function areLastDaysATest(standing: Standing): boolean {
  return standing.areLastDaysNewer && isInTwoTimes(standing);
}

/**
 * Whether pages show the last 30 days beside the time before them. In both a group is compared with the others' cards: if the
 * last 30 days have too few of these, pages show neither.
 */
export function isInTwoTimes({ figures, isLatelyBesideEnough }: Standing): boolean {
  const isLastKnown = figures?.last_30_days?.interval_95 != null;
  const isEarlierKnown = figures?.before?.interval_95 != null;
  return isLatelyBesideEnough && isLastKnown && isEarlierKnown;
}

/** Whether the last 30 days show the verdict by themselves, at 95 %. */
function areLastDaysOnSide({ verdict, figures }: Standing): boolean {
  return isOnSide(figures?.last_30_days?.interval_95, verdict);
}

/** Whether all of an interval lies on the verdict's side of 0. */
function isOnSide(interval: Interval | null | undefined, verdict: Standing['verdict']): boolean {
  if (interval == null || !isSide(verdict)) return false;
  return verdict === 'above' ? interval.low > 0 : interval.high < 0;
}

/**
 * The difference that decides, in the last 30 days: from the figures of this page, otherwise from what an export wrote down.
 * Undefined if it is not known, or if it is compared with few of the other cards.
 */
export function last30DaysOf({
  figures,
  lately,
  isLatelyBesideEnough,
}: Last30Days): LatelyNews['last30Days'] | undefined {
  if (!isLatelyBesideEnough) return undefined;
  return figures?.last_30_days ?? lately?.last30Days;
}

/**
 * The difference that decides, in the last 30 days and in the time before. Both are taken from the figures of this page. If
 * these lack one of the two, both are taken from what an export wrote down. (Exports write them down only for groups that do
 * less than before.) Undefined if neither source has them, or if they are compared with few of the other cards.
 */
export function last30DaysAndBefore({
  figures,
  lately,
  isLatelyBesideEnough,
}: Last30Days): LatelyNews | undefined {
  if (!isLatelyBesideEnough) return undefined;
  const last30Days = figures?.last_30_days;
  const earlier = figures?.before;
  if (last30Days == null || earlier == null) return lately;
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

/** Whether newer cards show nothing of a verdict: they are 0 as printed, or lie on the other side of 0. */
function isNothing(points: number, verdict: 'above' | 'below'): boolean {
  return verdict === 'above' ? points < PRINTED_AS_0 : points > -PRINTED_AS_0;
}

/** Whether the newer figure of a group that is above or below is less than half of the whole one: +0.7 of +2.0. */
function isUnderHalf(newer: number, whole: number, verdict: 'above' | 'below'): boolean {
  return verdict === 'above' ? newer < whole / 2 : newer > whole / 2;
}

/** Whether newer cards of a group show less than half of its difference of all days. @param newer percentage points */
function isUnderHalfOfAllDays(
  { verdict, base }: Pick<Standing, 'verdict' | 'base'>,
  newer: number,
): boolean {
  return isSide(verdict) && base.median !== null && isUnderHalf(newer, base.median, verdict);
}
