/**
 * The one judge: what an export asks at its end. Pure: of what is known and the notebook so far, the lines to append.
 * It asks the default question: all types, 24 h, the last 180 days, outcomes of whole settled UTC days.
 */
import {
  HORIZON_NAMES,
  type HorizonName,
  MAIN_HORIZON,
  OUTCOME_MILLIS,
} from '../api/contract/horizons.ts';
import { at, formatApiTime } from '../api/time.ts';
import { dayNumber } from '../base/units.ts';
import { isKnown } from '../statistics/clusters.ts';
import { LEVEL } from '../statistics/estimate.ts';
import { cleanOrNull } from '../statistics/quantile.ts';
import { isSide, type Word, wordOf } from '../statistics/rule.ts';
import { betasOf } from './beta.ts';
import { differenceOf, symbolsOfBtc, valuesOf, withoutBeta } from './differences.ts';
import { isWeak } from './figure-table.ts';
import {
  type Finding,
  fadingTypes,
  foundOf,
  type LatelyFinding,
  lastMedians,
  latelyOfTypes,
  linesOfTypes,
  type MediansFinding,
  type TypeFinding,
} from './findings.ts';
import { groupCards } from './groups.ts';
import {
  decidingEstimate,
  expectedOf,
  GroupComparison,
  type GroupEstimates,
  lastSettledDay,
  sittingsOf,
} from './horizon.ts';
import { judgeChanges } from './judge-changes.ts';
import { judgeNumbers } from './judge-numbers.ts';
import { latelyVerdict } from './lately.ts';
import { DEFAULT_QUESTION, type Evidence, JUDGED_WINDOW, LEAST } from './question.ts';
import type { Row } from './row.ts';
import {
  answersWithin,
  lastSittings,
  type ServiceAnswer,
  type Sittings,
  STATS_WINDOW,
} from './service-answers.ts';
import { serviceMedians } from './service-medians.ts';
import type { SettingsTime } from './settings-change.ts';
import type { Source } from './types.ts';

/** What is known at the end of an export. */
export interface KnownToJudge {
  /** Of all types, in any order; those older than `JUDGED_WINDOW` are left out, and so are later ones. */
  readonly cards: readonly Row[];
  readonly answers: readonly ServiceAnswer[];
  /** Present settings of a type since then, epoch milliseconds UTC. */
  readonly settingsSince: ReadonlyMap<string, number>;
  /** The settings of each type through time, oldest first. */
  readonly settingsOf: ReadonlyMap<string, readonly SettingsTime[]>;
  /** See `Evidence`. */
  readonly planned?: ReadonlyMap<string, Sittings | undefined> | undefined;
  /** Types whose word the last judgement no longer said: today, the second day, decides their source anew, as that judgement did. */
  readonly doubtedTypes?: ReadonlySet<string> | undefined;
  /** Epoch milliseconds UTC. */
  readonly now: number;
}

/** @param findings the notebook so far, oldest first */
export function judge(known: KnownToJudge, findings: readonly Finding[]): Finding[] {
  const { now, settingsSince, settingsOf } = known;
  const since = now - JUDGED_WINDOW;
  const cards = known.cards
    .filter((card) => card.at >= since && card.at <= now)
    .toSorted((one, other) => one.at - other.at);
  const answers = answersWithin(known.answers, { since, until: now });
  const recent = { ...known, cards, answers };
  const medians = newMedians(recent, findings);
  const types = judgeTypes(recent, [...findings, ...medians], medians.length > 0);
  const lastDay = lastSettledDay(now);
  const settled = cards.filter((card) => dayNumber(card.at) <= lastDay);
  const numbers = judgeNumbers({ cards, settled, settingsSince, findings, until: now }, now);
  const fading = fadingTypes([...findings, ...types]);
  const changes = judgeChanges({ cards: settled, answers, settingsOf, fading }, findings, now);
  return [...medians, ...types, ...numbers, ...changes];
}

/** Medians are reckoned after a sitting or a change of settings, then kept: else words would flicker. */
function newMedians(known: KnownToJudge, findings: readonly Finding[]): MediansFinding[] {
  const { answers, settingsSince, now } = known;
  const changes = [...answers.map((answer) => answer.at), ...settingsSince.values()];
  const lines: MediansFinding[] = [];
  for (const horizon of HORIZON_NAMES) {
    const last = lastMedians(findings, horizon);
    const isPresent =
      last !== undefined && !isOfOldRule(last) && changes.every((time) => time <= at(last.at));
    // Medians of answers that are too old now are withdrawn.
    const isEmpty = Object.keys(last?.types ?? {}).length === 0;
    if (answers.length === 0 ? isEmpty : isPresent) continue;
    const types = mediansAt(horizon, known);
    // The next run tries again where too little is bought.
    if (Object.keys(types).length > 0 || last !== undefined)
      lines.push({ at: formatApiTime(now), about: 'medians', horizon, types });
  }
  return lines;
}

/** Notebooks of 0.1 know no betas. */
const isOfOldRule = ({ types }: MediansFinding): boolean =>
  Object.values(types).some((median) => median.beta_percentage_points === undefined);

function mediansAt(horizon: HorizonName, known: KnownToJudge): MediansFinding['types'] {
  const { cards, answers, settingsSince } = known;
  const ofBtc = symbolsOfBtc(cards);
  const betas = betasOf(cards, horizon, ofBtc);
  const toBtc = valuesOf(cards, horizon, differenceOf).filter(
    (difference) => isKnown(difference) && !ofBtc.has(difference.symbol),
  );
  const differences = withoutBeta(toBtc, betas);
  return Object.fromEntries(
    serviceMedians({ answers, cards, differences, betas, horizon, ofBtc, settingsSince }),
  );
}

/** @param hasNewMedians whether the service's medians were reckoned anew, after a sitting or a change of settings */
function judgeTypes(
  known: KnownToJudge,
  findings: readonly Finding[],
  hasNewMedians: boolean,
): (TypeFinding | LatelyFinding)[] {
  const { cards, settingsSince, answers, now } = known;
  const lastDay = lastSettledDay(now);
  const evidence: Evidence = {
    cards: cards.filter((card) => dayNumber(card.at) <= lastDay),
    answers,
    lastAsked: lastSittings(answers, now),
    planned: known.planned,
    settingsSince,
    findings: findings.filter(({ about }) => about === 'medians'),
    now,
    until: now,
    dueUntil: now - OUTCOME_MILLIS,
  };
  const grouped = groupCards(evidence, DEFAULT_QUESTION);
  const comparison = new GroupComparison(MAIN_HORIZON, grouped, evidence, DEFAULT_QUESTION);
  const linesOf = linesOfTypes(findings);
  const latelyOf = latelyOfTypes(findings);
  const lines: (TypeFinding | LatelyFinding)[] = [];
  for (const group of grouped.groups) {
    const type = String(group.group);
    const lastLine = linesOf.get(type)?.at(-1);
    const sittings = sittingsOf(group, cards, evidence, DEFAULT_QUESTION);
    // Each sitting settles the source, the service or what was bought, and the next days keep to it.
    const isAskedNoMore = lastLine?.source === 'service' && sittings === undefined;
    const isDoubted = known.doubtedTypes?.has(type) ?? false;
    const decidesSourceAnew = hasNewMedians || isAskedNoMore || isDoubted;
    const source: Source | undefined = decidesSourceAnew ? undefined : lastLine?.source;
    const estimates = comparison.estimatesOf(group, source && { source });
    const found = foundOf(linesOf.get(type), group.settingsSince);
    const line = lineOf(estimates, found?.last, { now, hasNewMedians, sittings });
    const hasNews =
      found === undefined
        ? line.verdict !== null || (lastLine?.verdict ?? null) !== null
        : isToldOtherwise(line, found.last);
    if (hasNews) lines.push(line);
    const wordSince =
      found !== undefined && found.last.verdict === line.verdict ? found.since : now;
    const before = latelyOf.get(type)?.findLast((one) => at(one.at) >= wordSince)?.verdict;
    const ofLately = latelyLine(type, line.verdict, estimates, { before, now });
    if (ofLately !== undefined) lines.push(ofLately);
  }
  const present = new Set(grouped.groups.map(({ group }) => group));
  for (const [type, all] of linesOf) {
    const last = all.at(-1);
    if (present.has(type) || last === undefined || last.verdict === null) continue;
    lines.push({ ...last, at: formatApiTime(now), verdict: null, vs_btc: null, shows_at: null });
  }
  return lines;
}

interface Moment {
  /** Epoch milliseconds UTC. */
  readonly now: number;
  readonly hasNewMedians: boolean;
  readonly sittings: Sittings | undefined;
}

const RULE = { least: LEAST };

function lineOf(
  estimates: GroupEstimates,
  before: TypeFinding | undefined,
  { now, hasNewMedians, sittings }: Moment,
): TypeFinding {
  const { group, comparedWith, service, sample, vsBtc } = estimates;
  const deciding = decidingEstimate(estimates);
  const verdict = wordOf(deciding, RULE, before?.to === comparedWith ? before.verdict : undefined);
  const { settingsSince } = group;
  return {
    at: formatApiTime(now),
    about: 'type',
    type: String(group.group),
    verdict,
    to: comparedWith,
    vs_btc: wordOf(vsBtc, RULE, before?.vs_btc),
    difference_percentage_points: cleanOrNull(deciding.value),
    interval_95: deciding.interval(LEVEL),
    sample: comparedWith === 'btc' ? sample.states.measured : deciding.size,
    source: comparedWith === 'others' && service !== undefined ? 'service' : 'bought',
    settings_since: settingsSince === undefined ? null : formatApiTime(settingsSince),
    least: LEAST,
    weak: isWeak(deciding),
    shows_at: verdict === 'unclear' ? showsAt() : null,
  };

  /** A date that was said stands until it has passed, or until the medians are reckoned anew. */
  function showsAt(): string | null {
    if (before?.verdict === 'unclear' && !hasNewMedians && isAhead(before, now))
      return before.shows_at;
    const expected = expectedOf({ ...estimates, rule: RULE, now, sittings });
    return expected === undefined ? null : formatApiTime(Math.ceil(expected / 1000) * 1000);
  }
}

/** Whether the last wait may still come true; one without a date is asked again after a month. */
function isAhead({ at: said, shows_at: showsAt }: TypeFinding, now: number): boolean {
  return showsAt === null ? now - at(said) < STATS_WINDOW : at(showsAt) > now;
}

/**
 * Whether a screen would say something else. Which of the undecided words the one against BTC is, no screen dates. A line of
 * 0.1 is said once more by the new rule: what that changed is then known for ever.
 */
function isToldOtherwise(line: TypeFinding, before: TypeFinding): boolean {
  const sideOf = (word: Word | null) => (isSide(word) ? word : undefined);
  return (
    before.least === undefined ||
    line.verdict !== before.verdict ||
    line.to !== before.to ||
    line.source !== before.source ||
    line.shows_at !== before.shows_at ||
    sideOf(line.vs_btc) !== sideOf(before.vs_btc)
  );
}

/** @returns undefined if there is no news */
function latelyLine(
  type: string,
  word: Word | null,
  estimates: GroupEstimates,
  { before, now }: { readonly before: LatelyFinding['verdict'] | undefined; readonly now: number },
): LatelyFinding | undefined {
  if (!isSide(word)) return undefined;
  const lately = estimates.lately();
  const verdict = latelyVerdict(word, lately, before);
  const isNews = verdict !== undefined && verdict !== (before ?? 'as_before');
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
