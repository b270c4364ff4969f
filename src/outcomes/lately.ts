/** What a group that is above or below has done in the last 30 days, beside the time before. */
import { blocksOf, type HorizonName } from '../api/contract/horizons.ts';
import { clusteredMedian } from '../statistics/clustered-median.ts';
import { isKnown } from '../statistics/clusters.ts';
import {
  differenceOfEstimates,
  type Estimate,
  LEVEL,
  standardError,
} from '../statistics/estimate.ts';
import { clean, type Interval } from '../statistics/quantile.ts';
import type { Word } from '../statistics/rule.ts';
import { type Difference, differencesToOthers } from './differences.ts';
import type { LatelyFinding, MediansFinding } from './findings.ts';
import type { Row } from './row.ts';

/** Days. */
const LATELY = 30;

/** Percentage points, of one of the two times. */
export interface LatelyPart {
  readonly percentage_points: number;
  readonly interval_95: Interval | null;
}

export interface Lately {
  readonly last: LatelyPart;
  readonly before: LatelyPart;
  /** The last days less the time before, percentage points, and its standard error. */
  readonly difference: number;
  readonly error: number;
}

type NotedLately = NonNullable<MediansFinding['types'][string]['lately']>;

/** As the notebook has it. */
export function latelyFrom(noted: NotedLately): Lately {
  return {
    last: noted.last_30_days,
    before: noted.before,
    difference: noted.difference,
    error: noted.standard_error,
  };
}

/** @param less the last days less the time before */
export function latelyNoted(
  last: Estimate,
  before: Estimate,
  less: { readonly value: number; readonly error: number; readonly degreesOfFreedom: number },
): NotedLately {
  return {
    last_30_days: partOf(last),
    before: partOf(before),
    difference: clean(less.value),
    standard_error: clean(less.error),
    degrees_of_freedom: clean(less.degreesOfFreedom),
  };
}

function partOf({ value, interval }: Estimate): LatelyPart {
  return { percentage_points: clean(value), interval_95: interval(LEVEL) };
}

interface BoughtTimes {
  readonly horizon: HorizonName;
  /** The last UTC day of which every outcome is due, counted from 1970. */
  readonly lastDay: number;
}

/**
 * Of bought outcomes: the group's last 30 days beside its days before.
 * @param values of the comparison that decides, of the group
 * @returns undefined if either time has too few days
 */
export function latelyOfBought(
  values: readonly Difference[],
  { horizon, lastDay }: BoughtTimes,
): Lately | undefined {
  const isRecent = ({ day }: Difference) => day > lastDay - LATELY;
  const known = values.filter(isKnown);
  const last = clusteredMedian(known.filter(isRecent), blocksOf(horizon));
  const before = clusteredMedian(
    known.filter((one) => !isRecent(one)),
    blocksOf(horizon),
  );
  const less = differenceOfEstimates(last, before);
  const error = standardError(less);
  if (error === null) return undefined;
  return { last: partOf(last), before: partOf(before), difference: less.value, error };
}

interface OtherGroups {
  readonly group: string | null;
  readonly keyOf: (card: Row) => string | null;
  /** Present settings of a group since then, epoch milliseconds UTC. */
  readonly settingsSince: ReadonlyMap<string, number>;
}

/**
 * The values of a group beside the same other groups on both sides of the last 30 days: those that have outcomes in both,
 * and whose settings did not change in either.
 * @param differences of all groups, to BTC, less what betas explain @param begins the group's first moment, epoch
 *   milliseconds UTC
 */
export function besideSameGroups(
  differences: readonly Difference[],
  { group, keyOf, settingsSince }: OtherGroups,
  { lastDay, begins }: { readonly lastDay: number; readonly begins: number },
): Difference[] {
  const within = differences.filter((one) => isKnown(one) && one.card.at >= begins);
  const groupsIn = (isMeant: (difference: Difference) => boolean) =>
    new Set(within.filter(isMeant).map(({ card }) => keyOf(card)));
  const inLast = groupsIn(({ day }) => day > lastDay - LATELY);
  const inBefore = groupsIn(({ day }) => day <= lastDay - LATELY);
  const isControl = (name: string | null) =>
    inLast.has(name) && inBefore.has(name) && (settingsSince.get(name ?? '') ?? begins) <= begins;
  const compared = within.filter(({ card }) => {
    const name = keyOf(card);
    return name === group || isControl(name);
  });
  const isOfGroup = (card: Row) => keyOf(card) === group;
  return differencesToOthers(compared, (card) => Number(isOfGroup(card))).filter(({ card }) =>
    isOfGroup(card),
  );
}

/** Errors beyond 0 towards 0 from which on a group does less, and within which it does as before again. */
const LESS_FROM = 3;
const LESS_UNTIL = 2;

/** @param before what was said until now @returns undefined: nothing, of no word above or below, or without two times */
export function latelyWord(
  word: Word | null,
  lately: Lately | undefined,
  before: LatelyFinding['verdict'] | undefined,
): LatelyFinding['verdict'] | undefined {
  if (lately === undefined || (word !== 'above' && word !== 'below')) return undefined;
  const towardsZero = word === 'above' ? -lately.difference : lately.difference;
  const errors = before === 'less' ? LESS_UNTIL : LESS_FROM;
  return towardsZero > errors * lately.error ? 'less' : 'as_before';
}
