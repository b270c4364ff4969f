/** Intervals on one axis with zero and the band around it, in characters: who sees the picture sees the rule. */
import { median } from 'd3-array';
import type { Base, Standing } from '../../outcomes/standing.ts';
import type { Interval } from '../../statistics/quantile.ts';
import { MARGIN } from '../../statistics/rule.ts';
import { signed } from '../format.ts';
import type { RenderContext } from '../types.ts';
import { toneOf } from './verdict.ts';

/** Percentage points from end to end, in so many characters. */
export interface Axis extends Interval {
  readonly size: number;
}

interface Marks {
  /** The 95 % interval, and the 99.7 % one. */
  readonly inner: string;
  readonly outer: string;
  readonly point: string;
  /** A median without an interval. */
  readonly alone: string;
  readonly zero: string;
  /** Within the band around zero. */
  readonly band: string;
  /** Where a line goes on beyond the axis. */
  readonly left: string;
  readonly right: string;
  /** Zero behind a line. */
  readonly zeroBehind: Readonly<Record<string, string>>;
}

const SIGNS: Marks = {
  inner: '━',
  outer: '─',
  point: '●',
  alone: '○',
  zero: '│',
  band: '░',
  left: '◂',
  right: '▸',
  zeroBehind: { '━': '┿', '─': '┼' },
};

const ASCII: Marks = {
  inner: '=',
  outer: '-',
  point: 'o',
  alone: 'x',
  zero: '|',
  band: ':',
  left: '<',
  right: '>',
  zeroBehind: {},
};

export function marksOf(unicode: boolean): Marks {
  return unicode ? SIGNS : ASCII;
}

/**
 * Holds zero, the band, the medians and the 99.7 % intervals, and some more on each side. Of an interval far wider than most
 * it holds the median alone.
 */
export function axisOf(
  all: readonly Pick<Base, 'median' | 'interval' | 'sureInterval'>[],
  size: number,
): Axis {
  const medians = all
    .filter(({ interval }) => interval !== null)
    .map((base) => base.median)
    .filter((value) => value !== null);
  const intervals = all
    .map(({ interval, sureInterval }) => sureInterval ?? interval)
    .filter((interval) => interval !== null);
  const usual = median(intervals, width) ?? 0;
  const within = intervals.filter((interval) => width(interval) <= 1.5 * usual);
  const low = Math.min(-MARGIN, ...medians, ...within.map((interval) => interval.low));
  const high = Math.max(MARGIN, ...medians, ...within.map((interval) => interval.high));
  const more = (high - low) / 16;
  return { low: low - more, high: high + more, size };
}

const width = ({ low, high }: Interval) => high - low;

/** The ends of the axis, and where zero lies, if there is room for it: as wide as the axis. */
export function scaleLine(axis: Axis): string {
  const end = (value: number) => signed(value, Math.abs(value) < 100 ? 1 : 0);
  const line = end(axis.low) + end(axis.high).padStart(axis.size - end(axis.low).length);
  const zero = place(0, axis);
  const isFree = line.slice(Math.max(0, zero - 1), zero + 2).trim() === '';
  return isFree ? `${line.slice(0, zero)}0${line.slice(zero + 1)}` : line;
}

/** What a line draws. Percentage points. */
export interface Bars {
  readonly median: number;
  /** The 95 % interval; null if there are too few days. */
  readonly inner: Interval | null;
  /** The 99.7 % interval: the whole axis where the data bound it on neither side. */
  readonly outer: Interval;
}

const WHOLE: Interval = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };

/** @returns undefined if there is nothing to draw: a median of a card or two beside others is not drawn */
function barsOf({ base, comparedWith }: Standing): Bars | undefined {
  const { median: middle, interval, sureInterval } = base;
  if (middle === null) return undefined;
  if (interval !== null) return { median: middle, inner: interval, outer: sureInterval ?? WHOLE };
  return comparedWith === 'btc'
    ? { median: middle, inner: null, outer: { low: middle, high: middle } }
    : undefined;
}

export interface MarksShown {
  readonly inner: boolean;
  readonly alone: boolean;
  readonly left: boolean;
  readonly right: boolean;
}

/** Which marks a picture has. */
export function marksShown(all: readonly Standing[], { low, high }: Interval): MarksShown {
  const drawn = all.map(barsOf).filter((bars) => bars !== undefined);
  const isWithin = ({ outer }: Bars) => outer.low >= low && outer.high <= high;
  return {
    inner: drawn.some(({ inner }) => inner !== null),
    alone: drawn.some((bars) => bars.inner === null && isWithin(bars)),
    left: drawn.some(({ outer }) => outer.low < low),
    right: drawn.some(({ outer }) => outer.high > high),
  };
}

/** One group: its 99.7 % interval thin, the 95 % one thick, its median a point; hollow where there is no interval. */
export function intervalLine(standing: Standing, axis: Axis, render: RenderContext): string {
  const line = barsLine(barsOf(standing), axis, render);
  const tone = toneOf(standing);
  return tone === 'dim' ? line : render.styles[tone](line);
}

/** @param bars undefined: the axis alone */
export function barsLine(
  bars: Bars | undefined,
  axis: Axis,
  { unicode }: Pick<RenderContext, 'unicode'>,
): string {
  const marks = marksOf(unicode);
  const cells = Array.from({ length: axis.size }, () => ' ');
  const zero = place(0, axis);
  const draw = ({ low, high }: Interval, mark: string) => {
    cells.fill(mark, place(low, axis), place(high, axis) + 1);
    if (low < axis.low) cells[0] = marks.left;
    if (high > axis.high) cells[axis.size - 1] = marks.right;
  };
  draw({ low: -MARGIN, high: MARGIN }, marks.band);
  cells[zero] = marks.zero;
  if (bars === undefined) return cells.join('').trimEnd();
  const { median: middle, inner, outer } = bars;
  if (inner !== null) {
    draw(outer, marks.outer);
    draw(inner, marks.inner);
  }
  cells[zero] = marks.zeroBehind[cells[zero] ?? ''] ?? marks.zero;
  draw({ low: middle, high: middle }, inner === null ? marks.alone : marks.point);
  return cells.join('').trimEnd();
}

/**
 * The cell of a value; the outermost ones also hold what lies beyond. Only zero has zero's cell, and only values within the
 * band have the band's cells: so that a line that reaches into the band is seen to.
 */
function place(value: number, { low, high, size }: Axis): number {
  const cellOf = (one: number) =>
    Math.max(0, Math.min(size - 1, Math.round(((one - low) / (high - low)) * (size - 1))));
  const zero = cellOf(0);
  if (value === 0) return zero;
  const side = Math.sign(value);
  // Cells from zero, outwards.
  const steps = (one: number) => Math.max(1, side * (cellOf(one) - zero));
  const band = steps(side * MARGIN);
  const away =
    Math.abs(value) <= MARGIN ? Math.min(band, steps(value)) : Math.max(band + 1, steps(value));
  return Math.max(0, Math.min(size - 1, zero + side * away));
}
