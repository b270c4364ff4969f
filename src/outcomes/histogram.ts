import type { Sorted } from './sorted.ts';

/** Counts of values in bins of equal width; the outermost bins also hold what lies beyond them. */
export interface Histogram {
  readonly from: number;
  readonly width: number;
  readonly counts: readonly number[];
}

const BINS = 24;

/**
 * A histogram from the 1st to the 99th percentile, so that a few outliers do not flatten the rest; zero is always
 * within it.
 * @returns undefined where there is nothing to draw
 */
export function histogramOf(sorted: Sorted): Histogram | undefined {
  const size = sorted.length;
  if (size === 0) return undefined;
  const cut = Math.floor((size - 1) * 0.01);
  const low = Math.min(0, sorted.at(cut));
  const high = Math.max(0, sorted.at(size - 1 - cut));
  const width = (high - low || 1) / BINS;
  const edges = Array.from({ length: BINS - 1 }, (_, i) => sorted.below(low + (i + 1) * width));
  const counts = [...edges, size].map((edge, i) => edge - (i === 0 ? 0 : (edges[i - 1] ?? 0)));
  return { from: low, width, counts };
}
