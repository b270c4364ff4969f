/** Intervals on one axis with zero, in characters. Percentage points. */
import { median } from 'd3-array';
import type { Base, Standing } from '../../outcomes/standing.ts';
import type { Interval } from '../../statistics/quantile.ts';
import { signed } from '../format.ts';
import type { RenderContext } from '../types.ts';
import { toneOf } from './verdict.ts';

export type Axis = Interval & { readonly size: number };

export const marksOf = (unicode: boolean) =>
  unicode
    ? { inner: '━', outer: '─', point: '●', alone: '○', zero: '│', left: '◂', right: '▸' }
    : { inner: '=', outer: '-', point: 'o', alone: 'x', zero: '|', left: '<', right: '>' };

const THROUGH: Readonly<Record<string, string>> = { '━': '┿', '─': '┼' };

/** Holds zero and the intervals, but for those far wider than most, and an eighth more on each side. */
export function axisOf(all: readonly Base[], size: number): Axis {
  const intervals = all.flatMap(({ interval }) => interval ?? []);
  const usual = median(intervals, width) ?? 0;
  const within = intervals.filter((one) => width(one) <= 1.5 * usual);
  const low = Math.min(0, ...within.map((one) => one.low));
  const high = Math.max(0, ...within.map((one) => one.high));
  const more = low === high ? 1 : (high - low) / 8;
  return { low: low - more, high: high + more, size };
}

const width = ({ low, high }: Interval) => high - low;

/** The ends of the axis, and where zero lies, if there is room for it: as wide as the axis. */
export function scaleLine(axis: Axis): string {
  const end = (value: number) => (value === 0 ? '' : signed(value, Math.abs(value) < 100 ? 1 : 0));
  const line = end(axis.low) + end(axis.high).padStart(axis.size - end(axis.low).length);
  const zero = place(0, axis);
  const isFree = line.slice(Math.max(0, zero - 1), zero + 2).trim() === '';
  return isFree ? `${line.slice(0, zero)}0${line.slice(zero + 1)}` : line;
}

/** What a line draws, if anything; the widened interval takes the whole axis where the data bound it on neither side. */
function barsOf({ base: { median, interval, widened, isTested }, to }: Standing) {
  if (median === null || (interval === null && to !== 'btc')) return undefined;
  const whole = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
  const outer = isTested ? (widened ?? whole) : { low: median, high: median };
  return { median, isTested, inner: isTested ? interval : null, outer };
}

export function marksShown(all: readonly Standing[], { low, high }: Interval) {
  const drawn = all.flatMap((one) => barsOf(one) ?? []);
  const [left, right] = [
    drawn.filter(({ outer }) => outer.low < low),
    drawn.filter(({ outer }) => outer.high > high),
  ];
  return {
    inner: drawn.some(({ inner }) => inner !== null),
    alone: drawn.some((one) => !(one.isTested || left.includes(one) || right.includes(one))),
    left: left.length > 0,
    right: right.length > 0,
  };
}

/** One group: its widened interval thin, its own one thick, its median a point; hollow where there is no interval. */
export function intervalLine(
  standing: Standing,
  axis: Axis,
  { unicode, styles }: RenderContext,
): string {
  const marks = marksOf(unicode);
  const cells = Array.from({ length: axis.size }, () => ' ');
  const zero = place(0, axis);
  cells[zero] = marks.zero;
  const draw = ({ low, high }: Interval, mark: string) => {
    cells.fill(mark, place(low, axis), place(high, axis) + 1);
    if (low < axis.low) cells[0] = marks.left;
    if (high > axis.high) cells[axis.size - 1] = marks.right;
  };
  const bars = barsOf(standing);
  if (bars === undefined) return cells.join('').trimEnd();
  const { median: middle, inner, outer, isTested } = bars;
  if (isTested) draw(outer, marks.outer);
  if (inner !== null) draw(inner, marks.inner);
  cells[zero] = THROUGH[cells[zero] ?? ''] ?? marks.zero;
  draw({ low: middle, high: middle }, isTested ? marks.point : marks.alone);
  const tone = toneOf(standing);
  const line = cells.join('').trimEnd();
  return tone === 'dim' ? line : styles[tone](line);
}

/** The cell of a value; the outermost ones also hold what lies beyond. Only zero has zero's cell. */
function place(value: number, { low, high, size }: Axis): number {
  const cellOf = (one: number) =>
    Math.max(0, Math.min(size - 1, Math.round(((one - low) / (high - low)) * (size - 1))));
  const [zero, cell] = [cellOf(0), cellOf(value)];
  if (value > 0) return Math.min(size - 1, Math.max(zero + 1, cell));
  return value < 0 ? Math.max(0, Math.min(zero - 1, cell)) : zero;
}
