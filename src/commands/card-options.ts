/** Options that several commands take: which cards are meant, and where they are read from. */
import { type OptionsOf, option, options } from './option.ts';
import { path, symbol, TIMES, text, time } from './values.ts';

const SOME_TIMES = {
  kind: 'words',
  words: ['today', 'yesterday', '1h', '24h', '7d', '30d'],
  othersToo: true,
} as const;

export const SINCE = option({
  flags: '--since <time>',
  about: `from then on: ${TIMES}`,
  takes: SOME_TIMES,
  schema: (reading) => time(reading, true),
  notAfter: '--until',
});

export const UNTIL = option({
  flags: '--until <time>',
  about: 'cards up to then',
  takes: SOME_TIMES,
  schema: (reading) => time(reading),
});

export const SYMBOL = option({
  flags: '--symbol <symbol>',
  about: 'cards of one symbol, for example BTCUSDT',
  takes: { kind: 'seen', what: 'symbol' },
  schema: symbol,
});

export const TYPE = option({
  flags: '--type <type>',
  about: "cards of one screener type (the API's screener_type)",
  takes: { kind: 'seen', what: 'type' },
  schema: text,
});

/** Which cards are meant; what is undefined leaves nothing out. Times are epoch milliseconds UTC. */
export const FILTERS = options(SINCE, UNTIL, SYMBOL, TYPE);

export type Filters = OptionsOf<typeof FILTERS>;

export const LOCAL = option({
  flags: '--local',
  about: 'read the default history instead, for 0 credits',
  excludes: ['--from'],
  because: '--local is the default history, --from any other',
});

export const FROM = option({
  flags: '--from <dir>',
  about: 'or read this local history',
  takes: { kind: 'directory' },
  schema: path,
});

/** What needs a local history. */
export const HISTORY = ['--local', '--from'] as const;
