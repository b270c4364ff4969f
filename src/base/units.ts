/** Durations in milliseconds. */
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Days since 1970, UTC. */
export function dayNumber(at: number): number {
  return Math.floor(at / DAY);
}

/** When the next UTC day begins. */
export function nextDay(at: number): number {
  return (dayNumber(at) + 1) * DAY;
}

/** `2026-11-20`, UTC. */
export function utcDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** `24 Nov`, UTC. */
export function dayAndMonth(at: number): string {
  const [, day = '', month = ''] = new Date(at).toUTCString().split(' ');
  return `${Number(day)} ${month}`;
}

export function pluralize(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

const LENGTHS: Readonly<Record<string, number>> = {
  ms: 1,
  s: SECOND,
  m: MINUTE,
  h: HOUR,
  d: DAY,
  w: 7 * DAY,
};

export const WITH_UNIT = String.raw`(\d+(\.\d+)?(ms|s|m|h|d|w))+`;
const PART = /(\d+(?:\.\d+)?)(ms|s|m|h|d|w)/g;

/** Reads `90m`, `1h30m`, `2w`, `500ms`. @returns milliseconds; undefined if the text is no duration */
export function readDuration(text: string): number | undefined {
  if (!new RegExp(`^${WITH_UNIT}$`).test(text)) return undefined;
  const parts = [...text.matchAll(PART)].map(
    ([, count, unit = '']) => Number(count) * (LENGTHS[unit] ?? Number.NaN),
  );
  return Math.round(parts.reduce((total, part) => total + part, 0));
}

/** As `readDuration`, but a bare number is seconds. */
export function readSeconds(text: string): number | undefined {
  const millis = /^\d+(\.\d+)?$/.test(text)
    ? Math.round(Number(text) * SECOND)
    : readDuration(text);
  return Number.isSafeInteger(millis) ? millis : undefined;
}

export const DURATION = {
  type: 'string',
  pattern: String.raw`^(\d+(\.\d+)?|${WITH_UNIT})$`,
  examples: ['90s', '1h30m', '2d'],
} as const;

/** From `enough` of a unit on, nobody acts on the next smaller one. */
const UNITS: readonly (readonly [length: number, noun: string, enough: number])[] = [
  [DAY, 'day', 2],
  [HOUR, 'hour', 10],
  [MINUTE, 'minute', 10],
  [SECOND, 'second', 0],
];

/** `9 days`, `1 hour 30 minutes`: rounded up, so that no wait is announced too short. */
export function durationInWords(millis: number): string {
  const seconds = Math.max(0, Math.ceil(millis / SECOND)) * SECOND;
  const at = UNITS.findIndex(([length]) => seconds >= length);
  const [length, noun, enough] = UNITS[at] ?? [SECOND, 'second', 0];
  const next = UNITS[at + 1];
  if (next === undefined || seconds / length >= enough)
    return pluralize(Math.ceil(seconds / length), noun);
  const parts = Math.ceil(seconds / next[0]);
  const [first, second] = [Math.floor((parts * next[0]) / length), parts % (length / next[0])];
  return second === 0
    ? pluralize(first, noun)
    : `${pluralize(first, noun)} ${pluralize(second, next[1])}`;
}

/** `3 hours ago`, rounded down; `in 9 days`, as waits are; `now`. */
export function distanceInWords(at: number, now: number): string {
  const [length, noun] = UNITS.find(([unit]) => Math.abs(now - at) >= unit) ?? [0, ''];
  if (length === 0) return 'now';
  return at > now
    ? `in ${durationInWords(at - now)}`
    : `${pluralize(Math.floor((now - at) / length), noun)} ago`;
}
