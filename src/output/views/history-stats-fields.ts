import type { Field } from '../types.ts';
import { fieldsWithin, intervalFields } from './parts.ts';

function horizonFields(key: string, after: string): Field[] {
  const fields: Field[] = [
    { name: 'sample', kind: 'integer', about: `cards with a move measured after ${after}` },
    { name: 'pending', kind: 'integer', about: 'outcomes still pending when bought' },
    { name: 'missing', kind: 'integer', about: 'outcomes missing, or available without a figure' },
    { name: 'other_states', kind: 'integer', about: 'outcomes in a state the document does not list' },
    { name: 'without_outcome', kind: 'integer', about: 'cards whose outcome is not bought, or that have none' },
    { name: 'distinct_symbols', kind: 'integer', about: 'symbols in the sample' },
    { name: 'distinct_days', kind: 'integer', about: 'UTC days in the sample' },
    { name: 'clusters', kind: 'integer', about: 'blocks of cluster_days days in the sample' },
    { name: 'cluster_days', kind: 'integer', about: 'UTC days that count as one cluster' },
    { name: 'effective_sample', kind: 'number', about: 'independent cards that would say as much of the median' },
    { name: 'median_move_pct', kind: 'number', about: 'median price move, percent; null: not yet measurable' },
    ...intervalFields('median_move_pct_interval_95', '95 % interval of it, percent; null below 6 clusters'),
    ...intervalFields('quartiles_move_pct', 'lower and upper quartile, percent'),
    ...intervalFields('missing_bounds', 'the median, had all missing moves been lowest or highest; null below 5 %'),
    { name: 'btc_sample', kind: 'integer', about: "cards with BTC's move besides" },
    { name: 'ties_with_btc', kind: 'integer', about: 'cards that moved exactly as BTC' },
    { name: 'btc_clusters', kind: 'integer', about: 'clusters of the btc_sample' },
    {
      name: 'btc_effective_sample',
      kind: 'number',
      about: 'independent cards that would say as much of the difference',
    },
    { name: 'median_vs_btc_percentage_points', kind: 'number', about: "median of move minus BTC's" },
    ...intervalFields('median_vs_btc_interval_95', '95 % interval of it, percentage points'),
    ...intervalFields('median_vs_btc_interval_holm', 'the same, widened for all comparisons'),
    { name: 'share_above_btc', kind: 'number', about: 'fraction that moved more than BTC, ties left out' },
    ...intervalFields('share_above_btc_interval_95', '95 % interval of that fraction'),
    { name: 'p_vs_btc', kind: 'number', about: 'p of the median difference being 0; null below 6 clusters' },
    { name: 'p_vs_btc_holm', kind: 'number', about: 'the same, adjusted for all comparisons' },
    { name: 'verdict', kind: 'text', about: 'above_btc, below_btc, unclear, too_few_days' },
    { name: 'weak', kind: 'boolean', about: 'whether there are fewer than 12 clusters' },
  ];
  return [
    { name: `horizons.${key}`, kind: 'object', about: `the moves after ${after}` },
    ...fieldsWithin(`horizons.${key}`, fields),
  ];
}

const figureFields: readonly Field[] = [
  { name: 'rows', kind: 'integer', about: 'cards in the history that match' },
  { name: 'bought', kind: 'integer', about: 'of these, the ones whose outcome was bought' },
  { name: 'due', kind: 'integer', about: 'of these, the ones whose outcomes can be settled' },
  { name: 'bought_share', kind: 'number', about: 'fraction of the due that was bought' },
  { name: 'horizons', kind: 'object', about: 'the horizons 1h and 24h, each on its own sample' },
  ...horizonFields('1h', '1 hour'),
  ...horizonFields('24h', '24 hours'),
];

/** What `stats --by` says besides its groups. */
export const statsHeadFields: readonly Field[] = [
  { name: 'scope', kind: 'text', about: 'local_history' },
  { name: 'screener_type', kind: 'text', about: 'screener type asked for; null for all' },
  { name: 'symbol', kind: 'text', about: 'symbol asked for; null for all' },
  { name: 'since', kind: 'time', about: 'start asked for, UTC; null for none' },
  { name: 'until', kind: 'time', about: 'end asked for, UTC; null for none' },
  { name: 'by', kind: 'text', about: 'what is grouped by; null for nothing' },
  { name: 'generated_at', kind: 'time', about: 'when it was computed, UTC' },
  { name: 'bought_order', kind: 'text', about: 'which due outcomes are bought first; null: unknown' },
  {
    name: 'settings_changes',
    kind: 'objects',
    about: 'when looks found changed settings, UTC, and of which types',
    items: [
      { name: 'at', kind: 'time', about: 'when a look found them changed, UTC' },
      { name: 'types', kind: 'texts', about: 'screener types whose settings had changed' },
    ],
  },
  { name: 'comparisons', kind: 'integer', about: 'how many p values the adjustment is over' },
  { name: 'groups_left_out', kind: 'integer', about: 'groups with smaller samples than --min-sample' },
];

/** Of `stats` from a history without `--by`. */
export const historyStatsFields: readonly Field[] = [...statsHeadFields, ...figureFields];

/** Of one group of `stats --by`. */
export const groupFields: readonly Field[] = [
  { name: 'group', kind: 'text', about: 'screener type, symbol, UTC day, hour or weekday' },
  ...figureFields,
];
