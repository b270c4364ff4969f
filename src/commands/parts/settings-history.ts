import { byHorizon, MAIN_HORIZON } from '../../api/contract/horizons.ts';
import { formatApiTime } from '../../api/time.ts';
import { groupBy } from '../../base/collections.ts';
import {
  presentSettings,
  type SettingsPeriod,
  settingsPeriods,
} from '../../history/store/answers.ts';
import type { GroupFigures } from '../../outcomes/figure-table.ts';
import { figuresOf } from '../../outcomes/figures.ts';
import { cardsPerDay, twoDecimals } from '../../outcomes/rate.ts';
import { type SettingsDifference, settingsDifferences } from '../../outcomes/settings-change.ts';
import { standingsOf } from '../../outcomes/standing.ts';
import type { SettingsHistory } from '../../output/views/settings-history.ts';
import { LEAST } from '../../statistics/verdict.ts';
import type { Sample } from './history-rows.ts';

/** Cards between the two looks that saw a change are in neither period. @param sample of all types: the control */
export function settingsHistory(sample: Sample, type: string, least = LEAST): SettingsHistory {
  const { rows, looks, question, known } = sample;
  const periods = settingsPeriods(looks, type);
  const groups = periods.map((period) => {
    const until = Math.min(period.until, question.until);
    const isPresent = period === periods.at(-1);
    const within = rows.filter(({ at }) => at <= until);
    const compared = figuresOf(within, {
      by: 'type',
      now: isPresent ? question.now : until,
      until,
      least,
      answers: question.answers,
      settingsSince: new Map([...presentSettings(looks, until), [type, period.since]]),
      findings: isPresent ? question.findings : undefined,
      lastAsked: isPresent ? question.lastAsked : undefined,
    });
    const standing = standingsOf(compared, MAIN_HORIZON, known).find(({ group }) => group === type);
    const found = standing?.of ?? (figuresOf([], { now: until, least }).groups[0] as GroupFigures);
    const own = within.filter((row) => row.type === type);
    const since = Number.isFinite(period.since) ? period.since : (own.at(-1)?.at ?? until);
    const perDay = twoDecimals(cardsPerDay(own, until, { days: Number.POSITIVE_INFINITY, since }));
    const group = {
      ...found,
      cards_per_day: perDay,
      group: formatApiTime(since),
      settings: period.settings,
    };
    const ended = standing && { ...standing, wait: null, base: { ...standing.base, nextAt: null } };
    return { group, standing: (isPresent ? standing : ended) ?? null };
  });
  return {
    type,
    groups: groups.map(({ group }) => group),
    standings: groups.map(({ standing }) => standing),
    changes: changesOf(sample, periods, type, least),
    known_since: looks[0] === undefined ? null : formatApiTime(looks[0].at),
  };
}

function changesOf(
  sample: Sample,
  periods: readonly SettingsPeriod[],
  type: string,
  least: number,
) {
  const { rows, looks, question } = sample;
  const others = [...groupBy(rows, (row) => row.type).keys()].filter((one) => one !== type);
  const changedAt = new Map(
    others.map((one) => [one, settingsPeriods(looks, one).map(({ since }) => since)]),
  );
  const compared = periods.slice(1).map((after, i) => {
    const before = periods[i] ?? after;
    const isSteady = (one: string) =>
      !changedAt.get(one)?.some((at) => at > before.since && at <= after.until);
    return { before, after, control: new Set(others.filter(isSteady)) };
  });
  const { answers = [] } = question;
  const differences = byHorizon((name) =>
    settingsDifferences(rows, type, compared, name, least, answers),
  );
  return compared.map(({ before, after }, i) => ({
    seen_after: formatApiTime(before.until),
    seen_by: formatApiTime(after.since),
    horizons: byHorizon((name) => differences[name][i] as SettingsDifference),
  }));
}
