import * as v from 'valibot';
import { anyObject, described, time } from '../../api/contract/primitives.ts';
import { type ReadonlyDeep, schemaOf } from '../../outcomes/figure.ts';
import { HORIZON_TABLE, type HorizonFigures } from '../../outcomes/figure-table.ts';
import { durationInWords } from '../../runtime/durations.ts';
import { fieldsOf } from '../described-fields.ts';
import { NONE, percentagePoints, zonedTime } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { View } from '../types.ts';
import { figureColumn, textColumn } from './parts.ts';
import { conditionsColumn } from './screeners.ts';
import { verdictCell } from './verdict.ts';

/** What of a horizon's figures the list has. */
export const SCREENER_FIGURES = [
  'sample',
  'effective_sample',
  'median_vs_btc_percentage_points',
  'median_vs_btc_interval_95',
  'verdict',
  'weak',
] as const satisfies readonly (keyof HorizonFigures)[];

const horizon = v.nullable(v.pick(schemaOf(HORIZON_TABLE), SCREENER_FIGURES));

/** A screener as last seen, and what the history holds of its type. */
const localScreener = v.object({
  type: described(v.string(), 'screener type'),
  active: described(v.nullable(v.boolean()), 'whether it was switched on when last looked at; null: not known'),
  conditions: described(v.nullable(anyObject), 'as last looked at'),
  configured_at: described(v.nullable(time), 'when the settings were last seen to change, UTC'),
  covered_until: described(time, 'when the history ends, UTC: of what came since, nothing is known'),
  cards_per_day: described(v.number(), 'cards a day in the 28 days before that, or since the first card'),
  last_card_at: described(v.nullable(time), 'its newest card, UTC'),
  silent: described(v.boolean(), 'switched on, and no card in the last 14 days covered'),
  horizons: described(
    v.object({ '1h': described(horizon, 'after 1 hour'), '24h': described(horizon, 'after 24 hours') }),
    'outcomes of its type by horizon, each null where it has none',
  ),
});
export type LocalScreener = ReadonlyDeep<v.InferOutput<typeof localScreener>>;

/** What the list says besides its screeners. */
export const localScreenersHead = fieldsOf(
  v.object({
    scope: described(v.literal('local_history'), 'local_history'),
    generated_at: described(time, 'when it was computed, UTC'),
  }),
);

export const localScreenersView: View<LocalScreener> = {
  fields: fieldsOf(localScreener),
  columns: [
    textColumn('TYPE', 0, ({ type, active }) => `${safeText(type)}${active === false ? ' (off)' : ''}`),
    figureColumn('A DAY', 0, ({ silent, cards_per_day }, { styles }) =>
      silent ? styles.warn(cards_per_day.toFixed(1)) : cards_per_day.toFixed(1),
    ),
    figureColumn('SETTLED', 3, ({ horizons }) => String(horizons['24h']?.sample ?? 0)),
    figureColumn('VS BTC 24H', 2, ({ horizons }) =>
      percentagePoints(horizons['24h']?.median_vs_btc_percentage_points ?? null),
    ),
    textColumn('VERDICT', 0, ({ horizons: { '24h': day } }, { styles }) =>
      day === null ? styles.dim(NONE) : verdictCell(day, styles),
    ),
    conditionsColumn(1, ({ conditions }) => conditions),
  ],
  footer: (items, { paragraph, styles, zone }) => {
    const silent = items.filter((item) => item.silent);
    const words = silent.map((item) => `${safeText(item.type)}: ${silence(item)}, though it is switched on.`);
    const [first] = items;
    const seen =
      first?.configured_at == null
        ? 'never: `screener screeners` looks, for 1 credit'
        : zonedTime(first.configured_at, zone);
    const about = `Settings last seen to change: ${seen}. Cards name no screener, only its type: screeners of one type share these figures.`;
    return [...words.map((text) => paragraph(text, styles.warn)), paragraph(about)].join('\n');
  },
  empty: 'The history has no cards, and no settings were looked at.',
};

function silence({ last_card_at, covered_until }: LocalScreener): string {
  if (last_card_at === null) return 'no card yet';
  return `no card for ${durationInWords(Date.parse(covered_until) - Date.parse(last_card_at))}`;
}
