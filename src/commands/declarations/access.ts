import { command, requests } from '../parts/declaration.ts';

export const access = command({
  name: 'access',
  description: 'Show plan, credits, allowance and operations',
  options: [{ flags: '--recheck', about: 'ask once, even if the service is refusing requests' }],
  cost: 'free',
  about:
    'It also shows what this machine has spent, by day and operation, and what was spent elsewhere (MCP, other machines).\n' +
    'While the service is refusing requests, this sends nothing and shows what this machine last knew. --recheck sends\n' +
    'one request; if it succeeds, all commands continue.',
  examples: [
    ['screener access', 'credits left, spent today, spent elsewhere'],
    ['screener access --recheck', 'is the service still refusing requests?'],
    ['screener access --json | jq .credits.remaining', 'for a script'],
  ],
  variants: [
    {
      answer: 'access',
      shape: 'document',
      fields: async () => (await import('../../output/views/access.ts')).accessFields,
      plan: () => [requests('access')],
      run: () => import('../access.ts'),
    },
  ],
  specialOutputs: [
    {
      options: 'while the service is refusing requests',
      fields: async () => (await import('../../output/views/access.ts')).blockedAccessFields,
    },
  ],
});
