/** How each group stands: worked out once, and rendered by every screen. */
import { type HorizonName, OUTCOME_MILLIS } from '../api/contract/horizons.ts';
import type { ScreenerItem } from '../api/contract/resources.ts';
import { at } from '../api/time.ts';
import { DAY } from '../base/units.ts';
import { LEVEL } from '../statistics/estimate.ts';
import type { Interval } from '../statistics/quantile.ts';
import {
  isSide,
  isUnclearByMissing,
  SURE_LEVEL,
  type Word,
  wouldShow,
  wouldShowWith,
} from '../statistics/rule.ts';
import { type GroupFigures, type HorizonFigures, isWeak } from './figure-table.ts';
import type { Comparison, JudgedGroup } from './figures.ts';
import {
  type ChangeFinding,
  changeLineOf,
  type Finding,
  latelyOfTypes,
  linesOfTypes,
  type TypeFinding,
} from './findings.ts';
import { decidingEstimate, type HorizonData, SILENT_AFTER } from './horizon.ts';
import type { LatelyPart } from './lately.ts';
import {
  choiceOf,
  type Evidence,
  isOfWholeTypes,
  leastOf,
  type Question,
  termsOf,
} from './question.ts';
import { cardsPerDay } from './rate.ts';
import { STATS_WINDOW, sittingFrom } from './service-answers.ts';
import { type AnswerFault, answersLeftOut } from './service-medians.ts';
import { type ToDo, toDoOf } from './to-do.ts';
import type { ComparedWith, Source } from './types.ts';

/** Days of outcomes for which it is said what an account can tell. */
export const PROSPECT_DAYS = 60;

export interface Standing {
  /** Empty for all cards together. */
  readonly group: string;
  /** Its figures; null for a type without cards, as `figures`, which are those at the horizon of the question. */
  readonly groupFigures: GroupFigures | null;
  readonly figures: HorizonFigures | null;
  /** Of the comparison that decides; null if nothing is measured. */
  readonly word: Word | null;
  /** What decides: the difference to BTC, or to the other groups' cards. */
  readonly comparedWith: ComparedWith;
  readonly wordVsBtc: Word | null;
  /** Undefined: nothing. */
  readonly toDo: ToDo | undefined;
  /** The smallest difference that matters, percentage points. */
  readonly least: number;
  /** The first day of the word, epoch milliseconds UTC; undefined of one look. */
  readonly wordSince: number | undefined;
  /** When a word is expected, epoch milliseconds UTC; undefined if one stands, or none is expected. */
  readonly wordExpected: number | undefined;
  /** The smallest difference that would show now, percentage points; undefined without an interval. */
  readonly wouldShow: number | undefined;
  /** The same with `PROSPECT_DAYS` of outcomes; undefined without an interval, or if so many are known. */
  readonly wouldShowLater: number | undefined;
  readonly isWeak: boolean;
  /** Whether nothing but outcomes without a figure makes it unclear. */
  readonly isUnclearByMissing: boolean;
  /** Where it does less than before: the last 30 days and the time before; undefined if it does not. */
  readonly lately: LatelyNews | undefined;
  /** What its last change of settings did; undefined if there was none, or if no export has told. */
  readonly change: ChangeNews | undefined;
  readonly base: Base;
  /** When its first outcome is due, epoch milliseconds UTC; undefined if one was at the last export, or there is no card. */
  readonly dueAt: number | undefined;
  /** Whole days without a card though it is switched on; undefined if it is not silent. */
  readonly silentDays: number | undefined;
  readonly rate: Rate;
}

/** Cards a day. */
export interface Rate {
  /** Null for a type without cards. */
  readonly now: number | null;
  /** Until a silent type's last card, else 0. */
  readonly before: number;
  /** Whether `now` is of the days before a change of settings, on the first day after it. */
  readonly isOfDaysBefore: boolean;
}

export interface LatelyNews {
  readonly last30Days: LatelyPart;
  readonly earlier: LatelyPart;
}

export interface ChangeNews {
  readonly verdict: ChangeFinding['verdict'];
  /** After less before, percentage points; null without outcomes. */
  readonly difference: number | null;
  readonly interval: Interval | null;
}

/** What the figures of a line rest on: one source for all of them. Percentage points. */
export interface Base {
  readonly source: Source;
  /** Outcomes. */
  readonly sample: number;
  readonly vsBtc: number | null;
  /** Null without an interval: it may be of a card or two. */
  readonly vsOthers: number | null;
  /** Of the comparison that decides; null if there is none. */
  readonly median: number | null;
  readonly interval: Interval | null;
  /** The 99.7 % interval; null if nothing bounds it. */
  readonly sureInterval: Interval | null;
  /** What of the difference to the others its symbols' betas took off; 0 where BTC decides. */
  readonly beta: number;
  /** How much its symbols move with BTC: 1 as much. Worked out when it is first read. */
  readonly slope: () => number;
  /** Days of outcomes that it rests on. */
  readonly span: number;
  /** When the service was asked, epoch milliseconds UTC; undefined where what was bought decides. */
  readonly askedAt: number | undefined;
  /** When exports ask the service next for medians of present settings, epoch milliseconds UTC. */
  readonly nextAt: number | undefined;
  /** Why the service's newest answer is left out; undefined if it is not, or if there is none. */
  readonly leftOut: AnswerFault | undefined;
}

/** What is known of the screeners themselves, and of the time of the history. */
export interface KnownScreeners {
  /** As last looked at. */
  readonly screeners: readonly ScreenerItem[];
  /** The first card and the end of the history, epoch milliseconds UTC. */
  readonly first: number;
  readonly until: number;
}

/** In the order of the groups; by type also those that are switched on and have no card, last. */
export function standingsOf(
  comparison: Comparison,
  evidence: Evidence,
  known: KnownScreeners,
): Standing[] {
  const { groups, question } = comparison;
  const { horizon } = termsOf(question);
  const leftOut = leftOutOf(comparison, evidence);
  const findings = question.kind === 'default' ? (evidence.findings ?? []) : [];
  const lately = latelyOfTypes(findings);
  const standings = groups.map((group) => {
    const silentDays = canBeSilent(question)
      ? silentDaysOf(String(group.group), group, known)
      : undefined;
    const standing = standingOf(group, horizon, { known, silentDays });
    const line = lately.get(standing.group)?.at(-1);
    const isOfWord = line !== undefined && at(line.at) >= (standing.wordSince ?? Infinity);
    const isLess = isOfWord && isSide(standing.word) && line.verdict === 'less';
    return {
      ...standing,
      base: { ...standing.base, leftOut: leftOut.get(standing.group) },
      lately: isLess ? { last30Days: line.last_30_days, earlier: line.before } : undefined,
      change: changeOf(group, findings),
    };
  });
  return [...standings, ...standingsWithoutCards(comparison, evidence, known)];
}

/** Of present settings: what earlier changes did is said no more. */
function changeOf(
  { group, settingsSince }: JudgedGroup,
  findings: readonly Finding[],
): ChangeNews | undefined {
  if (settingsSince === undefined) return undefined;
  const line = changeLineOf(findings, String(group), settingsSince);
  if (line === undefined) return undefined;
  const { verdict, difference_percentage_points: difference, interval_95: interval } = line;
  return { verdict, difference, interval };
}

/** Of the types whose standing says so; only whole types are asked of the service. */
function leftOutOf(
  { question, company }: Comparison,
  { cards, answers }: Evidence,
): ReadonlyMap<string, AnswerFault> {
  if (company === undefined || answers.length === 0) return new Map();
  const { horizon } = termsOf(question);
  const oldestFirst = cards.toSorted((one, other) => one.at - other.at);
  return answersLeftOut(answers, oldestFirst, horizon);
}

/** Silence can be told of all cards of a type alone. */
function canBeSilent(question: Question): boolean {
  const { by } = termsOf(question);
  return by === 'type' && isOfWholeTypes(question) && choiceOf(question).type === undefined;
}

interface Silence {
  readonly known: KnownScreeners;
  readonly silentDays: number | undefined;
}

function standingOf(
  judged: JudgedGroup,
  horizon: HorizonName,
  { known, silentDays }: Silence,
): Standing {
  const { figures: groupFigures, cards, settingsSince, lastCardAt } = judged;
  const data = judged.horizons[horizon];
  const { word, comparedWith, wordVsBtc, wordSince, rule } = data;
  const deciding = decidingEstimate(data);
  const first = cards[0];
  const isOfService = comparedWith === 'others' && data.service !== undefined;
  const since = Math.max(settingsSince ?? known.first, known.first);
  return {
    group: judged.group ?? '',
    groupFigures,
    figures: groupFigures.horizons[horizon],
    word,
    comparedWith,
    wordVsBtc,
    toDo: toDoOf(word, comparedWith, wordVsBtc),
    least: rule.least,
    wordSince,
    wordExpected: data.wordExpected,
    wouldShow: wouldShow(deciding) ?? undefined,
    wouldShowLater: wouldShowWith(deciding, PROSPECT_DAYS) ?? undefined,
    isWeak: isWeak(deciding),
    // A word of the notebook may have another reason than today's outcomes.
    isUnclearByMissing:
      isUnclearByMissing(deciding, rule) && (isOfService || wordSince === undefined),
    lately: undefined,
    change: undefined,
    base: baseOf(data, settingsSince),
    dueAt: first === undefined || groupFigures.due > 0 ? undefined : first.at + OUTCOME_MILLIS,
    silentDays,
    rate: {
      now: groupFigures.cards_per_day,
      isOfDaysBefore: judged.rate.isOfDaysBefore,
      before:
        silentDays === undefined || lastCardAt === undefined
          ? 0
          : cardsPerDay(cards, lastCardAt, { since }),
    },
  };
}

function baseOf(data: HorizonData, settingsSince: number | undefined): Base {
  const { comparedWith, vsOthers, vsBtc, sample, sittings } = data;
  const deciding = decidingEstimate(data);
  const service = comparedWith === 'others' ? data.service : undefined;
  const hasOthers = vsOthers !== undefined && vsOthers.interval(LEVEL) !== null;
  // Where what was bought decides, no figure of the service stands beside it.
  const isOfBase = service === data.service;
  // The first medians that are of present settings alone.
  const firstOfSettings = settingsSince === undefined ? 0 : settingsSince + STATS_WINDOW;
  return {
    source: service === undefined ? 'bought' : 'service',
    sample: service?.size ?? sample.states.measured,
    vsBtc: service?.vsBtc ?? (vsBtc.size === 0 ? null : vsBtc.value),
    vsOthers: hasOthers && isOfBase ? vsOthers.value : null,
    median: deciding.size === 0 ? null : deciding.value,
    interval: deciding.interval(LEVEL),
    sureInterval: deciding.interval(SURE_LEVEL),
    beta: comparedWith === 'others' ? (data.beta ?? 0) : 0,
    slope: data.slope,
    span: deciding.span,
    askedAt: service?.askedAt,
    nextAt: sittings && sittingFrom(sittings, firstOfSettings),
    leftOut: undefined,
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
  beta: 0,
  slope: () => 1,
  span: 0,
  askedAt: undefined,
  nextAt: undefined,
  leftOut: undefined,
};

/** A standing for each type that is switched on and has no card. */
function standingsWithoutCards(
  { groups, question }: Comparison,
  { settingsSince }: Evidence,
  known: KnownScreeners,
): Standing[] {
  if (!canBeSilent(question)) return [];
  const { horizon, least } = termsOf(question);
  const active = new Set(
    known.screeners.filter((screener) => screener.active).map(({ type }) => type),
  );
  for (const { group } of groups) active.delete(String(group));
  return [...active].map((type) => ({
    group: type,
    groupFigures: null,
    figures: null,
    word: null,
    comparedWith: 'btc',
    wordVsBtc: null,
    toDo: undefined,
    least: leastOf(horizon, least),
    wordSince: undefined,
    wordExpected: undefined,
    wouldShow: undefined,
    wouldShowLater: undefined,
    isWeak: true,
    isUnclearByMissing: false,
    lately: undefined,
    change: undefined,
    base: NO_BASE,
    dueAt: undefined,
    silentDays: silentDaysOf(
      type,
      { lastCardAt: undefined, settingsSince: settingsSince.get(type) },
      known,
    ),
    rate: { now: 0, before: 0, isOfDaysBefore: false },
  }));
}

/** When a type last showed that it works, or was set, epoch milliseconds UTC. */
interface SignsOfLife {
  /** Its newest card; undefined if it has none. */
  readonly lastCardAt: number | undefined;
  /** When its present settings were first seen; undefined if it had them from the first look on. */
  readonly settingsSince: number | undefined;
}

/**
 * For how many whole days a screener type that is switched on has had no card.
 * @returns undefined if it is not silent; the history knows of no silence before its first card
 */
export function silentDaysOf(
  type: string,
  { lastCardAt, settingsSince }: SignsOfLife,
  { screeners, first, until }: KnownScreeners,
): number | undefined {
  const isActive = screeners.some((screener) => screener.type === type && screener.active);
  const silentSince = Math.max(first, lastCardAt ?? first, settingsSince ?? first);
  const millis = until - silentSince;
  return isActive && millis > SILENT_AFTER ? Math.floor(millis / DAY) : undefined;
}

export const isClear = ({ word }: Pick<Standing, 'word'>): boolean =>
  word === 'above' || word === 'below' || word === 'small';

const PLACES: Readonly<Record<Word, number>> = {
  above: 0,
  small: 1,
  unclear: 1,
  below: 2,
  too_few_days: 3,
};

/** Verdicts come before differences: among differences alone chance puts the best on top. */
export function ranked(standings: readonly Standing[]): Standing[] {
  const place = ({ word }: Standing) => (word === null ? 4 : PLACES[word]);
  // A difference that no screen shows decides no order.
  const difference = ({ base }: Standing) =>
    (base.interval === null ? base.vsBtc : base.median) ?? Number.NEGATIVE_INFINITY;
  const order = (a: Standing, b: Standing) =>
    place(a) < 3 ? Math.sign(difference(b) - difference(a)) : a.group.localeCompare(b.group, 'en');
  return [...standings].sort((a, b) => place(a) - place(b) || order(a, b) || 0);
}

/** What became of a verdict above or below: it stands, or it was taken back, or (`reset`) the type's settings changed. */
export type Ending = 'stands' | 'reset' | 'withdrawn';

/**
 * What became of each verdict above or below. One under other settings is another verdict.
 * @param findings the notebook, oldest first
 * @param since verdicts from this time on are told, epoch milliseconds UTC
 */
export function trackRecord(findings: readonly Finding[], since: number): Ending[] {
  const endings: Ending[] = [];
  for (const lines of linesOfTypes(findings).values()) {
    for (const [i, line] of lines.entries()) {
      const isSameVerdict = ({ verdict, settings_since }: TypeFinding) =>
        verdict === line.verdict && settings_since === line.settings_since;
      const lineBefore = lines[i - 1];
      const isNewVerdict = lineBefore === undefined || !isSameVerdict(lineBefore);
      if (!isSide(line.verdict) || !isNewVerdict || at(line.at) < since) continue;
      const nextOther = lines.slice(i).find((later) => !isSameVerdict(later));
      if (nextOther === undefined) endings.push('stands');
      else endings.push(nextOther.settings_since === line.settings_since ? 'withdrawn' : 'reset');
    }
  }
  return endings;
}
