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
import { dayAndMonth, estimateText, points } from '../format.ts';
import type { Pair, Part, RenderContext, View } from '../types.ts';
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
  type HeadLine,
  headlines,
  headlineText,
  latelyText,
  missingNotes,
  shortVerdict,
  standingNotes,
  toDoTitle,
  unclearNote,
  waitsNote,
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

interface ScreenersPage {
  readonly standings: readonly Standing[];
  readonly why: string;
  /** That cards a day are of: `in the last 28 days`. */
  readonly days: string;
  readonly gather: string;
}

/** Null for a type without a standing: it has no cards. */
function standingOf({ type }: LocalScreener, { standings }: ScreenersPage): Standing | null {
  return standings.find(({ group }) => group === type) ?? null;
}

/** What was found first, as in `stats --by type`. @param tries see `worthTrying` */
export function screenersPage(
  screeners: readonly LocalScreener[],
  tries: readonly HeadLine[],
  page: ScreenersPage,
  render: RenderContext,
): string {
  if (screeners.length === 0)
    return render.paragraph('The history has no cards and no recorded settings.');
  const found = headlines(page.standings, 'type', page.gather);
  return render.sections([
    {
      title: `Your screeners: 24 h after the trigger, in pp against ${whomOf(page.standings)}`,
      body: headlineText([...found, ...tries], render),
    },
    {
      body: [
        screenersTable(screeners, page, render),
        render.note(...screenersNotes(screeners, page)),
      ],
    },
  ]);
}

/** BTC alone, where no type has others to be compared with. */
function whomOf(standings: readonly Standing[]): string {
  const isOfOthers = standings.some(({ comparedWith }) => comparedWith === 'others');
  return isOfOthers ? 'your other cards (and BTC)' : 'BTC';
}

/** A line a screener. */
function screenersTable(
  screeners: readonly LocalScreener[],
  page: ScreenersPage,
  { table }: RenderContext,
): string {
  // The waits are below the list: a longer verdict would leave no room for the figures.
  const { size, vsBtc, vsOthers, verdict } = differenceColumns<LocalScreener>(
    (screener) => standingOf(screener, page),
    shortVerdict,
  );
  const isOfOthers = page.standings.some(({ comparedWith }) => comparedWith === 'others');
  const differences = isOfOthers ? [size, vsBtc, vsOthers, verdict] : [size, vsBtc, verdict];
  return table<LocalScreener>(
    [
      textColumn('TYPE', 0, nameWithStar),
      figureColumn('A DAY', 1, (screener) => rateText(standingOf(screener, page)?.rate)),
      ...differences,
      settingsColumn(),
    ],
    screeners,
  );
}

/** The star stands for figures since a change of settings. */
function nameWithStar(screener: LocalScreener): string {
  const star = screener.settings_since === null ? '' : '*';
  return `${screenerName(screener)}${star}`;
}

function screenersNotes(screeners: readonly LocalScreener[], page: ScreenersPage): Part[] {
  const star = changedNote(screeners.map(({ settings_since }) => settings_since));
  const notBefore = star === '' ? '' : ', not before a change (*)';
  const types = new Set(screeners.map(({ type }) => type));
  const hasNoSettings = screeners.every(({ conditions }) => conditions === null);
  return [
    `A DAY: cards a day ${page.days}${notBefore}`,
    page.why,
    star,
    waitsNote(page.standings),
    ...standingNotes(page.standings, 'type', { hasWaits: true }),
    types.size < screeners.length &&
      'Figures are per type: cards do not say which screener sent them.',
    hasNoSettings && 'No settings are recorded yet: `screener signals export` records them.',
  ];
}

interface ScreenerPage {
  /** Those of the type: cards do not say which of them sent them. */
  readonly screeners: readonly LocalScreener[];
  readonly history: SettingsHistory;
  readonly tuning: Tuning;
  readonly all: ScreenersPage;
  /** Command lines that show more of the type. */
  readonly inFull: readonly string[];
}

/** Its verdict and figures, or those of each of its settings; then the advice. */
export function screenerPage(page: ScreenerPage, render: RenderContext): string {
  const { history, all, inFull } = page;
  const { note, offer, pairs, sections } = render;
  const [screener] = page.screeners;
  if (screener === undefined) return '';
  const standing = standingOf(screener, all);
  const hasChanges = history.changes.length > 0;
  const body = hasChanges ? settingsSection(history, render).body : pairs(factsOf(page, standing));
  const standings = standing === null ? [] : [standing];
  return sections([
    { title: titleOf(screener, standing), body },
    { body: pairs(advicesOf(page, screener, standing)) },
    {
      body: note(
        !hasChanges && unclearNote(standings),
        !hasChanges && baseNote(standings, 'vs others, vs BTC'),
        ...betaNotes(standings),
        ...missingNotes(standings),
        all.why,
      ),
    },
    { body: screener.last_card_at !== null && offer('In full:', ...inFull) },
  ]);
}

/** `TYPE: worth keeping, above since 24 Sep (after 24 h, in pp)`. */
function titleOf(screener: LocalScreener, standing: Standing | null): string {
  const name = screenerName(screener);
  if (standing === null) return `${name}: no cards`;
  const verdict = standing.figures === null ? 'no cards' : toDoTitle(standing);
  const hasInterval = Boolean(standing.base.interval);
  return hasInterval ? `${name}: ${verdict} (after 24 h, in pp)` : `${name}: ${verdict}`;
}

/** Settings, cards a day and differences to the others and to BTC. */
function factsOf({ screeners, all }: ScreenerPage, standing: Standing | null): Pair[] {
  const settings = screeners.map(
    ({ conditions }): Pair => ['Settings', conditions ? settingsText(conditions) : 'not known'],
  );
  if (standing === null) return settings;
  const { base, comparedWith, rate, lately, silentDays } = standing;
  const period = silentDays === undefined ? ` ${all.days}` : '';
  const differenceText = (value: number | null | undefined, decides: boolean): Part => {
    if (value == null) return false;
    // The interval is of the comparison that decides alone.
    return decides && base.interval ? estimateText(value, base.interval) : points(value);
  };
  return [
    ...settings,
    ['Cards a day', `${rateText(rate)}${period}`],
    ['N', Boolean(base.sample) && String(base.sample)],
    ['vs others', differenceText(base.vsOthers, comparedWith === 'others')],
    ['vs BTC', differenceText(base.vsBtc, comparedWith === 'btc')],
    ['Lately', lately !== undefined && latelyText(lately)],
  ];
}

/** ` Its last card came on 11 Nov. It has had these settings since 14 Oct.` Empty without a card. */
function lastCardWords(
  { last_card_at, configured_at }: LocalScreener,
  { known_since }: SettingsHistory,
): string {
  if (last_card_at === null) return '';
  const last = ` Its last card came on ${dayAndMonth(Date.parse(last_card_at))}.`;
  if (configured_at !== null)
    return `${last} It has had these settings since ${dayAndMonth(Date.parse(configured_at))}.`;
  if (known_since === null) return last;
  return `${last} Its settings have not changed since ${dayAndMonth(Date.parse(known_since))}, when they were first recorded.`;
}

function advicesOf(
  { history, tuning }: ScreenerPage,
  screener: LocalScreener,
  standing: Standing | null,
): Pair[] {
  const silentDays = standing?.silentDays;
  if (silentDays !== undefined) {
    const days = pluralize(silentDays, 'day');
    const advice = `Check its settings: switched on, but no card for ${days}.`;
    return [['Advice', `${advice}${lastCardWords(screener, history)}`]];
  }
  const isBesideService = standing?.base.source === 'service';
  const telling = tuning.questions.filter(
    (question) => question.horizon === MAIN_HORIZON && isClear(question),
  );
  const ofNumbers = telling.map(
    (question): Pair => ['Advice', adviceWords(question, tuning.cuts, screener, isBesideService)],
  );
  const ofVerdict = standing !== null && belowWords(standing, standing.base.vsBtc);
  return [['Advice', ofVerdict], ...ofNumbers];
}
