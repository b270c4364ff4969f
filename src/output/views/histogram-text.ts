import type { Histogram } from '../../history/stats/histogram.ts';
import { percent } from '../format.ts';
import type { Look } from '../types.ts';

const BLOCKS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const PLAIN_BLOCKS = ['.', ':', '-', '=', '+', '*', '%', '#'];

/**
 * Two lines: the counts as columns of blocks between the ends of the scale, and below them where zero (`0`) and the
 * median (`M`) lie; `X` where both do.
 * @param indent columns that stand before it in its first line
 */
export function histogramText({ from, width, counts }: Histogram, median: number, look: Look, indent: number): string {
  const blocks = look.unicode ? BLOCKS : PLAIN_BLOCKS;
  const largest = Math.max(1, ...counts);
  const columns = counts.map((count) =>
    count === 0 ? ' ' : (blocks[Math.max(0, Math.ceil((count / largest) * blocks.length) - 1)] ?? ' '),
  );
  const low = percent(from);
  const high = percent(from + width * counts.length);
  const binOf = (value: number) => Math.min(counts.length - 1, Math.max(0, Math.floor((value - from) / width)));
  const zero = binOf(0);
  const middle = binOf(median);
  const marks = counts.map((_, i) => (i === zero ? (i === middle ? 'X' : '0') : i === middle ? 'M' : ' '));
  const legend = zero === middle ? 'X zero and median' : `0 zero, M median ${percent(median)}`;
  const start = ' '.repeat(indent + low.length + 1);
  return `${low} ${columns.join('')} ${high}\n${start}${marks.join('')} ${look.paint.dim(legend)}`;
}
