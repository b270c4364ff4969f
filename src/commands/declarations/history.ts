/** The commands that always answer from a local history: `today`, `tune` and `report`. */
import { HORIZON_NAMES, MAIN_HORIZON } from '../../api/contract/horizons.ts';
import { andWords, orWords } from '../../base/words.ts';
import { PROGRAM_FLAGS } from '../../output/formats.ts';
import { DEMO_TYPES } from '../../sandbox/names.ts';
import { FILTERS, FROM, HISTORY_OPTIONS, TYPE_ARGUMENT } from '../parts/card-options.ts';
import { command } from '../parts/declaration.ts';
import { path, text, words } from '../parts/values.ts';
import { WHERE } from '../parts/where.ts';

/** The variant of `today` without an option. The others differ from it in a few entries. */
const TODAY_VARIANT = {
  isLocal: true,
  shape: 'document',
  fields: async () => (await import('../../output/views/today-fields.ts')).todayFields,
  run: () => import('../today.ts'),
} as const;

export const today = command({
  name: 'today',
  description: "The morning's look: what is new, what to do, new cards",
  options: [
    {
      flags: '--refresh',
      about: 'run `screener signals export` first (costs credits)',
      excludes: ['--from'],
    },
    {
      flags: '--changes',
      about:
        'only what is new since you last ran it: findings, withdrawals, deadlines; prints nothing if there is none',
      excludes: ['--refresh'],
    },
    ...HISTORY_OPTIONS,
  ],
  cost: 'free, and sends nothing; with --refresh as `screener signals export`',
  about:
    'It reads only the history that `screener signals export` keeps and the credit ledger of this machine.',
  examples: [
    ['screener today', ''],
    ['screener today --refresh', 'in the morning, if cron does not do it'],
    ['screener today --changes', 'for a mail from cron: only what is new'],
  ],
  output:
    'CSV has one row of figures. If --fields asks for a list, the cell of that list holds JSON.',
  variants: [
    TODAY_VARIANT,
    // `plan: 'command'`: the command itself answers --plan, because it has to look at the history. `isLocal` holds here, too: what
    // is printed is read from the history.
    { ...TODAY_VARIANT, when: ['--refresh'], plan: 'command' },
    {
      ...TODAY_VARIANT,
      when: ['--changes'],
      shape: 'list',
      fields: async () => (await import('../../output/views/today-fields.ts')).changesView.fields,
    },
  ],
  specialOutputs: [
    {
      options: '--refresh with --plan',
      fields: async () =>
        (await import('../../output/views/export-summary.ts')).exportQuoteView.fields,
    },
  ],
});

export const tune = command({
  name: 'tune',
  description: 'Find which settings to change, from numbers at the trigger',
  argument: {
    ...TYPE_ARGUMENT,
    about: 'one screener type in full (default: all types, a line each)',
  },
  options: [
    ...HISTORY_OPTIONS,
    ...FILTERS,
    WHERE,
    {
      flags: '--key <key>',
      about: 'show only the number of this name (still corrected for all numbers tested)',
      schema: text,
    },
    {
      flags: '--horizon <horizon>',
      about: `show only ${orWords(HORIZON_NAMES)} (default: ${MAIN_HORIZON} in tables, all elsewhere)`,
      schema: words(HORIZON_NAMES),
    },
    { flags: '--detail', about: 'list every number, and each setting that was tested' },
  ],
  cost: 'free; sends nothing',
  about:
    'A bought card has entry_context, the numbers known at the trigger. tune tests which of them are linked to the move that followed, among cards of the same day. If a link is clear, it advises a stricter setting.',
  examples: [
    ['screener tune', 'all types of the default history'],
    [`screener tune ${DEMO_TYPES[0]}`, 'one type, with a stricter setting'],
    [`screener --demo tune ${DEMO_TYPES[0]}`, 'with invented data'],
  ],
  variants: [
    {
      isLocal: true,
      shape: 'document',
      fields: async () => (await import('../../output/views/tune.ts')).tuneView.fields,
      rows: async () => (await import('../../output/views/tune.ts')).questionFields,
      run: () => import('../tune.ts'),
    },
  ],
});

export const report = command({
  name: 'report',
  description: 'Write the outcomes as one HTML page with pictures',
  argument: {
    term: '<file>',
    about: 'file to write; - for standard output',
    takes: { kind: 'file' },
    schema: path,
  },
  options: [FROM, ...FILTERS, WHERE, { flags: '--open', about: 'open it in the browser' }],
  cost: 'free; sends nothing',
  about:
    'It needs a local history. The page is one file: it loads nothing, runs no script, prints well and can be mailed.',
  examples: [
    ['screener report outcomes.html', 'the whole default history'],
    ['screener report week.html --since 7d --open', ''],
    ['screener --demo report demo.html', 'with invented data'],
  ],
  output: [
    'With `-` as the file, standard output gets the page and nothing else.',
    `With another file, ${andWords(PROGRAM_FLAGS)} print a receipt, and a table prints nothing.`,
  ].join(' '),
  variants: [
    {
      isLocal: true,
      shape: 'receipt',
      fields: async () => (await import('../../output/views/receipts.ts')).reportReceipt.fields,
      run: () => import('../report.ts'),
    },
  ],
});
