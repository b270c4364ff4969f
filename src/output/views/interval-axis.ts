/** Intervals as lines of characters, on one axis with zero and the band around it: they show why a verdict was given. */
import { median } from 'd3-array';
import type { Base, Standing } from '../../outcomes/standing.ts';
import type { Interval } from '../../statistics/quantile.ts';
import { MARGIN } from '../../statistics/rule.ts';
import { signed } from '../format.ts';
import type { RenderContext } from '../types.ts';
import { toneOf } from './verdict-names.ts';

/** `low` and `high` are the ends, in percentage points. */
export interface IntervalAxis extends Interval {
  /** Characters from end to end. */
  readonly size: number;
}

/** The characters of a picture. */
interface Marks {
  /** The 95 % interval. */
  readonly inner: string;
  /** The 99.7 % interval. */
  readonly outer: string;
  /** The median. */
  readonly point: string;
  readonly zero: string;
  /** The band around zero that is too small to matter. */
  readonly band: string;
  /** A line goes on beyond the left end. */
  readonly left: string;
  /** A line goes on beyond the right end. */
  readonly right: string;
  /** Zero where a line crosses it, by the mark of the line; a mark that is missing is replaced by `zero`. */
  readonly crossings: Readonly<Record<string, string>>;
}

/** An interval more than 1.5 times as wide as the median one does not widen the axis: it would squeeze the others. */
const FAR_WIDER = 1.5;
/** The fraction of the width that is added at each end, so that no interval ends at the very edge. */
const END_MARGIN = 1 / 16;

const SIGNS: Marks = {
  inner: '━',
  outer: '─',
  point: '●',
  zero: '│',
  band: '░',
  left: '◂',
  right: '▸',
  crossings: { '━': '┿', '─': '┼' },
};

const ASCII: Marks = {
  inner: '=',
  outer: '-',
  point: 'o',
  zero: '|',
  band: ':',
  left: '<',
  right: '>',
  crossings: {},
};

export function marksOf(unicode: boolean): Marks {
  return unicode ? SIGNS : ASCII;
}

/**
 * An axis that holds zero, the band, all medians and the 99.7 % intervals, with a margin at each end. An interval that is far
 * wider than the others may go on beyond its ends; its median does not.
 * @param size characters from end to end
 */
export function axisOf(
  bases: readonly Pick<Base, 'median' | 'interval' | 'sureInterval'>[],
  size: number,
): IntervalAxis {
  const medians = bases
    .filter(({ interval }) => interval !== null)
    .map((base) => base.median)
    .filter((value) => value !== null);
  const intervals = bases
    .map(({ interval, sureInterval }) => sureInterval ?? interval)
    .filter((interval) => interval !== null);
  const usualWidth = median(intervals, widthOf) ?? 0;
  const wholeIntervals = intervals.filter(
    (interval) => widthOf(interval) <= FAR_WIDER * usualWidth,
  );
  const low = Math.min(-MARGIN, ...medians, ...wholeIntervals.map((interval) => interval.low));
  const high = Math.max(MARGIN, ...medians, ...wholeIntervals.map((interval) => interval.high));
  const margin = (high - low) * END_MARGIN;
  return { low: low - margin, high: high + margin, size };
}

const widthOf = ({ low, high }: Interval) => high - low;

/** The header of the picture, as wide as the axis: both ends, and `0` in its place if there is room. */
export function scaleLine(axis: IntervalAxis): string {
  const [left, right] = [endText(axis.low), endText(axis.high)];
  const zero = cellOf(0, axis);
  // An end without room for its number beside the 0 has none.
  const hasLeft = left.length < zero;
  const hasRight = zero + 1 < axis.size - right.length;
  const beforeZero = (hasLeft ? left : '').padEnd(zero);
  const afterZero = (hasRight ? right : '').padStart(axis.size - zero - 1);
  return `${beforeZero}0${afterZero}`;
}

/** `+1.5`, and `+150` where a digit more would take the room of others. */
function endText(value: number): string {
  return signed(value, Math.abs(value) < 100 ? 1 : 0);
}

/** The bars of one line. Percentage points. */
export interface Bars {
  readonly median: number;
  /** The 95 % interval. */
  readonly inner: Interval;
  /** The 99.7 % interval: the whole axis where the data bound it on neither side. */
  readonly outer: Interval;
}

const WHOLE: Interval = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };

/** Whether the line of a group has bars. A group with too few days has no verdict that a picture could show. */
export function isDrawn({ verdict, base }: Standing): boolean {
  return verdict !== 'too_few_days' && base.interval !== null;
}

/** The bars of a group's line; undefined if it has none. */
function barsOf(standing: Standing): Bars | undefined {
  const { median: middle, interval, sureInterval } = standing.base;
  if (middle === null || interval === null || !isDrawn(standing)) return undefined;
  return { median: middle, inner: interval, outer: sureInterval ?? WHOLE };
}

/** Which marks a picture has. */
export interface MarksShown {
  /** A median with its intervals. */
  readonly intervals: boolean;
  /** A line that goes on beyond the left end. */
  readonly left: boolean;
  /** A line that goes on beyond the right end. */
  readonly right: boolean;
}

export function marksShown(standings: readonly Standing[], { low, high }: Interval): MarksShown {
  const drawn = standings.map(barsOf).filter((bars) => bars !== undefined);
  return {
    intervals: drawn.length > 0,
    left: drawn.some(({ outer }) => outer.low < low),
    right: drawn.some(({ outer }) => outer.high > high),
  };
}

/** What the marks of the median, of its intervals and of the band mean. */
export function intervalWords(unicode: boolean): string[] {
  const { point, inner, outer, band } = marksOf(unicode);
  return [
    `${point} median`,
    `${inner} 95 % interval`,
    `${outer} 99.7 %`,
    `${band} within ±${MARGIN} pp`,
  ];
}

/** `◂ ▸ goes on`, with the ends beyond which a line goes on; empty if none does. */
export function goesOnWords(shown: Pick<MarksShown, 'left' | 'right'>, unicode: boolean): string[] {
  const marks = marksOf(unicode);
  const ends: string[] = [];
  if (shown.left) ends.push(marks.left);
  if (shown.right) ends.push(marks.right);
  return ends.length === 0 ? [] : [`${ends.join(' ')} goes on`];
}

/** The line of a group: the 99.7 % interval is thin, the 95 % one thick, the median a point. */
export function intervalLine(
  standing: Standing,
  axis: IntervalAxis,
  render: RenderContext,
): string {
  const line = barsLine(barsOf(standing), axis, render);
  const tone = toneOf(standing);
  return tone === 'dim' ? line : render.styles[tone](line);
}

/** @param bars undefined: only zero and the band are drawn */
export function barsLine(
  bars: Bars | undefined,
  axis: IntervalAxis,
  { unicode }: Pick<RenderContext, 'unicode'>,
): string {
  const marks = marksOf(unicode);
  const cells = Array.from({ length: axis.size }, () => ' ');
  const zero = cellOf(0, axis);
  const draw = ({ low, high }: Interval, mark: string) => {
    cells.fill(mark, cellOf(low, axis), cellOf(high, axis) + 1);
  };
  draw({ low: -MARGIN, high: MARGIN }, marks.band);
  cells[zero] = marks.zero;
  if (bars === undefined) return cells.join('').trimEnd();
  const { median: middle, inner, outer } = bars;
  draw(outer, marks.outer);
  draw(inner, marks.inner);
  // The thick line may end in the outermost cell, where the thin one goes on.
  if (outer.low < axis.low) cells[0] = marks.left;
  if (outer.high > axis.high) cells[axis.size - 1] = marks.right;
  // A line through zero crosses it.
  const markAtZero = cells[zero] ?? '';
  cells[zero] = marks.crossings[markAtZero] ?? marks.zero;
  draw({ low: middle, high: middle }, marks.point);
  return cells.join('').trimEnd();
}

/**
 * The cell (place of a character) of a value; a value beyond the axis has the outermost cell. The picture must agree with the
 * verdict: so no value but 0 is rounded into the cell of zero, and none is rounded across the edge of the band.
 */
function cellOf(value: number, axis: IntervalAxis): number {
  const zero = roundedCell(0, axis);
  const side = Math.sign(value);
  if (side === 0) return zero;
  // Cells from zero, outwards.
  const distance = (points: number) => Math.max(1, Math.abs(roundedCell(points, axis) - zero));
  const edge = distance(side * MARGIN);
  const isInBand = Math.abs(value) <= MARGIN;
  const cells = isInBand ? Math.min(distance(value), edge) : Math.max(distance(value), edge + 1);
  return onAxis(zero + side * cells, axis);
}

/** The cell that is nearest to a value. */
function roundedCell(value: number, axis: IntervalAxis): number {
  const share = (value - axis.low) / (axis.high - axis.low);
  return onAxis(Math.round(share * (axis.size - 1)), axis);
}

function onAxis(cell: number, { size }: IntervalAxis): number {
  return Math.max(0, Math.min(size - 1, cell));
}
