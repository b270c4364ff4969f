/** What a switch accepts, and what it does: the one place they are declared. Durations are like 90s, 30m, 6h or 30d. */
export interface Switch {
  /** What the option's help shows after its name; a switch without it is simply on. */
  readonly takes?: string;
  /** The whole text must match. */
  readonly pattern?: RegExp;
  /** All it accepts, where that is a few words. */
  readonly words?: readonly string[];
  /** For numbers: the least and the most. */
  readonly range?: readonly [least: number, most: number];
  readonly about: string;
}

const DURATION = '\\d{1,6}(?:ms|s|m|h|d)';
const whole = (least: number, most: number, about: string): Switch => ({ takes: '<n>', range: [least, most], about });
const text = (takes: string, pattern: string, about: string): Switch => ({
  takes: `<${takes}>`,
  pattern: new RegExp(`^(?:${pattern})$`),
  about,
});
const choice = (words: readonly string[], about: string): Switch => ({
  ...text('choice', words.join('|'), about),
  words,
});
const on = (about: string): Switch => ({ about });

/**
 * Every option of the sandbox, by its name in `startSandbox`; the command line writes `perMinute` as `--per-minute`.
 * Those from `limiter` on choose what the API document leaves open: whatever they say, its sentences are kept.
 */
export const SWITCHES = {
  port: whole(0, 65_535, 'port to listen on (default: any free one)'),
  cards: whole(0, 100_000, 'cards in its history (default: 300)'),
  seed: whole(0, 2 ** 31 - 1, 'another number, another market (default: 1)'),
  perMinute: whole(1, 1_000_000_000, 'requests a minute (default: 15)'),
  dayCredits: whole(0, 1_000_000_000, 'credits a day (default: 150)'),
  monthCredits: whole(0, 1_000_000_000, 'credits a month (default: 1000)'),
  limiter: text(
    'rule',
    'sliding|fixed|bucket:[1-9]\\d{0,4}',
    'how the minute is limited: sliding (default), fixed (from :00 to :59), bucket:3 (bursts of 3, refilled evenly)',
  ),
  refusals: choice(
    ['free', 'counted', 'charged', 'both'],
    'a request too many is free (default), counted in the minute, charged its credits, or both',
  ),
  countAt: choice(['arrival', 'answer'], 'when the minute counts a request: at its arrival (default) or its answer'),
  latency: text('duration', DURATION, 'how long each answer takes (default: 0s)'),
  retryAfter: choice(['sent', 'none'], 'whether a refused request is told when to come back (default: sent)'),
  order: choice(
    ['created', 'seen', 'id', 'shuffled'],
    'what "newest first" goes by: created_at (default), last_seen_at, id, or days shuffled within themselves',
  ),
  ids: choice(['time', 'random'], 'ids that follow time (default) or random ones of up to 53 bits'),
  windowBy: choice(['created', 'seen'], 'what since and until look at: created_at (default) or last_seen_at'),
  bounds: choice(['inclusive', 'exclusive'], 'whether cards at since and until are inside (default) or outside'),
  defaultWindow: text('duration', DURATION, 'how far back a list without since goes (default: 30d)'),
  maxWindow: text(
    'rule',
    `${DURATION}(?::clamp)?`,
    'refuse windows longer than that, as 30d; with :clamp, shorten them in silence',
  ),
  maxAge: text('duration', DURATION, 'refuse a since longer ago than that'),
  cursorExpiry: text(
    'rule',
    `always|[1-9]\\d{0,5}|${DURATION}`,
    'refuse cursors always, after so many pages, or when older than a duration',
  ),
  emptyPages: whole(0, 1000, 'empty pages, each with a cursor, before every page of cards (default: 0)'),
  repeatPage: whole(1, 100_000, 'from this page on, the same page again and again, each time with a new cursor'),
  reportUntil: choice(
    ['exact', 'hour', 'day'],
    'what a page reports as until: the moment (default), the end of its hour or day',
  ),
  outcomeDelay: text(
    'duration',
    DURATION,
    'how long after 1 h and 24 h an outcome stays pending: with 6h, the latter comes after 30 h',
  ),
  nullOutcomes: text(
    'rule',
    `\\d{1,3}%|${DURATION}`,
    'cards without an outcome: a share of them for good, as 20%, or all until they are so old, as 26h',
  ),
  lateCards: text('duration', DURATION, 'every third card is recorded, and listed, so long after its created_at'),
  badDetails: text(
    'rule',
    '(?:\\d{1,3}%|\\d+(?:,\\d+)*):(?:unsafe|[45]\\d\\d)',
    'details that never succeed: a share or ids, then a status or unsafe (an integer beyond 2^53): 5%:500, 7,9:unsafe',
  ),
  extraField: on('each resource and card has a field the document does not name: an integer of 19 digits'),
  reflectKey: on('the key appears in error texts and in fields'),
  closeSocket: choice(
    ['after-answer', 'on-reuse'],
    'close a connection right after its first answer, or without an answer when a second request comes',
  ),
} as const satisfies Record<string, Switch>;

export type SwitchName = keyof typeof SWITCHES;

/** As given on the command line or to `startSandbox`; numbers may be numbers. */
export type SwitchTexts = { readonly [Name in SwitchName]?: string | number | boolean | undefined };

export const flagOf = (name: string): string => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
