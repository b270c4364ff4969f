/**
 * The judge: the only place in which verdicts are found and withdrawn. At the end of an export it says which lines it would append
 * to the notebook; `judgeHistory` holds back those that need a second day. It answers the default question: all types, 24 h after
 * the card, the cards of the last 180 days. A UTC day counts once the outcomes of all its cards are due. Pure.
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
import { clean, cleanOrNull } from '../statistics/quantile.ts';
import { isSide, type Verdict, verdictByRule } from '../statistics/rule.ts';
import { betasOf } from './beta.ts';
import { differenceOf, outcomeValues, symbolsOfBtc, withoutBeta } from './differences.ts';
import { beginsDoubt, endsDoubt, newestCardsOf } from './doubt.ts';
import { isWeak } from './figure-table.ts';
import {
  type DoubtFinding,
  doubtLinesOfTypes,
  type Finding,
  isSameVerdict,
  type LatelyFinding,
  lastMedians,
  lastOfVerdict,
  latelyLinesOfTypes,
  linesOfTypes,
  type MediansFinding,
  presentVerdict,
  type TypeFinding,
  unsteadyTypes,
} from './findings.ts';
import { decidingEstimate, GroupComparison, type GroupEstimates } from './group-comparison.ts';
import { type CardGroup, groupCards } from './groups.ts';
import { type HistoryCard, lastDueDay } from './history-card.ts';
import { judgeChanges } from './judge-changes.ts';
import { judgeNumbers } from './judge-numbers.ts';
import { verdictOnTimes } from './last-30-days.ts';
import { boughtAfterOthers } from './purchases.ts';
import { DEFAULT_LEAST, DEFAULT_QUESTION, type Evidence, JUDGED_WINDOW } from './question.ts';
import {
  answersWithin,
  lastSittings,
  type ServiceAnswer,
  type Sittings,
  STATS_WINDOW,
  sittingsOf,
} from './service-answers.ts';
import { serviceMedians } from './service-medians.ts';
import type { ComparedWith, SettingsTime, Source } from './types.ts';
import { expectedInNotebook } from './verdict-expected.ts';
import { decideVsBtc } from './verdict-vs-btc.ts';

/** What is known at the end of an export. */
export interface KnownToJudge {
  /** Cards of all types, in any order; those older than `JUDGED_WINDOW` and those after `now` are left out. */
  readonly cards: readonly HistoryCard[];
  /** Oldest first. */
  readonly answers: readonly ServiceAnswer[];
  /** When each type's present settings began, epoch milliseconds UTC; a type that never changed is not in it. */
  readonly settingsSince: ReadonlyMap<string, number>;
  /** Since when each type has been in use under its present settings, without a break; undefined if no type had a break. */
  readonly inUseSince?: ReadonlyMap<string, number> | undefined;
  /** The settings of each type through time, oldest first. */
  readonly settingsOf: ReadonlyMap<string, readonly SettingsTime[]>;
  /**
   * When exports will ask for each type's medians, as the last export planned; undefined for a type about which they do not
   * ask.
   */
  readonly planned?: ReadonlyMap<string, Sittings | undefined> | undefined;
  /**
   * Types whose verdict is perhaps withdrawn: an earlier judgement said that it no longer holds, and it is withdrawn once a
   * judgement of a second UTC day says so, too. The source of their estimates is decided again, as it was in that earlier judgement.
   */
  readonly awaitingWithdrawal?: ReadonlySet<string> | undefined;
  /** The types whose outcomes exports buy before all others; undefined if there are none. */
  readonly inFocus?: ReadonlySet<string> | undefined;
  /** Outcomes that exports have bought a day; undefined if that is not known. */
  readonly boughtPerDay?: number | undefined;
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
  const mediansLines = newMedians(recent, findings);
  const hasNewMedians = mediansLines.length > 0;
  const withNewMedians = [...findings, ...mediansLines];
  const typeLines = judgeTypes(recent, withNewMedians, { hasNewMedians });
  const settled = cardsOfDueDays(cards, now);
  const numberLines = judgeNumbers(
    { cards, settled, settingsSince, inUseSince, findings, until: now },
    now,
  );
  // Types that were found to change by themselves: no change of settings is compared with them.
  const unsteady = unsteadyTypes([...findings, ...typeLines]);
  const evidenceOfChanges = { cards: settled, answers, settingsOf, unsteady };
  const changeLines = judgeChanges(evidenceOfChanges, findings, now);
  return [...mediansLines, ...typeLines, ...numberLines, ...changeLines];
}

/** The cards of UTC days on which all outcomes are due. */
function cardsOfDueDays(cards: readonly HistoryCard[], now: number): HistoryCard[] {
  const lastDay = lastDueDay(now);
  return cards.filter((card) => dayNumber(card.at) <= lastDay);
}

/**
 * Lines with the service's medians, worked out again after an answer or a change of settings. On other days the medians in the
 * notebook stay: worked out each day, they would differ a little each day, and verdicts would come and go.
 */
function newMedians(known: KnownToJudge, findings: readonly Finding[]): MediansFinding[] {
  const { answers, settingsSince, now } = known;
  const changeTimes = [...answers.map((answer) => answer.at), ...settingsSince.values()];
  const lines: MediansFinding[] = [];
  for (const horizon of HORIZON_NAMES) {
    const last = lastMedians(findings, horizon);
    const hasAnswers = answers.length > 0;
    if (hasAnswers && areUpToDate(last, changeTimes)) continue;
    // If all answers are too old by now, a line without types withdraws their medians. It is needed once.
    const hasMedians = last !== undefined && Object.keys(last.types).length > 0;
    if (!hasAnswers && !hasMedians) continue;
    const types = mediansAt(horizon, known);
    // If too little is bought for the first medians, there is no line, and the next run tries again.
    const isTooEarly = last === undefined && Object.keys(types).length === 0;
    if (!isTooEarly) lines.push({ at: formatApiTime(now), about: 'medians', horizon, types });
  }
  return lines;
}

/** Whether no answer and no change of settings came after the medians. */
function areUpToDate(medians: MediansFinding | undefined, changeTimes: readonly number[]): boolean {
  if (medians === undefined) return false;
  const workedOutAt = at(medians.at);
  return changeTimes.every((time) => time <= workedOutAt);
}

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

/** A line on a type. */
type LineOfType = TypeFinding | LatelyFinding | DoubtFinding;

function judgeTypes(
  known: KnownToJudge,
  findings: readonly Finding[],
  { hasNewMedians }: Pick<Judgement, 'hasNewMedians'>,
): LineOfType[] {
  const { now } = known;
  const evidence = evidenceOf(known, findings);
  const grouped = groupCards(evidence, DEFAULT_QUESTION);
  const judgement: Judgement = {
    known,
    evidence,
    comparison: new GroupComparison(MAIN_HORIZON, grouped, evidence, DEFAULT_QUESTION),
    hasNewMedians,
    isBoughtAfterOthers: boughtAfterOthers(evidence),
    linesOf: linesOfTypes(findings),
    latelyLinesOf: latelyLinesOfTypes(findings),
    doubtLinesOf: doubtLinesOfTypes(findings),
  };
  const lines = grouped.groups.flatMap((group) => judgeType(group, judgement));
  const typesWithCards = new Set(grouped.groups.map(({ group }) => group));
  for (const [type, linesOfType] of judgement.linesOf) {
    const last = linesOfType.at(-1);
    const hadVerdict = last !== undefined && last.verdict !== null;
    if (hadVerdict && !typesWithCards.has(type)) lines.push(withoutVerdict(last, now));
  }
  return lines;
}

/**
 * What types are judged from: the cards of days on which all outcomes are due, and, of the notebook, only the service's
 * medians.
 */
function evidenceOf(known: KnownToJudge, findings: readonly Finding[]): Evidence {
  const { cards, answers, planned, settingsSince, inFocus, boughtPerDay, now } = known;
  return {
    cards: cardsOfDueDays(cards, now),
    answers,
    lastAsked: lastSittings(answers, now),
    planned,
    settingsSince,
    findings: findings.filter(({ about }) => about === 'medians'),
    inFocus,
    boughtPerDay,
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
  /** Whether the service's medians were worked out again, after an answer or a change of settings. */
  readonly hasNewMedians: boolean;
  /** Whether exports buy the outcomes of other types before those of a type. */
  readonly isBoughtAfterOthers: (type: string) => boolean;
  /** The notebook's lines on each type's verdict, oldest first. */
  readonly linesOf: ReadonlyMap<string, readonly TypeFinding[]>;
  /** The notebook's lines on each type's last 30 days, oldest first. */
  readonly latelyLinesOf: ReadonlyMap<string, readonly LatelyFinding[]>;
  /** The notebook's lines on doubts about each type's verdict, oldest first. */
  readonly doubtLinesOf: ReadonlyMap<string, readonly DoubtFinding[]>;
}

/** @returns the lines to append on one type: its verdict, its last 30 days, the doubt about its verdict; each only if it has news */
function judgeType(group: CardGroup, judgement: Judgement): LineOfType[] {
  const { known, evidence, comparison, linesOf } = judgement;
  const { now } = known;
  const type = String(group.group);
  // The last line may be about earlier settings. `inNotebook` is then undefined, because the present settings are not judged
  // yet.
  const lastLine = linesOf.get(type)?.at(-1);
  const inNotebook = presentVerdict(linesOf.get(type), group.settingsSince);
  const sittings = sittingsOf(type, known.cards, evidence);
  const source = keptSource(type, lastLine, sittings, judgement);
  const estimates = comparison.estimatesOf(group, source === undefined ? undefined : { source });
  const line = lineOf(estimates, inNotebook?.line, {
    now,
    sittings,
    isBoughtAfterOthers: judgement.isBoughtAfterOthers(type),
  });
  const lines: LineOfType[] = [];
  if (mustBeWritten(line, lastLine, inNotebook?.line)) lines.push(line);
  const isVerdictOfNotebook = inNotebook !== undefined && isSameVerdict(line, inNotebook.line);
  // Such a line waits for a second day (`isWithdrawal` in `history/export/judging.ts`). Until then no line may be about the next verdict.
  const endsVerdict = isSide(inNotebook?.line.verdict) && !isVerdictOfNotebook;
  if (endsVerdict) return lines;
  const verdictSince = isVerdictOfNotebook ? inNotebook.since : now;
  const terms: TermsOfVerdict = { type, verdict: line.verdict, verdictSince, now };
  const linesOnLast30Days = judgement.latelyLinesOf.get(type);
  const newLatelyLine = latelyLine(
    estimates,
    terms,
    lastOfVerdict(linesOnLast30Days, verdictSince),
  );
  const linesOnDoubts = judgement.doubtLinesOf.get(type);
  const newDoubtLine = doubtLine(estimates, terms, lastOfVerdict(linesOnDoubts, verdictSince));
  if (newLatelyLine !== undefined) lines.push(newLatelyLine);
  if (newDoubtLine !== undefined) lines.push(newDoubtLine);
  return lines;
}

/**
 * The source of a type's estimate (the service's medians, or what was bought) if it stays what it was. It stays until there are
 * new medians, the service's medians are not asked for any more, or a withdrawal of the type's verdict waits for a second day.
 * @param lastLine the notebook's last line on the type, under any settings
 * @returns undefined if the source is to be decided again
 */
function keptSource(
  type: string,
  lastLine: TypeFinding | undefined,
  sittings: Sittings | undefined,
  { known, hasNewMedians }: Judgement,
): Source | undefined {
  const hasLostService = lastLine?.source === 'service' && sittings === undefined;
  const waitsForSecondDay = known.awaitingWithdrawal?.has(type) ?? false;
  const isDecidedAnew = hasNewMedians || hasLostService || waitsForSecondDay;
  return isDecidedAnew ? undefined : lastLine?.source;
}

/**
 * Whether a line on a type's verdict is to be appended.
 * @param lastLine the notebook's last line on the type, under any settings
 * @param presentLine the same, if it is about the present settings
 */
function mustBeWritten(
  line: TypeFinding,
  lastLine: TypeFinding | undefined,
  presentLine: TypeFinding | undefined,
): boolean {
  if (presentLine !== undefined) return saysSomethingElse(line, presentLine);
  // The line also withdraws a verdict on earlier settings. A type that never had a verdict needs no line without one.
  const hadVerdict = lastLine !== undefined && lastLine.verdict !== null;
  return line.verdict !== null || hadVerdict;
}

/** The line on a type that has no cards any more. */
function withoutVerdict(last: TypeFinding, now: number): TypeFinding {
  return {
    ...last,
    at: formatApiTime(now),
    verdict: null,
    vs_btc: null,
    shows_at: null,
  };
}

/** What a line depends on besides the estimates. */
interface LineTerms {
  /** Epoch milliseconds UTC. */
  readonly now: number;
  /** When exports ask for the type's medians; undefined if they do not, as far as is known. */
  readonly sittings: Sittings | undefined;
  /** Whether exports buy the outcomes of other types first. */
  readonly isBoughtAfterOthers: boolean;
}

const RULE = { least: DEFAULT_LEAST };

/**
 * What the line before says of a comparison. A line against the others says how the type stands to BTC, too; a line against BTC says
 * nothing of the others.
 */
function verdictIn(line: TypeFinding | undefined, comparedWith: ComparedWith): Verdict | undefined {
  if (line === undefined) return undefined;
  if (line.to === comparedWith) return line.verdict ?? undefined;
  return comparedWith === 'btc' ? (line.vs_btc ?? undefined) : undefined;
}

/** The line that a type would get. @param lineBefore the notebook's last line on the type under its present settings */
function lineOf(
  estimates: GroupEstimates,
  lineBefore: TypeFinding | undefined,
  terms: LineTerms,
): TypeFinding {
  const { group, comparedWith, service, sample } = estimates;
  const deciding = decidingEstimate(estimates);
  const verdict = verdictByRule(deciding, RULE, verdictIn(lineBefore, comparedWith));
  const verdictVsBtc = decideVsBtc(estimates, RULE, lineBefore?.vs_btc);
  const { settingsSince } = group;
  return {
    at: formatApiTime(terms.now),
    about: 'type',
    type: String(group.group),
    verdict,
    to: comparedWith,
    vs_btc: verdictVsBtc,
    difference_percentage_points: cleanOrNull(deciding.value),
    interval_95: deciding.interval(LEVEL),
    sample: comparedWith === 'btc' ? sample.states.measured : deciding.size,
    source: comparedWith === 'others' && service !== undefined ? 'service' : 'bought',
    settings_since: apiTimeOrNull(settingsSince),
    least: DEFAULT_LEAST,
    weak: isWeak(deciding),
    shows_at: verdict === 'unclear' ? showsAt(estimates, lineBefore, terms) : null,
  };
}

/**
 * When a verdict on an unclear type is likely. A date in the notebook stays until it has passed. New medians, which come every
 * two weeks, do not move it: otherwise users could rely on no date.
 */
function showsAt(
  estimates: GroupEstimates,
  lineBefore: TypeFinding | undefined,
  terms: LineTerms,
): string | null {
  if (lineBefore?.verdict === 'unclear' && isAhead(lineBefore, terms.now))
    return lineBefore.shows_at;
  return expectedInNotebook({ ...estimates, ...terms, rule: RULE });
}

/** Whether the date of a line is still to come. A line that expects no date (`shows_at` null) holds for 30 days. */
function isAhead(line: TypeFinding, now: number): boolean {
  if (line.shows_at === null) return now - at(line.at) < STATS_WINDOW;
  return at(line.shows_at) > now;
}

/**
 * Whether a screen would say something else by the new line than by the line before. Verdicts vs BTC other than above and below
 * count as the same, because screens give them no date.
 */
function saysSomethingElse(line: TypeFinding, lineBefore: TypeFinding): boolean {
  const sideOf = (verdict: Verdict | null) => (isSide(verdict) ? verdict : undefined);
  return (
    line.verdict !== lineBefore.verdict ||
    line.to !== lineBefore.to ||
    line.source !== lineBefore.source ||
    line.shows_at !== lineBefore.shows_at ||
    sideOf(line.vs_btc) !== sideOf(lineBefore.vs_btc)
  );
}

/** A type's verdict, which its last 30 days and its newest cards test. */
interface TermsOfVerdict {
  readonly type: string;
  /** The type's verdict now. */
  readonly verdict: Verdict | null;
  /** Since when it has had this verdict, epoch milliseconds UTC. */
  readonly verdictSince: number;
  /** Epoch milliseconds UTC. */
  readonly now: number;
}

/**
 * @param lineBefore what the notebook last said of the type's last 30 days while it had this verdict; undefined if nothing
 * @returns undefined if there is no news of the last 30 days
 */
function latelyLine(
  estimates: GroupEstimates,
  { type, verdict, now }: TermsOfVerdict,
  lineBefore: LatelyFinding | undefined,
): LatelyFinding | undefined {
  if (!isSide(verdict)) return undefined;
  const times = estimates.timesCompared();
  const latelyNow = verdictOnTimes(verdict, times, lineBefore?.verdict);
  // While the notebook says nothing of the last 30 days, they count as like the time before.
  const saidSoFar = lineBefore?.verdict ?? 'as_before';
  if (times === undefined || latelyNow === undefined || latelyNow === saidSoFar) return undefined;
  return {
    at: formatApiTime(now),
    about: 'lately',
    type,
    verdict: latelyNow,
    last_30_days: times.last30Days,
    before: times.earlier,
  };
}

/**
 * @param lineBefore what the notebook last said of doubts about this verdict; undefined if nothing
 * @returns undefined if no doubt begins or ends
 */
function doubtLine(
  estimates: GroupEstimates,
  { type, verdict, verdictSince, now }: TermsOfVerdict,
  lineBefore: DoubtFinding | undefined,
): DoubtFinding | undefined {
  if (!isSide(verdict)) return undefined;
  const lastDay = lastDueDay(now);
  const newest = newestCardsOf(estimates.values, verdictSince, { horizon: MAIN_HORIZON, lastDay });
  const wasInDoubt = lineBefore?.verdict === 'in_doubt';
  const before = wasInDoubt ? lineBefore.before : newest.earlier;
  if (before === undefined) return undefined;
  const hasNews = wasInDoubt ? endsDoubt(verdict, newest, before) : beginsDoubt(verdict, newest);
  if (!hasNews) return undefined;
  return {
    at: formatApiTime(now),
    about: 'doubt',
    type,
    verdict: wasInDoubt ? 'cleared' : 'in_doubt',
    of: verdict,
    newer: { percentage_points: clean(newest.percentage_points), interval_95: newest.interval_95 },
    newer_since: formatApiTime(newest.since),
    before: clean(before),
  };
}
