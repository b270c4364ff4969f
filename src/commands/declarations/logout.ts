import { command } from '../parts/declaration.ts';

export const logout = command({
  name: 'logout',
  description: 'Remove the saved key and base URL',
  cost: 'free; sends nothing',
  examples: [
    ['screener logout', ''],
    ['screener logout --quiet', 'says nothing'],
  ],
  output: 'With a table, nothing on standard output; standard error says what was removed.',
  variants: [
    {
      shape: 'receipt',
      fields: async () => (await import('../../output/views/receipts.ts')).logoutReceipt.fields,
      run: () => import('../logout.ts'),
    },
  ],
});
