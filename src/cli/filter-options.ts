/** Options that several commands take: which cards are meant, and where they are read from. */
import type { OptionDeclaration } from './declaration.ts';
import { TEXT, TIME } from './value-schemas.ts';

/** The forms of a `<time>`, in words. */
export const TIMES = 'ISO 8601, a date, a duration back from now, today or yesterday (UTC)';

const SOME_TIMES = {
  kind: 'words',
  words: ['today', 'yesterday', '1h', '24h', '7d', '30d'],
  othersToo: true,
} as const;

/** What needs a local history. */
export const HISTORY = ['--local', '--from'] as const;

export function sinceOption(about: string): OptionDeclaration {
  return { flags: '--since <time>', about, takes: SOME_TIMES, schema: TIME };
}

export function untilOption(about: string): OptionDeclaration {
  return { flags: '--until <time>', about, takes: SOME_TIMES, schema: TIME };
}

export const SYMBOL_OPTION: OptionDeclaration = {
  flags: '--symbol <symbol>',
  about: 'cards of one symbol, for example BTCUSDT',
  takes: { kind: 'seen', what: 'symbol' },
  schema: { type: 'string', pattern: '^[A-Za-z0-9]{1,32}$', examples: ['BTCUSDT'] },
};

export function typeOption(about = "cards of one screener type (the API's screener_type)"): OptionDeclaration {
  return { flags: '--type <type>', about, takes: { kind: 'seen', what: 'type' }, schema: TEXT };
}

export function localOption(about = 'read the default history instead, for 0 credits'): OptionDeclaration {
  return { flags: '--local', about, excludes: ['--from'] };
}

export function fromOption(about = 'or read this local history'): OptionDeclaration {
  return { flags: '--from <dir>', about, takes: { kind: 'directory' }, schema: TEXT };
}
