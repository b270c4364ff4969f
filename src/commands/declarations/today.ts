import { FROM, LOCAL } from '../card-options.ts';
import { command } from '../declaration.ts';

const USUAL = {
  isLocal: true,
  fields: async () => (await import('../../output/views/today.ts')).todayView.fields,
  run: () => import('../today.ts'),
} as const;

export const today = command({
  name: 'today',
  description: "The morning's look: credits, new cards, settled outcomes, what is unusual",
  options: [
    {
      flags: '--refresh',
      about: 'bring the history up to date first, as `signals export` does, for its credits',
      excludes: ['--from'],
      because: '--refresh brings the default history up to date',
    },
    { ...LOCAL, about: 'from the default history (as without it)' },
    { ...FROM, about: 'from this local history' },
  ],
  cost: '0 credits; nothing is sent; with --refresh what `signals export` costs',
  about: 'All of it is read from the history that `signals export` keeps and from the ledger of this machine.',
  examples: [
    ['screener today', ''],
    ['screener --demo today', 'what it is for, with invented data'],
    ['screener today --refresh', 'after the night, without cron'],
    ["screener today --json | jq -r '.unusual[].message'", 'for a mail from cron'],
  ],
  ways: [USUAL, { ...USUAL, asked: ['--refresh'], sends: 'itself' }],
  otherForms: [
    {
      options: '--refresh with --plan',
      fields: async () => (await import('../../output/views/export-summary.ts')).exportQuoteView.fields,
    },
  ],
});
