import { SINCE } from '../card-options.ts';
import { command } from '../declaration.ts';
import { duration, path, TIMES, text } from '../values.ts';

export const signalsExport = command({
  name: 'export',
  description: 'Keep a local history up to date, for as few credits as possible',
  argument: {
    term: '[dir]',
    about: 'directory of the history (default: the one that --local reads)',
    takes: { kind: 'directory' },
    schema: path,
  },
  options: [
    { ...SINCE, about: `how far back: ${TIMES}` },
    { flags: '--no-outcomes', about: 'cards only, no outcomes' },
    {
      flags: '--focus <type>',
      about: 'buy the outcomes of this screener type first, repeatable; else a fair sample',
      schema: text,
      takes: { kind: 'seen', what: 'type' },
      repeatable: true,
    },
    { flags: '--all-credits', about: "buy all that is due now, not this day's share of the month" },
    { flags: '--no-screeners', about: 'without your screener settings, 1 credit a day' },
    { flags: '--no-stats', about: "without the service's own medians, 5 credits a type in 30 days" },
    { flags: '--adopt', about: 'go on with another key of the same subscriber' },
    { flags: '--check', about: 'send nothing; exit 1 where the history is not being kept' },
    {
      flags: '--max-age <duration>',
      about: 'with --check: how old the last success may be',
      schema: duration(),
      // A daily cron job may be late by two hours.
      default: '26h',
      needs: ['--check'],
    },
  ],
  cost:
    '1 credit per 25 new cards (at least 1), 1 per outcome that has become due, 1 a day for your settings, ' +
    '5 per screener type in 30 days',
  about:
    "Made for cron. Each card's outcome is bought once, when its 24 h are over. The first run may take ten minutes and the " +
    "day's 150 credits. A run that is stopped or killed loses nothing that was paid for; the next one goes on.",
  examples: [
    ['screener signals export', 'the default history'],
    ['screener signals export ~/signals --plan', 'what a run would cost'],
    ['screener signals export --keep 300 --quiet', 'in a crontab'],
    ['screener signals export --check', 'in another one: silent where all is well'],
  ],
  output: 'As a table nothing is printed but the summary line on standard error.',
  ways: [
    {
      fields: async () => (await import('../../output/views/export-summary.ts')).exportSummaryView.fields,
      sends: 'itself',
      run: () => import('../signals-export.ts'),
    },
  ],
  otherForms: [
    {
      options: '--plan',
      fields: async () => (await import('../../output/views/export-summary.ts')).exportQuoteView.fields,
    },
  ],
});
