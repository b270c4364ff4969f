import { byHorizon } from '../api/contract/horizons.ts';
import { formatApiTime } from '../api/time.ts';
import { type ScreenersLook, type SettingsPeriod, settingsPeriods } from '../history/store/screeners-log.ts';
import { figuresOf } from '../outcomes/figures.ts';
import { groupBy } from '../outcomes/group.ts';
import { cardsPerDay, twoDecimals } from '../outcomes/rate.ts';
import type { Row } from '../outcomes/row.ts';
import type { ServiceAnswer } from '../outcomes/service-medians.ts';
import { answersOf, isWithin, type SettingsDifference, settingsDifferences } from '../outcomes/settings-change.ts';
import { LEAST } from '../outcomes/verdict.ts';
import type { SettingsChangeFigures, SettingsGroup, SettingsHistory } from '../output/views/settings-history.ts';
import { DAY } from '../runtime/units.ts';

interface Asked {
  readonly type: string;
  /** When the history ends, epoch milliseconds UTC. */
  readonly until: number;
  /** The smallest difference that matters after 24 h, percentage points. */
  readonly least?: number | undefined;
  readonly answers?: readonly ServiceAnswer[];
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
  { type, until, least = LEAST, answers = [] }: Asked,
): SettingsHistory {
  const periods = settingsPeriods(looks, type);
  const groups = periods.flatMap((period): SettingsGroup[] => {
    const within = rows.filter(({ at }) => isWithin(period, at));
    const own = within.filter((row) => row.type === type);
    const then = answersOf(answers, period);
    const { groups: figures } = figuresOf(within, { by: 'type', now: until, least, answers: then });
    const found = figures.find(({ group }) => group === type) ?? figuresOf([], { now: until, least }).groups[0];
    if (found === undefined) return [];
    const end = Math.min(period.until, until);
    const first = own.reduce((oldest, { at }) => Math.min(oldest, at), end);
    const days = Math.max(1, Math.ceil((end - Math.max(period.since, first)) / DAY));
    const since = formatApiTime(Number.isFinite(period.since) ? period.since : first);
    return [
      {
        ...found,
        group: since,
        settings: period.settings,
        cards_per_day: twoDecimals(cardsPerDay(own, end, { days })),
      },
    ];
  });
  return { groups, changes: changesOf(rows, looks, periods, { type, until, least, answers }) };
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
