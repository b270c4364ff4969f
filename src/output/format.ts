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

/** A figure with its sign and a fixed number of decimals: `+1.23`, `-0.50`. One that is rounded to 0.00 has no sign. */
export function signed(value: number, decimals = 2, minus = '-'): string {
  const size = Math.abs(value).toFixed(decimals);
  if (Number(size) === 0) return size;
  return value > 0 ? `+${size}` : `${minus}${size}`;
}

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
export const percent = (value: number | null, styles?: Styles, decimals = 2) =>
  signedText(value, decimals, '%', styles);

/** Percentage points, the difference of two percents: 0.8 is `+0.80 pp`. */
export const percentagePoints = (value: number | null, styles?: Styles) =>
  signedText(value, 2, ' pp', styles);

/** Percentage points without their unit: 0.8 is `+0.80`. */
export const points = (value: number | null | undefined, styles?: Styles) =>
  signedText(value, 2, '', styles);

/** `+0.20 to +1.90`, percentage points. */
export const rangeText = (range: Interval | null) =>
  range ? `${points(range.low)} to ${points(range.high)}` : NONE;

/** `+1.00 (+0.20 to +1.90)`, percentage points. */
export const estimateText = (value?: number | null, interval?: Interval | null) =>
  value == null || interval == null ? NONE : `${points(value)} (${rangeText(interval)})`;

/** How a number of each unit is written, and what follows it. */
const NUMBERS: Readonly<
  Record<FigureUnit, { readonly numberOf: (value: number) => string; readonly sign: string }>
> = {
  percent: { numberOf: (value) => signed(value), sign: '%' },
  'percentage points': { numberOf: (value) => signed(value), sign: ' pp' },
  fraction: { numberOf: (value) => (value * 100).toFixed(1), sign: '%' },
};

/** A figure as people read it; an interval as `low to high`. @param isBare whether `%` or ` pp` is left out */
export function figureText(value: unknown, unit: FigureUnit | undefined, isBare = false): string {
  if (value === null) return NONE;
  if (typeof value === 'number') {
    if (unit === undefined) return String(value);
    const { numberOf, sign } = NUMBERS[unit];
    return isBare ? numberOf(value) : `${numberOf(value)}${sign}`;
  }
  if (!isPlainObject(value)) return safeText(value);
  return `${figureText(value.low, unit, isBare)} to ${figureText(value.high, unit, isBare)}`;
}

/** The digits that are shown. Further ones may come from rounding in a computation of the service. */
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

/** Where the parts of `2026-11-20 18:05:00` that are shown begin and end. */
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

/** As `minuteTime`, in a time zone, and with other parts. */
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

/** `25 Aug to 23 Nov`; days that are a year apart or more have their years. Times are epoch milliseconds UTC. */
export function daysText({ since, until }: { since: number; until: number }): string {
  const dayText = until - since < 365 * DAY ? dayAndMonth : utcDay;
  const first = dayText(since);
  const last = dayText(until);
  return first === last ? first : `${first} to ${last}`;
}

/** The time over which cards a day are counted. Times are epoch milliseconds UTC. */
interface RateDays {
  /** The first card, or the last change of settings. */
  readonly begins: number;
  /** The end of the history. */
  readonly until: number;
  /** Whether exports have stopped since: then the days end before today. */
  readonly isOld: boolean;
}

/** `in the last 28 days`, `since 19 Sep`, `from 10 Sep to 8 Oct`. */
export function rateDaysText({ begins, until, isOld }: RateDays): string {
  const isShort = until - begins < RATE_DAYS * DAY;
  if (isOld) {
    const firstDay = isShort ? begins : until - RATE_DAYS * DAY;
    return `from ${dayAndMonth(firstDay)} to ${dayAndMonth(until)}`;
  }
  return isShort ? `since ${dayAndMonth(begins)}` : `in the last ${RATE_DAYS} days`;
}

/** An API time as it is typed on a command line, rounded up to the minute: `2026-10-09T04:45Z`. */
export function minuteFrom(iso: string): string {
  const minute = Math.ceil(Date.parse(iso) / MINUTE) * MINUTE;
  return `${new Date(minute).toISOString().slice(0, 16)}Z`;
}

/** How far a time lies from now: `3 hours ago`, `in 5 days`. Empty for what is no time. */
export function age(iso: string | null, now: number): string {
  const at = iso === null ? undefined : parseApiTime(iso);
  return at === undefined ? '' : distanceInWords(at, now);
}

const UNITS = Object.entries({ d: DAY, h: HOUR, m: MINUTE, s: SECOND });

/** If the service's clock is ahead of this machine's by no more, that is not mentioned. Milliseconds. */
const USUAL_SKEW = 5 * MINUTE;

/**
 * How far a time lies back, for a narrow column: one unit, rounded down: `45s`, `12m`, `3h`, `2d`. Empty for what is no time,
 * and for a time after now: the clock is behind, and the age is not known.
 */
export function shortAge(iso: string, now: number): string {
  const time = parseApiTime(iso);
  if (time === undefined || time > now + USUAL_SKEW) return '';
  const millis = Math.max(0, now - time);
  const [unit, size] = UNITS.find(([, unitMillis]) => millis >= unitMillis) ?? ['s', SECOND];
  return `${Math.floor(millis / size)}${unit}`;
}

/** How long pacing makes a command wait in all: `up to 3 minutes of waiting`. @param least, most seconds */
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

export function zonedTime(iso: string | null, zone: Zone): string {
  return iso === null ? NONE : `${timePartText(iso, zone, 'up to the minute')} ${zone.name}`;
}

/** A time with its age: `2026-11-20 18:05 UTC (3 hours ago)`. */
export function timeWithAge(
  iso: string | null,
  { now, zone }: Pick<RenderContext, 'now' | 'zone'>,
): string {
  const distance = age(iso, now);
  return distance === '' ? minuteTime(iso) : `${zonedTime(iso, zone)} (${distance})`;
}

/**
 * A time by its day, as other pages name days: `1 Dec, 00:00 UTC (in 11 days)`; `1 Jan 2027, 00:00 UTC (in 42 days)` if it
 * is in another year than now.
 */
export function dayAndTime(
  iso: string | null,
  { now, zone }: Pick<RenderContext, 'now' | 'zone'>,
): string {
  const at = iso === null ? undefined : parseApiTime(iso);
  if (at === undefined) return minuteTime(iso);
  const [begin, end] = PARTS_OF_TIME.year;
  const year = zone.clock(at).slice(begin, end);
  const presentYear = zone.clock(now).slice(begin, end);
  const yearText = year === presentYear ? '' : ` ${year}`;
  const day = `${dayAndMonth(dateOf(at, zone))}${yearText}`;
  const clock = timePartText(iso, zone, 'clock');
  return `${day}, ${clock} ${zone.name} (${age(iso, now)})`;
}

/** With a capital and a full stop: `A verdict is likely by 23 Dec.` */
export function asSentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
