/** What screens say of the last 30 days of a group, beside its verdict. */

import type { LatelyNews, Standing } from '../../outcomes/standing.ts';
import { isSide } from '../../statistics/rule.ts';
import { points, signed } from '../format.ts';

/** Whether a type that is above does less than before: it may have stopped working, so it is not called worth keeping. */
export function isLessLately({ word, lately }: Pick<Standing, 'word' | 'lately'>): boolean {
  return word === 'above' && lately !== undefined;
}

/** What every page says of a type that is above, but does less than before. */
export const MAY_HAVE_STOPPED = 'may have stopped working';

/** What it may mean that a type does less than before, that is, that it is nearer to 0. */
export const LESS_LATELY_MEANS: Readonly<Record<'above' | 'below', string>> = {
  above: `it ${MAY_HAVE_STOPPED}`,
  below: 'it may be less bad by now',
};

/** What is known of the last 30 days of a group. */
type Last30Days = Pick<Standing, 'figures' | 'lately' | 'isLatelyBesideEnough'>;

/**
 * The difference that decides in the last 30 days, from where `last30DaysAndBefore` has it. Undefined if it is not known, or
 * compared with few of the other cards.
 */
function last30DaysOf({
  figures,
  lately,
  isLatelyBesideEnough,
}: Last30Days): LatelyNews['last30Days'] | undefined {
  if (!isLatelyBesideEnough) return undefined;
  return figures?.last_30_days ?? lately?.last30Days;
}

/** `+0.2 pp in the last 30 days`: the difference that decides; undefined if it is not known. */
export function last30DaysText(standing: Standing): string | undefined {
  const last30Days = last30DaysOf(standing);
  if (last30Days === undefined) return undefined;
  return `${signed(last30Days.percentage_points, 1)} pp in the last 30 days`;
}

/** Differences nearer to 0 are printed as 0.0. Percentage points. */
const PRINTED_AS_0 = 0.05;

/** Whether a group is above, but below 0 in the last 30 days, or the other way round. */
export function pointsOtherWay(standing: Last30Days & Pick<Standing, 'word'>): boolean {
  const { word } = standing;
  const last = last30DaysOf(standing)?.percentage_points;
  if (last === undefined || !isSide(word)) return false;
  return word === 'above' ? last <= -PRINTED_AS_0 : last >= PRINTED_AS_0;
}

/**
 * Whether the last 30 days of a group that is above or below show nothing of it: they are 0 as printed, or point the other way.
 * It may be chance, but whoever acts on the verdict should know it.
 */
export function isNotSeenLately(standing: Last30Days & Pick<Standing, 'word'>): boolean {
  const last = last30DaysOf(standing)?.percentage_points;
  if (last === undefined || !isSide(standing.word)) return false;
  return Math.abs(last) < PRINTED_AS_0 || pointsOtherWay(standing);
}

/** `+0.3 pp in the last 30 days`, if these days show nothing of the verdict; else undefined. */
export function notSeenLatelyText(standing: Standing): string | undefined {
  return isNotSeenLately(standing) ? last30DaysText(standing) : undefined;
}

/**
 * `+0.7 pp in the last 30 days`, if these days show less than half of what was before, or nothing of the verdict; else
 * undefined. So much may be chance, too, but it is where an edge that has ended is seen first.
 */
export function underHalfLatelyText(standing: Standing): string | undefined {
  return isUnderHalfLately(standing) ? last30DaysText(standing) : notSeenLatelyText(standing);
}

function isUnderHalfLately(standing: Standing): boolean {
  const parts = last30DaysAndBefore(standing);
  if (parts === undefined || !isSide(standing.word)) return false;
  return isUnderHalf(
    parts.last30Days.percentage_points,
    parts.earlier.percentage_points,
    standing.word,
  );
}

/** Whether the newer figure of a group that is above or below is less than half of the whole one: +0.7 of +2.0. */
function isUnderHalf(newer: number, whole: number, word: 'above' | 'below'): boolean {
  return word === 'above' ? newer < whole / 2 : newer > whole / 2;
}

/**
 * Whether newer cards of a group that is above or below show less than half of its difference of all days.
 * @param newer the difference of the newer cards, percentage points; null or undefined if it is not known: then they do not
 */
export function isUnderHalfOfAllDays(
  { word, base }: Pick<Standing, 'word' | 'base'>,
  newer: number | null | undefined,
): boolean {
  if (!isSide(word) || newer == null || base.median === null) return false;
  return isUnderHalf(newer, base.median, word);
}

/** `verdict` with the last 30 days, if these show nothing of it: `below since 12 Nov; +0.3 pp in the last 30 days`. */
export function withNotSeenLately(standing: Standing, verdict: string): string {
  // Of a type that does less lately the page tells these figures elsewhere.
  const notSeen = isLessLately(standing) ? undefined : notSeenLatelyText(standing);
  return notSeen === undefined ? verdict : `${verdict}; ${notSeen}`;
}

/**
 * The difference that decides, in the last 30 days and before: from the figures of this page; if these lack one of the two, what
 * an export wrote down, which it does only of groups that do less than before. Undefined if neither is known, or if they are
 * compared with few of the other cards.
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

/** `+0.50 in the last 30 days, +2.20 before`. */
export function last30DaysAndBeforeText({ last30Days, earlier }: LatelyNews): string {
  const last = points(last30Days.percentage_points);
  const before = points(earlier.percentage_points);
  return `${last} in the last 30 days, ${before} before`;
}
