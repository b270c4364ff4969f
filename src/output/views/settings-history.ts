/** A screener type's settings through time: figures of each, and what each change did. */
import * as v from 'valibot';
import { anyObject, described, time } from '../../api/contract/primitives.ts';
import { figure, interval, type ReadonlyDeep } from '../../outcomes/figure.ts';
import type { GroupFigures } from '../../outcomes/figure-table.ts';
import { CHANGE_VERDICTS, type SettingsDifference } from '../../outcomes/settings-change.ts';
import type { HorizonName } from '../../outcomes/types.ts';
import { minuteTime, percentagePoints, zonedTime } from '../format.ts';
import type { RenderContext } from '../types.ts';
import { figureColumn, textColumn } from './parts.ts';
import { ownText, sharedSentence } from './screeners.ts';
import { rangeText } from './tune-words.ts';
import { verdictColumns, verdictTint } from './verdict.ts';

export const settingsOfType = v.array(
  v.object({
    active: described(v.boolean(), 'whether it was switched on'),
    conditions: described(anyObject, 'its conditions'),
  }),
);

/** Figures of the cards of one setting; `group` is when it was first seen. */
export interface SettingsGroup extends GroupFigures {
  /** The screeners of the type: several may share it. */
  readonly settings: readonly { readonly active: boolean; readonly conditions: Record<string, unknown> }[];
  readonly cards_per_day: number;
}

const difference = v.object({
  difference_percentage_points: described(figure, 'after less before, each beside the other types, percentage points'),
  difference_interval_95: described(interval, '95 % interval of it, of this change alone'),
  p_holm: described(figure, 'p of no difference, adjusted for all changes of the type'),
  verdict: described(v.picklist(CHANGE_VERDICTS), 'what the moves did with the change'),
});

export const settingsChangeSchema = v.object({
  seen_after: described(time, 'the last look at the settings before, UTC'),
  seen_by: described(time, 'the first look at the settings after, UTC'),
  horizons: described(
    v.object({ '1h': described(difference, 'after 1 hour'), '24h': described(difference, 'after 24 hours') }),
    'what the change did, by horizon',
  ),
});
export type SettingsChangeFigures = ReadonlyDeep<v.InferOutput<typeof settingsChangeSchema>>;

/** What each change did, and a line for each setting, oldest first. */
export function settingsHistoryText(
  groups: readonly SettingsGroup[],
  changes: readonly SettingsChangeFigures[],
  horizon: HorizonName,
  { paragraph, styles, table, width, zone }: RenderContext,
): string {
  const all = groups.flatMap(({ settings }) => settings);
  const said = changes.map((change) => paragraph(changeSentence(change, horizon, zone)));
  const about =
    changes.length === 0
      ? paragraph('No look at the settings has seen them change.')
      : paragraph("Judged beside other types' cards of those days; cards in between are left out.", styles.dim);
  return [
    ...said,
    table<SettingsGroup>(
      [
        textColumn('SINCE', 0, ({ group }) => minuteTime(group, zone)),
        figureColumn('CARDS', 1, ({ horizons }) => String(horizons[horizon].btc_sample)),
        figureColumn('A DAY', 2, ({ cards_per_day }) => cards_per_day.toFixed(1)),
        figureColumn('MEDIAN', 0, ({ horizons: { [horizon]: one } }) =>
          verdictTint(one.verdict, styles)(percentagePoints(one.median_vs_btc_percentage_points)),
        ),
        ...verdictColumns<SettingsGroup>(({ horizons }) => horizons[horizon], 1),
        textColumn('SETTINGS', 0, ({ settings }) => settingsText(settings, width === undefined ? [] : all), {
          below: true,
        }),
      ],
      groups,
    ),
    ...(width === undefined ? [] : [sharedSentence(all) ?? []].flat()),
    about,
  ].join('\n');
}

/** @param all the settings whose common conditions are said elsewhere */
function settingsText(settings: SettingsGroup['settings'], all: SettingsGroup['settings']): string {
  if (settings.length === 0) return 'not there';
  return settings
    .map(({ active, conditions }) => `${active ? '' : 'off: '}${ownText(conditions, all) || 'the same'}`)
    .join('; or ');
}

const CHANGE_WORDS: Readonly<Record<SettingsDifference['verdict'], string>> = {
  higher: 'its cards moved higher after it',
  lower: 'its cards moved lower after it',
  none: 'no difference that matters',
  unclear: 'unclear whether it changed anything',
  too_few_days: 'too few days before or after to say what it did',
};

/** `Changed between … and …: its cards moved higher after it (+1.51 pp, 95 %: +0.20 to +2.80 pp).` */
function changeSentence(
  { seen_after, seen_by, horizons }: SettingsChangeFigures,
  horizon: HorizonName,
  zone: RenderContext['zone'],
): string {
  const { verdict, difference_percentage_points: by, difference_interval_95 } = horizons[horizon];
  const range = rangeText(difference_interval_95);
  const figures = by === null || range === undefined ? '' : ` (${percentagePoints(by)}, 95 %: ${range})`;
  return `Changed between ${minuteTime(seen_after, zone)} and ${zonedTime(seen_by, zone)}: ${CHANGE_WORDS[verdict]}${figures}.`;
}
