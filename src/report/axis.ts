import { extent } from 'd3-array';
import { scaleLinear, scaleUtc } from 'd3-scale';
import { dayAndMonth } from '../output/format.ts';
import { DAY } from '../runtime/units.ts';
import { quantile, type Sorted } from '../statistics/quantile.ts';
import { signed } from './markup.ts';

/**
 * An axis of a picture. Places on it are fractions of the picture's width where it lies across, and pixels from above
 * where it stands upright: text then keeps its size at every width.
 */
export interface PlotAxis {
  readonly ticks: readonly { readonly at: number; readonly text: string }[];
  /** Where zero lies; absent where it means nothing. */
  readonly zero?: number;
  at(value: number): number;
}

export interface NumberAxis extends PlotAxis {
  readonly low: number;
  readonly high: number;
}

/** About so many ticks, and ends that are round with them. */
const TICKS = 4;

/**
 * An axis of signed figures that contains zero and `values`, with round ends and about four ticks.
 * @param height pixels of an upright axis; absent for one that lies across
 */
export function signedAxis(values: Iterable<number>, height?: number): NumberAxis {
  const [low = 0, high = 0] = extent([0, ...values]);
  return numberAxis(high > low ? [low, high] : [-1, 1], height, signed);
}

export function countAxis(most: number, height: number, text: (value: number) => string = String): NumberAxis {
  return numberAxis([0, Math.max(TICKS, most)], height, text);
}

function numberAxis(
  domain: readonly [number, number],
  height: number | undefined,
  text: (value: number, decimals: number) => string,
): NumberAxis {
  const scale = scaleLinear(domain, height === undefined ? [0, 1] : [height, 0]).nice(TICKS);
  const [low = 0, high = 1] = scale.domain();
  const [first = 0, second = 1, ...more] = scale.ticks(TICKS);
  const decimals = Math.max(0, -Math.floor(Math.log10(second - first) + 1e-9));
  const ticks = [first, second, ...more].map((value) => ({ at: scale(value), text: text(value, decimals) }));
  return { ticks, zero: scale(0), low, high, at: scale };
}

/** An axis of UTC days from the beginning of `first` to the end of `last` (epoch milliseconds UTC), with about so many ticks. */
export function dayAxis(first: number, last: number, ticks = TICKS): PlotAxis {
  const end = last + DAY;
  const at = (time: number) => Math.min(1, (time - first) / (end - first));
  // Ticks of a longer time are the first days of months.
  const text = end - first > 300 * DAY ? (time: number) => new Date(time).toUTCString().slice(8, 16) : dayAndMonth;
  const times = scaleUtc([first, end], [0, 1]).ticks(ticks).map(Number);
  // Less than a few days would give ticks within a day.
  const days = [...new Set(times.map((time) => Math.round(time / DAY) * DAY))].filter((day) => day < end);
  return { ticks: days.map((day) => ({ at: at(day), text: text(day) })), at };
}

/** The ends of the middle `share` of values (quantiles of type 7), so that a few extreme ones do not flatten a picture. */
export function central(sorted: Sorted, share: number): [number, number] {
  const tail = (1 - share) / 2;
  return sorted.length === 0 ? [0, 0] : [quantile(sorted, tail), quantile(sorted, 1 - tail)];
}
