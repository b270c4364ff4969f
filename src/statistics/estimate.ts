import { oncePerKey } from '../base/collections.ts';
import { clean, type Interval } from './quantile.ts';
import { twoSidedQuantile, twoSidedTail } from './student-t.ts';

/**
 * The chance that an interval misses the true value: 0.05. So an interval is a 95 % interval, unless another level is named. By
 * the same interval the rule decides whether a verdict is kept.
 */
export const LEVEL = 0.05;

/** An interval of which an end may be missing. */
export interface Bounds {
  /** Null if nothing bounds the value from below. */
  readonly low: number | null;
  /** Null if nothing bounds the value from above. */
  readonly high: number | null;
}

/** A median, a correlation or a difference, with how exact it is. */
export interface Estimate {
  /** NaN if there are no values. */
  readonly value: number;
  /** How many values it is made from. */
  readonly size: number;
  /** Calendar days from the first value to the last. */
  readonly span: number;
  /** Blocks of days with values: what is taken to be independent. */
  readonly clusters: number;
  readonly degreesOfFreedom: number;
  /** Two-sided, of the test that the true value is 0; null if there are too few clusters. */
  readonly p: number | null;
  /**
   * The interval of the true value; null if there are too few clusters, or if nothing bounds the value. It is worked out once
   * for each level: the rule and the screens ask for the same few again and again.
   * @param level 0.05 for 95 %
   */
  readonly interval: (level: number) => Interval | null;
  /**
   * The interval of the true value, whatever the missing outcomes were; null if there are too few clusters. Absent if no
   * outcome is missing.
   */
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

/**
 * An estimate whose interval is `value` ± t · `error`, with Student's t.
 * @param error the standard error of `value`
 */
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

/**
 * `after` minus `before`, of two independent estimates (Welch 1947, Satterthwaite 1946). For the standard errors 0.3 and 0.4,
 * with 10 degrees of freedom each, the difference has the standard error √(0.3² + 0.4²) = 0.5 and 18.5 degrees of freedom.
 */
export function differenceOfEstimates(after: Estimate, before: Estimate): Estimate {
  const value = clean(after.value - before.value);
  const errorBefore = standardError(before);
  const errorAfter = standardError(after);
  const sample = {
    size: before.size + after.size,
    span: before.span + after.span,
    clusters: Math.min(before.clusters, after.clusters),
  };
  const isErrorUnknown = errorBefore === null || errorAfter === null;
  // If all values are equal, the errors are 0, and no t can be worked out.
  if (isErrorUnknown || Math.max(errorBefore, errorAfter) === 0)
    return { ...UNKNOWN, ...sample, value };
  const error = Math.hypot(errorBefore, errorAfter);
  const degreesOfFreedom =
    error ** 4 /
    (errorBefore ** 4 / before.degreesOfFreedom + errorAfter ** 4 / after.degreesOfFreedom);
  return estimateByT(value, error, degreesOfFreedom, sample);
}

/**
 * Half of the 95 % interval, divided by t, in the unit of the estimate; null if there is no interval. An interval by ranks is
 * made without a standard error. So the standard error is computed back from the interval.
 */
export function standardError({ degreesOfFreedom, interval }: Estimate): number | null {
  const interval95 = interval(LEVEL);
  if (interval95 === null) return null;
  return (interval95.high - interval95.low) / (2 * twoSidedQuantile(LEVEL, degreesOfFreedom));
}
