import * as v from 'valibot';
import { anyObject, described, time } from '../../api/contract/primitives.ts';
import { type ReadonlyDeep, schemaOf } from '../../outcomes/figure.ts';
import { GROUP_TABLE } from '../../outcomes/figure-table.ts';
import { cutSchema, questionSchema } from '../../outcomes/tune-types.ts';
import { durationInWords } from '../../runtime/durations.ts';
import { fieldsOf } from '../described-fields.ts';
import { zonedTime } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { View } from '../types.ts';
import { horizonFigures } from './history-stats-fields.ts';
import { figureColumn } from './parts.ts';
import { objectByHorizon } from './schemas.ts';
import { screenerColumn, settingsColumn } from './screeners.ts';
import { settingsChangeSchema, settingsOfType } from './settings-history.ts';
import { differenceColumns } from './verdict.ts';

const localScreener = v.object({
  type: described(v.string(), 'screener type'),
  active: described(v.nullable(v.boolean()), 'whether it was switched on when last looked at; null: not known'),
  conditions: described(v.nullable(anyObject), 'as last looked at'),
  configured_at: described(v.nullable(time), 'when a look first saw these settings, UTC; null: none saw a change'),
  covered_until: described(time, 'when the history ends, UTC: of what came since, nothing is known'),
  cards_per_day: described(
    v.number(),
    'cards a day in the 28 days before that, or since the settings hold; silent days counted',
  ),
  repeats_per_day: described(v.number(), 'of these, cards within an hour after another one of the type on the symbol'),
  overlaps_per_day: described(v.number(), 'of these, cards within an hour of one of another type on the symbol'),
  last_card_at: described(v.nullable(time), 'its newest card, UTC'),
  silent: described(v.boolean(), 'switched on, and no card in the last 14 days covered'),
  settings_since: described(v.nullable(time), 'the figures are of cards since then, the last change; null: of all'),
  coincides_with: described(
    schemaOf(GROUP_TABLE).entries.coincides_with,
    'types that come with at least half of its cards',
  ),
  horizons: objectByHorizon('outcomes of its type by horizon, each null where it has none', v.nullable(horizonFigures)),
});
export type LocalScreener = ReadonlyDeep<v.InferOutput<typeof localScreener>>;

const period = v.object({
  since: described(time, 'when a look first saw these settings, or the first card, UTC'),
  settings: described(settingsOfType, 'the screeners of the type'),
  cards_per_day: described(v.number(), 'cards a day meanwhile'),
});

const head = v.object({
  scope: described(v.literal('local_history'), 'local_history'),
  generated_at: described(time, 'when it was computed, UTC'),
  periods: described(
    v.nullable(v.array(period)),
    'the settings of the type asked for, oldest first; null for all types',
  ),
  changes: described(v.nullable(v.array(settingsChangeSchema)), 'what each change of them did; null for all types'),
  questions: described(v.nullable(v.array(questionSchema)), 'what tune says of its keys; null for all types'),
  cuts: described(v.nullable(v.array(cutSchema)), 'stricter settings of the keys that tell; null for all types'),
});
export type LocalScreenersHead = ReadonlyDeep<v.InferOutput<typeof head>>;

export const localScreenersHead = fieldsOf(head);

export const localScreenersView: View<LocalScreener> = {
  fields: fieldsOf(localScreener),
  columns: [
    screenerColumn(),
    figureColumn('A DAY', 1, ({ silent, cards_per_day }, { styles }) =>
      silent ? styles.warn(cards_per_day.toFixed(1)) : cards_per_day.toFixed(1),
    ),
    ...Object.values(differenceColumns<LocalScreener>(({ horizons }) => horizons['24h'])),
    settingsColumn(),
  ],
  footer: (items, { paragraph, styles, zone }) => {
    const changed = items.filter(({ settings_since: since }) => since !== null);
    const settings = items.every(({ conditions }) => conditions === null)
      ? ['Settings were never looked at: `screener screeners` looks, for 1 credit.']
      : changed.map(({ type, settings_since: since }) => {
          return `${safeText(type)}'s settings changed by ${zonedTime(since, zone)}; its figures are since then.`;
        });
    const about = 'After 24 h, in pp; per type: cards do not say which screener sent them.';
    return [
      ...silentWords(items).map((text) => paragraph(text, styles.warn)),
      ...[...settings, about].map((text) => paragraph(text)),
    ].join('\n');
  },
  empty: 'The history has no cards, and no settings were looked at.',
};

/** `breakout: no card for 22 days, though it is switched on.` */
export function silentWords(items: readonly LocalScreener[]): string[] {
  return items.flatMap(({ type, silent, last_card_at: last, covered_until: until }) => {
    if (!silent) return [];
    const since = last === null ? 'yet' : `for ${durationInWords(Date.parse(until) - Date.parse(last))}`;
    return [`${safeText(type)}: no card ${since}, though it is switched on.`];
  });
}
