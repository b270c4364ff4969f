import { HORIZON_NAMES, LEAST_AFTER, MAIN_HORIZON } from '../../api/contract/horizons.ts';
import { orWords } from '../../base/words.ts';
import { DEFAULT_LEAST } from '../../outcomes/question.ts';
import { GROUPS } from '../../outcomes/types.ts';
import {
  HISTORY_FLAGS,
  HISTORY_OPTIONS,
  SINCE,
  SYMBOL,
  TYPE,
  TYPE_ARGUMENT,
  UNTIL,
} from '../parts/card-options.ts';
import { command, requests } from '../parts/declaration.ts';
import { path, positive, sortField, wholeFrom, words } from '../parts/values.ts';
import { WHERE } from '../parts/where.ts';

export const stats = command({
  name: 'stats',
  description: 'Show outcomes: which types to keep (--local --by type)',
  argument: TYPE_ARGUMENT,
  options: [
    TYPE,
    ...HISTORY_OPTIONS,
    {
      ...SINCE,
      about:
        'local history: cards from this time on, or "all" for any age (default: the last 180 days)',
      needs: HISTORY_FLAGS,
    },
    { ...UNTIL, about: 'local history: cards up to this time', needs: HISTORY_FLAGS },
    { ...SYMBOL, about: 'local history: cards of this symbol', needs: HISTORY_FLAGS },
    { ...WHERE, about: `local history: ${WHERE.about}`, needs: HISTORY_FLAGS },
    {
      flags: '--by <group>',
      about: 'type; from a history also symbol, or settings (of one type)',
      schema: words([...GROUPS, 'settings']),
    },
    {
      flags: '--sort <field>',
      about: 'local history, with --by: largest first; -FIELD for smallest first',
      takes: { kind: 'sort_field' },
      schema: sortField({ examples: ['horizons.24h.median_move_pct', '-rows'] }),
      needs: ['--by'],
    },
    {
      flags: '--min-sample <n>',
      about: 'local history, with --by: leave out groups with fewer outcomes',
      schema: wholeFrom(0),
      needs: ['--by'],
    },
    {
      flags: '--least <pp>',
      about: `local history: smallest difference that matters, in percentage points ${LEAST_AFTER}`,
      schema: positive,
      default: String(DEFAULT_LEAST),
      needs: HISTORY_FLAGS,
    },
    {
      flags: '--horizon <horizon>',
      about: `local history: ${orWords(HORIZON_NAMES)}, the move that is judged (default: ${MAIN_HORIZON})`,
      schema: words(HORIZON_NAMES),
      needs: HISTORY_FLAGS,
    },
    {
      flags: '--detail',
      about: 'local history: all figures of each group, or of each type with --picked',
      needs: HISTORY_FLAGS,
    },
    {
      flags: '--picked <file>',
      about:
        'local history: did I pick well? The file has ids of the cards you acted on, one a line (- for standard input)',
      takes: { kind: 'file' },
      schema: path,
      needs: HISTORY_FLAGS,
      excludes: ['--by'],
    },
  ],
  cost: '5 credits; --by type costs 1, plus 5 per type; free from a local history',
  about:
    "Figures are price movements, not trading profit; the service's own are of the last 30 days. " +
    'The command shows the credits left before it spends any.',
  examples: [
    ['screener stats', ''],
    ['screener stats --local --by type', 'free, any period, with verdicts'],
    ['screener stats --json | jq \'.horizons."24h".median_move_pct\'', ''],
  ],
  output: 'A local history adds intervals, shares and verdicts: `screener help figures`.',
  variants: [
    {
      answer: 'stats',
      shape: 'document',
      fields: async () => (await import('../../output/views/stats.ts')).statsView.fields,
      plan: () => [requests('access'), requests('stats')],
      run: () => import('../stats.ts'),
    },
    {
      when: ['--by'],
      shape: 'list',
      fields: async () => (await import('../../output/views/stats.ts')).statsByTypeView.fields,
      // The command itself answers --plan, because the number of requests depends on how many types there are.
      plan: 'command',
      run: () => import('../stats.ts'),
    },
    {
      isLocal: true,
      shape: 'document',
      fields: async () =>
        (await import('../../output/views/history-stats.ts')).historyStatsView.fields,
      run: () => import('../stats-local.ts'),
    },
    {
      isLocal: true,
      when: ['--by'],
      shape: 'list',
      fields: async () => (await import('../../output/views/history-stats.ts')).groupView.fields,
      head: async () => (await import('../../output/views/history-stats.ts')).statsHeadFields,
      run: () => import('../stats-local.ts'),
    },
    {
      isLocal: true,
      when: ['--picked'],
      shape: 'list',
      fields: async () => (await import('../../output/views/picks.ts')).picksView.fields,
      head: async () => (await import('../../output/views/picks.ts')).picksHeadFields,
      run: () => import('../stats-picked.ts'),
    },
  ],
});
