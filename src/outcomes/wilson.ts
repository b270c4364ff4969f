import { twoSidedQuantile } from './student-t.ts';
import type { Interval } from './types.ts';

/**
 * Wilson's interval (1927) for a share, with the effective sample in place of the count and Student's t in place of the
 * normal quantile. The effective sample is the one at the median, so that the interval leaves out one half exactly where
 * the median's leaves out zero; towards 0 and 1, where clusters matter less, it is on the safe side.
 * @param level 0.05 for a 95 % interval
 */
export function wilsonInterval(
  share: number,
  effectiveSample: number,
  degreesOfFreedom: number,
  level: number,
): Interval {
  const t = twoSidedQuantile(level, degreesOfFreedom);
  const square = t ** 2 / effectiveSample;
  const center = (share + square / 2) / (1 + square);
  const half = (t / (1 + square)) * Math.sqrt((share * (1 - share)) / effectiveSample + square / (4 * effectiveSample));
  return {
    low: share === 0 ? 0 : Math.max(0, center - half),
    high: share === 1 ? 1 : Math.min(1, center + half),
  };
}
