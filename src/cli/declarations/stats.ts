import { GROUPS } from '../../outcomes/types.ts';
import { type CommandDeclaration, historySession } from '../declaration.ts';
import {
  fromOption,
  HISTORY,
  localOption,
  SYMBOL_OPTION,
  sinceOption,
  typeOption,
  untilOption,
} from '../filter-options.ts';
import { COUNT, TEXT } from '../value-schemas.ts';

export const stats: CommandDeclaration = {
  name: 'stats',
  description: 'Show outcome statistics of the last 30 days',
  options: [
    typeOption("one screener type only (the API's screener_type)"),
    localOption('compute them from the default history instead, for 0 credits'),
    fromOption('or from this local history'),
    { ...sinceOption('from a history: cards from then on'), needs: HISTORY },
    { ...untilOption('from a history: cards up to then'), needs: HISTORY },
    { ...SYMBOL_OPTION, about: 'from a history: cards of one symbol', needs: HISTORY },
    {
      flags: '--by <group>',
      about: 'from a history: compare types, symbols, days, hours or weekdays (UTC)',
      takes: { kind: 'words', words: GROUPS },
      needs: HISTORY,
    },
    {
      flags: '--sort <field>',
      about: 'with --by: by this field, largest first; with - before it smallest first',
      takes: { kind: 'fields' },
      schema: { ...TEXT, examples: ['horizons.24h.median_move_pct', '-rows'] },
      needs: ['--by'],
    },
    {
      flags: '--min-sample <n>',
      about: 'with --by: leave out groups with fewer measured outcomes',
      takes: { kind: 'free' },
      schema: COUNT,
      needs: ['--by'],
    },
    { flags: '--detail', about: 'with --by: every figure of each group', needs: ['--by'] },
  ],
  cost: '5 credits, after saying how many are left; from a history 0',
  about: 'Price movements after a trigger, each horizon on its own sample. They are not trading profit.',
  examples: [
    ['screener stats', ''],
    ['screener stats --local --by type', 'from the local history: free, any period, with intervals'],
    ['screener stats --json | jq \'.horizons."24h".median_move_pct\'', ''],
  ],
  answer: 'stats',
  fields: async () => (await import('../../output/views/stats.ts')).statsView.fields,
  output:
    'From a history more: intervals, shares, verdicts; `screener stats --local --json` shows them, `screener help figures` says how they are made.',
  otherForms: [
    {
      options: '--local or --from',
      fields: async () => (await import('../../output/views/history-stats.ts')).historyStatsView.fields,
    },
    {
      options: '--local or --from, with --by',
      fields: async () => (await import('../../output/views/history-stats.ts')).groupView.fields,
      isList: true,
      head: async () => (await import('../../output/views/history-stats.ts')).statsHeadFields,
    },
  ],
  exits: [0, 2, 3, 4, 6, 7, 8, 9],
  act: historySession({
    read: async () => (await import('../../commands/flags/stats.ts')).readStats,
    service: () => import('../../commands/stats.ts'),
    history: () => import('../../commands/stats-from.ts'),
  }),
};
