import { command } from '../declaration.ts';

export const logout = command({
  name: 'logout',
  description: 'Remove the saved key and base URL',
  cost: '0 credits; nothing is sent',
  examples: [
    ['screener logout', ''],
    ['screener logout --quiet', 'without a word'],
  ],
  output: 'None; what was removed is said on standard error.',
  ways: [{ run: () => import('../logout.ts') }],
});
