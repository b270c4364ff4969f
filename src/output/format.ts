/** Figures and times as people read them. A plain ASCII `-` keeps them copyable and aligned. */
import { parseApiTime } from '../api/time.ts';
import { safeText } from './safe-text.ts';
import type { Styles } from './types.ts';

/** What stands for null. */
export const NONE = '–';

/** A signed figure with two decimals at most, fewer where it is large: `+1.23`, `-0.50`, `+340.5`, `0.00`. */
function signed(value: number): string {
  const size = Math.abs(value);
  const text = size >= 1e6 ? size.toExponential(1) : size.toFixed(size < 100 ? 2 : size < 1000 ? 1 : 0);
  if (value === 0) return text;
  return `${value > 0 ? '+' : '-'}${text}`;
}

function bySign(text: string, value: number, styles: Styles | undefined): string {
  if (styles === undefined || value === 0) return text;
  return value > 0 ? styles.good(text) : styles.bad(text);
}

/** Percent with its sign: 1.234 is `+1.23%`. */
export function percent(value: number | null, styles?: Styles): string {
  if (value === null) return styles === undefined ? NONE : styles.dim(NONE);
  return bySign(`${signed(value)}%`, value, styles);
}

/** Percentage points, the difference of two percents: 0.8 is `+0.80 pp`. */
export function percentagePoints(value: number | null, styles?: Styles): string {
  if (value === null) return styles === undefined ? NONE : styles.dim(NONE);
  return bySign(`${signed(value)} pp`, value, styles);
}

/** A funding rate, a fraction in the API, as percent: 0.0001 is `0.01%`. */
export function funding(fraction: number | null): string {
  if (fraction === null) return NONE;
  const value = fraction * 100;
  if (value === 0) return '0%';
  const rounded = Number(value.toFixed(4));
  // Too small for four decimals is still not nothing.
  const shown = rounded === 0 || Math.abs(value) >= 1e6 ? Number(value.toPrecision(2)) : rounded;
  return `${shown}%`;
}

const COMPACT_UNITS = ['', 'K', 'M', 'B', 'T'] as const;

/** USD in short: 52_100_000 is `52.1M`. */
export function usd(value: number | null): string {
  if (value === null) return NONE;
  let size = Math.abs(value);
  let unit = 0;
  // 999.95 would round up to 1000.0 of its unit: it is 1.0 of the next.
  while (size >= 999.95 && unit < COMPACT_UNITS.length - 1) {
    size /= 1000;
    unit += 1;
  }
  const digits = size >= 1e6 ? size.toExponential(1) : size.toFixed(1).replace(/\.0$/, '');
  return `${value < 0 && Number(digits) !== 0 ? '-' : ''}${digits}${COMPACT_UNITS[unit]}`;
}

/** An API time as `2026-11-20 18:05` UTC; what is no time is shown as it is, made safe. */
export function minuteTime(iso: string | null): string {
  return utc(iso, 16);
}

/** The same with seconds. */
export function isoTime(iso: string | null): string {
  return utc(iso, 19);
}

function utc(iso: string | null, length: number): string {
  if (iso === null) return NONE;
  const at = parseApiTime(iso);
  return at === undefined ? safeText(iso) : new Date(at).toISOString().replace('T', ' ').slice(0, length);
}

/** How far a time lies from now: `3h ago`, `in 5d`. Empty for what is no time. */
export function age(iso: string | null, now: number): string {
  const at = iso === null ? undefined : parseApiTime(iso);
  if (at === undefined) return '';
  if (Math.abs(now - at) < 1000) return 'now';
  return at <= now ? `${span(now - at)} ago` : `in ${span(at - now)}`;
}

/** One unit, rounded down: `45s`, `12m`, `3h`, `2d`. */
export function span(millis: number): string {
  const seconds = Math.floor(Math.abs(millis) / 1000);
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}

/** Two units, rounded up to the second, because a wait must not be announced too short: `45s`, `1m 30s`, `2h 5m`. */
export function duration(millis: number): string {
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

/** A time with its age: `2026-11-20 18:05 UTC (3h ago)`. */
export function timeWithAge(iso: string | null, now: number): string {
  if (iso === null) return NONE;
  const distance = age(iso, now);
  return distance === '' ? minuteTime(iso) : `${minuteTime(iso)} UTC (${distance})`;
}

/** Epoch milliseconds as `2026-11-20 18:05:09 UTC`. */
export function timeOf(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? 'the end of time' : `${date.toISOString().replace('T', ' ').slice(0, 19)} UTC`;
}
