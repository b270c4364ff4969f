import { usageError } from '../errors.ts';
import { DURATION, readDuration, readSeconds, WITH_UNIT } from '../runtime/durations.ts';
import { DAY } from '../runtime/units.ts';

/** What a switch accepts, what it means, and what holds where it is not given: the one place they are declared. */
export interface Switch<T = unknown> {
  /** What the option's help shows after its name. */
  readonly takes: string;
  readonly about: string;
  /** All it accepts, where that is a few words. */
  readonly words?: readonly string[];
  /** JSON Schema of what it accepts, with what holds where it is not given. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** What to give instead of a text that it does not accept; default: what its help says. */
  readonly hint?: string;
  readonly absent: T;
  /** @returns undefined for a text that it does not accept */
  read(text: string): T | undefined;
}

const whole = (least: number, most: number, absent: number, about: string): Switch<number> => ({
  takes: '<n>',
  about,
  schema: { type: 'integer', minimum: least, maximum: most, ...(Number.isFinite(absent) ? { default: absent } : {}) },
  hint: `Give a whole number from ${least} to ${most}.`,
  absent,
  read: (text) => (/^\d+$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined),
});

/** The first word is what holds where none is given. */
const choice = <const Word extends string>(words: readonly [Word, ...Word[]], about: string): Switch<Word> => ({
  takes: '<choice>',
  about,
  words,
  schema: { enum: words, default: words[0] },
  absent: words[0],
  read: (text) => words.find((word) => word === text),
});

const NEVER = Number.POSITIVE_INFINITY;

/** Like 90s, 1h30m or 30d; milliseconds. @param absent undefined for never */
const duration = (absent: string | undefined, about: string): Switch<number> => ({
  takes: '<duration>',
  about,
  hint: 'Give a duration, for example 90s, 1h30m or 30d.',
  schema: absent === undefined ? DURATION : { ...DURATION, default: absent },
  absent: absent === undefined ? NEVER : (readDuration(absent) ?? NEVER),
  read: (text) => bounded(readSeconds(text)),
});

/** @param pattern of what it accepts */
const rule = <T>(
  about: string,
  absent: T,
  pattern: string,
  examples: readonly string[],
  read: (text: string) => T | undefined,
): Switch<T> => ({
  takes: '<rule>',
  about,
  schema: { type: 'string', pattern: `^(${pattern})$`, examples },
  absent,
  read,
});

/** Longer ones lead beyond the dates there are. */
const bounded = (millis: number | undefined) => (millis === undefined || millis > 1_000_000 * DAY ? undefined : millis);

const millisOf = (text: string) => bounded(readDuration(text));

/**
 * Every option of the sandbox, by its name in `startSandbox`; the command line writes `perMinute` as `--per-minute`.
 * Those from `limiter` on choose what the API document leaves open: whatever they say, its sentences are kept.
 */
export const SWITCHES = {
  port: whole(0, 65_535, 0, 'port to listen on (default: any free one)'),
  cards: whole(0, 100_000, 300, 'cards in its history (default: 300)'),
  seed: whole(0, 2 ** 31 - 1, 1, 'another number, another market (default: 1)'),
  perMinute: whole(1, 1_000_000_000, 15, 'requests a minute (default: 15)'),
  dayCredits: whole(0, 1_000_000_000, 150, 'credits a day (default: 150)'),
  monthCredits: whole(0, 1_000_000_000, 1000, 'credits a month (default: 1000)'),
  limiter: rule(
    'how the minute is limited: sliding (default), fixed (from :00 to :59), bucket:3 (bursts of 3, refilled evenly)',
    { kind: 'sliding', size: 0 },
    String.raw`sliding|fixed|bucket:[1-9]\d{0,4}`,
    ['sliding', 'fixed', 'bucket:3'],
    (text) => {
      const size = /^bucket:([1-9]\d{0,4})$/.exec(text)?.[1];
      if (size !== undefined) return { kind: 'bucket', size: Number(size) };
      return text === 'sliding' || text === 'fixed' ? { kind: text, size: 0 } : undefined;
    },
  ),
  refusals: choice(
    ['free', 'counted', 'charged', 'both'],
    'a request too many is free (default), counted in the minute, charged its credits, or both',
  ),
  latency: duration('0s', 'how long each answer takes (default: 0s)'),
  order: choice(
    ['created', 'seen', 'id', 'shuffled'],
    'what "newest first" goes by: created_at (default), last_seen_at, id, or days shuffled within themselves',
  ),
  ids: choice(['time', 'random'], 'ids that follow time (default) or random ones of up to 53 bits'),
  windowBy: choice(['created', 'seen'], 'what since and until look at: created_at (default) or last_seen_at'),
  bounds: choice(['inclusive', 'exclusive'], 'whether cards at since and until are inside (default) or outside'),
  defaultWindow: duration('30d', 'how far back a list without since goes (default: 30d)'),
  maxWindow: rule(
    'refuse windows longer than that, as 30d; with :clamp, shorten them in silence',
    { length: NEVER, clamp: false },
    `${WITH_UNIT}(:clamp)?`,
    ['30d', '30d:clamp'],
    (text) => {
      const length = millisOf(text.replace(/:clamp$/, ''));
      return length === undefined ? undefined : { length, clamp: text.endsWith(':clamp') };
    },
  ),
  maxAge: duration(undefined, 'refuse a since longer ago than that'),
  /** A cursor for a page after so many, or older than `age`, is refused. */
  cursorExpiry: rule(
    'refuse cursors always, after so many pages, or when older than a duration',
    { pages: NEVER, age: NEVER },
    String.raw`always|[1-9]\d{0,5}|${WITH_UNIT}`,
    ['always', '3', '10m'],
    (text) => {
      if (text === 'always') return { pages: 0, age: NEVER };
      if (/^[1-9]\d{0,5}$/.test(text)) return { pages: Number(text), age: NEVER };
      const age = millisOf(text);
      return age === undefined ? undefined : { pages: NEVER, age };
    },
  ),
  emptyPages: whole(0, 1000, 0, 'empty pages, each with a cursor, before every page of cards (default: 0)'),
  repeatPage: whole(1, 100_000, NEVER, 'from this page on, the same page again and again, each time with a new cursor'),
  reportUntil: choice(
    ['exact', 'hour', 'day'],
    'what a page reports as until: the moment (default), the end of its hour or day',
  ),
  outcomeDelay: duration(
    '0s',
    'how long after 1 h and 24 h an outcome stays pending: with 6h, the latter comes after 30 h',
  ),
  /** `share` of the cards for good, or all until they are so old. */
  nullOutcomes: rule(
    'cards without an outcome: a share of them for good, as 20%, or all until they are so old, as 26h',
    { share: 0, until: 0 },
    String.raw`\d{1,3}%|${WITH_UNIT}`,
    ['20%', '26h'],
    (text) => {
      if (/^\d{1,3}%$/.test(text)) return { share: Number.parseInt(text, 10) / 100, until: 0 };
      const until = millisOf(text);
      return until === undefined ? undefined : { share: 0, until };
    },
  ),
  lateCards: duration('0s', 'every third card is recorded, and listed, so long after its created_at'),
};

type SwitchName = keyof typeof SWITCHES;

/** As given on the command line or to `startSandbox`; numbers may be numbers. */
export type SwitchTexts = { readonly [Name in SwitchName]?: string | number | undefined };

/** All switches, read. Durations are milliseconds, shares fractions. */
export type Switches = { readonly [Name in SwitchName]: (typeof SWITCHES)[Name]['absent'] };

export const flagOf = (name: string): string => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/**
 * Reads all switches; one that is not given behaves as its help says.
 * @throws ScreenerError usage, naming the switch and what it accepts
 */
export function readSwitches(given: SwitchTexts): Switches {
  const read = ([name, { absent, read, hint, about }]: [string, Switch]) => {
    const text = given[name as SwitchName];
    const value = text === undefined ? absent : read(String(text));
    if (value !== undefined) return [name, value];
    throw usageError(`${flagOf(name)} ${text} is not possible.`, hint ?? `${flagOf(name)}: ${about}.`);
  };
  return Object.fromEntries(Object.entries<Switch>(SWITCHES).map(read)) as Switches;
}
