import { command, requests } from '../declaration.ts';

export const access = command({
  name: 'access',
  description: 'Show plan, credits, allowance and operations',
  options: [
    {
      flags: '--recheck',
      about: 'ask once although the service asked to stay away',
    },
  ],
  cost: '0 credits',
  about:
    'Also what this machine has spent, by day and operation, and what was spent elsewhere (MCP, other machines).\n' +
    'While the service asks to stay away nothing is sent: what this machine knows is shown. --recheck sends one request\n' +
    'all the same, and where it is answered with 200, all commands go on.',
  examples: [
    ['screener access', 'credits left, spent today, spent elsewhere'],
    ['screener access --recheck', 'whether the service still asks to stay away'],
    ['screener access --json | jq .credits.remaining', 'for a script'],
  ],
  ways: [
    {
      answer: 'access',
      fields: async () => (await import('../../output/views/access.ts')).accessFields,
      sends: () => [requests('access')],
      run: () => import('../access.ts'),
    },
  ],
  otherForms: [
    {
      options: 'while the service asks to stay away',
      fields: async () => (await import('../../output/views/blocked-access.ts')).blockedAccessFields,
    },
  ],
});
