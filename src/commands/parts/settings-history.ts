import { byHorizon } from '../../api/contract/horizons.ts';
import { formatApiTime } from '../../api/time.ts';
import { presentSettings, type SettingsPeriod, settingsPeriods } from '../../history/store/answers.ts';
import { figuresOf } from '../../outcomes/figures.ts';
import { groupBy } from '../../outcomes/group.ts';
import { cardsPerDay, twoDecimals } from '../../outcomes/rate.ts';
import { type SettingsDifference, settingsDifferences } from '../../outcomes/settings-change.ts';
import type { SettingsChangeFigures, SettingsGroup, SettingsHistory } from '../../output/views/settings-history.ts';
import type { Silences } from '../../output/views/verdict.ts';
import { durationInWords } from '../../runtime/durations.ts';
import { DAY } from '../../runtime/units.ts';
import { LEAST } from '../../statistics/verdict.ts';
import { type Sample, screenersOf } from './history-rows.ts';

/**
 * Cards between the two looks that saw a change are in neither of its periods. Pure.
 * @param sample of all types: the others are compared with
 */
export function settingsHistory(sample: Sample, type: string, least = LEAST): SettingsHistory {
  const { rows, looks, question } = sample;
  const periods = settingsPeriods(looks, type);
  const groups = periods.flatMap((period): SettingsGroup[] => {
    const until = Math.min(period.until, question.until);
    const isPresent = period === periods.at(-1);
    const within = rows.filter(({ at }) => at <= until);
    const { groups: figures } = figuresOf(within, {
      by: 'type',
      now: isPresent ? question.now : until,
      until,
      least,
      answers: question.answers,
      settingsSince: new Map([...presentSettings(looks, until), [type, period.since]]),
      hasPast: isPresent,
    });
    const found = figures.find(({ group }) => group === type) ?? figuresOf([], { now: until, least }).groups[0];
    if (found === undefined) return [];
    const own = within.filter((row) => row.type === type);
    const since = Number.isFinite(period.since) ? period.since : (own.at(-1)?.at ?? until);
    // The words of a finished period were looked up at its end alone.
    const horizons = byHorizon((name) => ({ ...found.horizons[name], ...(isPresent ? {} : { verdict_since: null }) }));
    const perDay = twoDecimals(cardsPerDay(own, until, { days: Number.POSITIVE_INFINITY, since }));
    return [{ ...found, cards_per_day: perDay, horizons, group: formatApiTime(since), settings: period.settings }];
  });
  return {
    type,
    groups,
    changes: changesOf(sample, periods, type, least),
    known_since: looks[0] === undefined ? null : formatApiTime(looks[0].at),
    silence: silenceOf(sample, type),
  };
}

function changesOf(
  { rows, looks, question }: Sample,
  periods: readonly SettingsPeriod[],
  type: string,
  least: number,
): SettingsChangeFigures[] {
  const others = [...groupBy(rows, (row) => row.type).keys()].filter((one) => one !== type);
  const changedAt = new Map(others.map((one) => [one, settingsPeriods(looks, one).map(({ since }) => since)]));
  const compared = periods.slice(1).map((after, i) => {
    const before = periods[i] ?? after;
    const isSteady = (one: string) => !changedAt.get(one)?.some((at) => at > before.since && at <= after.until);
    return { before, after, control: new Set(others.filter(isSteady)) };
  });
  const { answers = [] } = question;
  const differences = byHorizon((name) => settingsDifferences(rows, type, compared, name, least, answers));
  return compared.map(({ before, after }, i) => ({
    seen_after: formatApiTime(before.until),
    seen_by: formatApiTime(after.since),
    horizons: byHorizon((name) => differences[name][i] as SettingsDifference),
  }));
}

const SILENT_AFTER = 14 * DAY;

/** `no card for 16 days`, of a type that is switched on; undefined if it is not silent. */
export function silenceOf(sample: Sample, type: string): string | undefined {
  const { rows, isWhole } = sample;
  const { until } = sample.question;
  const isActive = screenersOf(sample).some((one) => one.type === type && one.active);
  const last = rows.find((row) => row.type === type)?.at;
  // Of what came before its first card the history knows nothing.
  if (!isWhole || !isActive || until - (last ?? rows.at(-1)?.at ?? until) <= SILENT_AFTER) return undefined;
  return last === undefined ? 'no card' : `no card for ${durationInWords(until - last)}`;
}

export function silences(sample: Sample): Silences {
  const { rows, question } = sample;
  return {
    silenceOf: (type) => silenceOf(sample, type),
    rateBefore: (type) => {
      const own = silenceOf(sample, type) === undefined ? [] : rows.filter((row) => row.type === type);
      return cardsPerDay(own, own[0]?.at ?? 0, { since: question.settingsSince?.get(type) ?? rows.at(-1)?.at });
    },
  };
}
