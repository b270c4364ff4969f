/**
 * Whether the cards that came after a verdict cast doubt on it. Exports find a doubt and end it, as they find verdicts: a judgement
 * of each day by itself would come and go, and would forget within weeks how large the difference once was.
 */
import { blockLengthsOf, type HorizonName } from '../api/contract/horizons.ts';
import { DAY } from '../base/units.ts';
import { clusteredMedian } from '../statistics/clustered-median.ts';
import { isKnown } from '../statistics/clusters.ts';
import { type Interval, medianOf } from '../statistics/quantile.ts';
import type { Verdict } from '../statistics/rule.ts';
import type { Difference } from './differences.ts';
import { type FigureOfTime, type FiguresOfTimes, figureOfTime } from './last-30-days.ts';

/** So many of the newest days on which all outcomes are due test a verdict. */
export const NEWEST_DAYS = 20;

/** So many bought cards since the verdict can cast doubt on it, or end a doubt. */
const LEAST_CARDS = 30;

/** A doubt begins only if the 99 % interval of the newer cards leaves out the earlier difference. */
const LEVEL_OF_DOUBT = 0.01;

/** The bought cards that test a verdict above or below. */
export interface NewestCards extends FigureOfTime {
  /** Earlier cards are left out, epoch milliseconds UTC. */
  readonly since: number;
  /** Whether cards of the last 20 days are left out, because they came before the verdict. */
  readonly isSinceVerdict: boolean;
  readonly outcomes: number;
  readonly interval_99: Interval | null;
  /** The difference of all bought cards before `since`, percentage points; undefined if there are none. */
  readonly earlier: number | undefined;
}

/**
 * The bought cards that test whether a verdict still holds. They came after the verdict was found, because the cards from which
 * it was made may show it by chance. And they came in the last 20 days, because older cards say little of the present: a figure
 * of all days since the verdict still shows a difference that ended weeks ago.
 * @param differences the group's cards in the comparison that decides
 * @param verdictSince when the verdict was found, epoch milliseconds UTC
 * @param lastDay the last UTC day (days since 1970) whose outcomes are all due
 */
export function newestCardsOf(
  differences: readonly Difference[],
  verdictSince: number,
  { horizon, lastDay }: { readonly horizon: HorizonName; readonly lastDay: number },
): NewestCards {
  const newestDaysBegin = (lastDay - NEWEST_DAYS + 1) * DAY;
  const since = Math.max(verdictSince, newestDaysBegin);
  const measured = differences.filter(isKnown);
  const estimate = clusteredMedian(
    measured.filter(({ card }) => card.at >= since),
    blockLengthsOf(horizon),
  );
  const earlier = measured.filter(({ card }) => card.at < since).map(({ value }) => value);
  return {
    since,
    isSinceVerdict: verdictSince > newestDaysBegin,
    outcomes: estimate.size,
    ...figureOfTime(estimate),
    interval_99: estimate.interval(LEVEL_OF_DOUBT),
    earlier: earlier.length === 0 ? undefined : medianOf(earlier),
  };
}

/** A doubt about a group's verdict. */
export interface Doubt {
  /** The difference of the cards before the doubt began, percentage points. */
  readonly before: number;
}

/** A verdict that newer cards can cast doubt on. */
type Side = Extract<Verdict, 'above' | 'below'>;

/**
 * Whether newer cards cast doubt on a verdict of which there was none so far. They do if the 95 % interval of their difference reaches
 * 0, or lies beyond it, and if the 99 % interval does not reach the difference of the earlier cards. So few cards, whose interval is
 * wide, cast no doubt.
 *
 * Two UTC days have to say so (`history/export/judging.ts`). Simulated (numpy; 100 days after the verdict; edges of 1.2, 2, 2.5 and 3
 * pp with 12, 4, 6 and 2 bought cards a day, 2 pp with 12): of edges that live, 10 to 22 % are ever in doubt, on 1 to 4 % of the days.
 * Of edges that ended, 52 to 82 % are in doubt 20 days later, 64 to 89 % after 30 days, 73 to 90 % after 45.
 */
export function beginsDoubt(verdict: Side, newest: NewestCards): boolean {
  const { outcomes, interval_95, interval_99, earlier } = newest;
  if (outcomes < LEAST_CARDS || earlier === undefined) return false;
  if (interval_95 === null || interval_99 === null) return false;
  const isWithoutEarlier =
    verdict === 'above' ? interval_99.high < earlier : interval_99.low > earlier;
  return isWithoutEarlier && !isOnSide(interval_95, verdict);
}

/**
 * Whether newer cards end a doubt: they show the verdict by themselves, or two thirds of what there was before.
 * @param before the difference of the cards before the doubt, percentage points
 */
export function endsDoubt(verdict: Side, newest: NewestCards, before: number): boolean {
  const { outcomes, percentage_points: points, interval_95 } = newest;
  if (outcomes < LEAST_CARDS || interval_95 === null) return false;
  const twoThirds = (2 / 3) * before;
  const isMostBack = verdict === 'above' ? points >= twoThirds : points <= twoThirds;
  return isMostBack || isOnSide(interval_95, verdict);
}

/** Whether all of an interval lies on the verdict's side of 0. */
export function isOnSide(interval: Interval, verdict: Side): boolean {
  return verdict === 'above' ? interval.low > 0 : interval.high < 0;
}

/** What exports found of a group's newer cards. */
interface FoundLately {
  readonly verdict: Verdict | null;
  readonly lessLately: FiguresOfTimes | undefined;
  readonly doubt: Doubt | undefined;
}

/** Whether a group that is above may have stopped working: exports found that it does less, or newer cards cast doubt on it. */
export function mayHaveStopped({ verdict, lessLately, doubt }: FoundLately): boolean {
  return verdict === 'above' && (lessLately !== undefined || doubt !== undefined);
}
