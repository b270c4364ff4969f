import { LIMITS } from '../../api/limits.ts';
import { type CommandDeclaration, historySession } from '../declaration.ts';
import {
  fromOption,
  HISTORY,
  localOption,
  SYMBOL_OPTION,
  sinceOption,
  TIMES,
  typeOption,
  untilOption,
} from '../filter-options.ts';
import { TEXT } from '../value-schemas.ts';

export const signalsLs: CommandDeclaration = {
  name: 'ls',
  alias: 'list',
  description: 'List your recorded cards, newest first',
  options: [
    sinceOption(`cards from then on: ${TIMES}`),
    untilOption('cards up to then'),
    SYMBOL_OPTION,
    typeOption(),
    {
      flags: '--cursor <cursor>',
      about: 'go on from the next_cursor of an earlier page',
      takes: { kind: 'free' },
      schema: { ...TEXT, maxLength: LIMITS.cursorLength },
      excludes: HISTORY,
    },
    {
      flags: '--next',
      about: 'go on where the last list on a terminal stopped, with its filters; for scripts there is --cursor',
      excludes: ['--since', '--until', '--symbol', '--type', '--cursor', ...HISTORY],
    },
    {
      flags: '-n, --limit <n>',
      about: 'cards in all (default: 25; from a history all)',
      takes: { kind: 'free' },
      schema: { type: 'integer', minimum: 1 },
    },
    { flags: '--all', about: 'every card', excludes: ['--limit'] },
    { flags: '--outcomes', about: "each card's outcome too, 1 credit a card more" },
    localOption(),
    fromOption(),
    {
      flags: '--sort <field>',
      about: 'from a history: largest first; with a - before it, smallest first',
      takes: { kind: 'fields' },
      schema: { ...TEXT, examples: ['outcome.move_24h_pct', '-fact_volume_pct'] },
      needs: HISTORY,
    },
  ],
  cost: '1 credit per page of up to 25 cards; with --outcomes 1 more per card; from a history 0',
  examples: [
    ['screener signals ls --since 24h --symbol BTCUSDT', 'the last day of one symbol'],
    ['screener signals ls --all --ndjson | jq -r .source_symbol | sort | uniq -c', 'cards per symbol'],
    ['screener signals ls -n 5 --outcomes', 'with what happened after the trigger: 6 credits'],
    ['screener signals ls --local --sort outcome.move_24h_pct -n 10', 'the best ten of the history, for 0 credits'],
  ],
  answer: 'signals',
  fields: async () => (await import('../../output/views/card-fields.ts')).cardFields,
  output: 'With --outcomes or from a history also the fields of `signals show`.',
  otherForms: [
    {
      options: '--outcomes, --local or --from',
      fields: async () => (await import('../../output/views/card-fields.ts')).listedFields,
      isList: true,
      head: async () => (await import('../../output/views/card-fields.ts')).pageFields,
    },
  ],
  exits: [0, 2, 3, 4, 5, 6, 7, 8, 9],
  act: historySession({
    read: async () => (await import('../../commands/flags/list.ts')).readList,
    service: () => import('../../commands/signals-ls.ts'),
    history: () => import('../../commands/signals-ls-from.ts'),
  }),
};
