/** `screeners` from a history: all types with their figures, or one type's own page. */
import * as v from 'valibot';
import { MAIN_HORIZON } from '../../api/contract/horizons.ts';
import { anyObject, described, time } from '../../api/contract/primitives.ts';
import { type ReadonlyDeep, schemaOf } from '../../outcomes/figure.ts';
import { GROUP_TABLE } from '../../outcomes/figure-table.ts';
import { cutSchema, questionSchema, type Tuning } from '../../outcomes/tune-types.ts';
import { LEAST } from '../../outcomes/verdict.ts';
import { fieldsOf } from '../described-fields.ts';
import { dayAndMonth } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Column, View } from '../types.ts';
import { horizonFigures } from './history-stats-fields.ts';
import { figureColumn } from './parts.ts';
import { objectByHorizon } from './schemas.ts';
import { screenerColumn, settingsColumn } from './screeners.ts';
import { type SettingsHistory, settingsChangeSchema, settingsOfType, settingsSection } from './settings-history.ts';
import { adviceText } from './tune.ts';
import { differenceColumns, findingLines, findings, silenceWords } from './verdict.ts';

const localScreener = v.object({
  type: described(v.string(), 'screener type'),
  active: described(v.nullable(v.boolean()), 'whether it was switched on when last looked at; null: not known'),
  conditions: described(v.nullable(anyObject), 'as last looked at'),
  configured_at: described(v.nullable(time), 'when a look first saw these settings, UTC; null: none saw a change'),
  covered_until: described(time, 'when the history ends, UTC: of what came since, nothing is known'),
  cards_per_day: described(
    v.number(),
    'cards a day in the last 28 covered, or since the settings hold; silent days count',
  ),
  repeats_per_day: described(v.number(), 'of these, cards within an hour after another one of the type on the symbol'),
  overlaps_per_day: described(v.number(), 'of these, cards within an hour of one of another type on the symbol'),
  last_card_at: described(v.nullable(time), 'its newest card, UTC'),
  silent: described(v.boolean(), 'switched on, and no card in the last 14 days covered'),
  settings_since: described(v.nullable(time), 'the figures are of cards since then, the last change; null: of all'),
  coincides_with: schemaOf(GROUP_TABLE).entries.coincides_with,
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
  periods: described(v.nullable(v.array(period)), 'settings of the type asked for, oldest first; null for all types'),
  changes: described(v.nullable(v.array(settingsChangeSchema)), 'what each change of them did; null for all types'),
  questions: described(v.nullable(v.array(questionSchema)), 'what tune says of its keys; null for all types'),
  cuts: described(v.nullable(v.array(cutSchema)), 'stricter settings of the keys that tell; null for all types'),
});
export type LocalScreenersHead = ReadonlyDeep<v.InferOutput<typeof head>>;

export const localScreenersHead = fieldsOf(head);

export const localScreenersView: View<LocalScreener> = { fields: fieldsOf(localScreener) };

const COLUMNS: readonly Column<LocalScreener>[] = [
  screenerColumn(),
  figureColumn('A DAY', 1, ({ cards_per_day }) => cards_per_day.toFixed(1)),
  ...Object.values(differenceColumns<LocalScreener>(({ horizons }) => horizons[MAIN_HORIZON], LEAST, silenceOf)),
  settingsColumn(),
];

/** `no card for 22 days`, of a screener that is switched on. */
function silenceOf({ silent, last_card_at: last, covered_until: until }: LocalScreener): string | undefined {
  return silent ? silenceWords(last === null ? undefined : Date.parse(last), Date.parse(until)) : undefined;
}

/** What was found first, as in `stats --by type`. */
export function screenersPage(items: readonly LocalScreener[]): View<object> {
  const judged = items.map((one) => {
    return { name: safeText(one.type), figures: one.horizons[MAIN_HORIZON], silence: silenceOf(one) };
  });
  return {
    fields: localScreenersView.fields,
    page: (_, render) => {
      const { note, paragraph, sections, table } = render;
      if (items.length === 0) return paragraph('The history has no cards, and no settings were looked at.');
      const neverLooked = items.every(({ conditions }) => conditions === null);
      return sections([
        { body: findingLines(findings(judged, 'type'), render) },
        { body: table(COLUMNS, items) },
        {
          body: note(
            'After 24 h, in pp; per type: cards do not say which screener sent them.',
            ...items.map(({ type, settings_since: since }) => {
              const date = since && dayAndMonth(Date.parse(since));
              return date !== null && `${safeText(type)}: figures of the cards since its settings changed on ${date}.`;
            }),
            neverLooked && 'Settings were never looked at: `screener screeners` looks, for 1 credit.',
          ),
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
  readonly inFull: readonly string[];
}

/** Its line of the list of screeners, or one for each of its settings; and what that list leaves out. */
export function screenerPage({ screeners, history, tuning, inFull }: ScreenerPage): View<object> {
  const questions = tuning.questions.filter(({ horizon }) => horizon === MAIN_HORIZON);
  return {
    fields: localScreenersView.fields,
    page: (_, render) => {
      const { note, offer, paragraph, sections, styles, table } = render;
      const [first] = screeners;
      if (first === undefined) return '';
      const silence = silenceOf(first);
      const title = `${safeText(first.type)}, with the median move minus BTC's after ${MAIN_HORIZON}`;
      return sections([
        history.changes.length === 0
          ? { title, body: table(COLUMNS, screeners) }
          : settingsSection({ type: first.type, ...history }, render),
        { body: silence !== undefined && paragraph(`Switched on, but ${silence}.`, styles.warn) },
        { title: 'Numbers at the trigger', body: adviceText(questions, tuning.cuts, render) },
        { body: [silence === undefined && note(companyWords(first)), offer('In full:', ...inFull)] },
      ]);
    },
  };
}

function companyWords({ repeats_per_day: repeats, overlaps_per_day: overlaps }: LocalScreener): string {
  return `Overlap: ${repeats.toFixed(1)} cards a day repeat a symbol within the hour; ${overlaps.toFixed(1)} a day coincide with another type.`;
}
