import { command } from '../parts/declaration.ts';

export const logout = command({
  name: 'logout',
  description: 'Remove the saved key and base URL',
  cost: 'free; sends nothing',
  examples: [
    ['screener logout', ''],
    ['screener logout --quiet', 'says nothing'],
  ],
  output: 'None; standard error says what was removed.',
  variants: [{ run: () => import('../logout.ts') }],
});
