/** `screeners` from a history: all types with their figures, or one type's own page. */

import * as v from 'valibot';
import { MAIN_HORIZON } from '../../api/contract/horizons.ts';
import { anyObject, described, time } from '../../api/contract/primitives.ts';
import type { ReadonlyDeep } from '../../base/readonly-deep.ts';
import { schemaOf } from '../../outcomes/figure.ts';
import { GROUP_TABLE } from '../../outcomes/figure-table.ts';
import { type Standing, sendsCards } from '../../outcomes/standing.ts';
import { last30DaysAndBefore } from '../../outcomes/still-holds.ts';
import {
  cutSchema,
  hasBetterSide,
  questionSchema,
  type Tuning,
} from '../../outcomes/tune-types.ts';
import type { ComparedWith } from '../../outcomes/types.ts';
import { fieldsOf, objectByHorizon } from '../described-fields.ts';
import { asSentence, dayAndMonth, NONE, percentagePoints, points, rangeText } from '../format.ts';
import type { Column, Pair, Part, RenderContext, Styles, View } from '../types.ts';
import { adviceOnSilence, settingsKeptUntil } from './actions.ts';
import { baseNote, boughtVsBtc } from './base-note.ts';
import { untilDay } from './change-words.ts';
import { type HeadLine, headlineText, nothingFound } from './head-lines.ts';
import { horizonFigures } from './history-stats-fields.ts';
import {
  IF_LESS_LATELY,
  last30DaysAndBeforeText,
  newerAndBefore,
  newerAndBeforeText,
} from './last-30-days.ts';
import { missingNotes } from './missing-outcomes.ts';
import { figureColumn, offerPart, rateText, textColumn } from './parts.ts';
import type { FocusAdvice } from './prospect-words.ts';
import { screenerName } from './screeners.ts';
import { isNothingKnown } from './sections.ts';
import {
  changeLine,
  newestFirst,
  type SettingsHistory,
  settingsChangeSchema,
  settingsOfType,
} from './settings-history.ts';
import { settingsParts, settingsText } from './settings-text.ts';
import { unclearNote } from './standing-notes.ts';
import { outcomesSoFar, whyNothing } from './tune-results.ts';
import { adviceWords, advisedCut, checkedWords, whyNoAdvice } from './tune-words.ts';
import { typeLine, typeLineWithSilence } from './type-line.ts';
import { titleText } from './verdict.ts';
import { hasVerdictWords, isTooEarly, toneOf, verdictName } from './verdict-names.ts';
import { keptSmallRule } from './verdict-rule.ts';
import { isNotSureYet, NOT_SURE_YET, silenceText } from './verdict-wait.ts';
import { saysWithdrawn, withdrawnFromTo } from './withdrawn-verdict.ts';

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
  off_since: described(
    v.nullable(time),
    'when it was first recorded as switched off, UTC; null: it is on, or was never recorded as on',
  ),
  covered_until: described(
    time,
    'when the history ends, UTC: of what came since, nothing is known',
  ),
  cards_per_day: described(
    v.number(),
    'cards a day in the last 28 days covered, or since the settings changed if that is later',
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

/** What pages say of all types. */
export interface AllTypes {
  readonly standings: readonly Standing[];
  readonly caveats: string;
  /** The period of the types' rates, in words: `in the last 28 days`. */
  readonly rateDays: string;
  /** The command line that exports into this history. */
  readonly exportCommand: string;
  /** The command line that shows figures and intervals of all types. */
  readonly statsCommand: string;
}

/** Null for a type without a standing: it has no cards. */
function standingOf({ type }: LocalScreener, { standings }: AllTypes): Standing | null {
  return standings.find(({ group }) => group === type) ?? null;
}

/**
 * One line for each screener: how often it fires, what to do with it, and its settings.
 * @param tries the lines of settings that are worth trying
 */
export function pageOfAllTypes(
  screeners: readonly LocalScreener[],
  tries: readonly HeadLine[],
  page: AllTypes,
  render: RenderContext,
): string {
  if (screeners.length === 0)
    return render.paragraph('The history has no cards and no recorded settings.');
  const isTooEarlyForAll = page.standings.every(isTooEarly);
  const nothingKnown = isNothingKnown(page.standings) ? [nothingFound(page.standings, '')] : [];
  const columns = screenerColumns(screeners, page);
  // SETTINGS go below the lines. If the table is too wide even without them, A DAY is left out.
  const besideEachOther = columns.filter(({ below }) => !below);
  const isRateShown = render.fits(besideEachOther, screeners);
  return render.sections([
    {
      title: 'Your screeners: settings, and verdicts on moves 24 h after the trigger',
      body: [
        render.table(columns, screeners),
        render.note(...screenersNotes(screeners, page, isRateShown)),
      ],
    },
    { body: headlineText([...nothingKnown, ...tries], render) },
    { body: nextOffer(page, isTooEarlyForAll, render) },
  ]);
}

/** Before the first figure the next step is the daily export; later the page of figures. */
function nextOffer(
  { exportCommand, statsCommand }: AllTypes,
  isTooEarlyForAll: boolean,
  { offer }: RenderContext,
): string {
  if (isTooEarlyForAll) return offer('To be run every day:', exportCommand);
  return offer('Figures and intervals:', statsCommand);
}

/** The columns of a line for each screener. */
function screenerColumns(
  screeners: readonly LocalScreener[],
  page: AllTypes,
): Column<LocalScreener>[] {
  const standings = page.standings.filter(({ verdict }) => verdict !== null);
  const isOfBtc =
    standings.length > 0 && standings.every(({ comparedWith }) => comparedWith === 'btc');
  const whom = isOfBtc ? 'BTC' : 'YOUR OTHER CARDS';
  const columns: Column<LocalScreener>[] = [
    textColumn('TYPE', 0, screenerName),
    figureColumn('A DAY', 1, (screener) => rateText(standingOf(screener, page)?.rate)),
    textColumn(
      `VERDICT (VS ${whom})`,
      0,
      (screener, { styles }) => {
        const standing = standingOf(screener, page);
        if (standing === null) return 'no cards';
        return styles[toneOf(standing)](typeLineWithSilence(standing));
      },
      { has: (screener) => hasVerdictWords(standingOf(screener, page)) },
    ),
  ];
  // Settings that all have in common stand in a note.
  const common = settingsOfAll(screeners);
  const settingsOf = (screener: LocalScreener) => settingsOfLine(screener, common, page);
  if (screeners.some((screener) => settingsOf(screener) !== ''))
    columns.push(textColumn('SETTINGS', 0, settingsOf, { below: true }));
  return columns;
}

/** The parts of the settings that are the same for all screeners: `exchanges binance and okx`. None if there is a single screener. */
function settingsOfAll(screeners: readonly LocalScreener[]): ReadonlySet<string> {
  const [first, ...others] = screeners.map(partsOfSettings);
  if (first === undefined || others.length === 0) return new Set();
  return new Set(first.filter((part) => others.every((parts) => parts.includes(part))));
}

/** Empty if they are not known. */
function partsOfSettings({ conditions }: LocalScreener): readonly string[] {
  return conditions === null ? [] : settingsParts(conditions);
}

/** ` (since 19 Sep)`: the day of the last change of settings; empty if none is known. */
function changeDateText({ configured_at: since }: LocalScreener, whatToDo = ''): string {
  return since === null ? '' : ` (since ${dayAndMonth(Date.parse(since))}${whatToDo})`;
}

/** `min 3; window 15 (since 19 Sep)`: with the day of their last change. */
function settingsWithDate(screener: LocalScreener, styles: Styles): string {
  if (screener.conditions === null) return styles.dim(NONE);
  return `${settingsText(screener.conditions)}${changeDateText(screener)}`;
}

/**
 * `min 3; window 15 (since 19 Sep: keep these settings until 18 Nov)`: the settings, and what to do with new ones, which a type's
 * own page says, too. Empty if none are known, or if all screeners have the same. (A dash would stand alone on a line of a narrow
 * terminal.)
 */
function settingsOfLine(
  screener: LocalScreener,
  common: ReadonlySet<string>,
  page: AllTypes,
): string {
  if (screener.conditions === null) return '';
  const standing = standingOf(screener, page);
  // Only a screener that is on has settings to be kept. If a type has several screeners, one of them may be off.
  const isActive = screener.active === true;
  const keptUntil = standing !== null && isActive ? settingsKeptUntil(standing) : undefined;
  const whatToDo = keptUntil === undefined ? '' : `: keep these settings ${untilDay(keptUntil)}`;
  const date = changeDateText(screener, whatToDo);
  const own = partsOfSettings(screener).filter((part) => !common.has(part));
  if (own.length === 0) return date === '' ? '' : `as all${date}`;
  return `${own.join('; ')}${date}`;
}

/** @param isRateShown whether the table has the column A DAY */
function screenersNotes(
  screeners: readonly LocalScreener[],
  page: AllTypes,
  isRateShown: boolean,
): Part[] {
  const isChanged = screeners.some(({ settings_since }) => settings_since !== null);
  const orSinceChange = isChanged ? ', or since the last change of settings' : '';
  const types = new Set(screeners.map(({ type }) => type));
  const hasNoSettings = screeners.every(({ conditions }) => conditions === null);
  const common = [...settingsOfAll(screeners)];
  return [
    keepNote(page.standings),
    common.length > 0 && `Settings of all: ${common.join('; ')}`,
    isRateShown && `A DAY: cards a day ${page.rateDays}${orSinceChange}${wasWords(page.standings)}`,
    page.caveats,
    types.size < screeners.length &&
      'Verdicts are per type: cards do not say which screener sent them.',
    hasNoSettings && `No settings are recorded yet: \`${page.exportCommand}\` records them.`,
  ];
}

/** `; was 2.9: until its last card`, where a type fell silent; else empty. */
function wasWords(standings: readonly Standing[]): string {
  const silent = standings.find(({ rate }) => rate.beforeSilence !== undefined);
  return silent === undefined ? '' : `; ${rateText(silent.rate)}: until its last card`;
}

/** `Unclear, or too few days: keep for now.` The line of a type has no room to say so. Empty if nothing is known of any type. */
function keepNote(standings: readonly Standing[]): string {
  if (isNothingKnown(standings)) return '';
  const words: string[] = [];
  const open = standings.filter(isUnclearWithoutAction);
  if (open.some((standing) => !isNotSureYet(standing))) words.push(verdictName('unclear'));
  if (open.some(isNotSureYet)) words.push(NOT_SURE_YET);
  if (standings.some((standing) => standing.verdict === 'too_few_days' && sendsCards(standing)))
    words.push(verdictName('too_few_days'));
  return words.length === 0 ? '' : asSentence(`${words.join(', or ')}: keep for now`);
}

interface PageOfType {
  /** All screeners of the type: a card does not say which screener sent it. */
  readonly screeners: readonly LocalScreener[];
  /** The period of the type's rate, in words: `since 19 Sep`, the day of its last change. */
  readonly rateDays: string;
  readonly history: SettingsHistory;
  readonly tuning: Tuning;
  readonly allTypes: AllTypes;
  /** How to learn whether the type is below BTC, too; undefined if that is no question, or if another type comes first. */
  readonly focus: FocusAdvice | undefined;
  /** Command lines that show more of the type. */
  readonly moreCommands: readonly string[];
}

/** All that is known of one type: its verdict, settings and figures, what its changes did, and what to try. */
export function pageOfType(page: PageOfType, render: RenderContext): string {
  const { allTypes, focus, moreCommands } = page;
  const { note, offer, pairs, sections } = render;
  const [screener] = page.screeners;
  if (screener === undefined) return '';
  const standing = standingOf(screener, allTypes);
  const standings = standing === null ? [] : [standing];
  return sections([
    { title: screenerName(screener), body: pairs(factsOf(page, standing, render)) },
    { body: pairs(advicesOf(page, screener, standing)) },
    { body: focus !== undefined && offerPart(focus, render) },
    {
      body: note(
        standings.some(isOthersShown) ? OTHERS : '',
        unclearNote(standings),
        keptSmallRule(standings, 'the 95 % range'),
        // The line Outcomes has the day.
        baseNote(standings, { figures: 'Outcomes, vs others, vs BTC', isDayTold: true }),
        ...missingNotes(standings),
        allTypes.caveats,
      ),
    },
    { body: screener.last_card_at !== null && offer('In full:', ...moreCommands) },
  ]);
}

/** What the rows on `others` mean. */
const OTHERS = 'others: your other cards of the same day';

/** Whether a line of the page says `others`. */
function isOthersShown({ comparedWith }: Standing): boolean {
  return comparedWith === 'others';
}

/** @param history if it has changes, their lines are on the page: the verdict does not repeat them */
function verdictOf(standing: Standing | null, history: SettingsHistory): string {
  // A type that is switched on has a standing even without cards.
  if (standing === null || standing.figures === null) return 'no cards';
  if (!hasVerdictWords(standing)) return titleText(standing);
  const line = typeLine(standing, { isChangeTold: history.changes.length > 0 });
  return isUnclearWithoutAction(standing) ? `${line}; keep for now` : line;
}

/** Whether its verdict is unclear, and nothing else is to be done: its line then names no action. */
function isUnclearWithoutAction(standing: Standing): boolean {
  const { verdict, toDo } = standing;
  const isUnknown = verdict === 'unclear' && toDo === undefined && !saysWithdrawn(standing);
  return isUnknown && sendsCards(standing);
}

/** Verdict, settings, cards a day, and the differences to the others and to BTC. */
function factsOf(
  { screeners, history, rateDays }: PageOfType,
  standing: Standing | null,
  render: RenderContext,
): Pair[] {
  const { styles } = render;
  const settings = screeners.map((screener): Pair => {
    const { conditions } = screener;
    return ['Settings', conditions ? settingsWithDate(screener, styles) : 'not known'];
  });
  const verdict = verdictOf(standing, history);
  if (standing === null) return [['Verdict', verdict], ...settings];
  const whom = standing.comparedWith === 'others' ? 'others' : 'BTC';
  const label = hasVerdictWords(standing) ? `Verdict vs ${whom}` : 'Verdict';
  return [
    [label, styles[toneOf(standing)](verdict)],
    ...settings,
    ...changesOf(history),
    ['Cards a day', rateOfType(standing, rateDays)],
    ['Outcomes', outcomesText(standing)],
    ['Bought', boughtText(standing)],
    ['vs others', differenceText(standing, 'others')],
    ['vs BTC', differenceText(standing, 'btc')],
    ['Earlier', earlierFact(standing)],
    ['Lately', latelyFact(standing)],
  ];
}

/** A verdict that was withdrawn; false if none was, or if the line of the verdict says it. */
function earlierFact(standing: Standing): string | false {
  if (saysWithdrawn(standing)) return false;
  return withdrawnFromTo(standing) ?? false;
}

/**
 * `+0.50 in the last 30 days, +2.20 before`: for a type of which newer cards show less than was known before, or whose verdict was
 * taken back. False for any other type.
 */
function latelyFact(standing: Standing): string | false {
  const newer = newerAndBefore(standing);
  if (newer !== undefined) {
    const figures = newerAndBeforeText(newer);
    // Of a type that is above, the line of the verdict says what it may mean.
    return standing.verdict === 'below' ? `${figures}: ${IF_LESS_LATELY.below}` : figures;
  }
  const parts = saysWithdrawn(standing) ? last30DaysAndBefore(standing) : undefined;
  return parts === undefined ? false : last30DaysAndBeforeText(parts, standing);
}

/** `4.5 since 19 Sep`, `3.7 before the change of settings`, `was 2.9` of a type that fell silent. */
function rateOfType({ rate, silentDays }: Standing, rateDays: string): string {
  const text = rateText(rate);
  if (silentDays !== undefined) return text;
  // `text` ends in `before` if the rate is from before the change.
  return rate.isFromBeforeChange ? `${text} the change of settings` : `${text} ${rateDays}`;
}

/** How many outcomes the figures are of: `480`, or `480, counted by the service in 60 days up to 16 Oct`. */
function outcomesText({ base: { sample, askedAt, windowDays } }: Standing): Part {
  if (sample === 0) return false;
  return askedAt === undefined
    ? String(sample)
    : `${sample}, counted by the service in ${windowDays} days up to ${dayAndMonth(askedAt)}`;
}

/** `336 up to now`, where the service's figures are of other outcomes, up to the day on which it was asked. */
function boughtText({ base, groupFigures }: Standing): Part {
  if (base.source !== 'service' || groupFigures === null) return false;
  return `${groupFigures.bought} up to now`;
}

/**
 * `+2.07 pp after 24 h (95 %: +1.49 to +2.56)`, and a remark if it is from too few days. Where the service gives no interval:
 * `-1.70 pp after 24 h (no interval), or -1.52 of those you bought (95 %: -2.60 to -0.40)`. `–` vs BTC of too few outcomes. False if it
 * is not known. Also false for the difference to the others if the verdict is against BTC: too few of the cards have others on
 * their day.
 */
function differenceText(standing: Standing, to: ComparedWith): Part {
  const { base, comparedWith } = standing;
  if (to === 'others' && comparedWith !== 'others') return false;
  const value = to === 'others' ? base.vsOthers : base.vsBtc;
  if (value === null) {
    const isDashShown = to === 'btc' && base.sample > 0;
    return isDashShown ? NONE : false;
  }
  const remark = isTooFewDaysToSay(standing, to) ? '; too few days' : '';
  return `${percentagePoints(value)} after 24 h${intervalWords(standing, to)}${remark}`;
}

/** ` (95 %: +1.49 to +2.56)`; empty if there is no interval. Of the service's figure it says that there is none. */
function intervalWords(standing: Standing, to: ComparedWith): string {
  const { base, comparedWith, figures } = standing;
  if (isServiceMedianWithoutInterval(standing, to)) return ` (no interval)${boughtWords(standing)}`;
  // A difference that does not decide is the one to BTC.
  const intervalVsBtc = figures?.median_vs_btc_interval_95 ?? null;
  const interval = to === comparedWith ? base.interval : intervalVsBtc;
  return interval === null ? '' : ` (95 %: ${rangeText(interval)})`;
}

/** Whether a difference is of too few days. If the verdict of the type is `too few days`, the line of the verdict says so. */
function isTooFewDaysToSay(standing: Standing, to: ComparedWith): boolean {
  const { verdict, comparedWith, verdictVsBtc } = standing;
  if (verdict === 'too_few_days') return false;
  // The service's figure is not of too few days.
  if (isServiceMedianWithoutInterval(standing, to)) return false;
  const verdictOfComparison = to === comparedWith ? verdict : verdictVsBtc;
  return verdictOfComparison === 'too_few_days';
}

/** `, or -1.52 of those you bought (95 %: -2.60 to -0.40)`: whether to drop a type rests on it. Empty if it is not known. */
function boughtWords(standing: Standing): string {
  const bought = boughtVsBtc(standing);
  if (bought === undefined) return '';
  return `, or ${points(bought.median)} of those you bought (95 %: ${rangeText(bought.interval)})`;
}

/** Whether a difference to BTC is the service's, and does not decide: its error is known only where it decides. */
function isServiceMedianWithoutInterval(
  { base, comparedWith }: Standing,
  to: ComparedWith,
): boolean {
  return to === 'btc' && comparedWith !== 'btc' && base.source === 'service';
}

/** What each change of its settings did, the newest first. */
function changesOf(history: SettingsHistory): Pair[] {
  const isSilent = history.silence !== '';
  return newestFirst(history).map(({ change, sides }): Pair => {
    return ['Change', changeLine(change, sides, isSilent)];
  });
}

/**
 * `The last card came on 11 Nov. Its settings changed on 14 Oct: if they keep its cards away, change them back.` Empty
 * without a card.
 */
function lastCardWords(
  { last_card_at, configured_at }: LocalScreener,
  { known_since }: SettingsHistory,
): string {
  if (last_card_at === null) return '';
  const last = `The last card came on ${dayAndMonth(Date.parse(last_card_at))}.`;
  if (configured_at !== null)
    return `${last} Its settings changed on ${dayAndMonth(Date.parse(configured_at))}: if they keep its cards away, change them back.`;
  if (known_since === null) return last;
  return `${last} Its settings have not changed since ${dayAndMonth(Date.parse(known_since))}, when they were first recorded.`;
}

function advicesOf(
  { history, tuning }: PageOfType,
  screener: LocalScreener,
  standing: Standing | null,
): Pair[] {
  // It has sent no card.
  if (standing === null) return [];
  const daysSilent = standing.silentDays;
  if (daysSilent !== undefined) {
    const silence = `switched on, but ${silenceText(daysSilent)}.`;
    return [
      ['Silent', `${silence} ${lastCardWords(screener, history)}`.trimEnd()],
      ['Advice', adviceOnSilence(standing)],
    ];
  }
  const questions = tuning.questions.filter(({ horizon }) => horizon === MAIN_HORIZON);
  const telling = questions.filter(hasBetterSide);
  const whyNot = whyNoAdvice(standing);
  if (whyNot !== undefined) return [['Advice', `none: ${whyNot}`]];
  const soFar = outcomesSoFar(questions);
  if (soFar !== undefined) return [['Advice', `none yet: ${soFar}`]];
  if (telling.length === 0) return [['Advice', `none: ${whyNothing(questions)}`]];
  const pairs: Pair[] = [];
  for (const question of telling) {
    pairs.push(
      ['Advice', adviceWords(question, tuning.cuts, screener.cards_per_day)],
      ['Checked', checkedWords(advisedCut(question, tuning.cuts))],
    );
  }
  return pairs;
}
