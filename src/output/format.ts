/** Figures and times as people read them. A plain ASCII `-` keeps them copyable and aligned. */
import { parseApiTime } from '../api/time.ts';
import {
  DAY,
  dayAndMonth,
  distanceInWords,
  durationInWords,
  HOUR,
  MINUTE,
  SECOND,
  utcDay,
} from '../base/units.ts';
import type { FigureUnit } from '../outcomes/figure.ts';
import { RATE_DAYS } from '../outcomes/rate.ts';
import { dateOf, UTC, type Zone } from '../runtime/zone.ts';
import type { Interval } from '../statistics/quantile.ts';
import { isPlainObject } from './fields.ts';
import { safeText } from './safe-text.ts';
import type { RenderContext, Styles } from './types.ts';

export { dayAndMonth };

export const NONE = '–';

/** A figure with its sign and a fixed number of decimals: `+1.23`, `-0.50`; -0.001 is `0.00`, without a sign. */
export function signed(value: number, decimals = 2, minus = '-'): string {
  const size = Math.abs(value).toFixed(decimals);
  if (Number(size) === 0) return size;
  return value > 0 ? `+${size}` : `${minus}${size}`;
}

/** The figure with its unit; `–` for none. @param styles colours it by its sign; without styles it has no colour */
function signedText(
  value: number | null | undefined,
  decimals: number,
  unit: string,
  styles: Styles | undefined,
): string {
  if (value == null) return styles?.dim(NONE) ?? NONE;
  const text = `${signed(value, decimals)}${unit}`;
  const rounded = Number(value.toFixed(decimals));
  if (styles === undefined || rounded === 0) return text;
  return rounded > 0 ? styles.good(text) : styles.bad(text);
}

/** Percent with its sign: 1.234 is `+1.23%`. */
export function percent(value: number | null, styles?: Styles, decimals = 2): string {
  return signedText(value, decimals, '%', styles);
}

/**
 * A share as people read it: 0.456 is `46 %`. Below 10 % it has a decimal; one that would be rounded to 0 or to 100 is `under 0.1 %`
 * or `over 99 %`.
 * @param share above 0 and below 1, a fraction
 */
export function shareText(share: number): string {
  const inPercent = 100 * share;
  if (inPercent < 0.1) return 'under 0.1 %';
  if (inPercent > 99) return 'over 99 %';
  return `${inPercent.toFixed(inPercent < 9.95 ? 1 : 0)} %`;
}

/** Percentage points, the difference of two percents: 0.8 is `+0.80 pp`. */
export function percentagePoints(value: number | null, styles?: Styles): string {
  return signedText(value, 2, ' pp', styles);
}

/** Percentage points without their unit: 0.8 is `+0.80`. */
export function points(value: number | null | undefined, styles?: Styles): string {
  return signedText(value, 2, '', styles);
}

/** `+0.20 to +1.90`, percentage points; `–` for none. */
export function rangeText(range: Interval | null): string {
  if (range === null) return NONE;
  return `${points(range.low)} to ${points(range.high)}`;
}

/** `+1.00 (+0.20 to +1.90)`, percentage points; `–` without a value or without an interval. */
export function estimateText(value?: number | null, interval?: Interval | null): string {
  if (value == null || interval == null) return NONE;
  return `${points(value)} (${rangeText(interval)})`;
}

/** How a number of a unit is written. */
interface UnitWriting {
  readonly digitsOf: (value: number) => string;
  /** What follows the digits: `%`. */
  readonly suffix: string;
}

const UNIT_WRITINGS: Readonly<Record<FigureUnit, UnitWriting>> = {
  percent: { digitsOf: (value) => signed(value), suffix: '%' },
  'percentage points': { digitsOf: (value) => signed(value), suffix: ' pp' },
  fraction: { digitsOf: (value) => (value * 100).toFixed(1), suffix: '%' },
};

/** A figure as people read it: `+1.23%`; an interval: `-0.50% to +1.23%`. @param isBare leaves out the unit: `+1.23` */
export function figureText(value: unknown, unit: FigureUnit | undefined, isBare = false): string {
  if (value === null) return NONE;
  if (typeof value === 'number') {
    if (unit === undefined) return String(value);
    const { digitsOf, suffix } = UNIT_WRITINGS[unit];
    return isBare ? digitsOf(value) : `${digitsOf(value)}${suffix}`;
  }
  if (!isPlainObject(value)) return safeText(value);
  return `${figureText(value.low, unit, isBare)} to ${figureText(value.high, unit, isBare)}`;
}

/** How many digits of a number are shown. Further digits may come from rounding in a computation of the service. */
const DIGITS = 12;

/** A number of the service for people: 0.30000000000000004 is `0.3`. */
export function numberText(value: number | bigint): string {
  return typeof value === 'bigint' ? String(value) : String(Number(value.toPrecision(DIGITS)));
}

/** USD in short, with one decimal: 52_100_000 is `52.1M`. */
export function usd(value: number): string {
  const digits = {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
    signDisplay: 'negative',
  } as const;
  return value.toLocaleString('en', { notation: 'compact', ...digits });
}

/** Parts of `2026-11-20 18:05:00`: where each begins and ends. */
const PARTS_OF_TIME = {
  year: [0, 4],
  'up to the day': [0, 10],
  'up to the minute': [0, 16],
  'up to the second': [0, 19],
  'without the year': [5, 16],
  clock: [11, 16],
} as const;

/** An API time as `2026-11-20 18:05`, in UTC. A text that is no time is shown as it is, made safe. */
export function minuteTime(iso: string | null): string {
  return timePartText(iso, UTC, 'up to the minute');
}

/** A part of an API time, in a time zone: `18:05`. A text that is no time is shown as it is, made safe. */
export function timePartText(
  iso: string | null,
  zone: Zone,
  part: keyof typeof PARTS_OF_TIME,
): string {
  if (iso === null) return NONE;
  const at = parseApiTime(iso);
  if (at === undefined) return safeText(iso);
  const [begin, end] = PARTS_OF_TIME[part];
  return zone.clock(at).slice(begin, end);
}

/** `25 Aug to 23 Nov`; `2025-08-25 to 2026-11-23` if they are a year apart or more. Times are epoch milliseconds UTC. */
export function daysText({ since, until }: { since: number; until: number }): string {
  const dayText = until - since < 365 * DAY ? dayAndMonth : utcDay;
  const first = dayText(since);
  const last = dayText(until);
  return first === last ? first : `${first} to ${last}`;
}

/** The period from which a rate of cards (cards per day) is computed. Times are epoch milliseconds UTC. */
interface RateDays {
  /** When the first card came, or the settings changed last. */
  readonly begins: number;
  /** When the history ends. */
  readonly until: number;
  /** Whether exports have stopped: then the history ends before today. */
  readonly isOld: boolean;
}

/** `in the last 28 days`, `since 19 Sep`, `from 10 Sep to 8 Oct`. */
export function rateDaysText({ begins, until, isOld }: RateDays): string {
  if (isOld) {
    const firstDay = Math.max(begins, until - RATE_DAYS * DAY);
    return `from ${dayAndMonth(firstDay)} to ${dayAndMonth(until)}`;
  }
  const isShort = until - begins < RATE_DAYS * DAY;
  return isShort ? `since ${dayAndMonth(begins)}` : `in the last ${RATE_DAYS} days`;
}

/** An API time as it is typed on a command line, rounded up to the minute: `2026-10-09T04:45Z`. */
export function minuteFrom(iso: string): string {
  const minute = Math.ceil(Date.parse(iso) / MINUTE) * MINUTE;
  return `${new Date(minute).toISOString().slice(0, 16)}Z`;
}

/** How far a time lies from now: `3 hours ago`, `in 5 days`. Empty for a text that is no time. */
export function age(iso: string | null, now: number): string {
  if (iso === null) return '';
  const at = parseApiTime(iso);
  return at === undefined ? '' : distanceInWords(at, now);
}

/** The units of `shortAge` in milliseconds, the largest first. */
const UNITS = Object.entries({ d: DAY, h: HOUR, m: MINUTE, s: SECOND });

/** If the service's clock is ahead of this machine's by more than this, ages are left out. Milliseconds. */
const USUAL_SKEW = 5 * MINUTE;

/**
 * How far a time lies back, for a narrow column, rounded down: `45s`, `12m`, `3h`, `2d`. Empty for a text that is no time, and
 * for a time more than 5 minutes after now: then this machine's clock is behind, and the age is not known. (A time less far
 * ahead is `0s`.)
 */
export function shortAge(iso: string, now: number): string {
  const time = parseApiTime(iso);
  if (time === undefined || time > now + USUAL_SKEW) return '';
  const millis = Math.max(0, now - time);
  const [unit, unitMillis] = UNITS.find(([, size]) => millis >= size) ?? ['s', SECOND];
  return `${Math.floor(millis / unitMillis)}${unit}`;
}

/** How long pacing makes a command wait in all: `up to 3 minutes of waiting`. `least` and `most` are in seconds. */
export function waitingText({
  least,
  most,
}: {
  readonly least: number;
  readonly most: number;
}): string {
  if (most === 0) return 'no waiting';
  const mostText = durationInWords(most * SECOND);
  if (least === most) return `${mostText} of waiting`;
  if (least === 0) return `up to ${mostText} of waiting`;
  return `${durationInWords(least * SECOND)} to ${mostText} of waiting`;
}

/** `2026-11-20 18:05 UTC`; `–` for none. */
export function zonedTime(iso: string | null, zone: Zone): string {
  return iso === null ? NONE : `${timePartText(iso, zone, 'up to the minute')} ${zone.name}`;
}

/** A time with its age: `2026-11-20 18:05 UTC (3 hours ago)`. */
export function timeWithAge(
  iso: string | null,
  { now, zone }: Pick<RenderContext, 'now' | 'zone'>,
): string {
  const distance = age(iso, now);
  // A text that is no time has no age.
  return distance === '' ? minuteTime(iso) : `${zonedTime(iso, zone)} (${distance})`;
}

/** `1 Dec, 00:00 UTC (in 11 days)`; in another year than now `1 Jan 2027, 00:00 UTC (in 42 days)`. */
export function dayAndTime(
  iso: string | null,
  { now, zone }: Pick<RenderContext, 'now' | 'zone'>,
): string {
  if (iso === null) return NONE;
  const at = parseApiTime(iso);
  if (at === undefined) return safeText(iso);
  const [begin, end] = PARTS_OF_TIME.year;
  const year = zone.clock(at).slice(begin, end);
  const presentYear = zone.clock(now).slice(begin, end);
  const yearText = year === presentYear ? '' : ` ${year}`;
  const day = `${dayAndMonth(dateOf(at, zone))}${yearText}`;
  const clock = timePartText(iso, zone, 'clock');
  return `${day}, ${clock} ${zone.name} (${age(iso, now)})`;
}

/** The words as a sentence, with a capital and a full stop: `A verdict is likely by 23 Dec.` */
export function asSentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
