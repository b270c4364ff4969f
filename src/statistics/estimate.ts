import { oncePerKey } from '../base/collections.ts';
import { clean, type Interval } from './quantile.ts';
import { twoSidedQuantile, twoSidedTail } from './student-t.ts';

/** The level of intervals, of a kept word, and of one question. */
export const LEVEL = 0.05;

/** An end is null if nothing bounds it. */
export type Bounds = { readonly [end in keyof Interval]: number | null };

export interface Estimate {
  /** NaN of no values. */
  readonly value: number;
  readonly size: number;
  /** Calendar days from the first value to the last. */
  readonly span: number;
  readonly clusters: number;
  readonly degreesOfFreedom: number;
  /** Two-sided, of a true value of 0; null if there are too few clusters. */
  readonly p: number | null;
  /**
   * Null if there are too few clusters, or if the data bound it on neither side. It is worked out once for each level: the
   * rule and the screens ask for the same few again and again.
   * @param level 0.05 for 95 %
   */
  readonly interval: (level: number) => Interval | null;
  /** The interval wherever missing outcomes lie; null if there is none. Absent if none is missing. */
  readonly bounds?: ((level: number) => Bounds | null) | undefined;
}

/** The estimate of a sample that is too small. */
export const UNKNOWN: Estimate = {
  value: Number.NaN,
  size: 0,
  span: 0,
  clusters: 0,
  degreesOfFreedom: 1,
  p: null,
  interval: () => null,
};

/** @param error the standard error of `value` */
export function estimateByT(
  value: number,
  error: number,
  degreesOfFreedom: number,
  sample: Pick<Estimate, 'size' | 'span' | 'clusters'>,
): Estimate {
  return {
    ...sample,
    value,
    p: twoSidedTail(Math.abs(value) / error, degreesOfFreedom),
    degreesOfFreedom,
    interval: oncePerKey((level) => {
      const half = twoSidedQuantile(level, degreesOfFreedom) * error;
      return { low: clean(value - half), high: clean(value + half) };
    }),
  };
}

/** After less before, of two independent estimates: Welch (1947) and Satterthwaite (1946). */
export function differenceOfEstimates(after: Estimate, before: Estimate): Estimate {
  const value = clean(after.value - before.value);
  const errorBefore = standardError(before);
  const errorAfter = standardError(after);
  const sample = {
    size: before.size + after.size,
    span: before.span + after.span,
    clusters: Math.min(before.clusters, after.clusters),
  };
  const isUnknown = errorBefore === null || errorAfter === null;
  if (isUnknown || Math.max(errorBefore, errorAfter) === 0) return { ...UNKNOWN, ...sample, value };
  const error = Math.hypot(errorBefore, errorAfter);
  const degreesOfFreedom =
    error ** 4 /
    (errorBefore ** 4 / before.degreesOfFreedom + errorAfter ** 4 / after.degreesOfFreedom);
  return estimateByT(value, error, degreesOfFreedom, sample);
}

/** Read back from the 95 % interval, in the unit of the estimate; null if there is no interval. */
export function standardError({ degreesOfFreedom, interval }: Estimate): number | null {
  const interval95 = interval(LEVEL);
  if (interval95 === null) return null;
  return (interval95.high - interval95.low) / (2 * twoSidedQuantile(LEVEL, degreesOfFreedom));
}
