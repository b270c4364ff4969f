import { OUTCOME_WORDS } from '../../api/contract/horizons.ts';
import { LIMITS } from '../../api/limits.ts';
import { SINCE } from '../parts/card-options.ts';
import { command } from '../parts/declaration.ts';
import { duration, path, TIMES, text } from '../parts/values.ts';

export const signalsExport = command({
  name: 'export',
  description: 'Keep a local history up to date, for as few credits as possible',
  argument: {
    term: '[dir]',
    about: 'directory of the history (default: the one --local reads)',
    takes: { kind: 'directory' },
    schema: path,
  },
  options: [
    { ...SINCE, about: `how far back: ${TIMES}` },
    { flags: '--no-outcomes', about: 'cards only, no outcomes' },
    {
      flags: '--focus <type>',
      about:
        'buy outcomes of this screener type first (repeatable; default: a random sample of all)',
      schema: text,
      takes: { kind: 'seen', what: 'type' },
      repeatable: true,
    },
    {
      flags: '--all-credits',
      about: "buy everything due now, not just today's share of the month",
    },
    { flags: '--no-screeners', about: 'do not record your settings (saves 1 credit a day)' },
    {
      flags: '--no-stats',
      about: "do not ask for the service's medians (saves 5 credits per type every 15 or 30 days)",
    },
    { flags: '--adopt', about: 'continue with another key of the same subscriber' },
    { flags: '--check', about: 'send nothing; exit 1 if the history has stopped updating' },
    {
      flags: '--max-age <duration>',
      about: 'with --check: how old the last successful run may be',
      schema: duration(),
      // A day, and two hours by which a daily cron job may be late.
      default: '26h',
      needs: ['--check'],
    },
  ],
  cost:
    '1 credit per 25 new cards (at least 1), 1 per outcome due, 1 a day for your settings, ' +
    '5 per screener type every 15 or 30 days',
  // `… what the price did in the 24 h after it) once those 24 h are over.`
  about:
    `It is made for cron and buys each card's outcome (what the price did in the ${OUTCOME_WORDS} after it) once those ${OUTCOME_WORDS} are over. ` +
    `The first run may take ten minutes and the day's ${LIMITS.creditsPerDay} credits. If a run is stopped or killed, nothing paid for is ` +
    'lost; the next one continues.',
  examples: [
    ['screener signals export', 'the default history'],
    ['screener signals export --keep 300 --quiet', 'in a crontab'],
    ['screener signals export --check', 'silent if all is well; also for cron'],
  ],
  output: 'As a table it prints nothing on standard output: the summary goes to standard error.',
  variants: [
    {
      // It sends requests, but works on a local history: the one that `[dir]` names.
      isLocal: true,
      shape: 'receipt',
      fields: async () =>
        (await import('../../output/views/export-summary.ts')).exportSummaryView.fields,
      // The command itself answers --plan, because it has to look at the history.
      plan: 'command',
      run: () => import('../signals-export.ts'),
    },
    {
      isLocal: true,
      when: ['--check'],
      shape: 'receipt',
      fields: async () => (await import('../../output/views/receipts.ts')).checkReceipt.fields,
      // With --check it sends no request.
      plan: () => [],
      run: () => import('../signals-export-check.ts'),
    },
  ],
  specialOutputs: [
    {
      options: '--plan',
      fields: async () =>
        (await import('../../output/views/export-summary.ts')).exportQuoteView.fields,
    },
  ],
});
