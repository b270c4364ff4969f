import { DURATION } from '../../runtime/durations.ts';
import { type CommandDeclaration, session } from '../declaration.ts';
import { SYMBOL_OPTION, sinceOption, TIMES, typeOption } from '../filter-options.ts';

export const signalsWatch: CommandDeclaration = {
  name: 'watch',
  description: 'Print new cards as they come, until Ctrl-C',
  options: [
    {
      flags: '--every <duration>',
      about: 'how often to look, a minute or more (default: what the credits allow)',
      takes: { kind: 'free' },
      schema: { ...DURATION, examples: ['1m', '10m', '1h30m'] },
    },
    SYMBOL_OPTION,
    typeOption(),
    sinceOption(`start with the cards from then on: ${TIMES} (default: now)`),
    { flags: '--resume', about: 'go on where the last watch with the same filters stopped', excludes: ['--since'] },
  ],
  cost: '1 credit a look; by default as often as the credits left allow until they reset',
  about: 'Tables or NDJSON. Outages, quota ends and Retry-After are waited out without missing a card.',
  examples: [
    ['screener signals watch --symbol BTCUSDT', ''],
    ['screener signals watch --every 10m --ndjson | jq -r .url', '144 credits a day'],
  ],
  answer: 'signals',
  shape: 'lines',
  fields: async () => (await import('../../output/views/card-fields.ts')).cardFields,
  exits: [0, 2, 3, 4, 6, 7, 8, 9, 130],
  act: session(() => import('../../commands/signals-watch.ts')),
};
