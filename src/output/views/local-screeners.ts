import type { HorizonFigures } from '../../outcomes/figure-table.ts';
import { durationInWords } from '../../runtime/durations.ts';
import { minuteTime, NONE, percentagePoints } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Field, View } from '../types.ts';
import { fieldsWithin, figureColumn, intervalFields, textColumn } from './parts.ts';
import { activeCell, conditionsColumn } from './screeners.ts';
import { verdictCell } from './verdict.ts';

type HorizonPart = Pick<
  HorizonFigures,
  'sample' | 'effective_sample' | 'median_vs_btc_percentage_points' | 'median_vs_btc_interval_95' | 'verdict' | 'weak'
>;

/** A screener as last seen, and what the history holds of its type. */
export interface LocalScreener {
  readonly type: string;
  /** Null where the settings were never looked at, or name no screener of this type. */
  readonly active: boolean | null;
  readonly conditions: Record<string, unknown> | null;
  /** When the settings were looked at, ISO 8601 UTC. */
  readonly configured_at: string | null;
  /** When the history ends, ISO 8601 UTC: of what came since, nothing is known. */
  readonly covered_until: string;
  /** In the 28 days before that, or since the first card. */
  readonly cards_per_day: number;
  readonly last_card_at: string | null;
  /** Whether it is switched on and had no card in the last 14 days covered. */
  readonly silent: boolean;
  readonly horizons: { readonly '1h': HorizonPart | null; readonly '24h': HorizonPart | null };
}

const horizonFields: readonly Field[] = [
  { name: 'sample', kind: 'integer', about: 'settled outcomes of its type' },
  { name: 'effective_sample', kind: 'number', about: 'how many independent cards would say as much' },
  { name: 'median_vs_btc_percentage_points', kind: 'number', about: "median of move minus BTC's, percentage points" },
  ...intervalFields('median_vs_btc_interval_95', '95 % interval of it, percentage points'),
  { name: 'verdict', kind: 'text', about: 'above_btc, below_btc, unclear or too_few_days, adjusted for all types' },
  { name: 'weak', kind: 'boolean', about: 'whether there are fewer than 12 clusters' },
];

/** What the list says besides its screeners. */
export const localScreenersHead: readonly Field[] = [
  { name: 'scope', kind: 'text', about: 'local_history' },
  { name: 'generated_at', kind: 'time', about: 'when it was computed, UTC' },
];

export const localScreenersView: View<LocalScreener> = {
  fields: [
    { name: 'type', kind: 'text', about: 'screener type' },
    { name: 'active', kind: 'boolean', about: 'whether it was switched on when last looked at; null: not known' },
    { name: 'conditions', kind: 'object', about: 'as last looked at' },
    { name: 'configured_at', kind: 'time', about: 'when the settings were last seen to change, UTC' },
    { name: 'covered_until', kind: 'time', about: 'when the history ends, UTC' },
    { name: 'cards_per_day', kind: 'number', about: 'cards a day in the 28 days before' },
    { name: 'last_card_at', kind: 'time', about: 'its newest card, UTC' },
    { name: 'silent', kind: 'boolean', about: 'switched on, and no card in the last 14 days covered' },
    { name: 'horizons', kind: 'object', about: 'outcomes of its type by horizon, each null where it has none' },
    { name: 'horizons.1h', kind: 'object', about: 'after 1 hour' },
    ...fieldsWithin('horizons.1h', horizonFields),
    { name: 'horizons.24h', kind: 'object', about: 'after 24 hours' },
    ...fieldsWithin('horizons.24h', horizonFields),
  ],
  columns: [
    textColumn('TYPE', 0, ({ type }) => safeText(type)),
    textColumn('ACTIVE', 1, ({ active }, { styles }) =>
      active === null ? styles.dim(NONE) : activeCell(active, styles),
    ),
    figureColumn('A DAY', 0, ({ silent, cards_per_day }, { styles }) =>
      silent ? styles.warn(cards_per_day.toFixed(1)) : cards_per_day.toFixed(1),
    ),
    figureColumn('SETTLED', 2, ({ horizons }) => String(horizons['24h']?.sample ?? 0)),
    figureColumn('VS BTC 24H', 1, ({ horizons }) =>
      percentagePoints(horizons['24h']?.median_vs_btc_percentage_points ?? null),
    ),
    textColumn('VERDICT', 0, ({ horizons: { '24h': day } }, { styles }) =>
      day === null ? styles.dim(NONE) : verdictCell(day, styles),
    ),
    conditionsColumn(3, ({ conditions }) => conditions),
  ],
  footer: (items, { paragraph, styles }) => {
    const silent = items.filter((item) => item.silent);
    const words = silent.map((item) => `${safeText(item.type)}: ${silence(item)}, though it is switched on.`);
    const [first] = items;
    const seen =
      first?.configured_at == null
        ? 'never: `screener screeners` looks, for 1 credit'
        : `${minuteTime(first.configured_at)} UTC`;
    const about = `Settings last seen to change: ${seen}. Cards name no screener, only its type: screeners of one type share these figures.`;
    return [...words.map((text) => paragraph(text, styles.warn)), paragraph(about)].join('\n');
  },
  empty: 'The history has no cards, and no settings were looked at.',
};

function silence({ last_card_at, covered_until }: LocalScreener): string {
  if (last_card_at === null) return 'no card yet';
  return `no card for ${durationInWords(Date.parse(covered_until) - Date.parse(last_card_at))}`;
}
