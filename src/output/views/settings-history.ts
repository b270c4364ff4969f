/** A screener type's settings through time: figures of each, and what each change did. */
import * as v from 'valibot';
import { horizonOf, MAIN_HORIZON } from '../../api/contract/horizons.ts';
import { anyObject, described, named, time } from '../../api/contract/primitives.ts';
import type { ReadonlyDeep } from '../../base/readonly-deep.ts';
import { pluralize } from '../../base/units.ts';
import { LEAST_OTHERS } from '../../outcomes/differences.ts';
import { figure, interval } from '../../outcomes/figure.ts';
import type { GroupFigures } from '../../outcomes/figure-table.ts';
import type { ChangeFinding } from '../../outcomes/findings.ts';
import { LEAST } from '../../outcomes/question.ts';
import { CHANGE_VERDICTS, type ChangeVerdict } from '../../outcomes/settings-change.ts';
import type { Standing } from '../../outcomes/standing.ts';
import { objectByHorizon } from '../described-fields.ts';
import { dayAndMonth, minuteTime, NONE, points, rangeText, signed } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Column, RenderContext, Section, Styles } from '../types.ts';
import { figureColumn, textColumn } from './parts.ts';
import { type ScreenerSettings, settingsChange, settingsText } from './settings-text.ts';
import { baseNote, differenceColumns } from './verdict.ts';

export const settingsOfType = v.array(
  v.object({
    active: described(v.boolean(), 'whether it was switched on'),
    conditions: described(anyObject, 'its conditions'),
  }),
);

/** Figures of the cards of one setting; `group` is when it was first seen. */
export interface SettingsGroup extends GroupFigures {
  /** The screeners of the type: several may share it. */
  readonly settings: readonly ScreenerSettings[];
}

const changeFigures = named(
  'SettingsDifference',
  v.object({
    before_percentage_points: described(
      figure,
      'median of the cards before it, beside those of controls on the day, percentage points',
    ),
    after_percentage_points: described(figure, 'the same of the cards after it'),
    difference_percentage_points: described(figure, 'after minus before, percentage points'),
    difference_interval_95: described(interval, '95 % interval of the difference'),
    difference_interval_99: described(interval, '99 % interval of it: it decides'),
    difference_interval_997: described(interval, '99.7 % interval of it'),
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
      'types compared with on both sides: their settings stayed the same; empty: compared with BTC',
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
  /** When they were last recorded; undefined of those that hold. */
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
  /** Beside the controls of the change, percentage points. */
  readonly vsControls: number | null;
}

export interface ChangeSides {
  readonly before: SettingsSide;
  readonly after: SettingsSide;
}

export interface SettingsHistory {
  readonly type: string;
  /** Figures of each setting, oldest first. */
  readonly groups: readonly SettingsGroup[];
  readonly changes: readonly SettingsChangeFigures[];
  /** After 24 h, of each of the changes. */
  readonly sides: readonly ChangeSides[];
  /** An API time; null if no settings are recorded. */
  readonly known_since: string | null;
  /** How the type stands with its present settings; undefined for one without cards. */
  readonly standing: Standing | undefined;
}

export function settingsSection(history: SettingsHistory, render: RenderContext): Section {
  const { type, changes, sides, standing } = history;
  const name = safeText(type);
  const subject = changes.length === 0 ? `Settings of ${name}` : `What new settings of ${name} did`;
  const title = `${subject}: ${horizonOf(MAIN_HORIZON).words} after the trigger, in pp`;
  const parts: string[] = [];
  for (const [i, change] of changes.entries()) {
    const sidesOfChange = sides[i];
    if (sidesOfChange !== undefined) parts.push(changePart(change, sidesOfChange, render));
  }
  if (parts.length === 0)
    parts.push(unchangedWords(history, render), settingsTable(history, render));
  const isLuckPossible = changes.some(({ horizons }) => isBetter(horizons[MAIN_HORIZON]));
  const notes = render.note(
    'A DAY: over all days of a setting',
    // Each change says what its own figures are.
    changes.length === 0 && standing !== undefined && baseNote([standing]),
    isLuckPossible && LOOKED_WORST,
  );
  return { title, body: [parts.join('\n\n'), notes] };
}

/** Of settings that never changed, as far as is known. */
function unchangedWords({ known_since: known }: SettingsHistory, render: RenderContext): string {
  const words =
    known === null
      ? 'No settings are recorded yet: `screener signals export` records them.'
      : `No change of its settings is known since ${minuteTime(known, render.zone)}, when they were first recorded.`;
  return render.paragraph(words);
}

function settingsTable({ groups, standing }: SettingsHistory, { table }: RenderContext): string {
  const columns = differenceColumns<SettingsGroup>(() => standing ?? null);
  return table<SettingsGroup>(
    [
      textColumn('SINCE', 0, ({ group }) => `first card ${dayAndMonth(Date.parse(group ?? ''))}`),
      figureColumn('A DAY', 2, ({ cards_per_day: rate }) => (rate ?? 0).toFixed(1)),
      ...Object.values(columns),
      textColumn('SETTINGS', 0, ({ settings }) => settingsOf(settings), { below: true }),
    ],
    groups.slice(-1),
  );
}

const TINTS: Readonly<Record<ChangeVerdict, keyof Styles>> = {
  higher: 'good',
  lower: 'bad',
  small: 'dim',
  unclear: 'dim',
  too_few_days: 'dim',
};

/** A change in words, then a line for each of the two settings: rows and difference add up. */
function changePart(
  change: SettingsChangeFigures,
  { before, after }: ChangeSides,
  { paragraph, table, note, styles }: RenderContext,
): string {
  const { controls, horizons } = change;
  const tint = styles[TINTS[horizons[MAIN_HORIZON].verdict]];
  const vsControls = figureColumn<SettingsSide>(vsWords(controls), 1, (side) =>
    points(side.vsControls),
  );
  const columns: Column<SettingsSide>[] = [
    textColumn('SETTINGS', 0, timeOfSide),
    figureColumn('A DAY', 3, ({ perDay }) => perDay?.toFixed(1) ?? NONE),
    figureColumn('N', 4, ({ sample }) => String(sample)),
    figureColumn('VS BTC', 2, (side) => points(side.vsBtc)),
    ...(controls.length > 0 ? [vsControls] : []),
    textColumn('', 0, ({ settings }) => settingsOf(settings), { below: true }),
  ];
  return [
    paragraph(changeText(change, { before, after }), tint),
    table(columns, [before, after]),
    note(controlWords(change), leftOutWords(before, after), sourceWords(change)),
  ].join('\n');
}

/** `VS 5 TYPES` */
function vsWords(controls: readonly string[]): string {
  return `VS ${pluralize(controls.length, 'type').toUpperCase()}`;
}

/** `until 13 Oct`, `since 14 Oct` */
function timeOfSide({ since, until }: SettingsSide): string {
  if (until === undefined) return `since ${dayAndMonth(since ?? 0)}`;
  if (since === undefined) return `until ${dayAndMonth(until)}`;
  return `${dayAndMonth(since)} to ${dayAndMonth(until)}`;
}

/** Which types both sides are compared with. */
function controlWords({ controls }: SettingsChangeFigures): string {
  if (controls.length === 0)
    return 'Compared with BTC: no other type has cards on both sides and kept its settings.';
  const names = controls.map(safeText).join(', ');
  return `${vsWords(controls)}: ${names} (cards on both sides, settings unchanged, not less lately).`;
}

/** Why N may be smaller than on other screens. */
function leftOutWords(before: SettingsSide, after: SettingsSide): string {
  const leftOut = before.leftOut + after.leftOut;
  return leftOut === 0
    ? ''
    : `N leaves out ${pluralize(leftOut, 'outcome')} of days on which these types have fewer than ${LEAST_OTHERS}.`;
}

function sourceWords({ figures_from: source }: SettingsChangeFigures): string {
  const whose = source === 'service' ? "the service's medians" : 'the outcomes you bought';
  return `Figures: ${whose} on each side of the change.`;
}

/** The screeners of a type in words. */
export function settingsOf(settings: readonly ScreenerSettings[]): string {
  if (settings.length === 0) return 'not there';
  return settings
    .map(({ active, conditions }) => `${active ? '' : 'off: '}${settingsText(conditions)}`)
    .join('; or ');
}

/** @param least percentage points */
export function changeWords(verdict: ChangeVerdict, least = LEAST): string {
  const words: Readonly<Record<ChangeVerdict, string>> = {
    higher: 'the change helped',
    lower: 'the change hurt',
    small: `the change made less than ${least} pp`,
    unclear: 'unclear whether it changed anything',
    too_few_days: 'too few days on one side of the change to say what it did',
  };
  return words[verdict];
}

/** The mean of simulated changes without any effect, .56. */
export const LOOKED_WORST =
  'If you changed it because it looked worst, count about 0.6 pp less: by chance alone, the worst type does better afterwards.';

/** Whether it looks better than before. */
export function isBetter(change: ChangeFigures): boolean {
  const { difference_percentage_points: difference, difference_interval_95: interval } = change;
  return interval !== null && difference !== null && difference > 0;
}

/** What changed, what that did, and the difference with its interval, a sentence each. */
function changeText(change: SettingsChangeFigures, { before, after }: ChangeSides): string {
  const { seen_after, seen_by, verdict_since: since, controls, horizons } = change;
  const main = horizons[MAIN_HORIZON];
  const first = dayAndMonth(Date.parse(seen_after));
  const last = dayAndMonth(Date.parse(seen_by));
  const parts = settingsChange(before.settings, after.settings);
  const isFound = since !== null && main.verdict !== 'unclear';
  const found = isFound ? ` (found on ${dayAndMonth(Date.parse(since))})` : '';
  const finding = `Changed between ${first} and ${last}, ${parts}: ${changeWords(main.verdict)}${found}.`;
  const { difference_percentage_points: difference } = main;
  const range = rangeWords(main);
  if (difference === null || range === '') return finding;
  const direction = difference < 0 ? 'worse' : 'better';
  const size = `${Math.abs(difference).toFixed(2)} pp ${direction} than before`;
  const whom =
    controls.length === 0 ? 'Compared with BTC' : `Beside ${pluralize(controls.length, 'type')}`;
  return `${finding}\n${whom}, its cards did ${size} (${range}).`;
}

/** `95 %: +0.37 to +3.46`; of a verdict that is unclear the interval that decides: `99 %: -0.22 to +4.05`. */
function rangeWords({
  verdict,
  difference_interval_95: interval,
  difference_interval_99: wide,
}: ChangeFigures): string {
  if (interval === null) return '';
  return verdict === 'unclear' && wide !== null
    ? `99 %: ${rangeText(wide)}`
    : `95 %: ${rangeText(interval)}`;
}

/** `TYPE: your change of 14 Oct helped, +1.5 (+0.4 to +2.6).` */
export function changeNews(line: ChangeFinding): string {
  const { type, settings_since: since, verdict, difference_percentage_points: difference } = line;
  const { interval_95: interval } = line;
  const change = `${safeText(type)}: your change of ${dayAndMonth(Date.parse(since))}`;
  const figures =
    difference === null || interval === null
      ? ''
      : `, ${signed(difference, 1)} (${signed(interval.low, 1)} to ${signed(interval.high, 1)})`;
  return `${change} ${CHANGE_WORDS[verdict]}${figures}.`;
}

/** What a change did, behind its name. */
export const CHANGE_WORDS: Readonly<Record<ChangeFinding['verdict'], string>> = {
  higher: 'helped',
  lower: 'hurt',
  small: `made less than ${LEAST} pp`,
  unclear: 'is unclear',
};
