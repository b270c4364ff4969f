import { type Sorted, sortedOf } from './quantile.ts';
import { movesOf, type Row } from './row.ts';
import type { HorizonName } from './types.ts';

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
function histogramOf(sorted: Sorted): Histogram | undefined {
  const size = sorted.length;
  if (size === 0) return undefined;
  const cut = Math.floor((size - 1) * 0.01);
  const low = Math.min(0, sorted[cut] ?? 0);
  const high = Math.max(0, sorted[size - 1 - cut] ?? 0);
  const width = (high - low || 1) / BINS;
  const counts = Array.from({ length: BINS }, () => 0);
  let bin = 0;
  for (const value of sorted) {
    while (bin < BINS - 1 && value >= low + (bin + 1) * width) bin += 1;
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return { from: low, width, counts };
}

/** Of the measured moves of cards, percent, by horizon. */
export function histogramsOf(rows: readonly Row[]): { readonly [name in HorizonName]: Histogram | undefined } {
  const of = (name: HorizonName) => histogramOf(sortedOf(movesOf(rows, name).map(({ move }) => move)));
  return { '1h': of('1h'), '24h': of('24h') };
}
