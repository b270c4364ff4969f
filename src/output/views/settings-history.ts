/** A screener type's settings through time: figures of each, and what each change did. */
import * as v from 'valibot';
import { horizonOf, MAIN_HORIZON } from '../../api/contract/horizons.ts';
import { anyObject, described, named, time } from '../../api/contract/primitives.ts';
import type { ReadonlyDeep } from '../../base/readonly-deep.ts';
import { pluralize } from '../../base/units.ts';
import { andWords } from '../../base/words.ts';
import { interval, numberOrNull } from '../../outcomes/figure.ts';
import type { GroupFigures } from '../../outcomes/figure-table.ts';
import {
  CHANGE_VERDICTS,
  type ChangeSideVerdict,
  type ChangeVerdict,
  isChangeSide,
  type LeftOutType,
  REASONS_NO_CONTROL,
} from '../../outcomes/settings-change.ts';
import { MARGIN } from '../../statistics/rule.ts';
import { objectByHorizon } from '../described-fields.ts';
import { asSentence, dayAndMonth, NONE, percentagePoints, points, rangeText } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Column, RenderContext, Styles } from '../types.ts';
import { changeAdvice, changeEffect } from './change-words.ts';
import { figureColumn, textColumn } from './parts.ts';
import { type ScreenerSettings, settingsChange, settingsText } from './settings-text.ts';
import { daysNeeded } from './verdict-rule.ts';
import { sizeToWaitFor } from './verdict-wait.ts';

/** With fewer days of outcomes on either side of a change, nothing is said. */
export const LEAST_DAYS = daysNeeded();

export const settingsOfType = v.array(
  v.object({
    active: described(v.boolean(), 'whether it was switched on'),
    conditions: described(anyObject, 'its conditions'),
  }),
);

/** Figures of the cards of one setting. Its `group` is a time: when the setting was first seen. */
export interface SettingsGroup extends GroupFigures {
  /** The screeners of the type: several may share it. */
  readonly settings: readonly ScreenerSettings[];
}

const changeFigures = named(
  'SettingsDifference',
  v.object({
    before_percentage_points: described(
      numberOrNull,
      'median of the cards before it, beside those of controls on the day, percentage points',
    ),
    after_percentage_points: described(numberOrNull, 'the same of the cards after it'),
    difference_percentage_points: described(numberOrNull, 'after minus before, percentage points'),
    difference_interval_95: described(interval, '95 % interval of the difference'),
    difference_interval_99: described(interval, '99 % interval of it: it decides'),
    difference_interval_997: described(interval, '99.7 % interval of it'),
    would_show_percentage_points: described(
      numberOrNull,
      'the smallest difference that would show now: 0.1 and half the 99 % interval; null if there is none',
    ),
    verdict: described(v.picklist(CHANGE_VERDICTS), 'what the moves did with the change'),
  }),
);
export type ChangeFigures = ReadonlyDeep<v.InferOutput<typeof changeFigures>>;

export const settingsChangeSchema = named(
  'SettingsChange',
  v.object({
    seen_after: described(time, 'when the settings before were last recorded, UTC'),
    seen_by: described(time, 'when the settings after were first recorded, UTC'),
    controls: described(
      v.array(v.string()),
      'types compared with on both sides, whose settings stayed the same; empty: BTC',
    ),
    left_out: described(
      v.array(
        v.object({
          type: described(v.string(), 'another screener type'),
          why: described(
            v.picklist(REASONS_NO_CONTROL),
            'its settings changed; it does less lately; its verdict was withdrawn; too few days',
          ),
        }),
      ),
      'types that it is not compared with',
    ),
    figures_from: described(
      v.picklist(['service', 'bought']),
      "whether the service's medians decide, or the outcomes you bought",
    ),
    verdict_since: described(
      v.nullable(time),
      'when an export wrote the 24 h verdict down, UTC; null: it is of this look',
    ),
    horizons: objectByHorizon('what the change did, by horizon', changeFigures),
  }),
);
export type SettingsChangeFigures = ReadonlyDeep<v.InferOutput<typeof settingsChangeSchema>>;

/** The cards of a type under one of the two settings around a change. */
export interface SettingsSide {
  /** Epoch milliseconds UTC; undefined of the first settings that are known. */
  readonly since: number | undefined;
  /** When they were last recorded; undefined of the present settings. */
  readonly until: number | undefined;
  readonly settings: readonly ScreenerSettings[];
  /** Cards a day; undefined on the first day of a setting. */
  readonly perDay: number | undefined;
  /** Outcomes that the figures rest on. */
  readonly sample: number;
  /** Outcomes of days with too few of the controls: the figures leave them out. */
  readonly leftOut: number;
  /** Percentage points; null without outcomes. */
  readonly vsBtc: number | null;
  /**
   * The figure by which the change is judged, percentage points: the difference to the controls, or to BTC if there are none. BTC's
   * own moves are taken out of it. Null without outcomes.
   */
  readonly vsControls: number | null;
}

export interface ChangeSides {
  readonly before: SettingsSide;
  readonly after: SettingsSide;
  /**
   * Until when the settings after the change are to be kept, if it is not known yet what it did, epoch milliseconds UTC. Undefined if
   * that time is over, or if another change followed.
   */
  readonly keptUntil: number | undefined;
}

export interface SettingsHistory {
  readonly type: string;
  /** Figures of each setting, oldest first. */
  readonly groups: readonly SettingsGroup[];
  readonly changes: readonly SettingsChangeFigures[];
  /** After 24 h, of each of the changes. */
  readonly sides: readonly ChangeSides[];
  /** The smallest difference that matters, percentage points: one that is surely below it counts as `small`. */
  readonly least: number;
  /** An API time; null if no settings are recorded. */
  readonly known_since: string | null;
  /** That the type sends no cards, and what to do about it: `No card for 13 days. Check its settings.`; empty if it sends them. */
  readonly silence: string;
}

/** Command lines that the page offers. */
export interface SettingsPageCommands {
  /** It shows how the type does now. */
  readonly screenersCommand: string;
  /** It exports into the history of the page. */
  readonly exportCommand: string;
}

/** A change, and the cards on its two sides. */
interface ChangeWithSides {
  readonly change: SettingsChangeFigures;
  readonly sides: ChangeSides;
}

/**
 * Whether the changes of a type's settings helped: the answer, then each change with what it rests on, the newest first.
 */
export function settingsPage(
  history: SettingsHistory,
  commands: SettingsPageCommands,
  render: RenderContext,
): string {
  const { type, least } = history;
  const changes = newestFirst(history);
  const [newest] = changes;
  const name = safeText(type);
  if (newest === undefined)
    return render.sections([
      {
        title: `Settings of ${name}`,
        body: unchangedWords(history, commands.exportCommand, render),
      },
      { body: render.offer('How it does now:', commands.screenersCommand) },
    ]);
  const isOnly = changes.length === 1;
  const question = isOnly
    ? `Did your change of ${name} help?`
    : `Did your changes of ${name} help? The last one:`;
  return render.sections([
    {
      title: `${question} ${answerWords(newest, least)}`,
      body: [
        changes.map((change) => changePart(change, history, render)).join('\n\n'),
        render.note(luckNote(history.changes)),
      ],
    },
    { body: render.offer('How it does now:', commands.screenersCommand) },
  ]);
}

export function newestFirst({ changes, sides }: SettingsHistory): ChangeWithSides[] {
  const withSides: ChangeWithSides[] = [];
  for (const [i, change] of changes.entries()) {
    const sidesOfChange = sides[i];
    if (sidesOfChange !== undefined) withSides.unshift({ change, sides: sidesOfChange });
  }
  return withSides;
}

/** Whether a change helped: `Yes`. @param least percentage points */
function answerWords({ change }: ChangeWithSides, least: number): string {
  const { verdict } = change.horizons[MAIN_HORIZON];
  switch (verdict) {
    case 'higher':
      return 'Yes';
    case 'lower':
      return 'No, it hurt';
    case 'small':
      return `It ${changeEffect(verdict, least)}`;
    case 'unclear':
      return 'Not known yet';
    case 'too_few_days':
      return 'Too early to say';
  }
}

/** Of settings that never changed, as far as is known. @param exportCommand the command line that exports into the history */
function unchangedWords(
  { known_since: known, groups }: SettingsHistory,
  exportCommand: string,
  render: RenderContext,
): string {
  if (known === null)
    return render.paragraph(`No settings are recorded yet: \`${exportCommand}\` records them.`);
  const lastInUse = groups.findLastIndex(({ settings }) => settings.some(({ active }) => active));
  // A type that was never switched on has no group in use: its last settings are shown.
  const shownGroup = lastInUse === -1 ? groups.at(-1) : groups[lastInUse];
  const settings = settingsOf(shownGroup?.settings ?? []);
  const since = `Unchanged since they were first recorded on ${dayAndMonth(Date.parse(known))}`;
  const offAt = switchedOffAt(groups, lastInUse);
  const offSince = offAt === undefined ? '' : ` Switched off on ${dayAndMonth(offAt)}.`;
  return render.paragraph(
    `${since}: ${settings}.${offSince}\nIf you change them, this page will say whether that helped. It needs ${LEAST_DAYS} days of outcomes or more after the change.`,
  );
}

/**
 * When a type was switched off, epoch milliseconds UTC; undefined if it is on, or never was.
 * @param lastInUse the index of the last group in which it was on; -1 if there is none
 */
function switchedOffAt(groups: readonly SettingsGroup[], lastInUse: number): number | undefined {
  if (lastInUse === -1) return undefined;
  const off = groups[lastInUse + 1];
  // The name of a group is when its settings were first seen.
  return off === undefined ? undefined : Date.parse(String(off.group));
}

const TINTS: Readonly<Record<ChangeVerdict, keyof Styles>> = {
  higher: 'good',
  lower: 'bad',
  small: 'dim',
  unclear: 'dim',
  too_few_days: 'dim',
};

/** A change in words, then a line for each of the two settings: the difference of the two lines is that of the sentence. */
function changePart(
  { change, sides }: ChangeWithSides,
  history: Pick<SettingsHistory, 'least' | 'silence'>,
  { paragraph, table, note, styles }: RenderContext,
): string {
  const { before, after } = sides;
  const { controls, horizons } = change;
  const { verdict } = horizons[MAIN_HORIZON];
  const tint = styles[TINTS[verdict]];
  const vsBtc = figureColumn<SettingsSide>('VS BTC', 2, (side) => points(side.vsBtc));
  // Without controls the change is judged against BTC: the column VS BTC then has the figures that decide.
  const deciding = figureColumn<SettingsSide>(vsWords(controls), 1, (side) =>
    points(side.vsControls),
  );
  const columns: Column<SettingsSide>[] = [
    textColumn('SETTINGS', 0, timeOfSide),
    figureColumn('A DAY', 3, ({ perDay }) => perDay?.toFixed(1) ?? NONE),
    figureColumn('N', 4, ({ sample }) => String(sample)),
    ...(controls.length > 0 ? [vsBtc, deciding] : [deciding]),
    // Only the settings after the change: the sentence above says what was different before.
    textColumn('', 0, (side) => (side === after ? settingsOf(side.settings) : ''), { below: true }),
  ];
  return [
    paragraph(`${whatChanged(change, sides)}.`),
    `${paragraph(changeText(change, sides, history), tint)}\n`,
    table(columns, [before, after]),
    note(
      `Medians, ${horizonOf(MAIN_HORIZON).shortWords} after the trigger, in pp. A DAY: cards a day in all that time. ${sourceWords(change, sides)}`.trimEnd(),
      otherWayWords(change, sides),
      hasBothSides(sides) && `${controlWords(change)} ${leftOutTypesWords(change)}`.trimEnd(),
    ),
  ].join('\n');
}

/** Whether both sides have outcomes: without them nothing is compared, and no type needs a mention. */
export function hasBothSides({ before, after }: ChangeSides): boolean {
  return before.sample > 0 && after.sample > 0;
}

/** `19 Sep: min 3 instead of 2` */
function whatChanged({ seen_by }: SettingsChangeFigures, { before, after }: ChangeSides): string {
  const parts = settingsChange(before.settings, after.settings);
  return `${dayAndMonth(Date.parse(seen_by))}: ${parts}`;
}

/** `VS 5 TYPES`, `VS BTC` */
function vsWords(controls: readonly string[]): string {
  if (controls.length === 0) return 'VS BTC';
  return `VS ${pluralize(controls.length, 'type').toUpperCase()}`;
}

/** `until 13 Oct`, `since 14 Oct` */
function timeOfSide({ since, until }: SettingsSide): string {
  if (until === undefined) return `since ${dayAndMonth(since ?? 0)}`;
  if (since === undefined) return `until ${dayAndMonth(until)}`;
  return `${dayAndMonth(since)} to ${dayAndMonth(until)}`;
}

/**
 * `VS BTC fell, but that of the other types fell more.`, if it went the other way than the comparison: the two columns would seem to
 * contradict each other. Otherwise empty.
 */
function otherWayWords(
  { controls }: SettingsChangeFigures,
  { before, after }: ChangeSides,
): string {
  if (controls.length === 0 || before.vsBtc === null || after.vsBtc === null) return '';
  if (before.vsControls === null || after.vsControls === null) return '';
  const changeVsBtc = after.vsBtc - before.vsBtc;
  const changeVsControls = after.vsControls - before.vsControls;
  const wentOppositeWays = changeVsBtc * changeVsControls < 0;
  if (!wentOppositeWays) return '';
  // If the difference to the other types rose while that to BTC fell, the other types fell more.
  const went = changeVsBtc < 0 ? 'fell' : 'rose';
  return `VS BTC ${went}, but that of the other types ${went} more.`;
}

/** Which types both sides are compared with. */
function controlWords({ controls }: SettingsChangeFigures): string {
  if (controls.length === 0) return "Compared with BTC alone, with BTC's own moves taken out.";
  const names = andWords(controls.map(safeText));
  return `${vsWords(controls)}: compared with ${names} on the same days.`;
}

const WHY_LEFT_OUT: Readonly<Record<LeftOutType['why'], string>> = {
  settings_changed: 'its settings changed, too',
  less_lately: 'its last 30 days differ from before',
  verdict_withdrawn: 'its verdict was withdrawn',
  too_few_days: 'it has too few days with cards',
};

/** `momentum is left out: its verdict was withdrawn.`; of several types the reason stands behind each name. */
function leftOutTypesWords({ left_out: leftOut }: SettingsChangeFigures): string {
  const [first, ...further] = leftOut;
  if (first === undefined) return '';
  if (further.length === 0)
    return `${safeText(first.type)} is left out: ${WHY_LEFT_OUT[first.why]}.`;
  return `${andWords(leftOut.map(nameAndReason))} are left out.`;
}

/** `oi_surge (its settings changed, too)`. */
export function leftOutNames(leftOut: readonly LeftOutType[]): string {
  return leftOut.map(nameAndReason).join(', ');
}

function nameAndReason({ type, why }: LeftOutType): string {
  return `${safeText(type)} (${WHY_LEFT_OUT[why]})`;
}

/** Where the figures of both lines come from. */
function sourceWords(
  { figures_from: source, controls }: SettingsChangeFigures,
  { before, after }: ChangeSides,
): string {
  const versus = controls.length === 0 ? ['VS BTC'] : ['VS BTC', vsWords(controls)];
  const columns = ['N', ...versus].join(', ');
  if (source === 'service')
    return `${columns}: from the service. Until it had medians of both times, they came from what you bought.`;
  const leftOut = before.leftOut + after.leftOut;
  const why = leftOut === 0 ? '' : ` (${leftOut} left out: too few other cards on their days)`;
  return `${columns}: from what you bought so far${why}.`;
}

/** The screeners of a type in words. */
export function settingsOf(settings: readonly ScreenerSettings[]): string {
  if (settings.length === 0) return 'not there';
  return settings
    .map(({ active, conditions }) => {
      const text = settingsText(conditions);
      return active ? text : `off: ${text}`;
    })
    .join('; or ');
}

/** In a simulation, types that looked bad did 0.56 pp better on average after a change without any effect. */
const LUCK =
  'Part of it may be luck: a type that looked bad improves by some 0.6 pp by chance alone. Expect that much less.';

/** Below the figures of changes: what luck has to do with them, if one of them helped. Otherwise empty. */
export function luckNote(changes: readonly SettingsChangeFigures[]): string {
  const hasHelped = changes.some(({ horizons }) => horizons[MAIN_HORIZON].verdict === 'higher');
  return hasHelped ? LUCK : '';
}

/**
 * `It helped (found on 9 Nov): its cards did 1.83 pp better than before, compared with 2 other types (95 %: ...).` and what
 * to do now; of a change that another one followed there is nothing to do.
 */
function changeText(
  change: SettingsChangeFigures,
  sides: ChangeSides,
  { least, silence }: Pick<SettingsHistory, 'least' | 'silence'>,
): string {
  const { verdict } = change.horizons[MAIN_HORIZON];
  const figures = figuresText(change);
  const whatToDo = whatToDoNow(change, sides, silence);
  switch (verdict) {
    case 'too_few_days': {
      const need = `It needs ${LEAST_DAYS} days of outcomes or more before and after the change.`;
      return sentencesOf(need, whatToDo);
    }
    case 'unclear': {
      if (!isInForce(sides)) {
        const finding = withFigures('Not known whether it helped', figures);
        return sentencesOf(`${finding}.`, 'The settings changed again before it was sure.');
      }
      const soFar = figures === '' ? 'Not known yet whether it helped.' : `So far ${figures}.`;
      return sentencesOf(soFar, WHEN_SURE, wouldShowSentence(change), whatToDo);
    }
    default: {
      const { verdict_since: since } = change;
      const found = since === null ? '' : ` (found on ${dayAndMonth(Date.parse(since))})`;
      const finding = withFigures(`It ${changeEffect(verdict, least)}${found}`, figures);
      const whenItEnds = isInForce(sides) && isChangeSide(verdict) ? WHEN_IT_ENDS : '';
      return sentencesOf(`${finding}.`, whenItEnds, whatToDo);
    }
  }
}

/** Whether the settings after a change are the present ones: no other change followed. */
function isInForce({ after }: ChangeSides): boolean {
  return after.until === undefined;
}

/** One paragraph of sentences; an empty one is left out. */
function sentencesOf(...sentences: readonly string[]): string {
  return sentences.filter((words) => words !== '').join(' ');
}

/**
 * Since when it is known that a change helped or hurt, epoch milliseconds UTC.
 * Undefined of other verdicts, and of one that no export has written down.
 */
export function foundAt({ verdict_since: since, horizons }: SettingsChangeFigures) {
  const isKnown = since !== null && isChangeSide(horizons[MAIN_HORIZON].verdict);
  return isKnown ? Date.parse(since) : undefined;
}

function withFigures(finding: string, figures: string): string {
  return figures === '' ? finding : `${finding}: ${figures}`;
}

/** Where the interval must lie to be sure. */
const SURE_RANGES: Readonly<Record<ChangeSideVerdict, string>> = {
  higher: `above +${MARGIN}`,
  lower: `below -${MARGIN}`,
};

/** When an answer is given. */
const WHEN_SURE = `The answer is known once the whole 99 % range lies ${SURE_RANGES.higher} (it helped) or ${SURE_RANGES.lower} (it hurt) on two days.`;

/** When the answer that a change helped or hurt is taken back. */
const WHEN_IT_ENDS = 'The answer is taken back if the 95 % range reaches 0 on two days.';

/** `An effect of 2 pp or more would likely show.` Empty without an interval, and if the effect so far is as large. */
function wouldShowSentence({ horizons }: SettingsChangeFigures): string {
  const { would_show_percentage_points: wouldShow, difference_percentage_points: difference } =
    horizons[MAIN_HORIZON];
  const size = wouldShow === null ? undefined : sizeToWaitFor(wouldShow, difference);
  return size === undefined ? '' : `An effect of ${size} pp or more would likely show.`;
}

/**
 * `its cards did 1.83 pp better than before, compared with 2 other types (99 %: +0.41 to +3.25)`; empty without an interval. The
 * range is the one that decides: 99 % until there is an answer, then 95 %, by which the answer is taken back. A small difference
 * has no range: "less than 1 pp" says it.
 */
function figuresText({ controls, horizons }: SettingsChangeFigures): string {
  const figures = horizons[MAIN_HORIZON];
  const { verdict, difference_percentage_points: difference } = figures;
  const { level, range } = isChangeSide(verdict)
    ? { level: '95 %', range: figures.difference_interval_95 }
    : { level: '99 %', range: figures.difference_interval_99 };
  if (difference === null || range === null) return '';
  const direction = difference < 0 ? 'worse' : 'better';
  const size = `${Math.abs(difference).toFixed(2)} pp ${direction} than before`;
  const whom = controls.length === 0 ? 'BTC' : pluralize(controls.length, 'other type');
  const rangeWords = verdict === 'small' ? '' : ` (${level}: ${rangeText(range)})`;
  return `its cards did ${size}, compared with ${whom}${rangeWords}`;
}

/**
 * `19 Sep: min 3 instead of 2 (hurt: undo the change, or try other settings)`: for a page that has a line a change. The line of a
 * change that helped, or did little, has no advice: nothing has to be changed.
 * @param isSilent whether the type sends no cards: the page tells elsewhere what to do then
 */
export function changeLine(
  change: SettingsChangeFigures,
  sides: ChangeSides,
  isSilent = false,
): string {
  const { verdict } = change.horizons[MAIN_HORIZON];
  const effect = changeEffect(verdict);
  const needsNoAdvice = isSilent || verdict === 'higher' || verdict === 'small';
  const advice = needsNoAdvice ? '' : adviceNow(change, sides);
  const words = advice === '' ? effect : `${effect}: ${advice}`;
  return `${whatChanged(change, sides)} (${soFarWords(change, sides)}${words})`;
}

/** `+0.87 pp so far, 99 %: -1.46 to +3.20; `, if it is not known yet what the present settings did; otherwise empty. */
function soFarWords({ horizons }: SettingsChangeFigures, sides: ChangeSides): string {
  const {
    verdict,
    difference_percentage_points: difference,
    difference_interval_99: range,
  } = horizons[MAIN_HORIZON];
  const isOpen = verdict === 'unclear' && isInForce(sides);
  if (!isOpen || difference === null || range === null) return '';
  return `${percentagePoints(difference)} so far, 99 %: ${rangeText(range)}; `;
}

/** What to do with the settings after a change; empty if another change followed. */
function adviceNow({ horizons }: SettingsChangeFigures, sides: ChangeSides): string {
  if (!isInForce(sides)) return '';
  return changeAdvice(horizons[MAIN_HORIZON].verdict, sides.keptUntil);
}

/**
 * What to do with the settings after a change, in a sentence; empty if nothing is to be done.
 * @param silence says that the type sends no cards, and what to do about it; empty if it sends them
 */
export function whatToDoNow(
  change: SettingsChangeFigures,
  sides: ChangeSides,
  silence: string,
): string {
  if (isInForce(sides) && silence !== '') return silence;
  const advice = adviceNow(change, sides);
  return advice === '' ? '' : asSentence(advice);
}
