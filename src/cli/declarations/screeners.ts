import { type CommandDeclaration, plainSession } from '../declaration.ts';

export const screeners: CommandDeclaration = {
  name: 'screeners',
  description: 'List your screeners as configured now',
  cost: '1 credit',
  examples: [
    ['screener screeners', 'as a table'],
    ["screener screeners --ndjson | jq -r 'select(.active).type'", 'types of the active ones'],
  ],
  answer: 'screeners',
  fields: async () => (await import('../../output/views/screeners.ts')).screenersView.fields,
  exits: [0, 2, 3, 4, 7, 8, 9],
  act: plainSession(() => import('../../commands/screeners.ts')),
};
