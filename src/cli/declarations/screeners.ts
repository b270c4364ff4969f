import { type CommandDeclaration, historySession } from '../declaration.ts';
import { fromOption, localOption } from '../filter-options.ts';

export const screeners: CommandDeclaration = {
  name: 'screeners',
  description: 'List your screeners as configured now',
  options: [
    localOption('the settings as last seen, with cards a day, settled outcomes and verdict, for 0 credits'),
    fromOption('the same from this local history'),
  ],
  cost: '1 credit; from a history 0',
  examples: [
    ['screener screeners', 'as a table'],
    ["screener screeners --ndjson | jq -r 'select(.active).type'", 'types of the active ones'],
    ['screener screeners --local', 'which of them are worth keeping, and which are silent'],
  ],
  answer: 'screeners',
  fields: async () => (await import('../../output/views/screeners.ts')).screenersView.fields,
  otherForms: [
    {
      options: '--local or --from',
      fields: async () => (await import('../../output/views/local-screeners.ts')).localScreenersView.fields,
      isList: true,
      head: async () => (await import('../../output/views/local-screeners.ts')).localScreenersHead,
    },
  ],
  exits: [0, 2, 3, 4, 7, 8, 9],
  act: historySession({
    read: async () => (await import('../../commands/flags/history.ts')).readHistory,
    service: () => import('../../commands/screeners.ts'),
    history: () => import('../../commands/screeners-from.ts'),
  }),
};
