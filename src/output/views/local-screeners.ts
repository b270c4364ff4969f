/** `screeners` from a history: all types with their figures, or one type's own page. */
import * as v from 'valibot';
import { MAIN_HORIZON } from '../../api/contract/horizons.ts';
import { anyObject, described, time } from '../../api/contract/primitives.ts';
import { isBelow } from '../../outcomes/deciding.ts';
import { type ReadonlyDeep, schemaOf } from '../../outcomes/figure.ts';
import { GROUP_TABLE } from '../../outcomes/figure-table.ts';
import { cutSchema, isClear, questionSchema, type Tuning } from '../../outcomes/tune-types.ts';
import { LEAST } from '../../statistics/verdict.ts';
import { fieldsOf } from '../described-fields.ts';
import { estimateText, NONE } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Column, Pair, View } from '../types.ts';
import { horizonFigures } from './history-stats-fields.ts';
import { figureColumn, rateText, textColumn } from './parts.ts';
import { objectByHorizon } from './schemas.ts';
import { screenerName, settingsColumn } from './screeners.ts';
import { type SettingsHistory, settingsChangeSchema, settingsOfType, settingsSection } from './settings-history.ts';
import { settingsText } from './settings-words.ts';
import { adviceWords } from './tune-words.ts';
import {
  changedNote,
  differenceColumns,
  findingLines,
  findings,
  IF_SHORT,
  type Silences,
  verdictText,
} from './verdict.ts';

const localScreener = v.object({
  type: described(v.string(), 'screener type'),
  active: described(v.nullable(v.boolean()), 'whether it was switched on when last recorded; null: not known'),
  conditions: described(v.nullable(anyObject), 'as last recorded'),
  configured_at: described(v.nullable(time), 'when these settings were first recorded, UTC; null: no known change'),
  covered_until: described(time, 'when the history ends, UTC: of what came since, nothing is known'),
  cards_per_day: described(v.number(), 'cards a day in the last 28 covered, or since the settings hold'),
  repeats_per_day: described(v.number(), 'of these, cards within an hour after another one of the type on the symbol'),
  overlaps_per_day: described(v.number(), 'of these, cards within an hour of one of another type on the symbol'),
  last_card_at: described(v.nullable(time), 'its newest card, UTC'),
  silent: described(v.boolean(), 'switched on, and no card in the last 14 days covered'),
  settings_since: described(v.nullable(time), 'the figures are of cards since then, the last change; null: of all'),
  coincides_with: schemaOf(GROUP_TABLE).entries.coincides_with,
  horizons: objectByHorizon('outcomes of its type by horizon, each null if it has none', v.nullable(horizonFigures)),
});
export type LocalScreener = ReadonlyDeep<v.InferOutput<typeof localScreener>>;

const period = v.object({
  since: described(time, 'when these settings were first recorded, UTC; of the first ones: its first card'),
  settings: described(settingsOfType, 'the screeners of the type'),
  cards_per_day: described(v.number(), 'cards a day in all that time'),
});

const head = v.object({
  scope: described(v.literal('local_history'), 'local_history'),
  generated_at: described(time, 'when it was computed, UTC'),
  periods: described(v.nullable(v.array(period)), 'settings of the type asked for, oldest first; null for all types'),
  changes: described(v.nullable(v.array(settingsChangeSchema)), 'what each change of them did; null for all types'),
  questions: described(v.nullable(v.array(questionSchema)), 'what tune says of its numbers; null for all types'),
  cuts: described(v.nullable(v.array(cutSchema)), 'stricter settings for the numbers that matter; null for all types'),
});
export type LocalScreenersHead = ReadonlyDeep<v.InferOutput<typeof head>>;

export const localScreenersHead = fieldsOf(head);

export const localScreenersView: View<LocalScreener> = { fields: fieldsOf(localScreener) };

const judgedOf = ({ type, horizons }: LocalScreener, { silenceOf }: Known) => {
  return { name: safeText(type), figures: horizons[MAIN_HORIZON], silence: silenceOf(type) };
};

const columns = (known: Known): readonly Column<LocalScreener>[] => [
  textColumn('TYPE', 0, (one) => `${screenerName(one)}${one.settings_since === null ? '' : '*'}`),
  figureColumn('A DAY', 1, ({ type, cards_per_day: now }) => rateText(now, known.rateBefore(type))),
  ...Object.values(differenceColumns<LocalScreener>((one) => judgedOf(one, known))),
  settingsColumn(),
];

interface Known extends Silences {
  /** That cards a day are of: `in the last 28 days`. */
  readonly days: string;
  /** See `findings`. */
  readonly gather: string;
}

/** What was found first, as in `stats --by type`. @param tries see `worthTrying` */
export function screenersPage(items: readonly LocalScreener[], tries: readonly Pair[], known: Known): View<object> {
  const judged = items.map((one) => judgedOf(one, known));
  return {
    fields: localScreenersView.fields,
    page: (_, render) => {
      const { note, paragraph, sections, table } = render;
      if (items.length === 0) return paragraph('The history has no cards and no recorded settings.');
      const drawn = table(columns(known), items);
      return sections([
        {
          title: 'Your screeners: 24 h after the trigger, in pp against your other cards (and BTC)',
          body: findingLines([...findings(judged, 'type', known.gather), ...tries], render),
        },
        {
          body: [
            drawn,
            note(
              drawn.includes('A DAY') && `A DAY: ${known.days}`,
              changedNote(items.map(({ settings_since: at }) => at)),
              judged.some(({ figures }) => isBelow(figures?.shown_verdict)) && IF_SHORT,
              new Set(items.map(({ type }) => type)).size < items.length &&
                'Figures are per type: cards do not say which screener sent them.',
              items.every(({ conditions }) => conditions === null) &&
                'No settings are recorded yet: `screener signals export` records them.',
            ),
          ],
        },
      ]);
    },
  };
}

interface ScreenerPage {
  /** Of one type: several may share it. */
  readonly screeners: readonly LocalScreener[];
  readonly history: SettingsHistory;
  readonly tuning: Tuning;
  readonly known: Known;
  readonly inFull: readonly string[];
}

/** Its verdict and figures, or those of each of its settings; then the advice. */
export function screenerPage({ screeners, history, tuning, known, inFull }: ScreenerPage): View<object> {
  return {
    fields: localScreenersView.fields,
    page: (_, render) => {
      const [first] = screeners;
      if (first === undefined) return '';
      const { type, cards_per_day: perDay, last_card_at: last } = first;
      const { figures, silence } = judgedOf(first, known);
      const { note, offer, pairs, sections } = render;
      const clear = tuning.questions.filter((one) => one.horizon === MAIN_HORIZON && isClear(one));
      const advices: Pair[] = silence
        ? [['Advice', `Check its settings: switched on, but ${silence}.`]]
        : clear.map((one) => ['Advice', adviceWords(one, tuning.cuts, first)]);
      const shown = figures?.shown_verdict;
      const found = shown === 'above_others' ? 'worth keeping, ' : shown === 'below_others' ? 'behind, ' : '';
      const words = figures === null ? 'no cards' : `${found}${verdictText(figures, LEAST, silence)}`;
      const verdict = words === NONE ? 'no outcomes bought' : words;
      const title = `${screenerName(first)}: ${verdict}${figures?.median_vs_btc_interval_95 ? ' (24 h after the trigger, in pp)' : ''}`;
      const rate = rateText(perDay, known.rateBefore(type));
      const facts: Pair[] = [
        ...screeners.map(({ conditions: own }): Pair => ['Settings', own ? settingsText(own) : 'not known']),
        ['Cards a day', silence ? rate : `${rate} ${known.days}`],
        ['vs others', estimateText(figures?.median_vs_others_percentage_points, figures?.median_vs_others_interval_95)],
        ['vs BTC', estimateText(figures?.median_vs_btc_percentage_points, figures?.median_vs_btc_interval_95)],
      ];
      const settings = history.changes.length > 0 && settingsSection(history, render).body;
      return sections([
        { title, body: settings || pairs(facts.filter(([, value]) => value !== NONE)) },
        { body: pairs(advices) },
        { body: isBelow(shown) && note(IF_SHORT) },
        { body: last !== null && offer('In full:', ...inFull) },
      ]);
    },
  };
}
