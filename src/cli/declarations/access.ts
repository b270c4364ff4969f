import { type CommandDeclaration, plainSession } from '../declaration.ts';

export const access: CommandDeclaration = {
  name: 'access',
  description: 'Show plan, credits, allowance and operations',
  cost: '0 credits',
  about: 'Also what this machine has spent today, by operation, and what was spent elsewhere (MCP, other machines).',
  examples: [
    ['screener access', 'credits left, spent today, spent elsewhere'],
    ['screener access --json | jq .credits.remaining', 'for a script'],
  ],
  fields: async () => (await import('../../output/views/access.ts')).accessView().fields,
  exits: [0, 2, 3, 4, 7, 8, 9],
  act: plainSession(() => import('../../commands/access.ts')),
};
