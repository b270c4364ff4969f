/** Intervals on one axis with zero, in characters. Percentage points. */
import type { RenderContext } from '../types.ts';
import { type Deciding, isAbove, isBelow } from './verdict.ts';

interface Axis {
  readonly low: number;
  readonly high: number;
  /** In characters. */
  readonly size: number;
}

export const LEGEND_MARKS = {
  unicode: { inner: '━', outer: '─', point: '●', alone: '○', zero: '│', left: '◂', right: '▸' },
  plain: { inner: '=', outer: '-', point: 'o', alone: '.', zero: '|', left: '<', right: '>' },
} as const;

/**
 * Holds zero and the intervals of all groups, without any the medians; and what is widened, as far as that does not
 * make the axis more than twice as long.
 */
export function axisOf(all: readonly Deciding[], size: number): Axis {
  const intervals = all.flatMap(({ interval }) => interval ?? []);
  const widened = all.flatMap(({ widened: wide }) => wide ?? []);
  const medians = all.flatMap(({ median }) => median ?? []);
  const low = Math.min(0, ...(intervals.length > 0 ? intervals.map((interval) => interval.low) : medians));
  const high = Math.max(0, ...(intervals.length > 0 ? intervals.map((interval) => interval.high) : medians));
  if (low === high) return { low: -1, high: 1, size };
  const more = (high - low) / 2;
  return {
    low: Math.max(low - more, Math.min(low, ...widened.map((interval) => interval.low))),
    high: Math.min(high + more, Math.max(high, ...widened.map((interval) => interval.high))),
    size,
  };
}

/** The ends of the axis, and where zero lies, if there is room for it: as wide as the axis. */
export function scaleLine(axis: Axis): string {
  const low = axis.low < 0 ? label(axis.low) : '';
  const high = axis.high > 0 ? label(axis.high) : '';
  const between = axis.size - low.length - high.length;
  const zero = place(0, axis) - low.length;
  const isFree = (low === '' || zero > 0) && (high === '' || zero < between - 1);
  return `${low}${isFree ? '0'.padStart(zero + 1).padEnd(between) : ' '.repeat(between)}${high}`.trimEnd();
}

/** One group: its widened interval thin, its own one thick, its median a point; hollow where there is no interval. */
export function intervalLine(deciding: Deciding, axis: Axis, { unicode, styles }: RenderContext): string {
  const { median, interval: inner, isTested, verdict } = deciding;
  const marks = LEGEND_MARKS[unicode ? 'unicode' : 'plain'];
  if (median === null) return '';
  const cells = Array.from({ length: axis.size }, () => ' ');
  cells[place(0, axis)] = marks.zero;
  const fill = (from: number, to: number, mark: string) => {
    for (let cell = place(from, axis); cell <= place(to, axis); cell += 1) cells[cell] = mark;
  };
  // Where the data bound the widened interval on neither side, it takes the whole axis.
  const outer = deciding.widened ?? {
    low: Number.NEGATIVE_INFINITY,
    high: Number.POSITIVE_INFINITY,
  };
  if (isTested) {
    fill(outer.low, outer.high, marks.outer);
    if (inner !== null) fill(inner.low, inner.high, marks.inner);
    if (outer.low < axis.low) cells[0] = marks.left;
    if (outer.high > axis.high) cells[axis.size - 1] = marks.right;
  }
  if (median < axis.low) cells[0] = marks.left;
  else if (median > axis.high) cells[axis.size - 1] = marks.right;
  else cells[place(median, axis)] = isTested ? marks.point : marks.alone;
  const line = cells.join('').trimEnd();
  if (isAbove(verdict)) return styles.good(line);
  return isBelow(verdict) ? styles.bad(line) : line;
}

/**
 * The cell of a value; the outermost ones also hold what lies beyond them. Only zero has zero's cell, so that an interval
 * that leaves it out is drawn beside it.
 */
function place(value: number, { low, high, size }: Axis): number {
  const cellOf = (one: number) =>
    Math.max(0, Math.min(size - 1, Math.round(((one - low) / (high - low)) * (size - 1))));
  const zero = cellOf(0);
  if (value > 0) return Math.min(size - 1, Math.max(zero + 1, cellOf(value)));
  if (value < 0) return Math.max(0, Math.min(zero - 1, cellOf(value)));
  return zero;
}

function label(value: number): string {
  const size = Math.abs(value);
  const text = size.toFixed(size < 100 ? 1 : 0);
  return `${value < 0 ? '-' : '+'}${text}`;
}
