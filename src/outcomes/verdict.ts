/**
 * From estimates of one family to verdicts: above, below, no difference that matters, or unclear, and then how much would
 * show now and about how long the smallest difference that matters takes.
 */

import { type HorizonName, horizonOf } from '../api/contract/horizons.ts';
import { type ClusteredMedian, medianInterval, pValue } from './clustered-median.ts';
import { clean } from './differences.ts';
import { type Adjusted, holm, LEVEL } from './holm.ts';
import { twoSidedQuantile, twoSidedTail } from './student-t.ts';
import type { Interval, PlainVerdict } from './types.ts';

/** A difference that is to be judged, percentage points. */
export interface Estimate {
  readonly value: number;
  /** Two-sided, of a difference of zero; null where there are too few clusters to ask. */
  readonly p: number | null;
  readonly degreesOfFreedom: number;
  /** UTC days it is made of. */
  readonly days: number;
  readonly interval: (level: number) => Interval | null;
}

export function estimateOf(sample: ClusteredMedian): Estimate {
  const { median: value, degreesOfFreedom, days } = sample;
  return { value, p: pValue(sample, 0), degreesOfFreedom, days, interval: (level) => medianInterval(sample, level) };
}

/** By Student's t. @param error the standard error of `value`, percentage points */
export function estimateByT(value: number, error: number, degreesOfFreedom: number, days: number): Estimate {
  return {
    value,
    p: twoSidedTail(Math.abs(value) / error, degreesOfFreedom),
    degreesOfFreedom,
    days,
    interval: (level) => {
      const half = twoSidedQuantile(level, degreesOfFreedom) * error;
      return { low: clean(value - half), high: clean(value + half) };
    },
  };
}

/** An estimate among the others of its family. */
export interface Judged extends Estimate {
  /** After Holm's adjustment; undefined where there are too few clusters. */
  readonly adjusted: Adjusted | undefined;
  /** The smallest difference that matters to the user, percentage points. */
  readonly least: number;
}

/** @param estimates of one horizon and one comparison: a reader looks at one such family at a time */
export function judged(estimates: readonly Estimate[], least: number): Judged[] {
  const adjusted = holm(estimates.map(({ p }) => p));
  return estimates.map((one, i) => ({ ...one, least, adjusted: adjusted[i] }));
}

export function verdictOf(one: Judged): PlainVerdict | null {
  const { value, adjusted, least, interval } = one;
  if (Number.isNaN(value)) return null;
  if (adjusted === undefined) return 'too_few_days';
  if (adjusted.p < LEVEL) return value > 0 ? 'above' : 'below';
  const known = interval(adjusted.level);
  return known !== null && known.low >= -least && known.high <= least ? 'none' : 'unclear';
}

/** The normal quantile of a power of 80 %. */
const POWER = 0.84;

/** The smallest difference that would show now in four of five cases, percentage points; null where nothing bounds it. */
export function wouldShow({ adjusted, degreesOfFreedom, interval }: Judged): number | null {
  const error = standardError({ degreesOfFreedom, interval });
  return adjusted === undefined || error === null
    ? null
    : (twoSidedQuantile(adjusted.level, degreesOfFreedom) + POWER) * error;
}

/**
 * After about how many days in all `least` would show in four of five cases, at so many cards a day: as the variance
 * falls and the degrees of freedom grow with the days. (It had come true in 65 to 77 % of simulated histories: coarse.)
 */
export function daysUntilLeastShows({ adjusted, degreesOfFreedom, days, least, interval }: Judged): number | null {
  const error = standardError({ degreesOfFreedom, interval });
  if (adjusted === undefined || error === null || least <= 0) return null;
  let needed = days;
  for (let step = 0; step < 10; step += 1) {
    const t = twoSidedQuantile(adjusted.level, Math.max(1, (degreesOfFreedom * needed) / days));
    needed = days * (((t + POWER) * error) / least) ** 2;
  }
  return needed;
}

/** From the width of the 95 % interval; null where there is none. */
export function standardError({
  degreesOfFreedom,
  interval,
}: Pick<Estimate, 'degreesOfFreedom' | 'interval'>): number | null {
  const known = interval(LEVEL);
  return known === null ? null : (known.high - known.low) / (2 * twoSidedQuantile(LEVEL, degreesOfFreedom));
}

/** The smallest difference that matters unless the user says otherwise: 1 percentage point after 24 h. */
export const LEAST = 1;

/** After 1 h moves are some four times smaller. */
export function leastOf(horizon: HorizonName, least: number): number {
  return least * horizonOf(horizon).least;
}
