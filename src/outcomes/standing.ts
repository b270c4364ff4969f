/**
 * How each group of a question stands: its verdicts, dates, rates and what to do. Every screen shows these, and works out
 * none.
 */
import { descending } from 'd3-array';
import { OUTCOME_MILLIS } from '../api/contract/horizons.ts';
import type { ScreenerItem } from '../api/contract/resources.ts';
import { at } from '../api/time.ts';
import { DAY } from '../base/units.ts';
import { LEAST_CLUSTERS } from '../statistics/clustered-median.ts';
import { LEVEL } from '../statistics/estimate.ts';
import type { Interval } from '../statistics/quantile.ts';
import {
  isSide,
  isUnclearByMissing,
  SURE_LEVEL,
  type Verdict,
  wouldShow,
  wouldShowWith,
} from '../statistics/rule.ts';
import { type Doubt, type NewestCards, newestCardsOf } from './doubt.ts';
import { type GroupFigures, type HorizonFigures, isWeak } from './figure-table.ts';
import type { Comparison, JudgedGroup } from './figures.ts';
import {
  type ChangeFinding,
  changeInNotebook,
  type Finding,
  isSameVerdict,
  linesOfTypes,
  type TypeFinding,
  type WithdrawnVerdict,
} from './findings.ts';
import { decidingEstimate } from './group-comparison.ts';
import { lastDueDay } from './history-card.ts';
import type { HorizonData } from './horizon.ts';
import type { FiguresOfTimes } from './last-30-days.ts';
import { type Evidence, isOfAllTypes, leastOf, type Question, termsOf } from './question.ts';
import { beginOfRate, cardsPerDay, silentAfter } from './rate.ts';
import { firstSittingSince, STATS_WINDOW } from './service-answers.ts';
import { type AnswerFault, answersLeftOut } from './service-medians.ts';
import { keptUntilAfterChange } from './settings-change.ts';
import type { ToDo } from './to-do.ts';
import type { ComparedWith, Source } from './types.ts';

/** Pages say what 180 days of outcomes would show: no verdict is made from more (`JUDGED_WINDOW`). */
export const PROSPECT_DAYS = 180;

/** How a group stands: its verdicts, what is known of it through time, and whether cards come. */
export interface Standing extends Verdicts, StandingInTime, Activity {
  /** Empty for all cards together. */
  readonly group: string;
  /** All its figures; null for a type without cards. */
  readonly groupFigures: GroupFigures | null;
  /** Its figures at the horizon of the question; null for a type without cards. */
  readonly figures: HorizonFigures | null;
  readonly base: Base;
}

/** What is said of a group now. */
interface Verdicts {
  /** The verdict of the comparison that decides; null if nothing is measured. */
  readonly verdict: Verdict | null;
  /** What the group is compared with in the comparison that decides: BTC, or the other groups' cards. */
  readonly comparedWith: ComparedWith;
  /** The verdict of the comparison with BTC; null if nothing is measured. */
  readonly verdictVsBtc: Verdict | null;
  /** What its owner should do; undefined if nothing follows from the verdicts. */
  readonly toDo: ToDo | undefined;
  /** When another verdict is likely, epoch milliseconds UTC; undefined if none is likely within 90 days. */
  readonly verdictExpected: number | undefined;
  /** The smallest difference that would show now, percentage points; undefined without an interval. */
  readonly wouldShow: number | undefined;
  /** The smallest difference that matters, percentage points. */
  readonly least: number;
  /** Since when it has had this verdict, epoch milliseconds UTC; undefined if the notebook does not say. */
  readonly verdictSince: number | undefined;
  /**
   * The smallest difference that would show with `PROSPECT_DAYS` of outcomes, percentage points; undefined without an
   * interval, or if the group has outcomes of as many days already.
   */
  readonly wouldShowLater: number | undefined;
  /** Whether the estimate that decides rests on fewer than 12 blocks of days. */
  readonly isWeak: boolean;
  /** Whether it is unclear only because some bought outcomes have no figure. */
  readonly isUnclearByMissing: boolean;
}

/** What is known of a group through time. */
interface StandingInTime {
  /** Its difference in the last 30 days, and in the time before; undefined unless it does less than before. */
  readonly lessLately: FiguresOfTimes | undefined;
  /**
   * The cards that test whether its verdict still holds; undefined unless it is above or below, and the notebook says since
   * when.
   */
  readonly newest: NewestCards | undefined;
  /** What exports found newer cards to cast doubt on; undefined unless the verdict is in doubt. */
  readonly doubt: Doubt | undefined;
  /** Whether all cards of its last 30 days came after its verdict was found. */
  readonly areLastDaysNewer: boolean;
  /**
   * When its last 30 days ended, epoch milliseconds UTC, if that was more than 3 days ago: the service's last 30 days are those
   * before it was asked. Undefined if they end now.
   */
  readonly lastDaysUntil: number | undefined;
  /**
   * What its last change of settings did. Undefined if there was none, and if there are days enough for a verdict on the type, but
   * the notebook has no line on the change: then only `stats --by settings` says what it did.
   */
  readonly change: LastChange | undefined;
  /** The last verdict above or below under its present settings, if it was withdrawn. */
  readonly withdrawn: WithdrawnVerdict | undefined;
}

/** Whether a group sends cards, and how many. */
interface Activity {
  /**
   * When its first outcome is due, epoch milliseconds UTC; undefined if one was due by the last export, or if it has no
   * card.
   */
  readonly dueAt: number | undefined;
  /** Undefined unless it is a type whose screeners are all switched off or removed: it sends no cards. */
  readonly off: SwitchedOff | undefined;
  /** Whole days without a card though it is switched on; undefined if it is not silent (see `silenceOf`). */
  readonly silentDays: number | undefined;
  /** Whether it fell silent in the last 7 days. */
  readonly isNewlySilent: boolean;
  readonly rate: Rate;
}

/** What is known of a type that is switched off or was removed. */
export interface SwitchedOff {
  /** When it was first seen switched off, epoch milliseconds UTC; undefined if it was never seen on. */
  readonly since: number | undefined;
  /** Whether it is no longer among the screeners. */
  readonly isRemoved: boolean;
}

/** How many cards a day a group has. */
export interface Rate {
  /** The rate of its present settings; null if it is not known. */
  readonly now: number | null;
  /**
   * The rate until its last card, if it is silent; undefined if it is not silent, or if it has had no card since it is in use
   * under its present settings.
   */
  readonly beforeSilence: number | undefined;
  /** Whether `now` is the rate of the days before a change of settings. It is on the first day after the change. */
  readonly isFromBeforeChange: boolean;
}

/** The last change of a type's settings. */
export interface LastChange {
  /** When the new settings were first seen, epoch milliseconds UTC. */
  readonly changedAt: number;
  readonly verdict: ChangeFinding['verdict'];
  /** Whether an export found in the last 7 days what the change did. */
  readonly isNewlyFound: boolean;
  /**
   * Until when the settings are to be kept, because it is not known yet what the change did, epoch milliseconds UTC. Undefined if it
   * is known, or if that time is over.
   */
  readonly keptUntil: number | undefined;
}

/** The figures of a standing, all from one source. Differences are in percentage points. */
export interface Base {
  readonly source: Source;
  /** From how many outcomes the figures are. */
  readonly sample: number;
  /** The difference to BTC; null of too few outcomes (`LEAST_CLUSTERS`): no page shows the median of fewer. */
  readonly vsBtc: number | null;
  /** The difference to the other groups; null without an interval, because it may come from one or two cards. */
  readonly vsOthers: number | null;
  /** The difference in the comparison that decides; null without outcomes. */
  readonly median: number | null;
  /** The 95 % interval of `median`; null if nothing bounds it. */
  readonly interval: Interval | null;
  /** The 99.7 % interval of `median`; null if nothing bounds it. */
  readonly sureInterval: Interval | null;
  /**
   * What was subtracted from `vsOthers` because its symbols move more or less than BTC, percentage points; 0 if it is compared
   * with BTC.
   */
  readonly explainedByBeta: number;
  /** BTC's mean move over its cards, percent. */
  readonly btcMove: () => number;
  /** When the service was asked, epoch milliseconds UTC; undefined if the figures are of bought outcomes. */
  readonly askedAt: number | undefined;
  /** The days of the service's windows before it was asked; undefined if the figures are of bought outcomes. */
  readonly windowDays: number | undefined;
  /** When exports next ask the service for medians of present settings alone, epoch milliseconds UTC; undefined if never. */
  readonly nextAt: number | undefined;
  /** Why the service's newest answer does not count; undefined if it counts, or if there is none. */
  readonly leftOut: AnswerFault | undefined;
}

/** The screeners as they were last looked at, and the time of the history. Times are epoch milliseconds UTC. */
export interface KnownScreeners {
  readonly screeners: readonly ScreenerItem[];
  /** When each type that is switched off or removed was first seen so; without those that were never seen on. */
  readonly offSince: ReadonlyMap<string, number>;
  /** When the history's first card was recorded; the end of the history if there is no card. */
  readonly firstCardAt: number;
  /** The end of the history. */
  readonly until: number;
  /** Whether exports listed the cards up to `until`: otherwise it is not known whether a type is silent. */
  readonly isListed: boolean;
  /** How long after a card exports take its outcome for due: 24 hours, and how much later outcomes come. Milliseconds. */
  readonly dueAfter: number;
}

/**
 * One standing for each group, in the order of the groups. If groups are types, the types that are switched on but have no card
 * follow.
 */
export function standingsOf(
  comparison: Comparison,
  evidence: Evidence,
  known: KnownScreeners,
): Standing[] {
  const { groups, question } = comparison;
  const { horizon } = termsOf(question);
  const faults = faultsOfAnswers(comparison, evidence);
  const findings = question.kind === 'default' ? (evidence.findings ?? []) : [];
  const standings = groups.map((group): Standing => {
    const name = group.group ?? '';
    const data = group.horizons[horizon];
    const activity = activityOf(group, question, known);
    return {
      group: name,
      groupFigures: group.figures,
      figures: group.figures.horizons[horizon],
      ...verdictPartOf(data, activity.silentDays !== undefined),
      ...standingInTime(group, comparison, findings, evidence),
      ...activity,
      base: { ...baseOf(data, group.settingsSince), leftOut: faults.get(name) },
    };
  });
  const withoutCards = standingsWithoutCards(comparison, evidence, known);
  return [...standings, ...withoutCards];
}

/**
 * For how many whole days no type that is switched on has sent a card, if there are several and all are silent: their settings are hardly
 * the reason. Undefined otherwise.
 */
export function quietDaysOfAll(
  standings: readonly Pick<Standing, 'off' | 'silentDays'>[],
): number | undefined {
  const switchedOn = standings.filter(({ off }) => off === undefined);
  const days = switchedOn.map(({ silentDays }) => silentDays).filter((each) => each !== undefined);
  const areAllSilent = switchedOn.length > 1 && days.length === switchedOn.length;
  return areAllSilent ? Math.min(...days) : undefined;
}

/** @param findings the notebook, oldest first; empty if it does not answer the question */
function standingInTime(
  group: JudgedGroup,
  comparison: Comparison,
  findings: readonly Finding[],
  evidence: Evidence,
): StandingInTime {
  const { horizon } = termsOf(comparison.question);
  const data = group.horizons[horizon];
  return {
    lessLately: data.lessLately,
    newest: newestOf(group, comparison, evidence.now),
    doubt: data.doubt,
    ...lastDaysOf(data.verdictSince, serviceOf(data)?.askedAt, evidence.now),
    change: changeOf(group, data, findings, evidence),
    withdrawn: data.withdrawn,
  };
}

function newestOf(
  group: JudgedGroup,
  { question }: Comparison,
  now: number,
): NewestCards | undefined {
  const { horizon } = termsOf(question);
  const { verdict, verdictSince, values } = group.horizons[horizon];
  if (!isSide(verdict) || verdictSince === undefined) return undefined;
  return newestCardsOf(values, verdictSince, { horizon, lastDay: lastDueDay(now) });
}

/** The last 30 days end with the last whole UTC day whose outcomes are due: up to 2 days ago, if outcomes take a day. */
const LAST_DAYS_END = OUTCOME_MILLIS + DAY;

const LAST_DAYS_BEGIN = LAST_DAYS_END + 30 * DAY;

/** If the last 30 days of a history ended longer ago, by a day or more, pages say when they ended. */
const ENDED_LONG_AGO = LAST_DAYS_END + DAY;

/**
 * @param verdictSince when the verdict was found, epoch milliseconds UTC
 * @param askedAt when the service was asked for the figures, epoch milliseconds UTC; undefined if they are of bought outcomes
 */
export function lastDaysOf(
  verdictSince: number | undefined,
  askedAt: number | undefined,
  now: number,
): Pick<StandingInTime, 'areLastDaysNewer' | 'lastDaysUntil'> {
  const until = askedAt ?? now;
  return {
    areLastDaysNewer: verdictSince !== undefined && verdictSince <= until - LAST_DAYS_BEGIN,
    lastDaysUntil: until < now - ENDED_LONG_AGO ? until : undefined,
  };
}

/** The service's answer, if the figures of the verdict are from it. */
function serviceOf({ comparedWith, service }: HorizonData): HorizonData['service'] {
  return comparedWith === 'others' ? service : undefined;
}

/** The change that led to the present settings; earlier changes are left out. */
function changeOf(
  { group, settingsSince: changedAt }: JudgedGroup,
  { verdict: verdictOnType }: HorizonData,
  findings: readonly Finding[],
  { until }: Pick<Evidence, 'until'>,
): LastChange | undefined {
  if (changedAt === undefined || group === null) return undefined;
  const found = changeInNotebook(findings, group, changedAt);
  const line = found?.line;
  // Too few days for a verdict on the type are too few for what the change did.
  const isTooEarly = verdictOnType === null || verdictOnType === 'too_few_days';
  // Without a notebook it is not known what exports would say.
  if (line === undefined && !isTooEarly && findings.length === 0) return undefined;
  const verdict = line?.verdict ?? 'unclear';
  if (verdict === 'unclear') {
    const keptUntil = keptUntilAfterChange(changedAt, until);
    return { changedAt, verdict, isNewlyFound: false, keptUntil };
  }
  const isNewlyFound = found !== undefined && until - found.since < NEWS_TIME;
  return { changedAt, verdict, isNewlyFound, keptUntil: undefined };
}

/** Why a type's newest answer does not count, by type; empty unless groups are types. */
function faultsOfAnswers(
  { question }: Comparison,
  { cards, answers }: Evidence,
): ReadonlyMap<string, AnswerFault> {
  const { by, horizon } = termsOf(question);
  if (by !== 'type' || answers.length === 0) return new Map();
  const oldestFirst = cards.toSorted((a, b) => a.at - b.at);
  return answersLeftOut(answers, oldestFirst, horizon);
}

/** Whether the question is about all cards of all types: only then does a type without cards send none. */
function canBeSilent(question: Question): boolean {
  return termsOf(question).by === 'type' && isOfAllTypes(question);
}

/**
 * @param isSilent whether the group is silent: then it has no date of a verdict, because nobody knows when outcomes come again
 */
function verdictPartOf(data: HorizonData, isSilent: boolean): Verdicts {
  const { verdict, comparedWith, verdictVsBtc, toDo, verdictSince, rule } = data;
  const deciding = decidingEstimate(data);
  const isOfService = serviceOf(data) !== undefined;
  // A verdict of the notebook that was made from bought outcomes: more may be bought by now, so why it was unclear is not
  // known.
  const isReasonKnown = isOfService || verdictSince === undefined;
  return {
    verdict,
    comparedWith,
    verdictVsBtc,
    toDo,
    least: rule.least,
    verdictSince,
    verdictExpected: isSilent ? undefined : data.verdictExpected,
    wouldShow: wouldShow(deciding) ?? undefined,
    wouldShowLater: wouldShowWith(deciding, PROSPECT_DAYS) ?? undefined,
    isWeak: isWeak(deciding),
    isUnclearByMissing: isReasonKnown && isUnclearByMissing(deciding, rule),
  };
}

function activityOf(group: JudgedGroup, question: Question, known: KnownScreeners): Activity {
  const name = group.group ?? '';
  const silence = canBeSilent(question) ? silenceOf(name, group, known) : undefined;
  return {
    dueAt: firstDueAt(group, known),
    off: termsOf(question).by === 'type' ? switchedOff(name, group, known) : undefined,
    ...activityIn(silence),
    rate: {
      now: group.figures.cards_per_day,
      isFromBeforeChange: group.rate.isFromBeforeChange,
      beforeSilence: silence === undefined ? undefined : rateUntilLastCard(group, known),
    },
  };
}

/** When the first outcome is due, epoch milliseconds UTC; undefined if one was due by the last export, or without a card. */
function firstDueAt(
  { cards, figures }: JudgedGroup,
  { dueAfter }: KnownScreeners,
): number | undefined {
  const firstCard = cards[0];
  const hasDueOutcome = figures.due > 0;
  return firstCard === undefined || hasDueOutcome ? undefined : firstCard.at + dueAfter;
}

/**
 * Cards a day of a silent group until its last card; undefined if it has had no card since it is in use under its present
 * settings.
 */
function rateUntilLastCard(
  { cards, inUseSince, lastCardAt }: JudgedGroup,
  { firstCardAt }: KnownScreeners,
): number | undefined {
  const since = beginOfRate(inUseSince, firstCardAt);
  if (lastCardAt === undefined || lastCardAt < since) return undefined;
  return cardsPerDay(cards, lastCardAt, { since });
}

function baseOf(data: HorizonData, settingsSince: number | undefined): Omit<Base, 'leftOut'> {
  const { comparedWith, vsOthers, vsBtc, sample, sittings } = data;
  const deciding = decidingEstimate(data);
  const isVsOthers = comparedWith === 'others';
  const service = serviceOf(data);
  const hasOthers = vsOthers !== undefined && vsOthers.interval(LEVEL) !== null;
  // If the bought outcomes decide (against BTC), the service's figure must not stand beside them.
  const isOfOtherSource = !isVsOthers && data.service !== undefined;
  // The first window that lies wholly under the present settings.
  const firstWindowEnds = settingsSince === undefined ? 0 : settingsSince + STATS_WINDOW;
  return {
    source: service === undefined ? 'bought' : 'service',
    sample: service?.size ?? sample.states.measured,
    vsBtc: service?.vsBtc ?? (vsBtc.size < LEAST_CLUSTERS ? null : vsBtc.value),
    vsOthers: hasOthers && !isOfOtherSource ? vsOthers.value : null,
    median: deciding.size === 0 ? null : deciding.value,
    interval: deciding.interval(LEVEL),
    sureInterval: deciding.interval(SURE_LEVEL),
    explainedByBeta: isVsOthers ? (data.explainedByBeta ?? 0) : 0,
    btcMove: data.btcMove,
    askedAt: service?.askedAt,
    windowDays: service?.span,
    nextAt: sittings === undefined ? undefined : firstSittingSince(sittings, firstWindowEnds),
  };
}

/** The base of a type without cards. */
const NO_BASE: Base = {
  source: 'bought',
  sample: 0,
  vsBtc: null,
  vsOthers: null,
  median: null,
  interval: null,
  sureInterval: null,
  explainedByBeta: 0,
  btcMove: () => 0,
  askedAt: undefined,
  windowDays: undefined,
  nextAt: undefined,
  leftOut: undefined,
};

/** The verdicts of a type without cards. */
const NO_VERDICTS: Omit<Verdicts, 'least'> = {
  verdict: null,
  comparedWith: 'btc',
  verdictVsBtc: null,
  toDo: undefined,
  verdictSince: undefined,
  verdictExpected: undefined,
  wouldShow: undefined,
  wouldShowLater: undefined,
  isWeak: true,
  isUnclearByMissing: false,
};

/** What is known through time of a type without cards. */
const NOTHING_IN_TIME: StandingInTime = {
  lessLately: undefined,
  newest: undefined,
  doubt: undefined,
  areLastDaysNewer: false,
  lastDaysUntil: undefined,
  change: undefined,
  withdrawn: undefined,
};

/** A standing for each type that is switched on and has no card. */
function standingsWithoutCards(
  { groups, question }: Comparison,
  { settingsSince, inUseSince = settingsSince }: Evidence,
  known: KnownScreeners,
): Standing[] {
  if (!canBeSilent(question)) return [];
  const { horizon, least } = termsOf(question);
  const active = new Set(
    known.screeners.filter((screener) => screener.active).map(({ type }) => type),
  );
  for (const { group } of groups) active.delete(String(group));
  const activeWithoutCards = [...active];
  return activeWithoutCards.map((type): Standing => {
    const signsOfLife = { cards: [], lastCardAt: undefined, inUseSince: inUseSince.get(type) };
    return {
      group: type,
      groupFigures: null,
      figures: null,
      ...NO_VERDICTS,
      least: leastOf(horizon, least),
      ...NOTHING_IN_TIME,
      dueAt: undefined,
      off: undefined,
      ...activityIn(silenceOf(type, signsOfLife, known)),
      rate: { now: 0, beforeSilence: undefined, isFromBeforeChange: false },
      base: NO_BASE,
    };
  });
}

/** Whether a type is switched off or removed, and since when; undefined if it is neither. */
function switchedOff(
  type: string,
  { lastCardAt = 0 }: Pick<JudgedGroup, 'lastCardAt'>,
  { screeners, offSince }: KnownScreeners,
): SwitchedOff | undefined {
  const since = offSince.get(type);
  const ofType = screeners.filter((screener) => screener.type === type);
  if (ofType.length === 0) {
    // A type with newer cards was not removed: the list of screeners is older.
    const isRemoved = since !== undefined && lastCardAt <= since;
    return isRemoved ? { since, isRemoved } : undefined;
  }
  const isOff = ofType.every(({ active }) => !active);
  return isOff ? { since, isRemoved: false } : undefined;
}

/** When a type had cards, and since when it has been in use. Epoch milliseconds UTC. */
interface SignsOfLife {
  /** Its cards under its present settings, oldest first. */
  readonly cards: readonly { readonly at: number }[];
  /** When its newest card was recorded; undefined if it has none. */
  readonly lastCardAt: number | undefined;
  /**
   * Since when it has been in use under its present settings; undefined if it was in use under them at the first look already.
   */
  readonly inUseSince: number | undefined;
}

/** A screener type that is switched on, and sends no cards. */
export interface Silence {
  /** Whole days without a card. */
  readonly days: number;
  /** Whether it fell silent in the last 7 days. */
  readonly isNew: boolean;
}

/** A silence, or what a change did, is news for so long, milliseconds. */
const NEWS_TIME = 7 * DAY;

/**
 * A screener type is silent if it is switched on and its pause is long (see `silentAfter`). The pause begins at the latest of three
 * times: its last card, the begin of its use under its present settings, and the first card of the history.
 * @returns undefined if it is not silent, or if exports have not listed the cards up to the end of the history
 */
export function silenceOf(
  type: string,
  { cards, lastCardAt, inUseSince }: SignsOfLife,
  { screeners, firstCardAt, until, isListed }: KnownScreeners,
): Silence | undefined {
  const isActive = screeners.some((screener) => screener.type === type && screener.active);
  if (!isListed || !isActive) return undefined;
  const lastSigns = [firstCardAt, lastCardAt, inUseSince].filter((time) => time !== undefined);
  const pause = until - Math.max(...lastSigns);
  const longest = silentAfter(cards, { historyBegins: firstCardAt, inUseSince });
  if (pause <= longest) return undefined;
  return { days: Math.floor(pause / DAY), isNew: pause <= longest + NEWS_TIME };
}

function activityIn(silence: Silence | undefined): Pick<Activity, 'silentDays' | 'isNewlySilent'> {
  return { silentDays: silence?.days, isNewlySilent: silence?.isNew === true };
}

/** Whether a type is switched on and not silent. Pages advise to keep only such a type. */
export function sendsCards({ off, silentDays }: Pick<Standing, 'off' | 'silentDays'>): boolean {
  return off === undefined && silentDays === undefined;
}

/** Whether a verdict says something of the group: it is above, below or small. */
export function isClear({ verdict }: Pick<Standing, 'verdict'>): boolean {
  return isSide(verdict) || verdict === 'small';
}

/** The order of verdicts on a page. Small and unclear share a place: there the differences decide. */
const PLACES: Readonly<Record<Verdict, number>> = {
  above: 0,
  small: 1,
  unclear: 1,
  below: 2,
  too_few_days: 3,
};

/** The place of groups without a verdict: after all others. */
const PLACE_WITHOUT_VERDICT = 4;

/**
 * The standings as a page shows them: by verdict, then the largest difference first; groups with too few days or without
 * outcomes by name. Differences alone do not decide, because chance puts the best of them on top.
 */
export function rankStandings(standings: readonly Standing[]): Standing[] {
  const place = ({ verdict }: Standing) =>
    verdict === null ? PLACE_WITHOUT_VERDICT : PLACES[verdict];
  // The difference that screens show: without an interval that is the one to BTC.
  const difference = ({ base }: Standing) =>
    (base.interval === null ? base.vsBtc : base.median) ?? Number.NEGATIVE_INFINITY;
  const isByName = (standing: Standing) => place(standing) >= PLACES.too_few_days;
  const compareWithinPlace = (a: Standing, b: Standing) =>
    isByName(a) ? a.group.localeCompare(b.group, 'en') : descending(difference(a), difference(b));
  return standings.toSorted((a, b) => place(a) - place(b) || compareWithinPlace(a, b));
}

/** What became of a verdict above or below: it stands, or it was withdrawn, or (`reset`) the type's settings changed. */
export type Ending = 'stands' | 'reset' | 'withdrawn';

/** A verdict above or below of the notebook, and what became of it. */
export interface PastVerdict {
  readonly type: string;
  /** When it was found, epoch milliseconds UTC. */
  readonly foundAt: number;
  readonly ending: Ending;
  /** When it ended, epoch milliseconds UTC; undefined while it stands. */
  readonly endedAt: number | undefined;
}

/**
 * What became of each verdict above or below of the notebook. The same verdict under other settings, or against
 * something else, counts as another one.
 * @param findings the notebook, oldest first
 * @param since earlier verdicts are left out, epoch milliseconds UTC
 */
export function trackRecord(findings: readonly Finding[], since: number): PastVerdict[] {
  const record: PastVerdict[] = [];
  for (const [type, lines] of linesOfTypes(findings)) {
    for (const [i, line] of lines.entries()) {
      const hasSameSettings = ({ settings_since }: TypeFinding) =>
        settings_since === line.settings_since;
      const lineBefore = lines[i - 1];
      const isNewVerdict =
        lineBefore === undefined ||
        !isSameVerdict(lineBefore, line) ||
        !hasSameSettings(lineBefore);
      if (!isSide(line.verdict) || !isNewVerdict || at(line.at) < since) continue;
      const foundAt = at(line.at);
      const nextOther = lines
        .slice(i)
        .find((later) => !hasSameSettings(later) || !stillSays(later, line));
      if (nextOther === undefined) {
        record.push({ type, foundAt, ending: 'stands', endedAt: undefined });
        continue;
      }
      const ending = hasSameSettings(nextOther) ? 'withdrawn' : 'reset';
      record.push({ type, foundAt, ending, endedAt: at(nextOther.at) });
    }
  }
  return record;
}

/** Whether a later line still says an earlier one's verdict. A later line against the others has its verdict against BTC, too. */
function stillSays(later: TypeFinding, earlier: TypeFinding): boolean {
  const holdsVsBtc = earlier.to === 'btc' && later.vs_btc === earlier.verdict;
  return holdsVsBtc || isSameVerdict(later, earlier);
}
