import type { ArgumentDeclaration, OptionDeclaration, OptionsOf } from './option.ts';
import { path, symbol, TIMES, text, typedTime } from './values.ts';

/** The times that completion offers; others may be typed. */
const SOME_TIMES = {
  kind: 'words',
  words: ['today', 'yesterday', '1h', '24h', '7d', '30d'],
} as const;

export const SINCE = {
  flags: '--since <time>',
  about: `cards from this time on: ${TIMES}`,
  takes: SOME_TIMES,
  // A time in the future is refused: no card could be listed.
  schema: (context) => typedTime(context, { isPast: true }),
} as const satisfies OptionDeclaration;

export const UNTIL = {
  flags: '--until <time>',
  about: 'cards up to this time',
  takes: SOME_TIMES,
  schema: (context) => typedTime(context),
} as const satisfies OptionDeclaration;

export const SYMBOL = {
  flags: '--symbol <symbol>',
  about: 'cards of this symbol, for example BTCUSDT',
  // Completion offers the symbols of earlier answers.
  takes: { kind: 'seen', what: 'symbol' },
  schema: symbol,
} as const satisfies OptionDeclaration;

export const TYPE = {
  flags: '--type <type>',
  about: 'cards of this screener type',
  takes: { kind: 'seen', what: 'type' },
  schema: text,
} as const satisfies OptionDeclaration;

export const TYPE_ARGUMENT = {
  term: '[type]',
  about: 'only cards of this screener type; --type means the same',
  takes: TYPE.takes,
  schema: text,
} as const satisfies ArgumentDeclaration;

/** The options that choose cards. Without any of them all cards are chosen. */
export const FILTERS = [SINCE, UNTIL, SYMBOL, TYPE] as const;

/** The values of these options. Times are epoch milliseconds UTC. */
export type Filters = OptionsOf<typeof FILTERS>;

const LOCAL = {
  flags: '--local',
  about: 'use a local history (free): the default one, unless --from names another',
} as const satisfies OptionDeclaration;

export const FROM = {
  flags: '--from <dir>',
  about: 'use this local history',
  takes: { kind: 'directory' },
  schema: path,
} as const satisfies OptionDeclaration;

/** The two options that choose a history. Without them the service is asked. */
export const HISTORY_OPTIONS = [LOCAL, FROM] as const;

/** The flags of these options, for other options that need a history or exclude it. */
export const HISTORY_FLAGS = ['--local', '--from'] as const;
