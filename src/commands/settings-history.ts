import { byHorizon } from '../api/contract/horizons.ts';
import { formatApiTime } from '../api/time.ts';
import {
  presentSettings,
  type ScreenersLook,
  type SettingsPeriod,
  settingsPeriods,
} from '../history/store/screeners-log.ts';
import { figuresOf } from '../outcomes/figures.ts';
import { groupBy } from '../outcomes/group.ts';
import type { Row } from '../outcomes/row.ts';
import type { ServiceAnswer } from '../outcomes/service-answers.ts';
import { type SettingsDifference, settingsDifferences } from '../outcomes/settings-change.ts';
import { LEAST } from '../outcomes/verdict.ts';
import type { SettingsChangeFigures, SettingsGroup, SettingsHistory } from '../output/views/settings-history.ts';

interface Asked {
  readonly type: string;
  /** Epoch milliseconds UTC; `until`: when the history ends. */
  readonly now: number;
  readonly until: number;
  /** The smallest difference that matters after 24 h, percentage points. */
  readonly least?: number | undefined;
  readonly answers?: readonly ServiceAnswer[] | undefined;
}

/**
 * The times between changes of a type's settings: its figures in each, as `stats --by type` has them of that time, and
 * what each change did. Cards between the two looks that saw a change are in neither. Pure.
 * @param rows of all types: the others are compared with
 * @param looks oldest first
 */
export function settingsHistory(
  rows: readonly Row[],
  looks: readonly ScreenersLook[],
  { type, now, until, least = LEAST, answers = [] }: Asked,
): SettingsHistory {
  const periods = settingsPeriods(looks, type);
  const groups = periods.flatMap((period): SettingsGroup[] => {
    const end = Math.min(period.until, until);
    const within = rows.filter(({ at }) => at <= end);
    const settingsSince = new Map([...presentSettings(looks, end), [type, period.since]]);
    const isPresent = period === periods.at(-1);
    const question = { now: isPresent ? now : end, until: end, least, answers, settingsSince, hasPast: isPresent };
    const { groups: figures } = figuresOf(within, { ...question, by: 'type' });
    const found = figures.find(({ group }) => group === type) ?? figuresOf([], { now: end, least }).groups[0];
    if (found === undefined) return [];
    const own = within.filter((row) => row.type === type);
    const first = own.reduce((oldest, { at }) => Math.min(oldest, at), end);
    return [
      {
        ...found,
        group: formatApiTime(Number.isFinite(period.since) ? period.since : first),
        settings: period.settings,
      },
    ];
  });
  return { groups, changes: changesOf(rows, looks, periods, { type, now, until, least, answers }) };
}

function changesOf(
  rows: readonly Row[],
  looks: readonly ScreenersLook[],
  periods: readonly SettingsPeriod[],
  { type, least = LEAST, answers = [] }: Asked,
): SettingsChangeFigures[] {
  const others = [...groupBy(rows, (row) => row.type).keys()].filter((one) => one !== type);
  const changedAt = new Map(others.map((one) => [one, settingsPeriods(looks, one).map(({ since }) => since)]));
  const compared = periods.slice(1).map((after, i) => {
    const before = periods[i] ?? after;
    const isSteady = (one: string) =>
      !(changedAt.get(one) ?? []).some((at) => Number.isFinite(at) && at > before.since && at <= after.until);
    return { before, after, control: new Set(others.filter(isSteady)) };
  });
  const differences = byHorizon((name) => settingsDifferences(rows, type, compared, name, least, answers));
  return compared.map(({ before, after }, i) => ({
    seen_after: formatApiTime(before.until),
    seen_by: formatApiTime(after.since),
    horizons: byHorizon((name) => differences[name][i] as SettingsDifference),
  }));
}
