/**
 * What all groups of a question did after one horizon: their samples, the comparison with BTC, the comparison with each other,
 * which of the two decides, and the verdicts.
 */
import {
  blockLengthsOf,
  type HorizonName,
  horizonOf,
  MAIN_HORIZON,
} from '../api/contract/horizons.ts';
import { at } from '../api/time.ts';
import { groupBy, once } from '../base/collections.ts';
import { DAY } from '../base/units.ts';
import { clusteredMedian } from '../statistics/clustered-median.ts';
import { isKnown } from '../statistics/clusters.ts';
import type { Estimate } from '../statistics/estimate.ts';
import { medianOf } from '../statistics/quantile.ts';
import {
  isSide,
  questionOfAll,
  type Rule,
  type Verdict,
  verdictByRule,
} from '../statistics/rule.ts';
import { type Betas, betasOf } from './beta.ts';
import {
  type Difference,
  differenceOf,
  differencesToOthers,
  outcomeValues,
  type Sample,
  sampleOf,
  withoutBeta,
} from './differences.ts';
import {
  lastMedians,
  linesOfTypes,
  type NotebookVerdict,
  presentVerdict,
  type TypeFinding,
  vsBtcSince,
  type WithdrawnVerdict,
  withdrawnVerdict,
} from './findings.ts';
import { type CardGroup, type GroupedCards, sharesWithOthers } from './groups.ts';
import type { HistoryCard } from './history-card.ts';
import { differencesToSameGroups, type Lately, latelyOfBought } from './lately.ts';
import { delaysByType, type PurchaseDelay } from './purchases.ts';
import {
  choiceOf,
  type Evidence,
  isOfWholeTypes,
  JUDGED_WINDOW,
  leastOf,
  type Question,
  termsOf,
} from './question.ts';
import { SILENT_AFTER } from './rate.ts';
import { expectedSittings, NEARLY_ALL, nextSitting, type Sittings } from './service-answers.ts';
import {
  type ServiceEstimate,
  type ServiceMedian,
  serviceEstimate,
  serviceMedians,
} from './service-medians.ts';
import { type ToDo, toDoOf } from './to-do.ts';
import type { ComparedWith, Source } from './types.ts';
import { decideVsBtc } from './verdict-vs-btc.ts';
import { expectedAt } from './wait.ts';

/** What a group is compared with after a horizon, and which comparison decides. */
export interface GroupEstimates {
  readonly group: CardGroup;
  readonly sample: Sample;
  /** The difference to BTC, from the bought outcomes. */
  readonly vsBtc: Estimate;
  /** The difference to the other groups; undefined if groups are not compared with each other. */
  readonly vsOthers: Estimate | undefined;
  /** How many bought outcomes are compared with other groups' cards; undefined if groups are not compared with each other. */
  readonly othersSample: number | undefined;
  /** The service's estimate if that is `vsOthers`; undefined if `vsOthers` is from the bought outcomes. */
  readonly service: ServiceEstimate | undefined;
  /**
   * What was subtracted from `vsOthers` because slopes explain it (`Betas`), percentage points; undefined without such a
   * difference.
   */
  readonly explainedByBeta: number | undefined;
  /** BTC's mean move over its cards, percent. */
  readonly btcMove: () => number;
  /** What the group is compared with in the comparison that decides. */
  readonly comparedWith: ComparedWith;
  /** The differences of the bought cards in the comparison that decides; NaN for lost outcomes. */
  readonly values: readonly Difference[];
  /** The estimate that decides, in the last 30 days and in the time before; undefined if either time has too few days. */
  readonly lately: () => Lately | undefined;
}

/** What is known of a group after a horizon, with its verdicts. */
export interface HorizonData extends GroupEstimates {
  readonly horizon: HorizonName;
  /** Whether the question asks about this horizon. */
  readonly isAsked: boolean;
  /** Epoch milliseconds UTC. */
  readonly now: number;
  readonly rule: Rule;
  /** The verdict of the comparison that decides; null if nothing is measured. */
  readonly verdict: Verdict | null;
  /** The verdict of the comparison with BTC; null if nothing is measured. */
  readonly verdictVsBtc: Verdict | null;
  /** The verdict of the comparison with the other groups; null if nothing is compared with them. */
  readonly verdictVsOthers: Verdict | null;
  /** Since when the group has had `verdict`, epoch milliseconds UTC; undefined if the notebook does not say. */
  readonly verdictSince: number | undefined;
  /** When another verdict is expected, epoch milliseconds UTC; undefined if `verdict` is not unclear, or if none is expected. */
  readonly verdictExpected: number | undefined;
  /** Since when the group has had `verdictVsBtc`, epoch milliseconds UTC; undefined if the notebook does not say. */
  readonly verdictVsBtcSince: number | undefined;
  /**
   * When another verdict against BTC is expected, epoch milliseconds UTC; undefined if none is, or if it is not waited for (see
   * `isVsBtcAwaited`).
   */
  readonly verdictVsBtcExpected: number | undefined;
  /** The last verdict above or below under its present settings, if it was withdrawn. */
  readonly withdrawn: WithdrawnVerdict | undefined;
  /** What its owner should do; undefined if nothing follows from the verdicts. */
  readonly toDo: ToDo | undefined;
  /** When exports ask for its medians; undefined if they do not, as far as is known. */
  readonly sittings: Sittings | undefined;
  /** By how much a verdict of bought outcomes comes later; undefined if exports buy no other type first. */
  readonly delay: PurchaseDelay | undefined;
}

/** The estimate of the comparison that decides. */
export const decidingEstimate = ({
  comparedWith,
  vsOthers,
  vsBtc,
}: Pick<GroupEstimates, 'comparedWith' | 'vsOthers' | 'vsBtc'>): Estimate =>
  comparedWith === 'others' && vsOthers !== undefined ? vsOthers : vsBtc;

/** What is known of each group after a horizon, in the order of the groups. */
export function compareAt(
  horizon: HorizonName,
  grouped: GroupedCards,
  evidence: Evidence,
  question: Question,
): HorizonData[] {
  const notebook = linesThatAnswer(horizon, evidence, question);
  const comparison = new GroupComparison(horizon, grouped, evidence, question);
  const terms = termsOf(question);
  const delays = terms.by === 'type' ? delaysByType(evidence) : new Map();
  return grouped.groups.map((group): HorizonData => {
    const linesOfGroup = notebook?.get(String(group.group));
    const inNotebook = presentVerdict(linesOfGroup, group.settingsSince);
    const estimated = {
      ...comparison.estimatesOf(group, inNotebook?.line),
      horizon,
      isAsked: horizon === terms.horizon,
      now: evidence.now,
      rule: { least: leastOf(horizon, terms.least) },
      sittings: sittingsOf(group, grouped.cards, evidence, question),
      delay: delays.get(String(group.group)),
    };
    const words =
      notebook === undefined
        ? verdictsOfOneLook(estimated, evidence, question)
        : verdictsOfNotebook(estimated, evidence, inNotebook, vsBtcSince(linesOfGroup));
    const withdrawn = inNotebook === undefined ? undefined : withdrawnVerdict(linesOfGroup ?? []);
    const toDo = toDoOf(words.verdict, estimated.comparedWith, words.verdictVsBtc, withdrawn);
    return { ...estimated, ...words, withdrawn, toDo };
  });
}

/** The verdicts of a group, and their dates. */
type DatedVerdicts = Pick<
  HorizonData,
  | 'verdict'
  | 'verdictVsBtc'
  | 'verdictVsOthers'
  | 'verdictSince'
  | 'verdictExpected'
  | 'verdictVsBtcSince'
  | 'verdictVsBtcExpected'
>;
/** What verdicts are made from. */
type Estimated = GroupEstimates & Pick<HorizonData, 'rule' | 'now' | 'sittings' | 'delay'>;

/**
 * The notebook's lines on each type; undefined if the notebook does not answer the question. One look answers it then: the
 * rule, without memory.
 */
function linesThatAnswer(
  horizon: HorizonName,
  { findings }: Evidence,
  question: Question,
): ReadonlyMap<string, readonly TypeFinding[]> | undefined {
  const isAnswered = question.kind === 'default' && horizon === MAIN_HORIZON;
  return isAnswered && findings !== undefined ? linesOfTypes(findings) : undefined;
}

/** The verdicts by one look. */
function verdictsOfOneLook(
  estimated: Estimated,
  { until, now }: Evidence,
  question: Question,
): DatedVerdicts {
  const { rule, comparedWith, vsOthers, group } = estimated;
  const verdictVsBtc = decideVsBtc(estimated, rule);
  const verdictVsOthers = vsOthers === undefined ? null : verdictByRule(vsOthers, rule);
  const verdict = comparedWith === 'others' ? verdictVsOthers : verdictVsBtc;
  const end = choiceOf(question).until;
  const hasEnded = end !== undefined && end <= now;
  const areOutcomesToCome = hadCardLately(group, until) && !hasEnded;
  const dates = datesOf({ verdict, comparedWith, verdictVsBtc }, areOutcomesToCome, {
    ofVerdict: () => expectedOf(estimated),
    ofVerdictVsBtc: () => vsBtcExpectedOf(estimated),
  });
  return {
    verdict,
    verdictVsBtc,
    verdictVsOthers,
    verdictSince: undefined,
    verdictVsBtcSince: undefined,
    ...dates,
  };
}

/**
 * Whether the group had a card in the last 14 days of the history, so that more are likely; also true if it never had a card.
 * @param until the end of the history, epoch milliseconds UTC
 */
function hadCardLately(
  { lastCardAt = Number.POSITIVE_INFINITY }: CardGroup,
  until: number,
): boolean {
  return until - lastCardAt <= SILENT_AFTER;
}

/** A group's verdicts, and what it is compared with by the verdict that decides. */
interface Verdicts {
  readonly verdict: Verdict | null;
  readonly comparedWith: ComparedWith;
  readonly verdictVsBtc: Verdict | null;
}

/**
 * Whether the owner of the group waits for the verdict against BTC: the group is below the others, and should be dropped only
 * if it is below BTC, too.
 */
export function isVsBtcAwaited({ verdict, comparedWith, verdictVsBtc }: Verdicts): boolean {
  const isUnknown = verdictVsBtc === 'unclear' || verdictVsBtc === 'too_few_days';
  return verdict === 'below' && comparedWith === 'others' && isUnknown;
}

/** Functions that work out when another verdict is expected, epoch milliseconds UTC; undefined if none is. */
interface ExpectedVerdicts {
  readonly ofVerdict: () => number | undefined;
  readonly ofVerdictVsBtc: () => number | undefined;
}

/**
 * The dates of the verdicts that somebody waits for.
 * @param areOutcomesToCome if no outcomes are to come, there are no dates
 */
function datesOf(
  verdicts: Verdicts,
  areOutcomesToCome: boolean,
  { ofVerdict, ofVerdictVsBtc }: ExpectedVerdicts,
): Pick<DatedVerdicts, 'verdictExpected' | 'verdictVsBtcExpected'> {
  const isWordAwaited = areOutcomesToCome && verdicts.verdict === 'unclear';
  const isBtcAwaited = areOutcomesToCome && isVsBtcAwaited(verdicts);
  return {
    verdictExpected: isWordAwaited ? ofVerdict() : undefined,
    verdictVsBtcExpected: isBtcAwaited ? ofVerdictVsBtc() : undefined,
  };
}

/**
 * The verdicts as exports wrote them down.
 * @param inNotebook undefined for a group without a verdict on its present settings: its first card came, or its settings
 *   changed, after the last judgement
 * @param sinceVsBtc since when the notebook has had the group's verdict against BTC, epoch milliseconds UTC
 */
function verdictsOfNotebook(
  estimated: Estimated,
  { until, now }: Evidence,
  inNotebook: NotebookVerdict<TypeFinding> | undefined,
  sinceVsBtc: number | undefined,
): DatedVerdicts {
  const { rule, comparedWith, vsOthers, group } = estimated;
  const vsBtcToday = decideVsBtc(estimated, rule, inNotebook?.line.vs_btc);
  // This verdict is one look's, because the notebook has a verdict against the others only if that comparison decides.
  const vsOthersToday = vsOthers === undefined ? null : verdictByRule(vsOthers, rule);
  if (inNotebook === undefined) {
    const verdictVsBtc = verdictBeforeJudgement(vsBtcToday);
    const verdictVsOthers = verdictBeforeJudgement(vsOthersToday);
    return {
      verdict: comparedWith === 'others' ? verdictVsOthers : verdictVsBtc,
      verdictVsBtc,
      verdictVsOthers,
      verdictSince: undefined,
      verdictExpected: undefined,
      verdictVsBtcSince: undefined,
      verdictVsBtcExpected: undefined,
    };
  }
  const { verdict, vs_btc: vsBtcInNotebook } = inNotebook.line;
  // Exports alone find above and below, and withdraw them. So the notebook's verdict counts if it is above or below, or if
  // today's is. Otherwise today's verdict counts.
  const hasSide = isSide(vsBtcInNotebook) || isSide(vsBtcToday);
  const verdictVsBtc = hasSide ? vsBtcInNotebook : vsBtcToday;
  const areOutcomesToCome = hadCardLately(group, until);
  const dates = datesOf({ verdict, comparedWith, verdictVsBtc }, areOutcomesToCome, {
    ofVerdict: () => timeAhead(inNotebook.line.shows_at, now),
    ofVerdictVsBtc: () => timeAhead(inNotebook.line.vs_btc_shows_at, now),
  });
  return {
    verdict,
    verdictVsBtc: comparedWith === 'btc' ? verdict : verdictVsBtc,
    verdictVsOthers: comparedWith === 'others' ? verdict : vsOthersToday,
    verdictSince: inNotebook.since,
    verdictVsBtcSince: hasSide ? sinceVsBtc : undefined,
    ...dates,
  };
}

/** The verdict of a comparison that exports have not judged yet; null if nothing is measured. */
function verdictBeforeJudgement(today: Verdict | null): Verdict | null {
  return today === null ? null : 'too_few_days';
}

/** A time of the notebook in epoch milliseconds UTC; undefined if there is none, or if it has passed. */
export function timeAhead(time: string | null, now: number): number | undefined {
  return time !== null && at(time) > now ? at(time) : undefined;
}

/**
 * When another verdict of the comparison that decides is expected. If the service's estimate decides, the verdict comes with
 * the service's next medians.
 * @returns epoch milliseconds UTC; undefined if none is expected in 90 days
 */
export function expectedOf({
  rule,
  now,
  service,
  sittings,
  delay,
  ...estimates
}: Pick<
  HorizonData,
  'rule' | 'now' | 'service' | 'sittings' | 'delay' | 'comparedWith' | 'vsOthers' | 'vsBtc'
>): number | undefined {
  const question = questionOfAll(decidingEstimate(estimates), rule, JUDGED_WINDOW / DAY);
  const waitsForService =
    estimates.comparedWith === 'others' && service !== undefined && sittings !== undefined;
  const medians = waitsForService ? { askedAt: service.askedAt, sittings } : undefined;
  return expectedAt(question, now, { medians, delay });
}

/**
 * When another verdict against BTC is expected from the bought outcomes.
 * @returns epoch milliseconds UTC; undefined if none is expected in 90 days. Also if the bought outcomes have a verdict already, which
 *   the service's figure contradicts (`verdictVsBtc`): more of them need not change that
 */
export function vsBtcExpectedOf({
  rule,
  now,
  vsBtc,
  delay,
}: Pick<HorizonData, 'rule' | 'now' | 'vsBtc' | 'delay'>): number | undefined {
  const verdict = verdictByRule(vsBtc, rule);
  if (verdict !== 'unclear' && verdict !== 'too_few_days') return undefined;
  return expectedAt(questionOfAll(vsBtc, rule, JUDGED_WINDOW / DAY), now, { delay });
}

/**
 * When exports ask for a group's medians.
 * @returns undefined if they do not ask. They never do if the group is no screener type, or if the question leaves out some of
 *   the type's cards
 */
export function sittingsOf(
  { group }: CardGroup,
  cards: readonly HistoryCard[],
  { lastAsked, planned, now, until }: Evidence,
  question: Question,
): Sittings | undefined {
  const { by } = termsOf(question);
  if (group === null || by !== 'type' || !isOfWholeTypes(question)) return undefined;
  if (planned?.has(group)) return expectedSittings(planned.get(group), now);
  return nextSitting(group, cards, { last: lastAsked.get(group), now, lastRunAt: until });
}

/** Milliseconds for which an answer of the service decides. */
const ANSWER_LASTS = 45 * DAY;

/**
 * A group is compared with the others if at least this share of its cards has enough cards of other groups on its day. A
 * fraction.
 */
const ENOUGH_WITH_OTHERS = 0.5;

/** What decided until now, and stays. */
export interface DecidedBefore {
  readonly source: Source;
  /** What the group was compared with; undefined if that is to be decided again. */
  readonly to?: ComparedWith;
}

/** How a group compares with the other groups. */
interface OthersComparison {
  /** The differences of the bought cards; NaN for lost outcomes. */
  readonly values: readonly Difference[];
  /** The estimate from the bought outcomes. */
  readonly bought: Estimate;
  /** The service's estimate, if it is used instead of `bought`. */
  readonly service: ServiceEstimate | undefined;
  /** What was subtracted from the estimate that is used, because slopes explain it, percentage points. */
  readonly explainedByBeta: number | undefined;
}

/** The differences of the bought cards of all groups; NaN for lost outcomes. */
interface AllDifferences {
  /** To BTC, minus what slopes explain, of cards under any settings. */
  readonly withoutBeta: readonly Difference[];
  /** To BTC, of cards under present settings. */
  readonly toBtc: readonly Difference[];
  /** To BTC, of cards under present settings. */
  readonly toBtcByGroup: DifferencesByGroup;
  /**
   * To the others, minus what slopes explain, of cards under present settings; undefined if groups are not compared with each
   * other.
   */
  readonly toOthersByGroup: DifferencesByGroup | undefined;
  /** As `toOthersByGroup`, but nothing is subtracted for slopes. */
  readonly toOthersWithBeta: () => DifferencesByGroup;
}

type DifferencesByGroup = ReadonlyMap<string | null, readonly Difference[]>;

/** @param isCompared whether groups are compared with each other */
function allDifferences(
  horizon: HorizonName,
  { cards, btcSymbols, isPresent, keyOf }: GroupedCards,
  betas: Betas,
  isCompared: boolean,
): AllDifferences {
  const ofAnySettings = outcomeValues(cards, horizon, differenceOf).filter(
    ({ symbol }) => !btcSymbols.has(symbol),
  );
  const ofAnySettingsWithoutBeta = withoutBeta(ofAnySettings, betas);
  const ofPresent = (differences: readonly Difference[]) =>
    differences.filter(({ card }) => isPresent(card));
  const byGroup = (differences: readonly Difference[]) =>
    groupBy(ofPresent(differences), ({ card }) => keyOf(card));
  const toBtc = ofPresent(ofAnySettings);
  return {
    withoutBeta: ofAnySettingsWithoutBeta,
    toBtc,
    toBtcByGroup: groupBy(toBtc, ({ card }) => keyOf(card)),
    toOthersByGroup: isCompared
      ? byGroup(differencesToOthers(ofAnySettingsWithoutBeta, keyOf))
      : undefined,
    toOthersWithBeta: once(() => byGroup(differencesToOthers(ofAnySettings, keyOf))),
  };
}

/** How the groups of a question compare after a horizon. */
export class GroupComparison {
  readonly #horizon: HorizonName;
  readonly #grouped: GroupedCards;
  readonly #evidence: Evidence;
  /** When each type's present settings began; empty if groups are not types. */
  readonly #settingsSince: ReadonlyMap<string, number>;
  readonly #betas: Betas;
  readonly #differences: AllDifferences;
  /** The share of each group's cards that have other groups' cards on their day. */
  readonly #shareWithOthers: ReadonlyMap<string | null, number>;
  readonly #serviceEstimates: ReadonlyMap<string, ServiceEstimate>;
  /**
   * The sample of all groups together; undefined if there are no groups. The length of its blocks of days is used for each
   * group, too.
   */
  readonly #sampleOfAll: Sample | undefined;

  constructor(horizon: HorizonName, grouped: GroupedCards, evidence: Evidence, question: Question) {
    const { cards, btcSymbols, isPresent } = grouped;
    const { by } = termsOf(question);
    // A single symbol has too few cards of other groups on a day.
    const isCompared = by !== undefined && choiceOf(question).symbol === undefined;
    this.#horizon = horizon;
    this.#grouped = grouped;
    this.#evidence = evidence;
    this.#settingsSince = by === 'type' ? evidence.settingsSince : new Map();
    this.#betas = betasOf(cards, horizon, btcSymbols);
    this.#differences = allDifferences(horizon, grouped, this.#betas, isCompared);
    this.#shareWithOthers = isCompared ? sharesWithOthers(grouped) : new Map();
    this.#serviceEstimates = by === 'type' ? this.#estimatesOfService() : new Map();
    if (by !== undefined)
      this.#sampleOfAll = sampleOf(
        cards.filter(isPresent),
        horizon,
        btcSymbols,
        this.#differences.toBtc,
      );
  }

  /** The service's estimate of each type: from the notebook; if there is no notebook, worked out now. */
  #estimatesOfService(): ReadonlyMap<string, ServiceEstimate> {
    const medians = this.#mediansInNotebook() ?? this.#mediansOfService();
    return new Map([...medians].map(([type, median]) => [type, serviceEstimate(median)]));
  }

  /** @returns undefined without a notebook */
  #mediansInNotebook(): ReadonlyMap<string, ServiceMedian> | undefined {
    const { findings } = this.#evidence;
    if (findings === undefined) return undefined;
    return new Map(Object.entries(lastMedians(findings, this.#horizon)?.types ?? {}));
  }

  #mediansOfService(): ReadonlyMap<string, ServiceMedian> {
    const { cards, btcSymbols } = this.#grouped;
    return serviceMedians({
      answers: this.#evidence.answers,
      cards,
      differences: this.#differences.withoutBeta.filter(isKnown),
      betas: this.#betas,
      horizon: this.#horizon,
      btcSymbols,
      settingsSince: this.#settingsSince,
    });
  }

  /**
   * Three examples for `before`. The judge gives `{ source: 'service' }`: the source stays, and `to` is decided again. A screen
   * gives the notebook's line, which has `source` and `to`: both stay. For a type that the notebook does not know, both are
   * decided now.
   * @param before what decided until now; undefined if all is decided now
   */
  estimatesOf(group: CardGroup, before: DecidedBefore | undefined): GroupEstimates {
    const { btcSymbols } = this.#grouped;
    const toBtc = this.#differences.toBtcByGroup.get(group.group) ?? [];
    const sample = sampleOf(group.cards, this.#horizon, btcSymbols, toBtc, this.#sampleOfAll);
    const others = this.#othersOf(group, before?.source);
    const vsOthers = others?.service ?? others?.bought;
    const wanted = before?.to ?? this.#usualComparison(group.group);
    const hasOthers = vsOthers !== undefined && vsOthers.size > 0;
    const deciding = wanted === 'others' && hasOthers ? others : undefined;
    return {
      group,
      sample,
      vsBtc: sample.differences,
      vsOthers,
      othersSample: others?.bought.size,
      service: others?.service,
      explainedByBeta: others?.explainedByBeta,
      btcMove: () => this.#btcMoveOf(group),
      comparedWith: deciding === undefined ? 'btc' : 'others',
      values: deciding === undefined ? toBtc : deciding.values,
      lately: once(() => {
        if (deciding?.service !== undefined) return deciding.service.lately;
        const differences = deciding === undefined ? toBtc : this.#toSameOthers(group);
        const lastDay = lastSettledDay(this.#evidence.now);
        return latelyOfBought(differences, { horizon: this.#horizon, lastDay });
      }),
    };
  }

  #btcMoveOf({ cards }: CardGroup): number {
    const { btcSymbols } = this.#grouped;
    return this.#betas.btcOf(cards.filter(({ symbol }) => !btcSymbols.has(symbol)));
  }

  /**
   * @param before the source that decided until now
   * @returns undefined if groups are not compared with each other
   */
  #othersOf(group: CardGroup, before: Source | undefined): OthersComparison | undefined {
    const { toOthersByGroup } = this.#differences;
    if (toOthersByGroup === undefined) return undefined;
    const values = toOthersByGroup.get(group.group) ?? [];
    const bought = clusteredMedian(values, blockLengthsOf(this.#horizon));
    const service = this.#serviceOf(group, before);
    const explainedByBeta =
      service === undefined
        ? this.#explainedInBought(group.group, bought)
        : service.explainedByBeta;
    return { values, bought, service, explainedByBeta };
  }

  /**
   * The service's estimate, if it decides. If 95 of 100 due outcomes are bought, it does not decide, unless it did until now.
   * An answer that is older than 45 days never decides.
   */
  #serviceOf(group: CardGroup, before: Source | undefined): ServiceEstimate | undefined {
    const { now, dueUntil } = this.#evidence;
    const service = this.#serviceEstimates.get(String(group.group));
    if (service === undefined || now - service.askedAt > ANSWER_LASTS) return undefined;
    if (before !== undefined) return before === 'service' ? service : undefined;
    const due = group.cards.filter((card) => card.at <= dueUntil);
    const bought = due.filter((card) => card.isBought);
    return due.length > 0 && bought.length >= NEARLY_ALL * due.length ? undefined : service;
  }

  #usualComparison(name: string | null): ComparedWith {
    const share = this.#shareWithOthers.get(name) ?? 0;
    return share >= ENOUGH_WITH_OTHERS ? 'others' : 'btc';
  }

  /**
   * What was subtracted from an estimate of bought outcomes, because slopes explain it, percentage points.
   * @param bought the estimate after the subtraction
   * @returns undefined if nothing is measured
   */
  #explainedInBought(name: string | null, bought: Estimate): number | undefined {
    if (bought.size === 0) return undefined;
    const withBeta = (this.#differences.toOthersWithBeta().get(name) ?? []).filter(isKnown);
    return medianOf(withBeta.map(({ value }) => value)) - bought.value;
  }

  /** The differences of a group's bought cards to the other groups that have outcomes both in the last 30 days and before. */
  #toSameOthers(group: CardGroup): readonly Difference[] {
    const begins = group.settingsSince ?? group.cards[0]?.at;
    if (begins === undefined) return [];
    const lastDay = lastSettledDay(this.#evidence.now);
    return differencesToSameGroups(
      this.#differences.withoutBeta,
      { name: group.group, begins, lastDay },
      { keyOf: this.#grouped.keyOf, settingsSince: this.#settingsSince },
    );
  }
}

/**
 * The last UTC day, counted from 1970, of which every card's outcome is due. On 12 Nov at 10:00 that is 10 Nov: a card of 11
 * Nov 15:00 is not 24 hours old.
 */
export function lastSettledDay(time: number): number {
  return Math.floor((time - horizonOf(MAIN_HORIZON).millis) / DAY) - 1;
}
