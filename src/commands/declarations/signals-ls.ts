import { listWork } from '../../credits/estimate.ts';
import { FILTERS, FROM, HISTORY, LOCAL } from '../card-options.ts';
import { command } from '../declaration.ts';
import { cursor, sortField, whole } from '../values.ts';
import { WHERE } from '../where.ts';

const WITH_OUTCOMES = {
  shape: 'list',
  fields: async () => (await import('../../output/views/card-fields.ts')).listedFields,
  head: async () => (await import('../../output/views/card-fields.ts')).pageFields,
} as const;

export const signalsLs = command({
  name: 'ls',
  alias: 'list',
  description: 'List your recorded cards, newest first',
  options: [
    ...FILTERS,
    {
      flags: '--cursor <cursor>',
      about: 'go on from the next_cursor of an earlier page',
      schema: cursor,
      excludes: HISTORY,
      because: 'a cursor is of the service',
    },
    {
      flags: '--next',
      about: 'go on where the last list on a terminal stopped, with its filters; for scripts there is --cursor',
      excludes: ['--since', '--until', '--symbol', '--type', '--cursor', ...HISTORY],
      because: '--next goes on with the last list and its filters',
    },
    { flags: '-n, --limit <n>', about: 'cards in all (default: 25; from a history all)', schema: whole(1) },
    { flags: '--all', about: 'every card', excludes: ['--limit'] },
    { flags: '--outcomes', about: "each card's outcome too, 1 credit a card more" },
    LOCAL,
    FROM,
    { ...WHERE, about: `from a history: ${WHERE.about}`, needs: HISTORY, because: 'the service has no such filter' },
    {
      flags: '--sort <field>',
      about: 'from a history: largest first; with a - before it, smallest first',
      takes: { kind: 'fields' },
      schema: sortField('outcome.move_24h_pct', '-fact_volume_pct'),
      needs: HISTORY,
      because: 'the service lists newest first',
    },
  ],
  cost: '1 credit per page of up to 25 cards; with --outcomes 1 more per card; from a history 0',
  examples: [
    ['screener signals ls --since 24h --symbol BTCUSDT', 'the last day of one symbol'],
    ['screener signals ls --all --ndjson | jq -r .source_symbol | sort | uniq -c', 'cards per symbol'],
    ['screener signals ls -n 5 --outcomes', 'with what happened after the trigger: 6 credits'],
    ['screener signals ls --local --sort outcome.move_24h_pct -n 10', 'the best ten of the history, for 0 credits'],
  ],
  output: 'With --outcomes or from a history also the fields of `signals show`.',
  ways: [
    {
      answer: 'signals',
      fields: async () => (await import('../../output/views/card-fields.ts')).cardFields,
      sends: listWork,
      run: () => import('../signals-ls.ts'),
    },
    { ...WITH_OUTCOMES, asked: ['--outcomes'], sends: listWork, run: () => import('../signals-ls.ts') },
    { ...WITH_OUTCOMES, isLocal: true, run: () => import('../signals-ls-local.ts') },
  ],
});
