import { format } from 'd3-format';
import { type ScaleLinear, scaleLinear, scaleUtc } from 'd3-scale';
import { quantile, sortedOf } from '../outcomes/quantile.ts';
import { DAY } from '../runtime/units.ts';
import type { Axis } from './plot.ts';

/** From a value to a fraction of an axis' length. */
export type Scale = ScaleLinear<number, number>;

/** Moves and differences, in percent or percentage points: `+1.25`, `−0.30`, `0.00`. */
export const signed = (value: number, digits = 2): string => {
  const text = format(`+.${digits}f`)(value);
  return /[1-9]/.test(text) ? text : text.slice(1);
};

/** A share (0 to 1) as whole percent. */
export const percent = (share: number): string => `${format('.0f')(share * 100)} %`;

/** A count with thin thousands. */
export const count = (value: number): string => format(',')(value).replaceAll(',', '\u202f');

/**
 * An axis of signed figures that contains zero and `values`, with round ends.
 * @param values the least and the greatest, or all
 */
export function signedScale(values: readonly number[], ticks = 5): Scale {
  const low = Math.min(0, ...extent(values));
  const high = Math.max(0, ...extent(values));
  const wide = high > low ? [low, high] : [-1, 1];
  return scaleLinear().domain(wide).nice(ticks).range([0, 1]);
}

/** An axis of counts from zero. */
export function countScale(most: number): Scale {
  return scaleLinear()
    .domain([0, Math.max(1, most)])
    .nice(4)
    .range([0, 1]);
}

export function signedAxis(scale: Scale, title: string, ticks = 5): Axis {
  const values = scale.ticks(ticks);
  const step = Math.abs((values[1] ?? 1) - (values[0] ?? 0));
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return {
    title,
    ticks: values.map((value) => ({ at: scale(value), text: signed(value, digits) })),
    zero: scale(0),
  };
}

export function countAxis(scale: Scale, title: string): Axis {
  const whole = scale.ticks(4).filter(Number.isInteger);
  return { title, ticks: whole.map((value) => ({ at: scale(value), text: count(value) })), zero: 0 };
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `8 Nov`, with the year where `since` is asked for another one. @param at epoch milliseconds UTC */
export function dayText(at: number, withYear = false): string {
  const date = new Date(at);
  const day = `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`;
  return withYear ? `${day} ${date.getUTCFullYear()}` : day;
}

/** An axis of UTC days from the beginning of `first` to the end of `last` (epoch milliseconds UTC). */
export function dayAxis(first: number, last: number): { readonly scale: (at: number) => number; readonly axis: Axis } {
  const end = last + DAY;
  const scale = (at: number) => (at - first) / (end - first);
  const withYear = end - first > 300 * DAY;
  const days = scaleUtc().domain([first, end]).ticks(4).map(Number);
  // Less than a few days would give ticks within a day.
  const ticks = [...new Set(days.map((at) => Math.round(at / DAY) * DAY))].filter((at) => at >= first && at < end);
  return {
    scale,
    axis: { title: 'UTC day', ticks: ticks.map((at) => ({ at: scale(at), text: dayText(at, withYear) })) },
  };
}

/** The values between two quantiles (type 7), so that a few extreme ones do not flatten the picture. */
export function central(values: readonly number[], share: number): readonly [number, number] {
  const sorted = sortedOf(values);
  const tail = (1 - share) / 2;
  return sorted.length === 0 ? [0, 0] : [quantile(sorted, tail), quantile(sorted, 1 - tail)];
}

function extent(values: readonly number[]): [number, number] {
  return values.reduce<[number, number]>(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
}
