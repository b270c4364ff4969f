import { minValue, pipe } from 'valibot';
import { MINUTE } from '../../runtime/units.ts';
import { SINCE, SYMBOL, TYPE, TYPE_ARGUMENT } from '../parts/card-options.ts';
import { command } from '../parts/declaration.ts';
import { duration, TIMES, text } from '../parts/values.ts';

export const signalsWatch = command({
  name: 'watch',
  description: 'Print new cards as they come, until Ctrl-C',
  argument: TYPE_ARGUMENT,
  options: [
    {
      flags: '--every <duration>',
      about: 'time between two looks, at least a minute (default: as the credits allow)',
      schema: pipe(
        duration(),
        minValue(MINUTE, 'takes a minute or more.\nEvery look costs a credit: --every 10m costs 144 a day.'),
      ),
    },
    SYMBOL,
    TYPE,
    { ...SINCE, about: `cards from this time on: ${TIMES} (default: now)` },
    { flags: '--resume', about: 'continue where the last watch with the same filters stopped', excludes: ['--since'] },
    { flags: '--bell', about: 'ring the bell of the terminal for new cards' },
    {
      flags: '--exec <command>',
      about: 'run a program (no shell) for each new card; its input is the card as JSON',
      schema: text,
    },
  ],
  cost: '1 credit per look; by default as many looks as the credits allow, after what your history needs',
  about:
    'It prints a table or NDJSON, waits out outages, quotas and Retry-After, and misses no card.\n' +
    'Once a type has a verdict in your own history, a line below its new cards says it (free).',
  examples: [
    ['screener signals watch --symbol BTCUSDT', ''],
    ['screener signals watch --every 10m --ndjson | jq -r .url', '144 credits a day'],
  ],
  variants: [
    {
      answer: 'signals',
      shape: 'lines',
      fields: async () => (await import('../../output/views/card-fields.ts')).cardFields,
      plan: 'own',
      run: () => import('../signals-watch.ts'),
    },
  ],
});
