import { command, requests } from '../declaration.ts';

export const login = command({
  name: 'login',
  description: 'Check a key and base URL with one free call, then save them',
  cost: '0 credits',
  about:
    'On a terminal both are asked for, the key without showing it. Otherwise the key is the first line of standard ' +
    'input, and the base URL comes from --base-url or SCREENER_BASE_URL. A stored key is replaced only by one that works.',
  examples: [
    ['screener login', 'asks for both'],
    ['cat key.txt | screener login --base-url https://HOST/api/external/v1', 'from a file'],
  ],
  output: 'As a table nothing is printed but what was saved where, on standard error.',
  ways: [
    {
      answer: 'access',
      fields: async () => (await import('../../output/views/access.ts')).accessFields,
      sends: () => [requests('access')],
      run: () => import('../login.ts'),
    },
  ],
});
