/**
 * Whether a group that is above or below does less in the last 30 days than before: whether its difference lies nearer to 0, or
 * on the other side of 0.
 */
import { blockLengthsOf, type HorizonName } from '../api/contract/horizons.ts';
import { clusteredMedian } from '../statistics/clustered-median.ts';
import { isKnown } from '../statistics/clusters.ts';
import {
  differenceOfEstimates,
  type Estimate,
  LEVEL,
  standardError,
} from '../statistics/estimate.ts';
import { clean, type Interval } from '../statistics/quantile.ts';
import { isSide, type Verdict } from '../statistics/rule.ts';
import { type Difference, differencesToOthers } from './differences.ts';
import type { LatelyFinding, MediansFinding } from './findings.ts';
import type { HistoryCard } from './history-card.ts';

/** So many of the newest days on which all outcomes are due are compared with all days before them. */
const LAST_DAYS = 30;

/** The difference that decides a group's verdict, in one of two times: in the last 30 days, or before them. */
export interface FigureOfTime {
  readonly percentage_points: number;
  readonly interval_95: Interval | null;
}

/** The difference that decides a group's verdict, in both times: `+0.95 in the last 30 days, +2.19 before`. */
export interface FiguresOfTimes {
  readonly last30Days: FigureOfTime;
  readonly earlier: FigureOfTime;
}

/** Both times, compared. */
export interface TimesCompared extends FiguresOfTimes {
  /** The last 30 days minus the earlier time, percentage points: −1.24 for +0.95 and +2.19. */
  readonly difference: number;
  /** The standard error of `difference`, percentage points. */
  readonly standardError: number;
}

type TimesInNotebook = NonNullable<MediansFinding['types'][string]['lately']>;

export function timesFromNotebook(written: TimesInNotebook): TimesCompared {
  return {
    last30Days: written.last_30_days,
    earlier: written.before,
    difference: written.difference,
    standardError: written.standard_error,
  };
}

/** @param difference the last 30 days minus the earlier time, percentage points */
export function timesForNotebook(
  last30Days: Estimate,
  earlier: Estimate,
  difference: {
    readonly value: number;
    readonly error: number;
    readonly degreesOfFreedom: number;
  },
): TimesInNotebook {
  return {
    last_30_days: figureOfTime(last30Days),
    before: figureOfTime(earlier),
    difference: clean(difference.value),
    standard_error: clean(difference.error),
    degrees_of_freedom: clean(difference.degreesOfFreedom),
  };
}

/** The difference of an estimate, and its 95 % interval. */
export function figureOfTime({ value, interval }: Estimate): FigureOfTime {
  return { percentage_points: clean(value), interval_95: interval(LEVEL) };
}

function isInLastDays({ day }: Difference, lastDay: number): boolean {
  return day > lastDay - LAST_DAYS;
}

/**
 * Compares a group's last 30 days with the time before, from the outcomes that are bought.
 * @param differences the group's cards in the comparison that decides
 * @param lastDay the last UTC day (days since 1970) whose outcomes are all due
 * @returns undefined if one of the two times has too few days for an interval
 */
export function compareTimesOfBought(
  differences: readonly Difference[],
  { horizon, lastDay }: { readonly horizon: HorizonName; readonly lastDay: number },
): TimesCompared | undefined {
  const measured = differences.filter(isKnown);
  const inLastDays = measured.filter((difference) => isInLastDays(difference, lastDay));
  const beforeThem = measured.filter((difference) => !isInLastDays(difference, lastDay));
  const last30Days = clusteredMedian(inLastDays, blockLengthsOf(horizon));
  const earlier = clusteredMedian(beforeThem, blockLengthsOf(horizon));
  const difference = differenceOfEstimates(last30Days, earlier);
  const error = standardError(difference);
  if (error === null) return undefined;
  return {
    last30Days: figureOfTime(last30Days),
    earlier: figureOfTime(earlier),
    difference: difference.value,
    standardError: error,
  };
}

/** How the cards of a question are divided into groups. */
interface Grouping {
  /** The name of a card's group. */
  readonly groupNameOf: (card: HistoryCard) => string | null;
  /** When each group's present settings began, epoch milliseconds UTC. A group whose settings never changed has no entry. */
  readonly settingsSince: ReadonlyMap<string, number>;
}

/** The group whose two times are compared. */
interface GroupInTime {
  readonly name: string | null;
  /**
   * When the group's settings last changed, otherwise when its first card came, epoch milliseconds UTC. Earlier cards do not
   * count.
   */
  readonly begins: number;
  /** The last UTC day (days since 1970) whose outcomes are all due. */
  readonly lastDay: number;
}

/**
 * A group's last 30 days are not compared with the time before if the other groups that take part have less than this share of all
 * other groups' outcomes of those days: one other group that did worse would make this group look better. A fraction.
 */
export const LEAST_FRACTION_OF_OTHERS = 1 / 3;

/**
 * The differences of the group's cards to the other groups' cards of the same day. Both times are compared with the same other
 * groups: those that have outcomes in both, and whose settings have not changed since `begins`.
 * @param differences of all groups' cards to BTC, minus what the slope of each symbol explains (`beta.ts`)
 * @returns none if the same other groups have too few of the others' outcomes of the last 30 days (`LEAST_FRACTION_OF_OTHERS`)
 */
export function differencesToSameGroups(
  differences: readonly Difference[],
  { name, begins, lastDay }: GroupInTime,
  { groupNameOf, settingsSince }: Grouping,
): Difference[] {
  const inTime = differences.filter(
    (difference) => isKnown(difference) && difference.card.at >= begins,
  );
  const groupsInLastDays = new Set<string | null>();
  const groupsEarlier = new Set<string | null>();
  for (const difference of inTime) {
    const groups = isInLastDays(difference, lastDay) ? groupsInLastDays : groupsEarlier;
    groups.add(groupNameOf(difference.card));
  }
  const isComparable = (other: string | null) => {
    const isInBothTimes = groupsInLastDays.has(other) && groupsEarlier.has(other);
    return isInBothTimes && isUnchanged(settingsSince.get(other ?? ''), begins);
  };
  const isOfGroup = (card: HistoryCard) => groupNameOf(card) === name;
  const othersInLastDays = inTime.filter(
    (difference) => !isOfGroup(difference.card) && isInLastDays(difference, lastDay),
  );
  const comparable = othersInLastDays.filter(({ card }) => isComparable(groupNameOf(card)));
  if (comparable.length < LEAST_FRACTION_OF_OTHERS * othersInLastDays.length) return [];
  const compared = inTime.filter(({ card }) => isOfGroup(card) || isComparable(groupNameOf(card)));
  // Two sides: the group, and all others together.
  const sideOf = (card: HistoryCard) => (isOfGroup(card) ? 'group' : 'others');
  return differencesToOthers(compared, sideOf).filter(({ card }) => isOfGroup(card));
}

/** @param settingsSince when a group's settings last changed, epoch milliseconds UTC; undefined if they never did */
function isUnchanged(settingsSince: number | undefined, begins: number): boolean {
  return settingsSince === undefined || settingsSince <= begins;
}

/**
 * A group does less if its difference has moved towards 0, or beyond 0, by more than this many standard errors. In simulations
 * of three types that did not change, one year in ten has such a false verdict.
 */
const ERRORS_TO_DO_LESS = 3;

/**
 * A group that did less still does less while the move is more than 2 standard errors. Otherwise the verdict would come and go.
 */
const ERRORS_TO_STILL_DO_LESS = 2;

/**
 * Whether a group that is above or below does less in the last 30 days than before. For a group above, a difference of −1.24
 * with the standard error 0.4 is a move of 3.1 standard errors towards 0: `less`.
 * @param verdictBefore what the notebook said of its last 30 days until now
 * @returns undefined if the group is neither above nor below, or if one of the two times has too few days
 */
export function verdictOnTimes(
  verdict: Verdict | null,
  times: TimesCompared | undefined,
  verdictBefore: LatelyFinding['verdict'] | undefined,
): LatelyFinding['verdict'] | undefined {
  if (times === undefined || !isSide(verdict)) return undefined;
  const towardsZero = verdict === 'above' ? -times.difference : times.difference;
  const errors = verdictBefore === 'less' ? ERRORS_TO_STILL_DO_LESS : ERRORS_TO_DO_LESS;
  return towardsZero > errors * times.standardError ? 'less' : 'as_before';
}
