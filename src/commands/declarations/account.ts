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

export const login = command({
  name: 'login',
  description: 'Check a key and base URL (free) and save them',
  cost: 'free',
  about:
    'On a terminal it asks for both and hides the key as you type. Otherwise it reads the key from the first line of ' +
    'standard input and the base URL from --base-url or SCREENER_BASE_URL. Only a key that works replaces a saved one.',
  examples: [
    ['screener login', 'asks for both'],
    ['cat key.txt | screener login --base-url https://HOST/api/external/v1', 'from a file'],
  ],
  output:
    'As a table it prints nothing on standard output: standard error says what was saved where.',
  variants: [
    {
      shape: 'receipt',
      fields: async () => (await import('../../output/views/receipts.ts')).loginReceipt.fields,
      // The command itself answers --plan, because there may be no account yet.
      plan: 'command',
      run: () => import('../login.ts'),
    },
  ],
});

export const logout = command({
  name: 'logout',
  description: 'Remove the saved key and base URL',
  cost: 'free; sends nothing',
  examples: [
    ['screener logout', ''],
    ['screener logout --quiet', 'says nothing'],
  ],
  output: 'As a table it prints nothing on standard output: standard error says what was removed.',
  variants: [
    {
      shape: 'receipt',
      fields: async () => (await import('../../output/views/receipts.ts')).logoutReceipt.fields,
      run: () => import('../logout.ts'),
    },
  ],
});
