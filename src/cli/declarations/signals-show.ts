import { type CommandDeclaration, historySession } from '../declaration.ts';
import { fromOption, HISTORY, localOption } from '../filter-options.ts';

export const signalsShow: CommandDeclaration = {
  name: 'show',
  description: 'Show cards with entry context and measured outcomes',
  argument: {
    term: '<id...>',
    about: 'ids of cards, or - to read them from standard input',
    takes: { kind: 'free' },
    schema: { anyOf: [{ type: 'integer', minimum: 1 }, { const: '-' }] },
  },
  options: [
    localOption(),
    fromOption(),
    { flags: '--fresh', about: 'ask the service also for outcomes that the default history has', excludes: HISTORY },
  ],
  cost: '1 credit per card; from a history 0, and for outcomes settled in the default one',
  about: 'Several cards come in the order asked for. What succeeded is printed even when another card fails.',
  examples: [
    ['screener signals show 4711', 'one card, as a page'],
    ['screener signals ls --since 1d --ndjson | screener signals show - --ndjson', 'details of the last day'],
  ],
  answer: 'signal',
  shape: 'one or several',
  fields: async () => (await import('../../output/views/card-fields.ts')).detailFields,
  exits: [0, 2, 3, 4, 5, 6, 7, 8, 9],
  act: historySession({
    read: async () => (await import('../../commands/flags/show.ts')).readShow,
    service: () => import('../../commands/signals-show.ts'),
    history: () => import('../../commands/signals-show-from.ts'),
  }),
};
