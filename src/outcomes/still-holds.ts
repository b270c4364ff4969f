/**
 * Whether a verdict above or below still holds, from the cards that came after it was found. All pages ask here, so that one
 * does not doubt what another calls worth keeping.
 */
import type { Interval } from '../statistics/quantile.ts';
import { isSide } from '../statistics/rule.ts';
import type { BoughtCards, FiguresOfTimes } from './last-30-days.ts';
import type { Standing } from './standing.ts';

/**
 * What the cards that came after a verdict say of the verdict. `less`: the group surely does less than before, that is, its
 * difference is nearer to 0, or on the other side of 0. `not_clear`: newer cards cast doubt on it (see `doubtOf`).
 * `too_few`: newer cards do not contradict the verdict, but are too few to confirm it.
 */
export const STILL_HOLDS = ['yes', 'less', 'not_clear', 'too_few', 'withdrawn'] as const;
export type StillHolds = (typeof STILL_HOLDS)[number];

/** Newer cards that show less of a verdict than was known of it (see `doubtOf`). Differences in percentage points. */
export interface Doubt {
  /** Their difference. */
  readonly points: number;
  /** The difference that was known before. */
  readonly before: number;
  readonly cards: 'last_30_days' | 'last_15_days' | 'since_verdict';
}

/** What is known of the last 30 days of a group. */
export type Last30Days = Pick<Standing, 'figures' | 'lessLately' | 'hasEnoughOthersInTime'>;

/** So many bought cards since the verdict can cast doubt on it. */
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
function doesSurelyLess({ verdict, lessLately, hasEnoughOthersInTime }: Standing): boolean {
  if (lessLately === undefined) return false;
  // If the group is compared with few other types, perhaps those types do worse.
  return verdict !== 'below' || hasEnoughOthersInTime;
}

/**
 * The newer cards that cast doubt on a verdict: those of the last 30 days, or of the last 15 days, because if an edge ended within
 * the last 30 days, the figure of these 30 days may still show it. They cast doubt if three things are true of their difference:
 *
 * 1. it is less than half of the difference before;
 * 2. its 95 % interval reaches 0, or lies beyond it;
 * 3. its 95 % interval does not reach the difference before. So few cards, whose interval is wide, cast no doubt.
 *
 * Simulated (numpy; edges of 1.2, 2 and 3 pp with 12, 4 and 2 bought cards a day): of edges that live, 0 to 8 % are in doubt on a
 * day, and 2 of 3 doubts are over within a few days. Of edges that ended 15 days ago, 75 to 98 % are in doubt where the cards tell
 * the edge from 0, 17 to 55 % where they are few. Without the third condition 12 to 25 % of the living ones were in doubt, and the
 * doubt came and went three times as often.
 * @returns undefined if the group is neither above nor below, or does surely less: that is more than a doubt
 */
export function doubtOf(standing: Standing): Doubt | undefined {
  const { verdict, lessLately } = standing;
  if (!isSide(verdict) || lessLately !== undefined) return undefined;
  const before = differenceBefore(standing);
  if (before === undefined) return undefined;
  const part = newerPartsOf(standing).find((newer) => showsLess(verdict, newer, before));
  return part && { points: part.percentage_points, before, cards: part.cards };
}

/** The difference of newer cards, percentage points. */
interface NewerPart extends Part {
  readonly cards: Doubt['cards'];
}
type Part = FiguresOfTimes['last30Days'];

/** The newer cards that may cast doubt on a verdict, those of more days first. */
function newerPartsOf(standing: Standing): NewerPart[] {
  const { base, newest } = standing;
  const isEnough = (cards: BoughtCards | undefined): cards is BoughtCards =>
    cards !== undefined && cards.outcomes >= LEAST_FOR_DOUBT;
  // The service's last 30 days are those before it was asked. Bought cards are newer, if there are enough of them.
  const areBoughtNewer = base.source === 'service' && isEnough(newest);
  const last30Days = last30DaysOf(standing);
  const last15Days = newest?.last15Days;
  const parts: NewerPart[] = [];
  if (areBoughtNewer) parts.push({ ...newest, cards: 'since_verdict' });
  else if (last30Days !== undefined) parts.push({ ...last30Days, cards: 'last_30_days' });
  if (isEnough(last15Days)) parts.push({ ...last15Days, cards: 'last_15_days' });
  return parts;
}

/** Whether newer cards show less of a verdict than was known of it: the three conditions of `doubtOf`. */
function showsLess(
  verdict: 'above' | 'below',
  { percentage_points: points, interval_95: interval }: Part,
  before: number,
): boolean {
  if (interval === null) return false;
  const isBelowBefore = verdict === 'above' ? interval.high < before : interval.low > before;
  return isUnderHalf(points, before, verdict) && !isOnSide(interval, verdict) && isBelowBefore;
}

/**
 * What was known of a group's difference: in all days, or in the days before the last 30, whichever is farther from 0, because
 * that of all days counts the newer cards, too. Percentage points; undefined if neither is known.
 */
function differenceBefore(standing: Standing): number | undefined {
  const ofAllDays = standing.base.median ?? undefined;
  const earlier = last30DaysAndBefore(standing)?.earlier.percentage_points;
  if (ofAllDays === undefined || earlier === undefined) return ofAllDays ?? earlier;
  return standing.verdict === 'above' ? Math.max(ofAllDays, earlier) : Math.min(ofAllDays, earlier);
}

/** Whether a group that is above may have stopped working: it surely does less than before, or newer cards cast doubt on it. */
export function mayHaveStopped(standing: Standing): boolean {
  if (standing.verdict !== 'above') return false;
  return standing.lessLately !== undefined || doubtOf(standing) !== undefined;
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
export function isInTwoTimes({ figures, hasEnoughOthersInTime }: Standing): boolean {
  const isLastKnown = figures?.last_30_days?.interval_95 != null;
  const isEarlierKnown = figures?.before?.interval_95 != null;
  return hasEnoughOthersInTime && isLastKnown && isEarlierKnown;
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
  lessLately,
  hasEnoughOthersInTime,
}: Last30Days): FiguresOfTimes['last30Days'] | undefined {
  if (!hasEnoughOthersInTime) return undefined;
  return figures?.last_30_days ?? lessLately?.last30Days;
}

/**
 * The difference that decides, in the last 30 days and in the time before. Both are taken from the figures of this page. If
 * these lack one of the two, both are taken from what an export wrote down. (Exports write them down only for groups that do
 * less than before.) Undefined if neither source has them, or if they are compared with few of the other cards.
 */
export function last30DaysAndBefore({
  figures,
  lessLately,
  hasEnoughOthersInTime,
}: Last30Days): FiguresOfTimes | undefined {
  if (!hasEnoughOthersInTime) return undefined;
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
