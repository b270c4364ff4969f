/** Figures and times as people read them. A plain ASCII `-` keeps them copyable and aligned. */
import { parseApiTime } from '../api/time.ts';
import type { Unit } from '../outcomes/figure.ts';
import { distanceInWords, durationInWords } from '../runtime/durations.ts';
import { UTC, type Zone } from '../runtime/zone.ts';
import { isPlainObject } from './paths.ts';
import { safeText } from './safe-text.ts';
import type { RenderContext, Styles } from './types.ts';

/** What stands for null. */
export const NONE = '–';

/**
 * A figure with its sign and a fixed number of decimals, so that the figures of a column align at the decimal point:
 * `+1.23`, `-0.50`. What is 0.00 as shown has no sign.
 */
function signed(value: number, decimals: number): string {
  const size = Math.abs(value);
  const text = size >= 1e6 ? size.toExponential(1) : size.toFixed(decimals);
  if (Number(text) === 0) return text;
  return `${value > 0 ? '+' : '-'}${text}`;
}

function bySign(text: string, styles: Styles | undefined): string {
  if (text.startsWith('+')) return styles?.good(text) ?? text;
  return text.startsWith('-') ? (styles?.bad(text) ?? text) : text;
}

const none = (styles: Styles | undefined) => styles?.dim(NONE) ?? NONE;

/** Percent with its sign: 1.234 is `+1.23%`. */
export function percent(value: number | null, styles?: Styles, decimals = 2): string {
  return value === null ? none(styles) : bySign(`${signed(value, decimals)}%`, styles);
}

/** Percentage points, the difference of two percents: 0.8 is `+0.80 pp`. */
export function percentagePoints(value: number | null, styles?: Styles): string {
  return value === null ? none(styles) : bySign(`${signed(value, 2)} pp`, styles);
}

const NUMBERS: Readonly<Record<Unit, (value: number) => string>> = {
  percent,
  'percentage points': percentagePoints,
  fraction: (value) => `${(value * 100).toFixed(1)}%`,
};

/** A figure as people read it; an interval as `low to high`, with `?` for an end that is open. */
export function figureText(value: unknown, unit: Unit | undefined): string {
  if (value === null) return NONE;
  if (typeof value === 'number') return unit === undefined ? String(value) : NUMBERS[unit](value);
  if (!isPlainObject(value)) return safeText(value);
  const end = (one: unknown) => (one === null ? '?' : figureText(one, unit));
  return `${end(value.low)} to ${end(value.high)}`;
}

/** A funding rate, a fraction in the API, as percent with four decimals: 0.0001 is `0.0100%`. */
export function funding(fraction: number | null): string {
  if (fraction === null) return NONE;
  const value = fraction * 100;
  if (Math.abs(value) >= 1e6) return `${value.toExponential(1)}%`;
  const text = value.toFixed(4);
  // Too small for four decimals is still not nothing.
  if (value !== 0 && Number(text) === 0) return value > 0 ? '<0.0001%' : '>-0.0001%';
  return `${Number(text) === 0 ? text.replace('-', '') : text}%`;
}

/** Made when the first amount is shown: loading the language's data takes a tenth of a command's time. */
let compact: Intl.NumberFormat | undefined;

/** USD in short, with one decimal: 52_100_000 is `52.1M`; without a sign where it is 0.0 as shown. */
export function usd(value: number | null): string {
  if (value === null) return NONE;
  compact ??= new Intl.NumberFormat('en', {
    notation: 'compact',
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
    signDisplay: 'negative',
    useGrouping: false,
  });
  return compact.format(value);
}

/** An API time as `2026-11-20 18:05`, in UTC where no zone is given; what is no time is shown as it is, made safe. */
export function minuteTime(iso: string | null, zone: Zone = UTC): string {
  return clockTime(iso, zone, 16);
}

/** The same with seconds. */
export function secondTime(iso: string | null, zone: Zone = UTC): string {
  return clockTime(iso, zone, 19);
}

function clockTime(iso: string | null, zone: Zone, length: number): string {
  if (iso === null) return NONE;
  const at = parseApiTime(iso);
  return at === undefined ? safeText(iso) : zone.clock(at).slice(0, length);
}

/** `24 Nov`. @param at epoch milliseconds UTC */
export function dayAndMonth(at: number): string {
  const [, day = '', month = ''] = new Date(at).toUTCString().split(' ');
  return `${Number(day)} ${month}`;
}

/** How far a time lies from now: `3 hours ago`, `in 5 days`. Empty for what is no time. */
export function age(iso: string | null, now: number): string {
  const at = iso === null ? undefined : parseApiTime(iso);
  return at === undefined ? '' : distanceInWords(at, now);
}

/** How far a time lies back, for a narrow column: one unit, rounded down: `45s`, `12m`, `3h`, `2d`. */
export function shortAge(iso: string, now: number): string {
  const at = parseApiTime(iso);
  return at === undefined ? '' : countdown(Math.floor(Math.abs(now - at) / 1000) * 1000).replace(/ .*/, '');
}

/** How long pacing makes a command wait in all, in seconds: `up to 3 minutes of waiting`. */
export function waitingText({ least, most }: { readonly least: number; readonly most: number }): string {
  if (most === 0) return 'no waiting';
  const range = least === 0 ? 'up to ' : least === most ? '' : `${durationInWords(least * 1000)} to `;
  return `${range}${durationInWords(most * 1000)} of waiting`;
}

/** Time left, as it changes every second: two units, rounded up: `45s`, `1m 30s`, `2h 5m`. */
export function countdown(millis: number): string {
  const seconds = Math.max(0, Math.ceil(millis / 1000));
  const parts: [number, string][] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ];
  const first = parts.findIndex(([amount]) => amount > 0);
  if (first < 0) return '0s';
  const shown = parts.slice(first, first + 2).filter(([amount]) => amount > 0);
  return shown.map(([amount, unit]) => `${amount}${unit}`).join(' ');
}

/** A time with its zone: `2026-11-20 18:05 UTC`. */
export function zonedTime(iso: string | null, zone: Zone): string {
  return iso === null ? NONE : `${minuteTime(iso, zone)} ${zone.name}`;
}

/** A time with its age: `2026-11-20 18:05 UTC (3 hours ago)`. */
export function timeWithAge(iso: string | null, { now, zone }: Pick<RenderContext, 'now' | 'zone'>): string {
  const distance = age(iso, now);
  return distance === '' ? minuteTime(iso) : `${zonedTime(iso, zone)} (${distance})`;
}
