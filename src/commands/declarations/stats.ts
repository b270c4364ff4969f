import { HORIZON_NAMES, MAIN_HORIZON } from '../../api/contract/horizons.ts';
import { GROUPS } from '../../outcomes/types.ts';
import { FROM, HISTORY, LOCAL, SINCE, SYMBOL, TYPE, UNTIL } from '../card-options.ts';
import { command, requests } from '../declaration.ts';
import { positive, sortField, whole, words } from '../values.ts';
import { WHERE } from '../where.ts';

const OF_30_DAYS = "the service's own statistics always cover the last 30 days";

export const stats = command({
  name: 'stats',
  description: 'Show outcome statistics of the last 30 days',
  options: [
    { ...TYPE, about: "one screener type only (the API's screener_type)" },
    { ...LOCAL, about: 'compute them from the default history instead, for 0 credits' },
    { ...FROM, about: 'or from this local history' },
    { ...SINCE, about: 'from a history: cards from then on', needs: HISTORY, because: OF_30_DAYS },
    { ...UNTIL, about: 'from a history: cards up to then', needs: HISTORY, because: OF_30_DAYS },
    { ...SYMBOL, about: 'from a history: cards of one symbol', needs: HISTORY, because: OF_30_DAYS },
    { ...WHERE, about: `from a history: ${WHERE.about}`, needs: HISTORY, because: OF_30_DAYS },
    {
      flags: '--by <group>',
      about: 'compare types; from a history also symbols, months (UTC), or with --type its settings',
      schema: words([...GROUPS, 'settings']),
    },
    {
      flags: '--sort <field>',
      about: 'with --by: by this field, largest first; with - before it smallest first',
      takes: { kind: 'fields' },
      schema: sortField('horizons.24h.median_move_pct', '-rows'),
      needs: ['--by'],
    },
    {
      flags: '--min-sample <n>',
      about: 'with --by: leave out groups with fewer measured outcomes',
      schema: whole(0),
      needs: ['--by'],
    },
    {
      flags: '--least <pp>',
      about:
        'from a history: the smallest difference that matters after 24 h, in percentage points; after 1 h a quarter',
      schema: positive('For example --least 0.5.'),
      default: '1',
      needs: HISTORY,
      because: OF_30_DAYS,
    },
    {
      flags: '--horizon <horizon>',
      about: `from a history: the horizon that verdicts are of (${MAIN_HORIZON} unless it is said)`,
      schema: words(HORIZON_NAMES),
      needs: HISTORY,
      because: OF_30_DAYS,
    },
    { flags: '--detail', about: 'with --by: every figure of each group', needs: ['--by'] },
  ],
  cost: '5 credits, after saying how many are left; with --by type 1 credit, and 5 for each type; from a history 0',
  about: 'Price movements after a trigger, each horizon on its own sample. They are not trading profit.',
  examples: [
    ['screener stats', ''],
    ['screener stats --local --by type', 'from the local history: free, any period, with intervals'],
    ['screener stats --json | jq \'.horizons."24h".median_move_pct\'', ''],
  ],
  output:
    'From a history more: intervals, shares, verdicts; `screener stats --local --json` shows them, `screener help figures` says how they are made.',
  ways: [
    {
      answer: 'stats',
      fields: async () => (await import('../../output/views/stats.ts')).statsView.fields,
      sends: () => [requests('access'), requests('stats')],
      run: () => import('../stats.ts'),
    },
    {
      asked: ['--by'],
      shape: 'list',
      fields: async () => (await import('../../output/views/stats.ts')).statsByTypeView.fields,
      sends: 'itself',
      run: () => import('../stats.ts'),
    },
    {
      isLocal: true,
      fields: async () => (await import('../../output/views/history-stats.ts')).historyStatsView.fields,
      run: () => import('../stats-local.ts'),
    },
    {
      isLocal: true,
      asked: ['--by'],
      shape: 'list',
      fields: async () => (await import('../../output/views/history-stats.ts')).groupView.fields,
      head: async () => (await import('../../output/views/history-stats.ts')).statsHeadFields,
      run: () => import('../stats-local.ts'),
    },
  ],
});
