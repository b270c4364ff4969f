/** `screeners` from a history: all types with their figures, or one type's own page. */

import * as v from 'valibot';
import { MAIN_HORIZON } from '../../api/contract/horizons.ts';
import { anyObject, described, time } from '../../api/contract/primitives.ts';
import type { ReadonlyDeep } from '../../base/readonly-deep.ts';
import { pluralize } from '../../base/units.ts';
import { schemaOf } from '../../outcomes/figure.ts';
import { GROUP_TABLE } from '../../outcomes/figure-table.ts';
import type { Standing } from '../../outcomes/standing.ts';
import { cutSchema, isClear, questionSchema, type Tuning } from '../../outcomes/tune-types.ts';
import { fieldsOf, objectByHorizon } from '../described-fields.ts';
import { estimateText, points } from '../format.ts';
import type { Pair, RenderContext, View } from '../types.ts';
import { horizonFigures } from './history-stats-fields.ts';
import { figureColumn, rateText, textColumn } from './parts.ts';
import { screenerName, settingsColumn } from './screeners.ts';
import {
  type SettingsHistory,
  settingsChangeSchema,
  settingsOfType,
  settingsSection,
} from './settings-history.ts';
import { settingsText } from './settings-text.ts';
import { adviceWords } from './tune-words.ts';
import {
  baseNote,
  belowWords,
  betaNotes,
  changedNote,
  differenceColumns,
  type FindingLine,
  findingLines,
  findings,
  latelyText,
  missingNotes,
  standingNotes,
  toDoTitle,
  unclearNote,
} from './verdict.ts';

const localScreener = v.object({
  type: described(v.string(), 'screener type'),
  active: described(
    v.nullable(v.boolean()),
    'whether it was switched on when last recorded; null: not known',
  ),
  conditions: described(v.nullable(anyObject), 'as last recorded'),
  configured_at: described(
    v.nullable(time),
    'when these settings were first recorded, UTC; null: no known change',
  ),
  covered_until: described(
    time,
    'when the history ends, UTC: of what came since, nothing is known',
  ),
  cards_per_day: described(
    v.number(),
    'cards a day in the last 28 covered, not before the settings hold',
  ),
  repeats_per_day: described(
    v.number(),
    'of these, cards within an hour after another one of the type on the symbol',
  ),
  overlaps_per_day: described(
    v.number(),
    'of these, cards within an hour of one of another type on the symbol',
  ),
  last_card_at: described(v.nullable(time), 'its newest card, UTC'),
  silent: described(v.boolean(), 'switched on, and no card in the last 14 days covered'),
  settings_since: described(
    v.nullable(time),
    'the figures are of cards since then, the last change; null: of all',
  ),
  coincides_with: schemaOf(GROUP_TABLE).entries.coincides_with,
  horizons: objectByHorizon(
    'outcomes of its type by horizon, each null if it has none',
    v.nullable(horizonFigures),
  ),
});
export type LocalScreener = ReadonlyDeep<v.InferOutput<typeof localScreener>>;

const period = v.object({
  since: described(
    time,
    'when these settings were first recorded, UTC; of the first ones: its first card',
  ),
  settings: described(settingsOfType, 'the screeners of the type'),
  cards_per_day: described(v.number(), 'cards a day in all that time'),
});

const head = v.object({
  scope: described(v.literal('local_history'), 'local_history'),
  generated_at: described(time, 'when it was computed, UTC'),
  periods: described(
    v.nullable(v.array(period)),
    'settings of the type asked for, oldest first; null for all types',
  ),
  changes: described(
    v.nullable(v.array(settingsChangeSchema)),
    'what each change of them did; null for all types',
  ),
  questions: described(
    v.nullable(v.array(questionSchema)),
    'what tune says of its numbers; null for all types',
  ),
  cuts: described(
    v.nullable(v.array(cutSchema)),
    'stricter settings for the numbers that matter; null for all types',
  ),
});
export type LocalScreenersHead = ReadonlyDeep<v.InferOutput<typeof head>>;

export const localScreenersHead = fieldsOf(head);

export const localScreenersView: View<LocalScreener> = { fields: fieldsOf(localScreener) };

const standingOf = ({ type }: LocalScreener, { standings }: ScreenersPage) =>
  standings.find(({ group }) => group === type) ?? null;

interface ScreenersPage {
  readonly standings: readonly Standing[];
  readonly why: string;
  /** That cards a day are of: `in the last 28 days`. */
  readonly days: string;
  readonly gather: string;
}

/** What was found first, as in `stats --by type`. @param tries see `worthTrying` */
export function screenersPage(
  items: readonly LocalScreener[],
  tries: readonly FindingLine[],
  page: ScreenersPage,
  render: RenderContext,
): string {
  const { note, paragraph, sections, table } = render;
  const { standings } = page;
  const star = changedNote(items.map(({ settings_since: at }) => at));
  if (items.length === 0) return paragraph('The history has no cards and no recorded settings.');
  return sections([
    {
      title: 'Your screeners: 24 h after the trigger, in pp against your other cards (and BTC)',
      body: findingLines([...findings(standings, 'type', page.gather), ...tries], render),
    },
    {
      body: [
        table<LocalScreener>(
          [
            textColumn(
              'TYPE',
              0,
              (one) => `${screenerName(one)}${one.settings_since === null ? '' : '*'}`,
            ),
            figureColumn('A DAY', 1, (one) => rateText(standingOf(one, page)?.rate)),
            ...Object.values(differenceColumns<LocalScreener>((one) => standingOf(one, page))),
            settingsColumn(),
          ],
          items,
        ),
        note(
          `A DAY: cards a day ${page.days}${star === '' ? '' : ', not before a change (*)'}`,
          page.why,
          star,
          ...standingNotes(standings, 'type'),
          new Set(items.map(({ type }) => type)).size < items.length &&
            'Figures are per type: cards do not say which screener sent them.',
          items.every(({ conditions }) => conditions === null) &&
            'No settings are recorded yet: `screener signals export` records them.',
        ),
      ],
    },
  ]);
}

interface ScreenerPage {
  readonly screeners: readonly LocalScreener[];
  readonly history: SettingsHistory;
  readonly tuning: Tuning;
  readonly all: ScreenersPage;
  readonly inFull: readonly string[];
}

/** Its verdict and figures, or those of each of its settings; then the advice. */
export function screenerPage(page: ScreenerPage, render: RenderContext): string {
  const { screeners, history, tuning, all, inFull } = page;
  const { note, offer, pairs, sections } = render;
  const [first] = screeners;
  if (first === undefined) return '';
  const standing = standingOf(first, all);
  const its = standing === null ? [] : [standing];
  const { figures = null, silentDays, base, to, rate, lately } = standing ?? {};
  const clear = tuning.questions.filter((one) => one.horizon === MAIN_HORIZON && isClear(one));
  const silent =
    silentDays &&
    `Check its settings: switched on, but no card for ${pluralize(silentDays, 'day')}.`;
  const advices: Pair[] = silent
    ? [['Advice', silent]]
    : [
        ['Advice', standing !== null && belowWords(standing, standing.base.vsBtc)],
        ...clear.map(
          (one): Pair => [
            'Advice',
            adviceWords(one, tuning.cuts, first, base?.source === 'service'),
          ],
        ),
      ];
  const verdict = standing === null || figures === null ? 'no cards' : toDoTitle(standing);
  const title = `${screenerName(first)}: ${verdict}${base?.interval ? ' (after 24 h, in pp)' : ''}`;
  const difference = (value: number, decides: boolean) =>
    decides && base?.interval ? estimateText(value, base.interval) : points(value);
  const facts: Pair[] = [
    ...screeners.map(
      ({ conditions: own }): Pair => ['Settings', own ? settingsText(own) : 'not known'],
    ),
    ['Cards a day', rate && `${rateText(rate)}${silent ? '' : ` ${all.days}`}`],
    ['N', Boolean(base?.sample) && String(base?.sample)],
    ['vs others', base?.vsOthers != null && difference(base.vsOthers, to === 'others')],
    ['vs BTC', base?.vsBtc != null && difference(base.vsBtc, to === 'btc')],
    ['Lately', lately !== undefined && latelyText(lately)],
  ];
  const settings = history.changes.length > 0 && settingsSection(history, render).body;
  return sections([
    { title, body: settings || pairs(facts) },
    { body: pairs(advices) },
    {
      body: note(
        !settings && unclearNote(its),
        !settings && baseNote(its, 'vs others, vs BTC'),
        ...betaNotes(its),
        ...missingNotes(its),
        all.why,
      ),
    },
    { body: first.last_card_at !== null && offer('In full:', ...inFull) },
  ]);
}
