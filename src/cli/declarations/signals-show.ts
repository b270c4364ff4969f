import { type CommandDeclaration, session } from '../declaration.ts';
import { fromOption } from '../filter-options.ts';

export const signalsShow: CommandDeclaration = {
  name: 'show',
  description: 'Show cards with entry context and measured outcomes',
  argument: {
    term: '<id...>',
    about: 'ids of cards, or - to read them from standard input',
    takes: { kind: 'free' },
  },
  options: [fromOption()],
  cost: '1 credit per card; with --from 0',
  about: 'Several cards come in the order asked for. What succeeded is printed even when another card fails.',
  examples: [
    ['screener signals show 4711', 'one card, as a page'],
    ['screener signals ls --since 1d --ndjson | screener signals show - --ndjson', 'details of the last day'],
  ],
  fields: async () => (await import('../../output/views/card-fields.ts')).detailFields,
  exits: [0, 2, 3, 4, 5, 6, 7, 8, 9],
  act: session(async () => ({
    read: (await import('../../commands/flags/show.ts')).readShow,
    run: async (invocation, { ids, from }) => {
      if (from === undefined) return (await import('../../commands/signals-show.ts')).run(invocation, { ids });
      return (await import('../../commands/signals-show-from.ts')).run(invocation, { ids, directory: from });
    },
  })),
};
