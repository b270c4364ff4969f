import type { Histogram } from '../../outcomes/histogram.ts';
import { percent } from '../format.ts';
import type { RenderContext } from '../types.ts';

const BLOCKS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const PLAIN_BLOCKS = ['.', ':', '-', '=', '+', '*', '%', '#'];

/** What the marks below a histogram mean. */
export const HISTOGRAM_LEGEND = 'Below each distribution: 0 is zero, M the median, X both.';

/** A histogram under its name. */
interface Named {
  readonly name: string;
  readonly histogram: Histogram;
  readonly median: number;
}

/** A bin is drawn as wide as there is room, up to this. */
const WIDEST_BIN = 3;

/**
 * Histograms one below the other, two lines each: the counts as columns of blocks between the ends of the scale, and
 * below them where zero (`0`) and the median (`M`) lie; `X` where both do. All begin in the same column.
 */
export function histogramsText(all: readonly Named[], render: RenderContext): string {
  const scales = all.map(({ histogram: { from, width, counts } }) => ({
    low: percent(from),
    high: percent(from + width * counts.length),
  }));
  const longest = (texts: readonly string[]) => Math.max(0, ...texts.map((text) => text.length));
  const names = longest(all.map(({ name }) => name));
  const lows = longest(scales.map(({ low }) => low));
  const beside = names + 2 + lows + 1 + 1 + longest(scales.map(({ high }) => high));
  return all
    .flatMap((entry, i) => {
      const room = Math.floor(((render.width ?? 0) - beside) / entry.histogram.counts.length);
      const [blocks, marks] = drawn(entry, render, Math.max(1, Math.min(WIDEST_BIN, room)));
      const low = (scales[i]?.low ?? '').padStart(lows);
      return [
        `${entry.name.padEnd(names)}  ${low} ${blocks} ${scales[i]?.high ?? ''}`,
        `${' '.repeat(names + 2 + lows + 1)}${render.styles.dim(marks)}`,
      ];
    })
    .join('\n');
}

/** @param columns of the terminal that a bin takes */
function drawn({ histogram, median }: Named, render: RenderContext, columns: number): [blocks: string, marks: string] {
  const { from, width, counts } = histogram;
  const blocks = render.unicode ? BLOCKS : PLAIN_BLOCKS;
  const largest = Math.max(1, ...counts);
  const bins = counts.map((count) =>
    count === 0 ? ' ' : (blocks[Math.max(0, Math.ceil((count / largest) * blocks.length) - 1)] ?? ' '),
  );
  const binOf = (value: number) => Math.min(counts.length - 1, Math.max(0, Math.floor((value - from) / width)));
  const zero = binOf(0);
  const middle = binOf(median);
  const marks = counts.map((_, i) => (i === zero ? (i === middle ? 'X' : '0') : i === middle ? 'M' : ' '));
  // A mark stands in the middle of its bin.
  const before = ' '.repeat(Math.floor((columns - 1) / 2));
  const line = marks.map((mark) => `${before}${mark}`.padEnd(columns)).join('');
  return [bins.map((bin) => bin.repeat(columns)).join(''), line.trimEnd()];
}
