/** Durations and UTC days, and the words for them. */

/** Milliseconds, like the other lengths. */
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Whole UTC days since 1970. @param at epoch milliseconds UTC, like every `at` and `now` in this file */
export function dayNumber(at: number): number {
  return Math.floor(at / DAY);
}

/** When the next UTC day begins, epoch milliseconds UTC. */
export function nextDay(at: number): number {
  return (dayNumber(at) + 1) * DAY;
}

/** `2026-11-20`, UTC. */
export function utcDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** `24 Nov`, UTC. */
export function dayAndMonth(at: number): string {
  // `Fri, 20 Nov 2026 18:05:00 GMT`
  const [, day = '', month = ''] = new Date(at).toUTCString().split(' ');
  return `${Number(day)} ${month}`;
}

/** `Nov`, UTC. */
export function monthName(at: number): string {
  const [, month = ''] = dayAndMonth(at).split(' ');
  return month;
}

/** The first moment of a month, UTC. */
export function beginOfMonth(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

/** The last second of a month, UTC. */
export function endOfMonth(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) - SECOND;
}

/** `1 credit`, `3 credits`. */
export function pluralize(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The units in which a duration may be typed, with their milliseconds. */
const LENGTHS: Readonly<Record<string, number>> = {
  ms: 1,
  s: SECOND,
  m: MINUTE,
  h: HOUR,
  d: DAY,
  w: 7 * DAY,
};

export const DURATION_UNITS = Object.keys(LENGTHS);

// The longest unit comes first, because `m` would match the beginning of `ms`.
const ANY_UNIT = DURATION_UNITS.toSorted((a, b) => b.length - a.length).join('|');

/** A text that `readDuration` reads: one or more numbers, each with its unit. */
export const DURATION_PATTERN = String.raw`(\d+(\.\d+)?(${ANY_UNIT}))+`;

/** Reads `90m`, `1h30m`, `2w`, `500ms`. @returns milliseconds; undefined if the text is no duration */
export function readDuration(text: string): number | undefined {
  if (!new RegExp(`^${DURATION_PATTERN}$`).test(text)) return undefined;
  let millis = 0;
  const part = new RegExp(String.raw`([\d.]+)(${ANY_UNIT})`, 'g');
  for (const [, count, unit = ''] of text.matchAll(part))
    millis += Number(count) * (LENGTHS[unit] ?? Number.NaN);
  return Math.round(millis);
}

/** Reads `90m`, and also `90`: a number without a unit counts as seconds. @returns milliseconds; undefined if it is neither */
export function readDurationOrSeconds(text: string): number | undefined {
  const isNumber = /^\d+(\.\d+)?$/.test(text);
  const millis = isNumber ? Math.round(Number(text) * SECOND) : readDuration(text);
  return Number.isSafeInteger(millis) ? millis : undefined;
}

/** The JSON Schema of a text that `readDurationOrSeconds` reads. */
export const DURATION = {
  type: 'string',
  pattern: String.raw`^(\d+(\.\d+)?|${DURATION_PATTERN})$`,
  examples: ['90s', '1h30m', '2d'],
} as const;

interface Unit {
  /** Milliseconds. */
  readonly length: number;
  readonly noun: string;
  /** A count of this many units or more is printed without the next smaller unit: `3 days`, not `3 days 4 hours`. */
  readonly leastAlone: number;
}

/** No smaller unit follows seconds, however few they are. */
const SMALLEST: Unit = { length: SECOND, noun: 'second', leastAlone: 0 };

/** The largest first. */
const UNITS: readonly Unit[] = [
  { length: DAY, noun: 'day', leastAlone: 2 },
  { length: HOUR, noun: 'hour', leastAlone: 10 },
  { length: MINUTE, noun: 'minute', leastAlone: 10 },
  SMALLEST,
];

/** `9 days`, `1 hour 30 minutes`: rounded up, so that no wait is announced too short. */
export function durationInWords(millis: number): string {
  const upToSecond = Math.max(0, Math.ceil(millis / SECOND)) * SECOND;
  const index = UNITS.findIndex(({ length }) => upToSecond >= length);
  // 0 is shorter than every unit. It is printed as `0 seconds`.
  const unit = UNITS[index] ?? SMALLEST;
  if (upToSecond / unit.length >= unit.leastAlone) {
    const count = Math.ceil(upToSecond / unit.length);
    const upToUnit = count * unit.length;
    const larger = UNITS[index - 1];
    // 59 minutes and a second are rounded up to 60 minutes: that is an hour.
    const fillsLargerUnit = larger !== undefined && upToUnit >= larger.length;
    if (fillsLargerUnit) return durationInWords(upToUnit);
    return pluralize(count, unit.noun);
  }
  const smallerUnit = UNITS[index + 1] ?? SMALLEST;
  // All is counted in the smaller unit first: 1 hour 59.5 minutes are 120 minutes, and so 2 hours, not 1 hour 60 minutes.
  const countOfSmaller = Math.ceil(upToSecond / smallerUnit.length);
  const smallerPerUnit = unit.length / smallerUnit.length;
  const units = pluralize(Math.floor(countOfSmaller / smallerPerUnit), unit.noun);
  const smallerLeft = countOfSmaller % smallerPerUnit;
  if (smallerLeft === 0) return units;
  return `${units} ${pluralize(smallerLeft, smallerUnit.noun)}`;
}

/** How old something is: `15 days`, `40 hours`, `40 minutes`. Rounded down: nothing is called older than it is. */
export function ageInWords(millis: number): string {
  if (millis >= 2 * DAY) return pluralize(Math.floor(millis / DAY), 'day');
  if (millis >= HOUR) return pluralize(Math.floor(millis / HOUR), 'hour');
  return pluralize(Math.floor(millis / MINUTE), 'minute');
}

/** `3 hours ago`, rounded down like every age; `in 9 days`, rounded up like every wait; `now`, within a second. */
export function distanceInWords(at: number, now: number): string {
  const distance = Math.abs(now - at);
  const unit = UNITS.find(({ length }) => distance >= length);
  if (unit === undefined) return 'now';
  if (at > now) return `in ${durationInWords(distance)}`;
  return `${pluralize(Math.floor(distance / unit.length), unit.noun)} ago`;
}
