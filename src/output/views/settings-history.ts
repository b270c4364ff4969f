/** A screener type's settings through time: figures of each, and what each change did. */

import * as v from 'valibot';
import { horizonOf, MAIN_HORIZON } from '../../api/contract/horizons.ts';
import { anyObject, described, named, time } from '../../api/contract/primitives.ts';
import type { ReadonlyDeep } from '../../base/readonly-deep.ts';
import { figure, interval } from '../../outcomes/figure.ts';
import type { GroupFigures } from '../../outcomes/figure-table.ts';
import { CHANGE_VERDICTS } from '../../outcomes/settings-change.ts';
import type { Standing } from '../../outcomes/standing.ts';
import { objectByHorizon } from '../described-fields.ts';
import { dayAndMonth, minuteTime, rangeText } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { RenderContext, Section, Styles } from '../types.ts';
import { figureColumn, textColumn } from './parts.ts';
import { settingsChange, settingsText } from './settings-text.ts';
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
  readonly settings: readonly {
    readonly active: boolean;
    readonly conditions: Record<string, unknown>;
  }[];
}

const difference = named(
  'SettingsDifference',
  v.object({
    difference_percentage_points: described(
      figure,
      'after minus before, against the other types, percentage points',
    ),
    difference_interval_95: described(interval, '95 % interval of it, for this change alone'),
    p_holm: described(figure, 'p of no difference, adjusted for all changes of the type'),
    verdict: described(v.picklist(CHANGE_VERDICTS), 'what the moves did with the change'),
  }),
);

export const settingsChangeSchema = named(
  'SettingsChange',
  v.object({
    seen_after: described(time, 'when the settings before were last recorded, UTC'),
    seen_by: described(time, 'when the settings after were first recorded, UTC'),
    horizons: objectByHorizon('what the change did, by horizon', difference),
  }),
);
export type SettingsChangeFigures = ReadonlyDeep<v.InferOutput<typeof settingsChangeSchema>>;

export interface SettingsHistory {
  readonly type: string;
  readonly groups: readonly SettingsGroup[];
  readonly changes: readonly SettingsChangeFigures[];
  /** An API time. */
  readonly known_since: string | null;
  /** One for each group; null for one without cards. */
  readonly standings: readonly (Standing | null)[];
}

export function settingsSection(
  history: SettingsHistory,
  { note, paragraph, styles, table, zone }: RenderContext,
): Section {
  const { type, groups, standings, changes, known_since: known } = history;
  const tints: { readonly [verdict: string]: Styles['good'] } = {
    higher: styles.good,
    lower: styles.bad,
  };
  const first = groups[0]?.group;
  const begin = `first card ${dayAndMonth(Date.parse(first ?? ''))}`;
  const standingOf = (row: SettingsGroup) => standings[groups.indexOf(row)] ?? null;
  const sinceDay = (i: number) => `cards since ${dayAndMonth(Date.parse(groups[i]?.group ?? ''))}`;
  const named = standings.flatMap((one, i) => (one === null ? [] : { ...one, group: sinceDay(i) }));
  const unchanged = first
    ? `No change of its settings is known since ${minuteTime(known, zone)}, when they were first recorded.`
    : 'No settings are recorded yet: `screener signals export` records them.';
  return {
    title: `What new settings of ${safeText(type)} did: ${horizonOf(MAIN_HORIZON).words} after the trigger, in pp`,
    body: [
      ...changes.map(({ horizons }, i) =>
        paragraph(changeText(history, i), tints[horizons[MAIN_HORIZON].verdict]),
      ),
      changes.some(
        ({ horizons }) => (horizons[MAIN_HORIZON].difference_interval_95?.high ?? 0) > 0,
      ) && note(LOOKED_WORST),
      changes.length === 0 && paragraph(unchanged),
      table<SettingsGroup>(
        [
          textColumn('SINCE', 0, ({ group }) =>
            group === first ? begin : minuteTime(group, zone),
          ),
          figureColumn('A DAY', 2, ({ cards_per_day }) => (cards_per_day ?? 0).toFixed(1)),
          ...Object.values(differenceColumns(standingOf)),
          textColumn('SETTINGS', 0, ({ settings }) => settingsOf(settings), { below: true }),
        ],
        groups,
      ),
      note('A DAY: over all days of a setting', baseNote(named)),
    ],
  };
}

export function settingsOf(settings: SettingsGroup['settings']): string {
  if (settings.length === 0) return 'not there';
  return settings
    .map(({ active, conditions }) => `${active ? '' : 'off: '}${settingsText(conditions)}`)
    .join('; or ');
}

export const CHANGE_WORDS = {
  higher: 'the change helped',
  lower: 'the change did harm',
  none: 'no difference that matters',
  unclear: 'unclear whether it changed anything',
  too_few_days: 'too few days on one side of the change to say what it did',
} as const;

/** The mean of simulated changes without any effect, .56. */
export const LOOKED_WORST =
  'If you changed it because it looked worst, count about 0.6 pp less: by chance alone, the worst type does better afterwards.';

function changeText(history: SettingsHistory, i: number): string {
  const { seen_after, seen_by, horizons } = history.changes[i] as SettingsChangeFigures;
  const {
    verdict,
    difference_percentage_points: by,
    difference_interval_95: interval,
  } = horizons[MAIN_HORIZON];
  const size = `${Math.abs(by ?? 0).toFixed(2)} pp ${(by ?? 0) < 0 ? 'worse' : 'better'} than before`;
  const figures = `Compared with the other types, its cards did ${size} (95 %: ${rangeText(interval)}).`;
  const [after, before] = [seen_after, seen_by].map((time) => dayAndMonth(Date.parse(time)));
  const parts = settingsChange(
    history.groups[i]?.settings ?? [],
    history.groups[i + 1]?.settings ?? [],
  );
  const finding = `Changed between ${after} and ${before}, ${parts}: ${CHANGE_WORDS[verdict]}.`;
  return interval === null ? finding : `${finding}\n${figures}`;
}
