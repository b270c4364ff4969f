import { listWork } from '../../credits/estimate.ts';
import { A_HISTORY, FILTERS, HISTORY, TYPE_ARGUMENT } from '../parts/card-options.ts';
import { command } from '../parts/declaration.ts';
import { cursor, sortField, whole } from '../parts/values.ts';
import { WHERE } from '../parts/where.ts';

const WITH_OUTCOMES = {
  shape: 'list',
  fields: async () => (await import('../../output/views/card-fields.ts')).listedFields,
  head: async () => (await import('../../output/views/card-fields.ts')).pageFields,
} as const;

export const signalsLs = command({
  name: 'ls',
  alias: 'list',
  description: 'List your recorded cards, newest first',
  argument: TYPE_ARGUMENT,
  options: [
    ...FILTERS,
    {
      flags: '--cursor <cursor>',
      about: 'continue from the next_cursor of an earlier page',
      schema: cursor,
      excludes: HISTORY,
      because: 'cursors come from the service',
    },
    {
      flags: '--next',
      about: 'continue the last list shown on a terminal, with its filters (in scripts use --cursor)',
      excludes: ['--since', '--until', '--symbol', '--type', '--cursor', ...HISTORY],
      because: '--next continues the last list with its filters',
    },
    { flags: '-n, --limit <n>', about: 'number of cards (default: 25; all from a local history)', schema: whole(1) },
    { flags: '--all', about: 'every card', excludes: ['--limit'] },
    { flags: '--outcomes', about: 'also show outcomes, for 1 credit per card' },
    ...A_HISTORY,
    { ...WHERE, about: `local history: ${WHERE.about}`, needs: HISTORY, because: 'the service has no such filter' },
    {
      flags: '--sort <field>',
      about: 'local history: largest first; -FIELD for smallest first',
      takes: { kind: 'fields' },
      schema: sortField('outcome.move_24h_pct', '-fact_volume_pct'),
      needs: HISTORY,
      because: 'the service lists newest first',
    },
  ],
  cost: '1 credit per page of up to 25 cards; --outcomes adds 1 per card; free from a local history',
  examples: [
    ['screener signals ls --since 24h --symbol BTCUSDT', 'the last day of one symbol'],
    ['screener signals ls -n 5 --outcomes', 'with what the price did afterwards: 6 credits'],
    ['screener signals ls --local --sort outcome.move_24h_pct -n 10', 'the ten best of the history (free)'],
  ],
  output: 'With --outcomes or from a local history, also the fields of `signals show`.',
  variants: [
    {
      answer: 'signals',
      shape: 'list',
      fields: async () => (await import('../../output/views/card-fields.ts')).cardFields,
      plan: listWork,
      run: () => import('../signals-ls.ts'),
    },
    { ...WITH_OUTCOMES, when: ['--outcomes'], plan: listWork, run: () => import('../signals-ls.ts') },
    { ...WITH_OUTCOMES, isLocal: true, run: () => import('../signals-ls-local.ts') },
  ],
});
