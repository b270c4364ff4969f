import { A_HISTORY } from '../parts/card-options.ts';
import { command } from '../parts/declaration.ts';

const USUAL = {
  isLocal: true,
  shape: 'document',
  fields: async () => (await import('../../output/views/today.ts')).todayFields,
  run: () => import('../today.ts'),
} as const;

export const today = command({
  name: 'today',
  description: "The morning's look: what is unusual, verdicts, new cards",
  options: [
    {
      flags: '--refresh',
      about: 'update the history first, as `signals export` does (costs credits)',
      excludes: ['--from'],
      because: '--refresh updates the default history',
    },
    {
      flags: '--changes',
      about: 'only what was found, withdrawn or ends soon since it was last asked; silent if nothing was',
      excludes: ['--refresh'],
      because: 'run `screener signals export` before it',
    },
    ...A_HISTORY,
  ],
  cost: 'free; sends nothing; --refresh costs what `signals export` does',
  about: 'It reads only the history that `signals export` keeps and the credit ledger of this machine.',
  examples: [
    ['screener today', ''],
    ['screener today --refresh', 'in the morning, if cron does not do it'],
    ['screener today --changes', 'for a mail from cron: only what is new'],
  ],
  output: 'CSV is one row of figures; --fields names a list of it, as JSON.',
  variants: [
    USUAL,
    { ...USUAL, when: ['--refresh'], plan: 'own' },
    {
      isLocal: true,
      when: ['--changes'],
      shape: 'list',
      fields: async () => (await import('../../output/views/changes.ts')).changesView.fields,
      run: () => import('../today-changes.ts'),
    },
  ],
  specialOutputs: [
    {
      options: '--refresh with --plan',
      fields: async () => (await import('../../output/views/export-summary.ts')).exportQuoteView.fields,
    },
  ],
});
