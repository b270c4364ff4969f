import { minValue, pipe } from 'valibot';
import { HORIZONS_IN_WORDS } from '../../api/contract/horizons.ts';
import { MINUTE } from '../../base/units.ts';
import { listWork } from '../../credits/cost.ts';
import {
  FILTERS,
  HISTORY_FLAGS,
  HISTORY_OPTIONS,
  SINCE,
  SYMBOL,
  TYPE,
  TYPE_ARGUMENT,
} from '../parts/card-options.ts';
import { command } from '../parts/declaration.ts';
import {
  cardIdOrDash,
  cursor,
  duration,
  sortField,
  TIMES,
  text,
  wholeFrom,
} from '../parts/values.ts';
import { WHERE } from '../parts/where.ts';
import { signalsExport } from './signals-export.ts';

/** A list of cards. Some have details: those that a history bought, and with --outcomes those whose outcome was asked for. */
const LIST_WITH_DETAILS = {
  shape: 'list',
  fields: async () => (await import('../../output/views/card-lists.ts')).listedFields,
  head: async () => (await import('../../output/views/card-lists.ts')).pageFields,
} as const;

const ls = command({
  name: 'ls',
  alias: 'list',
  description: 'List your recorded cards, newest first',
  argument: TYPE_ARGUMENT,
  options: [
    ...FILTERS,
    {
      flags: '--cursor <cursor>',
      about: "continue from a page's next_cursor",
      schema: cursor,
      excludes: HISTORY_FLAGS,
    },
    {
      flags: '--next',
      about:
        'continue the last list shown on a terminal, with its filters (in scripts use --cursor)',
      excludes: ['--since', '--until', '--symbol', '--type', '--cursor', ...HISTORY_FLAGS],
    },
    {
      flags: '-n, --limit <n>',
      about: 'number of cards (default: 25; all from a local history)',
      schema: wholeFrom(1),
    },
    { flags: '--all', about: 'every card', excludes: ['--limit'] },
    { flags: '--outcomes', about: 'also show outcomes, for 1 credit per card' },
    ...HISTORY_OPTIONS,
    { ...WHERE, about: `local history: ${WHERE.about}`, needs: HISTORY_FLAGS },
    {
      flags: '--sort <field>',
      about: 'local history: largest first; -FIELD for smallest first',
      takes: { kind: 'sort_field' },
      schema: sortField({ examples: ['outcome.move_24h_pct', '-fact_volume_pct'] }),
      needs: HISTORY_FLAGS,
    },
  ],
  cost: '1 credit per page of up to 25 cards; --outcomes adds 1 per card; free from a local history',
  examples: [
    ['screener signals ls --since 24h --symbol BTCUSDT', 'the last day of one symbol'],
    ['screener signals ls -n 5 --outcomes', 'with what the price did afterwards: 6 credits'],
    [
      'screener signals ls --local --sort outcome.move_24h_pct -n 10',
      'the ten best of the history (free)',
    ],
  ],
  output: 'With --outcomes or from a local history, also the fields of `screener signals show`.',
  variants: [
    {
      answer: 'signals',
      shape: 'list',
      fields: async () => (await import('../../output/views/card-lists.ts')).cardFields,
      plan: listWork,
      run: () => import('../signals-ls.ts'),
    },
    {
      ...LIST_WITH_DETAILS,
      when: ['--outcomes'],
      plan: listWork,
      run: () => import('../signals-ls.ts'),
    },
    { ...LIST_WITH_DETAILS, isLocal: true, run: () => import('../signals-ls-local.ts') },
  ],
});

const show = command({
  name: 'show',
  description: 'Show cards with their numbers at the trigger and outcomes',
  argument: {
    term: '<id...>',
    about: 'card ids, or - to read them from standard input',
    schema: cardIdOrDash,
  },
  options: [
    ...HISTORY_OPTIONS,
    {
      flags: '--fresh',
      about: 'ask the service even if the default history has the outcome',
      excludes: HISTORY_FLAGS,
    },
  ],
  cost: '1 credit per card; free from a history, or if the default history already has the outcome',
  about: 'Cards are printed in the order you give. If one fails, the others are still printed.',
  examples: [
    ['screener signals show 4711', 'one card, as a page'],
    [
      'screener signals ls --since 1d --ndjson | screener signals show - --ndjson',
      'details of the last day',
    ],
  ],
  variants: [
    {
      answer: 'signal',
      shape: 'one or several',
      fields: async () => (await import('../../output/views/card-lists.ts')).detailFields,
      // The command itself answers --plan, because details that are stored cost nothing.
      plan: 'command',
      run: () => import('../signals-show.ts'),
    },
    {
      isLocal: true,
      shape: 'one or several',
      // A card that is not bought has only the fields that lists have.
      fields: async () => (await import('../../output/views/card-lists.ts')).listedFields,
      run: () => import('../signals-show.ts'),
    },
  ],
});

const watch = command({
  name: 'watch',
  description: 'Print new cards as they come, until Ctrl-C',
  argument: TYPE_ARGUMENT,
  options: [
    {
      flags: '--every <duration>',
      about:
        'time between two looks, at least a minute (default: 30m, or longer if credits are few)',
      schema: pipe(
        duration(),
        minValue(
          MINUTE,
          // The error begins with the option's name; the second line is its hint.
          'takes a minute or more.\nEvery look costs a credit: --every 10m costs 144 a day.',
        ),
      ),
    },
    SYMBOL,
    TYPE,
    { ...SINCE, about: `cards from this time on: ${TIMES} (default: now)` },
    {
      flags: '--resume',
      about: 'continue where the last watch with the same filters stopped',
      excludes: ['--since'],
    },
    { flags: '--bell', about: 'ring the bell of the terminal for new cards' },
    {
      flags: '--exec <command>',
      about: 'run a program (no shell) for each card, as JSON on its input',
      schema: text,
    },
  ],
  cost: '1 credit per look; by default a look every 30 minutes, or fewer if your history needs the credits',
  about:
    'It prints a table or NDJSON, waits out outages, quotas and Retry-After, and misses no card.',
  examples: [
    ['screener signals watch --symbol BTCUSDT', ''],
    ['screener signals watch --every 10m --ndjson | jq -r .url', '144 credits a day'],
  ],
  variants: [
    {
      answer: 'signals',
      shape: 'lines',
      fields: async () => (await import('../../output/views/card-lists.ts')).cardFields,
      // The command itself answers --plan, because the number of requests depends on how often it looks.
      plan: 'command',
      run: () => import('../signals-watch.ts'),
    },
  ],
});

export const signals = command({
  name: 'signals',
  description: 'ls, show, export, watch: your signal cards',
  cost: 'see each command; always free from a local history',
  about: `A card is a recorded notification from a screener; its outcome is what the price did ${HORIZONS_IN_WORDS} later.`,
  examples: [
    ['screener signals ls --since 24h', 'the cards of the last day'],
    ['screener signals show 4711', 'one card with its outcome'],
    ['screener signals export', 'keep a local history (for cron)'],
  ],
  output: "Each command's help lists its fields.",
  commands: [ls, show, signalsExport, watch],
});
