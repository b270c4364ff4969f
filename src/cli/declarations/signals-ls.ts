import { type CommandDeclaration, session } from '../declaration.ts';
import { fromOption, SYMBOL_OPTION, sinceOption, TIMES, typeOption, untilOption } from '../filter-options.ts';

export const signalsLs: CommandDeclaration = {
  name: 'ls',
  alias: 'list',
  description: 'List your recorded cards, newest first',
  options: [
    sinceOption(`cards from then on: ${TIMES}`),
    untilOption('cards up to then'),
    SYMBOL_OPTION,
    typeOption(),
    { flags: '--cursor <cursor>', about: 'go on from the next_cursor of an earlier page', takes: { kind: 'free' } },
    { flags: '-n, --limit <n>', about: 'cards in all (default: 25)', takes: { kind: 'free' } },
    { flags: '--all', about: 'every card' },
    { flags: '--outcomes', about: "each card's outcome too, 1 credit a card more" },
    fromOption(),
  ],
  cost: '1 credit per page of up to 25 cards; with --outcomes 1 more per card; with --from 0',
  examples: [
    ['screener signals ls --since 24h --symbol BTCUSDT', 'the last day of one symbol'],
    ['screener signals ls --all --ndjson | jq -r .source_symbol | sort | uniq -c', 'cards per symbol'],
    ['screener signals ls -n 5 --outcomes', 'with what happened after the trigger: 6 credits'],
  ],
  fields: async () => (await import('../../output/views/card-fields.ts')).cardFields,
  output: 'With --outcomes or --from also the fields of `signals show`.',
  moreFields: async () => (await import('../../output/views/card-fields.ts')).detailFields,
  exits: [0, 2, 3, 4, 5, 6, 7, 8, 9],
  act: session(async () => ({
    read: (await import('../../commands/flags/list.ts')).readList,
    run: async (invocation, options) => {
      if (options.from === undefined) return (await import('../../commands/signals-ls.ts')).run(invocation, options);
      const { run } = await import('../../commands/signals-ls-from.ts');
      return run(invocation, { ...options, directory: options.from });
    },
  })),
};
