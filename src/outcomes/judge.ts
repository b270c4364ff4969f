/**
 * The judge: the only place in which verdicts are found and withdrawn. At the end of an export it says which lines are to be
 * appended to the notebook. It answers the default question: all types, after 24 h, the cards of the last 180 days, of UTC days
 * on which all outcomes are due. Pure.
 */
import {
  HORIZON_NAMES,
  type HorizonName,
  MAIN_HORIZON,
  OUTCOME_MILLIS,
} from '../api/contract/horizons.ts';
import { apiTimeOrNull, at, formatApiTime } from '../api/time.ts';
import { dayNumber } from '../base/units.ts';
import { isKnown } from '../statistics/clusters.ts';
import { LEVEL } from '../statistics/estimate.ts';
import { cleanOrNull } from '../statistics/quantile.ts';
import { isSide, type Verdict, wordOf } from '../statistics/rule.ts';
import { betasOf } from './beta.ts';
import { differenceOf, outcomeValues, symbolsOfBtc, withoutBeta } from './differences.ts';
import { isWeak } from './figure-table.ts';
import {
  type Finding,
  type LatelyFinding,
  lastMedians,
  latelyOfTypes,
  linesOfTypes,
  type MediansFinding,
  presentVerdict,
  type TypeFinding,
  unsteadyTypes,
} from './findings.ts';
import { type CardGroup, groupCards } from './groups.ts';
import type { HistoryCard } from './history-card.ts';
import {
  decidingEstimate,
  expectedOf,
  GroupComparison,
  type GroupEstimates,
  isVsBtcAwaited,
  lastSettledDay,
  sittingsOf,
  vsBtcExpectedOf,
} from './horizon.ts';
import { judgeChanges } from './judge-changes.ts';
import { judgeNumbers } from './judge-numbers.ts';
import { latelyVerdict } from './lately.ts';
import { delaysByType } from './purchases.ts';
import { DEFAULT_QUESTION, type Evidence, JUDGED_WINDOW, LEAST } from './question.ts';
import {
  answersWithin,
  lastSittings,
  type ServiceAnswer,
  type Sittings,
  STATS_WINDOW,
} from './service-answers.ts';
import { serviceMedians } from './service-medians.ts';
import type { SettingsTime, Source } from './types.ts';
import { type VerdictDelay, writtenTime } from './wait.ts';

/** What is known at the end of an export. */
export interface KnownToJudge {
  /** Cards of all types, in any order; those older than `JUDGED_WINDOW` and those after `now` are left out. */
  readonly cards: readonly HistoryCard[];
  /** Oldest first. */
  readonly answers: readonly ServiceAnswer[];
  /** When each type's present settings began, epoch milliseconds UTC; a type that never changed is not in it. */
  readonly settingsSince: ReadonlyMap<string, number>;
  /** Since when each type has been in use under them without a break; undefined if that is `settingsSince` for all types. */
  readonly inUseSince?: ReadonlyMap<string, number> | undefined;
  /** The settings of each type through time, oldest first. */
  readonly settingsOf: ReadonlyMap<string, readonly SettingsTime[]>;
  /**
   * When exports will ask for each type's medians, as the last export planned; undefined for a type about which they do not
   * ask.
   */
  readonly planned?: ReadonlyMap<string, Sittings | undefined> | undefined;
  /**
   * Types whose verdict the last judgement would have withdrawn: a withdrawal needs a second UTC day that says the same. The
   * source of their estimate is decided again, as it was on that first day.
   */
  readonly doubtedTypes?: ReadonlySet<string> | undefined;
  /** The types whose outcomes exports buy before all others; undefined if there are none. */
  readonly inFocus?: ReadonlySet<string> | undefined;
  /** Epoch milliseconds UTC. */
  readonly now: number;
}

/**
 * @param findings the notebook so far, oldest first
 * @returns the lines to append
 */
export function judge(known: KnownToJudge, findings: readonly Finding[]): Finding[] {
  const { now, settingsSince, inUseSince, settingsOf } = known;
  const since = now - JUDGED_WINDOW;
  const cards = known.cards
    .filter((card) => card.at >= since && card.at <= now)
    .toSorted((earlier, later) => earlier.at - later.at);
  const answers = answersWithin(known.answers, { since, until: now });
  const recent = { ...known, cards, answers };
  const medians = newMedians(recent, findings);
  const hasNewMedians = medians.length > 0;
  const delays = delaysByType(evidenceOf(recent, findings));
  const types = judgeTypes(recent, [...findings, ...medians], { hasNewMedians, delays });
  const lastDay = lastSettledDay(now);
  const settled = cards.filter((card) => dayNumber(card.at) <= lastDay);
  const numbers = judgeNumbers(
    { cards, settled, settingsSince, inUseSince, findings, until: now },
    now,
  );
  const unsteady = unsteadyTypes([...findings, ...types]);
  const evidence = { cards: settled, answers, settingsOf, unsteady, delays };
  const changes = judgeChanges(evidence, findings, now);
  return [...medians, ...types, ...numbers, ...changes];
}

/**
 * The service's medians, worked out again after an answer or a change of settings. On other days the notebook's stay: worked
 * out each day, they would differ a little each day, and verdicts would come and go.
 */
function newMedians(known: KnownToJudge, findings: readonly Finding[]): MediansFinding[] {
  const { answers, settingsSince, now } = known;
  const changes = [...answers.map((answer) => answer.at), ...settingsSince.values()];
  const lines: MediansFinding[] = [];
  for (const horizon of HORIZON_NAMES) {
    const last = lastMedians(findings, horizon);
    const isUpToDate =
      last !== undefined && !isOfOldRule(last) && changes.every((time) => time <= at(last.at));
    // If all answers are too old by now, their medians are withdrawn by a line without types.
    const isWithdrawn = Object.keys(last?.types ?? {}).length === 0;
    if (answers.length === 0 ? isWithdrawn : isUpToDate) continue;
    const types = mediansAt(horizon, known);
    // If too little is bought for the first medians, the next run tries again.
    if (Object.keys(types).length > 0 || last !== undefined)
      lines.push({ at: formatApiTime(now), about: 'medians', horizon, types });
  }
  return lines;
}

/** Whether medians were worked out by version 0.1, which subtracted nothing for slopes. */
const isOfOldRule = ({ types }: MediansFinding): boolean =>
  Object.values(types).some((median) => median.beta_percentage_points === undefined);

function mediansAt(horizon: HorizonName, known: KnownToJudge): MediansFinding['types'] {
  const { cards, answers, settingsSince } = known;
  const btcSymbols = symbolsOfBtc(cards);
  const betas = betasOf(cards, horizon, btcSymbols);
  const toBtc = outcomeValues(cards, horizon, differenceOf).filter(
    (difference) => isKnown(difference) && !btcSymbols.has(difference.symbol),
  );
  const differences = withoutBeta(toBtc, betas);
  return Object.fromEntries(
    serviceMedians({
      answers,
      cards,
      differences,
      betas,
      horizon,
      btcSymbols,
      settingsSince,
    }),
  );
}

function judgeTypes(
  known: KnownToJudge,
  findings: readonly Finding[],
  { hasNewMedians, delays }: Pick<Judgement, 'hasNewMedians' | 'delays'>,
): (TypeFinding | LatelyFinding)[] {
  const { now } = known;
  const evidence = evidenceOf(known, findings);
  const grouped = groupCards(evidence, DEFAULT_QUESTION);
  const judgement: Judgement = {
    known,
    evidence,
    comparison: new GroupComparison(MAIN_HORIZON, grouped, evidence, DEFAULT_QUESTION),
    hasNewMedians,
    delays,
    linesOf: linesOfTypes(findings),
    latelyOf: latelyOfTypes(findings),
  };
  const lines = grouped.groups.flatMap((group) => judgeType(group, judgement));
  const typesWithCards = new Set(grouped.groups.map(({ group }) => group));
  for (const [type, linesOfType] of judgement.linesOf) {
    const last = linesOfType.at(-1);
    if (typesWithCards.has(type) || last === undefined || last.verdict === null) continue;
    lines.push(withoutVerdict(last, now));
  }
  return lines;
}

/**
 * What types are judged from: the cards of days on which all outcomes are due, and of the notebook the service's medians
 * alone.
 */
function evidenceOf(known: KnownToJudge, findings: readonly Finding[]): Evidence {
  const { cards, answers, planned, settingsSince, inFocus, now } = known;
  const lastDay = lastSettledDay(now);
  return {
    cards: cards.filter((card) => dayNumber(card.at) <= lastDay),
    answers,
    lastAsked: lastSittings(answers, now),
    planned,
    settingsSince,
    findings: findings.filter(({ about }) => about === 'medians'),
    inFocus,
    now,
    until: now,
    dueUntil: now - OUTCOME_MILLIS,
  };
}

/** What the types of one judgement are judged by. */
interface Judgement {
  readonly known: KnownToJudge;
  readonly evidence: Evidence;
  readonly comparison: GroupComparison;
  /** Whether the service's medians were worked out anew, after an answer or a change of settings. */
  readonly hasNewMedians: boolean;
  /** How long types wait for those that exports buy first. */
  readonly delays: ReadonlyMap<string, VerdictDelay>;
  /** The notebook's lines on each type's verdict, oldest first. */
  readonly linesOf: ReadonlyMap<string, readonly TypeFinding[]>;
  /** The notebook's lines on each type's last 30 days, oldest first. */
  readonly latelyOf: ReadonlyMap<string, readonly LatelyFinding[]>;
}

/**
 * An example. The notebook's last line says "above" by the settings of May. If the settings changed in June, `lastLine` is
 * still that line, and `inNotebook` is undefined.
 * @returns the lines to append on one type: none, its verdict, its last 30 days, or both
 */
function judgeType(group: CardGroup, judgement: Judgement): (TypeFinding | LatelyFinding)[] {
  const { known, evidence, comparison, hasNewMedians, delays, linesOf, latelyOf } = judgement;
  const { now } = known;
  const type = String(group.group);
  const lastLine = linesOf.get(type)?.at(-1);
  const sittings = sittingsOf(group, known.cards, evidence, DEFAULT_QUESTION);
  // The source (the service's medians, or what was bought) is decided when there are new medians. On later days it stays.
  const hasLostService = lastLine?.source === 'service' && sittings === undefined;
  const isDoubted = known.doubtedTypes?.has(type) ?? false;
  const decidesSourceAnew = hasNewMedians || hasLostService || isDoubted;
  const source: Source | undefined = decidesSourceAnew ? undefined : lastLine?.source;
  const estimates = comparison.estimatesOf(group, source === undefined ? undefined : { source });
  const inNotebook = presentVerdict(linesOf.get(type), group.settingsSince);
  const delay = delays.get(type);
  const line = lineOf(estimates, inNotebook?.line, { now, sittings, delay });
  const hasOrHadVerdict = line.verdict !== null || (lastLine?.verdict ?? null) !== null;
  const hasNews =
    inNotebook === undefined ? hasOrHadVerdict : saysSomethingElse(line, inNotebook.line);
  const isSameVerdict = inNotebook !== undefined && inNotebook.line.verdict === line.verdict;
  const wordSince = isSameVerdict ? inNotebook.since : now;
  const latelyLines = latelyOf.get(type)?.filter((lately) => at(lately.at) >= wordSince);
  const newLatelyLine = latelyLine(estimates, {
    type,
    word: line.verdict,
    verdictBefore: latelyLines?.at(-1)?.verdict,
    now,
  });
  const lines: (TypeFinding | LatelyFinding)[] = [];
  if (hasNews) lines.push(line);
  if (newLatelyLine !== undefined) lines.push(newLatelyLine);
  return lines;
}

/** The line on a type that has no cards any more. */
function withoutVerdict(last: TypeFinding, now: number): TypeFinding {
  return {
    ...last,
    at: formatApiTime(now),
    verdict: null,
    vs_btc: null,
    shows_at: null,
    vs_btc_shows_at: null,
  };
}

/** What a line depends on besides the estimates. */
interface LineTerms {
  /** Epoch milliseconds UTC. */
  readonly now: number;
  /** When exports ask for the type's medians; undefined if they do not, as far as is known. */
  readonly sittings: Sittings | undefined;
  /** Undefined if exports buy no other type first. */
  readonly delay: VerdictDelay | undefined;
}

const RULE = { least: LEAST };

/** The line that a type would get. @param lineBefore the notebook's last line on the type under its present settings */
function lineOf(
  estimates: GroupEstimates,
  lineBefore: TypeFinding | undefined,
  { now, sittings, delay }: LineTerms,
): TypeFinding {
  const { group, comparedWith, service, sample, vsBtc } = estimates;
  const deciding = decidingEstimate(estimates);
  const verdictBefore = lineBefore?.to === comparedWith ? lineBefore.verdict : undefined;
  const verdict = wordOf(deciding, RULE, verdictBefore);
  const wordVsBtc = wordOf(vsBtc, RULE, lineBefore?.vs_btc);
  const isVsBtcWaitedFor = isVsBtcAwaited({ word: verdict, comparedWith, wordVsBtc });
  const { settingsSince } = group;
  return {
    at: formatApiTime(now),
    about: 'type',
    type: String(group.group),
    verdict,
    to: comparedWith,
    vs_btc: wordVsBtc,
    difference_percentage_points: cleanOrNull(deciding.value),
    interval_95: deciding.interval(LEVEL),
    sample: comparedWith === 'btc' ? sample.states.measured : deciding.size,
    source: comparedWith === 'others' && service !== undefined ? 'service' : 'bought',
    settings_since: apiTimeOrNull(settingsSince),
    least: LEAST,
    weak: isWeak(deciding),
    shows_at: verdict === 'unclear' ? showsAt() : null,
    vs_btc_shows_at: isVsBtcWaitedFor ? vsBtcShowsAt() : null,
  };

  /**
   * A date stays as it was said until it has passed. New medians do not move it: that would happen every two weeks, and whoever
   * waits for a date could not rely on any.
   */
  function showsAt(): string | null {
    if (lineBefore?.verdict === 'unclear' && isAhead(lineBefore, now)) return lineBefore.shows_at;
    return writtenTime(expectedOf({ ...estimates, rule: RULE, now, sittings, delay }));
  }

  /** Without a date, each day is asked whether one can be said by now, because outcomes are bought each day. */
  function vsBtcShowsAt(): string | null {
    const dateBefore = lineBefore?.vs_btc_shows_at ?? null;
    if (dateBefore !== null && at(dateBefore) > now) return dateBefore;
    return writtenTime(vsBtcExpectedOf({ rule: RULE, now, vsBtc, delay }));
  }
}

/** Whether the date of a line is still to come. A line that says that none is expected holds for 30 days. */
function isAhead({ at: writtenAt, shows_at: showsAt }: TypeFinding, now: number): boolean {
  return showsAt === null ? now - at(writtenAt) < STATS_WINDOW : at(showsAt) > now;
}

/**
 * Whether a screen would say something else by the new line than by the line before. Of the verdict against BTC only above and
 * below count, because screens give no other a date. After a line of version 0.1 the new line is always written, so that the
 * notebook says what the new rule changed.
 */
function saysSomethingElse(line: TypeFinding, lineBefore: TypeFinding): boolean {
  const sideOf = (word: Verdict | null) => (isSide(word) ? word : undefined);
  return (
    lineBefore.least === undefined ||
    line.verdict !== lineBefore.verdict ||
    line.to !== lineBefore.to ||
    line.source !== lineBefore.source ||
    line.shows_at !== lineBefore.shows_at ||
    line.vs_btc_shows_at !== lineBefore.vs_btc_shows_at ||
    sideOf(line.vs_btc) !== sideOf(lineBefore.vs_btc)
  );
}

/** A type whose last 30 days are compared with the time before. */
interface TypeLately {
  readonly type: string;
  /** The type's verdict now. */
  readonly word: Verdict | null;
  /** What the notebook said of its last 30 days since it has that verdict; undefined if nothing. */
  readonly verdictBefore: LatelyFinding['verdict'] | undefined;
  /** Epoch milliseconds UTC. */
  readonly now: number;
}

/** @returns undefined if there is no news of the last 30 days */
function latelyLine(
  estimates: GroupEstimates,
  { type, word, verdictBefore, now }: TypeLately,
): LatelyFinding | undefined {
  if (!isSide(word)) return undefined;
  const lately = estimates.lately();
  const verdict = latelyVerdict(word, lately, verdictBefore);
  const isNews = verdict !== undefined && verdict !== (verdictBefore ?? 'as_before');
  if (!isNews || lately === undefined) return undefined;
  return {
    at: formatApiTime(now),
    about: 'lately',
    type,
    verdict,
    last_30_days: lately.last30Days,
    before: lately.earlier,
  };
}
