import { byHorizon } from '../../api/contract/horizons.ts';
import { formatApiTime } from '../../api/time.ts';
import { groupBy } from '../../base/collections.ts';
import {
  presentSettings,
  type SettingsPeriod,
  settingsPeriods,
} from '../../history/store/answers.ts';
import type { GroupFigures } from '../../outcomes/figure-table.ts';
import { figuresOf, type JudgedGroup } from '../../outcomes/figures.ts';
import { type Evidence, LEAST, questionOf } from '../../outcomes/question.ts';
import { cardsPerDay, twoDecimals } from '../../outcomes/rate.ts';
import { type SettingsDifference, settingsDifferences } from '../../outcomes/settings-change.ts';
import { type Standing, standingsOf } from '../../outcomes/standing.ts';
import type { SettingsGroup, SettingsHistory } from '../../output/views/settings-history.ts';
import type { Inquiry } from './history-rows.ts';

/** Cards between the two looks that saw a change are in neither period. @param inquiry of all types: the control */
export function settingsHistory(inquiry: Inquiry, type: string, least = LEAST): SettingsHistory {
  const { looks } = inquiry;
  const periods = settingsPeriods(looks, type);
  const figures = periods.map((period) =>
    figuresOfPeriod(inquiry, type, { period, isPresent: period === periods.at(-1), least }),
  );
  return {
    type,
    groups: figures.map(({ group }) => group),
    standings: figures.map(({ standing }) => standing),
    changes: changesOf(inquiry, periods, type, least),
    known_since: looks[0] === undefined ? null : formatApiTime(looks[0].at),
  };
}

interface PeriodOfType {
  readonly period: SettingsPeriod;
  /** Whether these are the settings now: the notebook knows them alone. */
  readonly isPresent: boolean;
  /** Percentage points. */
  readonly least: number;
}

function figuresOfPeriod(
  { evidence, looks, known }: Inquiry,
  type: string,
  { period, isPresent, least }: PeriodOfType,
): { readonly group: SettingsGroup; readonly standing: Standing | null } {
  const until = Math.min(period.until ?? evidence.until, evidence.until);
  const within = evidence.cards.filter(({ at }) => at <= until);
  const ofPeriod: Evidence = {
    ...evidence,
    cards: within,
    lastAsked: isPresent ? evidence.lastAsked : new Map(),
    settingsSince: settingsUntil(looks, until, type, period.since),
    findings: isPresent ? evidence.findings : undefined,
    now: isPresent ? evidence.now : until,
    until,
  };
  const question = questionOf({ least, until: isPresent ? undefined : until });
  const comparison = figuresOf(ofPeriod, question);
  const standing = standingsOf(comparison, ofPeriod, known).find(({ group }) => group === type);
  const cards = within.filter((card) => card.type === type);
  const since = period.since ?? cards.at(-1)?.at ?? until;
  const perDay = cardsPerDay(cards, until, { days: Number.POSITIVE_INFINITY, since });
  const group: SettingsGroup = {
    ...(standing?.of ?? figuresOfNoCard(ofPeriod)),
    cards_per_day: twoDecimals(perDay),
    group: formatApiTime(since),
    settings: period.settings,
  };
  if (standing === undefined || isPresent) return { group, standing: standing ?? null };
  // Of former settings nothing more comes.
  const base = { ...standing.base, nextAt: undefined };
  return { group, standing: { ...standing, wordExpected: undefined, base } };
}

/** Since when the settings of each type hold that held at a moment. */
function settingsUntil(
  looks: Inquiry['looks'],
  until: number,
  type: string,
  since: number | undefined,
): ReadonlyMap<string, number> {
  const settings = new Map(presentSettings(looks, until));
  if (since === undefined) settings.delete(type);
  else settings.set(type, since);
  return settings;
}

function figuresOfNoCard(evidence: Evidence): GroupFigures {
  const { groups } = figuresOf({ ...evidence, cards: [] }, questionOf({ by: undefined }));
  return (groups[0] as JudgedGroup).figures;
}

function changesOf(
  { evidence, looks }: Inquiry,
  periods: readonly SettingsPeriod[],
  type: string,
  least: number,
) {
  const { cards, answers } = evidence;
  const others = [...groupBy(cards, (card) => card.type).keys()].filter((name) => name !== type);
  const changedAt = new Map(
    others.map((name) => [name, settingsPeriods(looks, name).map(({ since }) => since)]),
  );
  const compared = periods.slice(1).map((after, i) => {
    const before = periods[i] ?? after;
    const from = before.since ?? 0;
    const end = after.until ?? evidence.now;
    const isWithin = (at: number | undefined) => at !== undefined && at > from && at <= end;
    const isSteady = (name: string) => !changedAt.get(name)?.some(isWithin);
    return {
      before: { since: from, until: before.until ?? end },
      after: { since: after.since ?? from, until: end },
      control: new Set(others.filter(isSteady)),
    };
  });
  const differences = byHorizon((name) =>
    settingsDifferences(cards, type, compared, name, least, answers),
  );
  return compared.map(({ before, after }, i) => ({
    seen_after: formatApiTime(before.until),
    seen_by: formatApiTime(after.since),
    horizons: byHorizon((name) => differences[name][i] as SettingsDifference),
  }));
}
