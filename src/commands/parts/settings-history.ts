/** A type's settings through time, and what each change of them did. */
import { byHorizon, type HorizonName, MAIN_HORIZON } from '../../api/contract/horizons.ts';
import { formatApiTime } from '../../api/time.ts';
import { DAY } from '../../base/units.ts';
import {
  periodsInUseByType,
  presentSettingsSince,
  type SettingsPeriod,
  settingsPeriods,
} from '../../history/store/settings-periods.ts';
import type { GroupFigures } from '../../outcomes/figure-table.ts';
import { figuresOf, type JudgedGroup } from '../../outcomes/figures.ts';
import { changeInNotebook, unsteadyTypes } from '../../outcomes/findings.ts';
import { JUDGED_AFTER_CHANGE } from '../../outcomes/judge-changes.ts';
import { DEFAULT_LEAST, type Evidence, leastOf, questionOf } from '../../outcomes/question.ts';
import { cardsPerDay, twoDecimals } from '../../outcomes/rate.ts';
import {
  CHANGE_LEVEL,
  ChangeComparison,
  type ChangeEffect,
  type ChangeSide,
  changeVerdict,
  isChangeSide,
  keptUntilAfterChange,
  type SettingsChange,
  settingsChangesOf,
} from '../../outcomes/settings-change.ts';
import type { Standing } from '../../outcomes/standing.ts';
import { silenceSentences } from '../../output/views/actions.ts';
import type {
  ChangeFigures,
  ChangeSides,
  SettingsChangeFigures,
  SettingsGroup,
  SettingsHistory,
  SettingsSide,
} from '../../output/views/settings-history.ts';
import { LEVEL } from '../../statistics/estimate.ts';
import { cleanOrNull } from '../../statistics/quantile.ts';
import { SURE_LEVEL, wouldShow } from '../../statistics/rule.ts';
import type { Inquiry } from './inquiry.ts';

/** A change between two recorded settings of a type. */
type RecordedChange = SettingsChange<SettingsPeriod>;

/** A change, and what it did at each horizon. */
interface ChangeWithEffects {
  readonly change: RecordedChange;
  readonly effects: Readonly<Record<HorizonName, ChangeEffect>>;
}

/**
 * The settings of a type, and the effect of each change.
 * @param inquiry it has the cards of all types, because a change of one type is compared with the others
 * @param standings one for each type: they tell whether it sends cards
 * @param least the smallest difference that matters, percentage points
 */
export function settingsHistory(
  inquiry: Inquiry,
  type: string,
  standings: readonly Standing[],
  least = DEFAULT_LEAST,
): SettingsHistory {
  const standing = standings.find(({ group }) => group === type);
  const { looks } = inquiry;
  const periods = settingsPeriods(looks, type);
  const changes: SettingsChangeFigures[] = [];
  const sides: ChangeSides[] = [];
  for (const changeWithEffects of effectsOf(inquiry, type)) {
    const figures = figuresOfChange(inquiry, changeWithEffects, least);
    changes.push(figures);
    sides.push(sidesOf(inquiry, changeWithEffects));
  }
  return {
    type,
    groups: periods.map((period) => groupOfPeriod(inquiry, type, period)),
    changes,
    sides,
    least,
    known_since: looks[0] === undefined ? null : formatApiTime(looks[0].at),
    silence: standing === undefined ? '' : silenceSentences(standing),
  };
}

/** The effects of each change of a type's settings, oldest first. */
function effectsOf({ evidence, looks }: Inquiry, type: string): ChangeWithEffects[] {
  const settingsOf = periodsInUseByType(looks);
  const changes = settingsChangesOf(type, settingsOf.get(type) ?? []);
  // The comparisons below take time, and serve only changes.
  if (changes.length === 0) return [];
  const unsteady = unsteadyTypes(evidence.findings ?? []);
  const changeEvidence = { ...evidence, settingsOf, unsteady };
  const comparisons = byHorizon((name) => new ChangeComparison(changeEvidence, name));
  return changes.map((change) => ({
    change,
    effects: byHorizon((name) => comparisons[name].effectOf(change)),
  }));
}

/** What the page shows of the times before and after a change, at the horizon of 24 h. */
function sidesOf(inquiry: Inquiry, { change, effects }: ChangeWithEffects): ChangeSides {
  const { before, after } = effects[MAIN_HORIZON];
  const { since, until } = change.after;
  const isPresent = until === undefined && since !== undefined;
  return {
    keptUntil: isPresent ? keptUntilAfterChange(since, inquiry.evidence.until) : undefined,
    before: sideOf(inquiry, change.type, change.before, before),
    after: sideOf(inquiry, change.type, change.after, after),
  };
}

/** The figures of a change, with the notebook's verdict on it, if there is one. */
function figuresOfChange(
  { evidence }: Inquiry,
  { change, effects }: ChangeWithEffects,
  least: number,
): SettingsChangeFigures {
  const { type, before, after } = change;
  const { controls, leftOutTypes, source } = effects[MAIN_HORIZON];
  // The settings changed between these two times. Both are known of every change: TypeScript alone needs the `??`.
  const lastSeenBefore = before.until ?? evidence.until;
  const firstSeenAfter = after.since ?? evidence.until;
  // The notebook answers only the default question. With another --least the question is another one.
  const findings = least === DEFAULT_LEAST ? (evidence.findings ?? []) : [];
  const inNotebook = changeInNotebook(findings, type, firstSeenAfter);
  const horizons = byHorizon((name) => figuresOfEffect(effects[name], leastOf(name, least)));
  const main = horizons[MAIN_HORIZON];
  // Exports judge the last change for some time. On the first day that says that it helped or hurt, the notebook has no line yet.
  const isNew = after.until === undefined && evidence.now - firstSeenAfter <= JUDGED_AFTER_CHANGE;
  const isJudged = isNew && least === DEFAULT_LEAST && evidence.findings !== undefined;
  const isFirstDay = isJudged && inNotebook === undefined && isChangeSide(main.verdict);
  const verdict = isFirstDay ? 'unclear' : (inNotebook?.line.verdict ?? main.verdict);
  return {
    seen_after: formatApiTime(lastSeenBefore),
    seen_by: formatApiTime(firstSeenAfter),
    controls: [...controls],
    left_out: leftOutTypes.map(({ type: other, why }) => ({ type: other, why })),
    figures_from: source,
    verdict_since: inNotebook === undefined ? null : formatApiTime(inNotebook.since),
    horizons: {
      ...horizons,
      [MAIN_HORIZON]: { ...main, verdict },
    },
  };
}

function figuresOfEffect(effect: ChangeEffect, least: number): ChangeFigures {
  const { before, after, difference } = effect;
  const smallestToShow = wouldShow(difference, CHANGE_LEVEL);
  return {
    before_percentage_points: cleanOrNull(before.estimate.value),
    after_percentage_points: cleanOrNull(after.estimate.value),
    difference_percentage_points: cleanOrNull(difference.value),
    difference_interval_95: difference.interval(LEVEL),
    difference_interval_99: difference.interval(CHANGE_LEVEL),
    difference_interval_997: difference.interval(SURE_LEVEL),
    would_show_percentage_points: smallestToShow === null ? null : cleanOrNull(smallestToShow),
    verdict: changeVerdict(effect, least),
  };
}

/** The time before or after a change, as the page shows it. */
function sideOf(
  { evidence }: Inquiry,
  type: string,
  period: SettingsPeriod,
  { estimate, vsBtc, leftOut }: ChangeSide,
): SettingsSide {
  return {
    since: period.since,
    until: period.until,
    settings: period.settings,
    perDay: isOfFirstDay(evidence, period) ? undefined : rateWithin(evidence, type, period),
    sample: estimate.size,
    leftOut,
    vsBtc: cleanOrNull(vsBtc),
    vsControls: cleanOrNull(estimate.value),
  };
}

/** Whether the settings are the present ones, and have held for less than a day: too short a time for a rate. */
function isOfFirstDay({ until: historyEnds }: Evidence, { since, until }: SettingsPeriod): boolean {
  const isPresent = until === undefined;
  return isPresent && since !== undefined && historyEnds - since < DAY;
}

/** Cards a day over all days of a period, days without a card included. */
function rateWithin(
  { cards, until: historyEnds }: Evidence,
  type: string,
  { since, until = historyEnds }: Pick<SettingsPeriod, 'since' | 'until'>,
): number {
  // A history that is asked about with --until may end before the period does.
  const end = Math.min(until, historyEnds);
  const cardsOfType = cards.filter((card) => card.type === type && card.at <= end);
  // Cards are listed newest first.
  const oldestCardAt = cardsOfType.at(-1)?.at;
  // It is not known when the first settings began: they count from the oldest card. Without a card, any begin gives the rate 0.
  const begin = since ?? oldestCardAt ?? end;
  // The rate is taken over all days of the period, not only over the last 28.
  const allDays = { days: Number.POSITIVE_INFINITY, since: begin };
  return twoDecimals(cardsPerDay(cardsOfType, end, allDays));
}

/**
 * The figures of a type's cards under the settings of one period, compared with the cards of all other types at that time. The
 * verdict on the present settings is the notebook's. For earlier settings the notebook has no verdict: the rule is asked once.
 */
function groupOfPeriod(
  { evidence, looks }: Inquiry,
  type: string,
  period: SettingsPeriod,
): SettingsGroup {
  const isPresent = period.until === undefined;
  // Present settings last until the history ends. With --until, the history may end before an earlier period does.
  const end = Math.min(period.until ?? evidence.until, evidence.until);
  const cards = evidence.cards.filter((card) => card.at <= end);
  // The other types' cards count by the settings that those types had at the end of the period.
  const settingsSince = new Map(presentSettingsSince(looks, end));
  if (period.since === undefined) settingsSince.delete(type);
  else settingsSince.set(type, period.since);
  const untilEnd: Evidence = { ...evidence, cards, settingsSince, until: end };
  // Exports do not plan for earlier settings, and the notebook has no verdict on them.
  const evidenceOfPeriod: Evidence = isPresent
    ? untilEnd
    : { ...untilEnd, now: end, lastAsked: new Map(), findings: undefined };
  const question = questionOf({ until: isPresent ? undefined : end });
  const { groups } = figuresOf(evidenceOfPeriod, question);
  const figures = groups.find(({ group }) => group === type)?.figures;
  // Cards are listed newest first.
  const oldestCard = evidence.cards.findLast((card) => card.type === type);
  // It is not known when the first settings began: they count from the type's oldest card.
  const begin = period.since ?? oldestCard?.at ?? end;
  return {
    ...(figures ?? figuresWithoutCards(evidenceOfPeriod)),
    cards_per_day: rateWithin(evidence, type, period),
    // Each row is a group of its own. Its name is the time when the settings began, which differs from row to row.
    group: formatApiTime(begin),
    settings: period.settings,
  };
}

/** The figures of a type that has no card. They are worked out like those of other types, from a group without cards. */
function figuresWithoutCards(evidence: Evidence): GroupFigures {
  const ungrouped = questionOf({ by: undefined });
  const { groups } = figuresOf({ ...evidence, cards: [] }, ungrouped);
  // Without `by` all cards are one group, even if there are none.
  const [onlyGroup] = groups;
  return (onlyGroup as JudgedGroup).figures;
}
