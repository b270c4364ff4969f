import { GROUPS } from '../../commands/flags/groups.ts';
import { type CommandDeclaration, session } from '../declaration.ts';
import { fromOption, sinceOption, typeOption, untilOption } from '../filter-options.ts';

export const stats: CommandDeclaration = {
  name: 'stats',
  description: 'Show outcome statistics of the last 30 days',
  options: [
    typeOption("one screener type only (the API's screener_type)"),
    fromOption('compute them from a local history instead, for 0 credits'),
    sinceOption('with --from: cards from then on'),
    untilOption('with --from: cards up to then'),
    {
      flags: '--by <group>',
      about: 'with --from: one group per type, symbol or day',
      takes: { kind: 'words', words: GROUPS },
    },
  ],
  cost: '5 credits, after saying how many are left; with --from 0',
  about: 'Price movements after a trigger, each horizon on its own sample. They are not trading profit.',
  examples: [
    ['screener stats', ''],
    ['screener stats --from ~/signals --by type', 'from a local history: free, any period, with intervals'],
    ['screener stats --json | jq \'.horizons."24h".median_move_pct\'', ''],
  ],
  fields: async () => (await import('../../output/views/stats.ts')).statsView.fields,
  output: 'With --from more: quartiles, 95 % intervals, shares; `screener stats --from DIR --json` shows them.',
  moreFields: async () => {
    const { groupView, historyStatsView } = await import('../../output/views/history-stats.ts');
    return [...historyStatsView.fields, ...groupView.fields];
  },
  exits: [0, 2, 3, 4, 6, 7, 8, 9],
  act: session(async () => ({
    read: (await import('../../commands/flags/stats.ts')).readStats,
    run: async (invocation, options) => {
      if (options.from === undefined) return (await import('../../commands/stats.ts')).run(invocation, options);
      const { run } = await import('../../commands/stats-from.ts');
      return run(invocation, { ...options, directory: options.from });
    },
  })),
};
