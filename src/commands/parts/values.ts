/** Schemas of typed values. A message continues the option's name: `--limit takes …`. Its second line, if any, is the hint. */
import * as v from 'valibot';
import { LIMITS } from '../../api/limits.ts';
import { parseApiTime } from '../../api/time.ts';
import { didYouMean } from '../../base/near-names.ts';
import {
  DAY,
  DURATION,
  DURATION_PATTERN,
  readDuration,
  readDurationOrSeconds,
} from '../../base/units.ts';
import { orWords } from '../../base/words.ts';
import { expandHome } from '../../runtime/directories.ts';
import { dateOf, momentOf, type Zone } from '../../runtime/zone.ts';
import type { ParseContext } from './option.ts';

/** The message of an error: `takes a duration, not 'x'.`, and the hint below it. */
function takes(what: string, hint?: string) {
  const secondLine = hint === undefined ? '' : `\n${hint}`;
  return ({ input }: { readonly input: unknown }) => `takes ${what}, not '${input}'.${secondLine}`;
}

/** One of some words. */
export function words<const Words extends readonly string[]>(all: Words, hint = '') {
  return v.picklist(all, ({ input }) => {
    const guess = didYouMean(String(input), all).trim();
    const fullHint = [guess, hint].filter(Boolean).join(' ');
    return takes(orWords(all), fullHint || undefined)({ input });
  });
}

/** A whole number from `least` to `most`. */
export function wholeFrom(least: number, most = Number.MAX_SAFE_INTEGER) {
  const upTo = most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`;
  const message = takes(`a whole number from ${least}${upTo}`);
  return v.pipe(
    v.string(),
    v.regex(/^\d+$/, message),
    // Checked as long as it is a text, because the message quotes it: a number beyond 2^53 would be quoted with other digits.
    v.check((typed) => Number.isSafeInteger(Number(typed)), message),
    v.transform(Number),
    v.number(),
    v.safeInteger(message),
    v.minValue(least, message),
    v.maxValue(most, message),
  );
}

/** A number above 0, in digits. */
export const positive = v.pipe(
  v.string(),
  v.regex(
    /^(?=.*[1-9])\d{1,6}(\.\d{1,6})?$/,
    takes('a number above 0', 'For example --least 0.5.'),
  ),
  v.transform(Number),
);

export const text = v.pipe(v.string(), v.regex(/\S/, 'must not be empty.'));

/** A path, in which `~` stands for the home folder. */
export function path({ env }: ParseContext) {
  return v.pipe(
    text,
    v.transform((typed) => expandHome(typed, env)),
  );
}

/** Milliseconds; a bare number is seconds. */
export function duration(
  examples = 'For example 30s, 2m, 1h30m or 0.',
  { isPositive = false }: { readonly isPositive?: boolean } = {},
) {
  return v.pipe(
    v.string(),
    v.regex(new RegExp(DURATION.pattern), takes('a duration', examples)),
    v.examples([...DURATION.examples]),
    // A number may be too large.
    v.check((typed) => readDurationOrSeconds(typed) !== undefined, takes('a duration', examples)),
    v.transform((typed) => readDurationOrSeconds(typed) ?? 0),
    v.minValue(isPositive ? 1 : 0, `must be longer than 0.\n${examples}`),
  );
}

/** Any text, because a history may have any symbol. A symbol that is sent is checked against the service's pattern (`symbol.ts`). */
export const symbol = v.pipe(text, v.examples(['BTCUSDT']));

const cursorLength = ({ input }: { readonly input: unknown }) =>
  `takes 1 to ${LIMITS.cursorLength} characters; this one has ${String(input).length}.\n` +
  'Take it unchanged from next_cursor, or from the last line of the previous command.';

export const cursor = v.pipe(
  v.string(),
  v.minLength(1, cursorLength),
  v.maxLength(LIMITS.cursorLength, cursorLength),
);

/** Names with commas or blanks between: PowerShell takes `id,created_at` for an array, and passes it on as `id created_at`. */
export const names = v.pipe(
  v.string(),
  v.regex(/[^\s,]/, 'takes field names, comma-separated.\nFor example --fields id,created_at.'),
  v.transform((typed) => [...new Set(typed.split(/[\s,]+/).filter((name) => name !== ''))]),
);

export const cardId = wholeFrom(1);

export const cardIdOrDash = v.union(
  [cardId, v.literal('-')],
  takes('a whole number from 1', '`screener signals ls` lists your cards with their ids.'),
);

/** The name of a field by which the largest come first, or `-` and the name for the smallest first. */
export function sortField({ examples }: { readonly examples: string[] }) {
  return v.pipe(text, v.examples(examples));
}

/** `11-20` */
const MONTH_AND_DAY = String.raw`(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])`;
/** `11-20`, `2026-11-20`, `11-20 18:00`: as tables print times. */
const SHOWN_TIME = String.raw`(\d{4}-)?${MONTH_AND_DAY}([Tt ]\d\d:\d\d(:\d\d)?)?`;
/** `18:00`, `18:00:00`, `18:00:00.5` */
const TIME_OF_DAY = String.raw`\d\d:\d\d(:\d\d(\.\d+)?)?`;
/** `Z`, `+01`, `+0100`, `+01:00` */
const ZONE = String.raw`([Zz]|[+-]\d\d(:?\d\d)?)`;
/** `2026-11-20T18:00:00.5Z`, `2026-11-20 18:00+01:00` */
const ISO_TIME = String.raw`\d{4}-${MONTH_AND_DAY}[Tt ]${TIME_OF_DAY}${ZONE}`;
const TIME = new RegExp(
  `^(now|all|today|yesterday|${SHOWN_TIME}|${ISO_TIME}|${DURATION_PATTERN})$`,
);

/** The parts of a time as tables print it: the date, the time of day, and its seconds. */
const PARTS_OF_SHOWN_TIME = /^((?:\d{4}-)?\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(:\d\d)?)?$/;

export const TIMES = '24h, 7d, 2026-11-20, today, ISO 8601';

const notATime = takes(
  'a time',
  'For example 2026-11-20T18:00:00Z, 2026-11-20T18:00+01:00, 2026-11-20, 11-20 18:00, 24h, 7d, 1h30m (back from now), today, yesterday or all.',
);

/**
 * A time as epoch milliseconds UTC. A date means its first moment in the zone.
 * @param isPast whether a time in the future is refused
 */
export function typedTime(
  { now, zone }: ParseContext,
  { isPast = false }: { readonly isPast?: boolean } = {},
) {
  // NaN is no time: every comparison with it is false.
  const millisOf = (typed: string) => readTime(typed, now, zone) ?? Number.NaN;
  return v.pipe(
    v.string(),
    v.regex(TIME, notATime),
    v.examples(['today', '24h', '7d', '2026-11-20', '2026-11-20T18:00:00Z']),
    v.check((typed) => millisOf(typed) >= 0, notATime),
    v.check(
      (typed) => !isPast || millisOf(typed) <= now,
      ({ input }) => `${input} lies in the future.\nA duration goes back from now: --since 24h.`,
    ),
    v.transform(millisOf),
  );
}

function readTime(typed: string, now: number, zone: Zone): number | undefined {
  if (typed === 'now') return now;
  if (typed === 'all') return 0;
  const today = dateOf(now, zone);
  if (typed === 'today') return momentOf(today, zone);
  if (typed === 'yesterday') return momentOf(today - DAY, zone);
  const [, date, clock = '00:00', seconds = ':00'] = PARTS_OF_SHOWN_TIME.exec(typed) ?? [];
  if (date !== undefined) {
    const year = new Date(today).getUTCFullYear();
    const hasYear = date.length > 'MM-DD'.length;
    const dates = hasYear ? [date] : [`${year}-${date}`, `${year - 1}-${date}`];
    const moments: number[] = [];
    for (const day of dates) {
      // The time on the zone's clock, written as if it were UTC: `momentOf` moves it.
      const clockTime = parseApiTime(`${day}T${clock}${seconds}Z`);
      if (clockTime !== undefined) moments.push(momentOf(clockTime, zone));
    }
    // A date without a year is the last such date before now: tables leave out the year, and their cards are of the past.
    return moments.find((moment) => moment <= now) ?? moments[0];
  }
  const duration = readDuration(typed);
  return duration === undefined ? parseApiTime(typed.replace(' ', 'T')) : now - duration;
}
