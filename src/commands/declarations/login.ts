import { command, requests } from '../parts/declaration.ts';

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
  output: 'With a table, nothing on standard output; standard error says what was saved where.',
  variants: [
    {
      shape: 'receipt',
      fields: async () => (await import('../../output/views/receipts.ts')).loginReceipt.fields,
      plan: () => [requests('access')],
      run: () => import('../login.ts'),
    },
  ],
});
