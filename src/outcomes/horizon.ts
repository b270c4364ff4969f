/** One horizon of all groups: their samples, how they compare with BTC and with each other, and which of it decides. */
import { blocksOf, type HorizonName, horizonOf, MAIN_HORIZON } from '../api/contract/horizons.ts';
import { at } from '../api/time.ts';
import { groupBy, once } from '../base/collections.ts';
import { DAY } from '../base/units.ts';
import { clusteredMedian } from '../statistics/clustered-median.ts';
import { isKnown } from '../statistics/clusters.ts';
import type { Estimate } from '../statistics/estimate.ts';
import { medianOf } from '../statistics/quantile.ts';
import { daysToWord, isSide, type Rule, type Word, wordOf } from '../statistics/rule.ts';
import { type Betas, betasOf } from './beta.ts';
import {
  type Difference,
  differenceOf,
  differencesToOthers,
  type Sample,
  sampleOf,
  valuesOf,
  withoutBeta,
} from './differences.ts';
import {
  lastMedians,
  linesOfTypes,
  type NotebookVerdict,
  presentVerdict,
  type TypeFinding,
} from './findings.ts';
import { type CardGroup, type GroupedCards, sharesWithOthers } from './groups.ts';
import { differencesToSameGroups, type Lately, latelyOfBought } from './lately.ts';
import {
  choiceOf,
  type Evidence,
  isOfWholeTypes,
  JUDGED_WINDOW,
  leastOf,
  type Question,
  termsOf,
} from './question.ts';
import type { Row } from './row.ts';
import { nextSitting, type Sittings, sittingFrom, sittingsFromNow } from './service-answers.ts';
import { type ServiceEstimate, serviceEstimate, serviceMedians } from './service-medians.ts';
import type { ComparedWith, Source } from './types.ts';

/** What a group is compared with at a horizon, and which comparison decides. */
export interface GroupEstimates {
  readonly group: CardGroup;
  readonly sample: Sample;
  /** Of the bought outcomes. */
  readonly vsBtc: Estimate;
  /** Undefined if groups are not compared with each other. */
  readonly vsOthers: Estimate | undefined;
  /** Bought outcomes that have other groups' cards beside them; undefined if groups are not so compared. */
  readonly othersSample: number | undefined;
  /** Where `vsOthers` is of the service's medians. */
  readonly service: ServiceEstimate | undefined;
  /** What betas took off `vsOthers`, percentage points; undefined without such a difference. */
  readonly beta: number | undefined;
  /** How much the symbols of its cards move with BTC. */
  readonly slope: () => number;
  /** The comparison that decides. */
  readonly comparedWith: ComparedWith;
  /** Of the comparison that decides, as far as they are bought, lost ones, too. */
  readonly values: readonly Difference[];
  /** The last 30 days of the estimate that decides beside the time before; undefined if one has too few. */
  readonly lately: () => Lately | undefined;
}

/** What is said of a group at a horizon. */
export interface HorizonData extends GroupEstimates {
  readonly horizon: HorizonName;
  /** Whether the question is of this horizon. */
  readonly isAsked: boolean;
  /** Epoch milliseconds UTC. */
  readonly now: number;
  readonly rule: Rule;
  /** Of the comparison that decides; null if nothing is measured. */
  readonly word: Word | null;
  readonly wordVsBtc: Word | null;
  readonly wordVsOthers: Word | null;
  /** The first day of the word, epoch milliseconds UTC; undefined if the notebook does not have it. */
  readonly wordSince: number | undefined;
  /** When a word is expected, epoch milliseconds UTC; undefined if one stands, or none is expected. */
  readonly wordExpected: number | undefined;
  /** When exports ask for its medians; undefined: not, as far as is known. */
  readonly sittings: Sittings | undefined;
}

export const decidingEstimate = ({
  comparedWith,
  vsOthers,
  vsBtc,
}: Pick<GroupEstimates, 'comparedWith' | 'vsOthers' | 'vsBtc'>): Estimate =>
  comparedWith === 'others' && vsOthers !== undefined ? vsOthers : vsBtc;

/** In the order of the groups. */
export function compareAt(
  horizon: HorizonName,
  grouped: GroupedCards,
  evidence: Evidence,
  question: Question,
): HorizonData[] {
  const notebook = linesThatAnswer(horizon, evidence, question);
  const comparison = new GroupComparison(horizon, grouped, evidence, question);
  const terms = termsOf(question);
  return grouped.groups.map((group): HorizonData => {
    const inNotebook = presentVerdict(notebook?.get(String(group.group)), group.settingsSince);
    const estimates = comparison.estimatesOf(group, inNotebook?.line);
    const sittings = sittingsOf(group, grouped.cards, evidence, question);
    const common = {
      ...estimates,
      horizon,
      isAsked: horizon === terms.horizon,
      now: evidence.now,
      rule: { least: leastOf(horizon, terms.least) },
      sittings,
    };
    if (notebook === undefined) return { ...common, ...wordsOfOneLook(common, evidence, question) };
    return { ...common, ...wordsOfNotebook(common, inNotebook) };
  });
}

type Words = Pick<
  HorizonData,
  'word' | 'wordVsBtc' | 'wordVsOthers' | 'wordSince' | 'wordExpected'
>;
type Estimated = GroupEstimates & Pick<HorizonData, 'rule' | 'now' | 'sittings'>;

/** The lines of each type where the notebook answers the question; undefined where one look does. */
function linesThatAnswer(
  horizon: HorizonName,
  { findings }: Evidence,
  question: Question,
): ReadonlyMap<string, readonly TypeFinding[]> | undefined {
  const isAnswered = question.kind === 'default' && horizon === MAIN_HORIZON;
  return isAnswered && findings !== undefined ? linesOfTypes(findings) : undefined;
}

/** By the rule, without memory. */
function wordsOfOneLook(estimated: Estimated, { until, now }: Evidence, question: Question): Words {
  const { rule, comparedWith, vsBtc, vsOthers, group } = estimated;
  const wordVsBtc = wordOf(vsBtc, rule);
  const wordVsOthers = vsOthers === undefined ? null : wordOf(vsOthers, rule);
  const word = comparedWith === 'others' ? wordVsOthers : wordVsBtc;
  const isSilent = until - (group.lastCardAt ?? until) > SILENT_AFTER;
  const isOver = (choiceOf(question).until ?? Infinity) <= now;
  const isAwaited = word === 'unclear' && !isSilent && !isOver;
  const wordExpected = isAwaited ? expectedOf(estimated) : undefined;
  return { word, wordVsBtc, wordVsOthers, wordSince: undefined, wordExpected };
}

/** As exports wrote them down. A group that came after the last judgement has no word yet. */
function wordsOfNotebook(
  estimated: Estimated,
  inNotebook: NotebookVerdict<TypeFinding> | undefined,
): Words {
  const { rule, comparedWith, vsBtc, vsOthers, now } = estimated;
  const vsBtcToday = wordOf(vsBtc, rule, inNotebook?.line.vs_btc);
  const vsOthersToday = vsOthers === undefined ? null : wordOf(vsOthers, rule);
  if (inNotebook === undefined) {
    const wordVsBtc = vsBtcToday === null ? null : 'too_few_days';
    const wordVsOthers = vsOthersToday === null ? null : 'too_few_days';
    const word = comparedWith === 'others' ? wordVsOthers : wordVsBtc;
    return { word, wordVsBtc, wordVsOthers, wordSince: undefined, wordExpected: undefined };
  }
  const { verdict: word, vs_btc: vsBtcInNotebook, shows_at: expected } = inNotebook.line;
  // Sides are of the notebook; which of the other words it is, today's picture tells.
  const hasSide = isSide(vsBtcInNotebook) || isSide(vsBtcToday);
  const wordVsBtc = hasSide ? vsBtcInNotebook : vsBtcToday;
  const isAhead = word === 'unclear' && expected !== null && at(expected) > now;
  return {
    word,
    wordVsBtc: comparedWith === 'btc' ? word : wordVsBtc,
    wordVsOthers: comparedWith === 'others' ? word : vsOthersToday,
    wordSince: inNotebook.since,
    wordExpected: isAhead ? at(expected) : undefined,
  };
}

/** Milliseconds without a card after which a group is silent: no outcomes are to come. */
export const SILENT_AFTER = 14 * DAY;

/** Milliseconds: a day further ahead is not told, because for few cards it would move on each month. */
const FORESEEN = 90 * DAY;

/** The next medians end the wait where the service decides. @returns undefined if no word is expected in 90 days */
export function expectedOf({
  rule,
  now,
  service,
  sittings,
  ...estimates
}: Pick<
  HorizonData,
  'rule' | 'now' | 'service' | 'sittings' | 'comparedWith' | 'vsOthers' | 'vsBtc'
>): number | undefined {
  const deciding = decidingEstimate(estimates);
  const more = daysToWord(deciding, rule.least, JUDGED_WINDOW / DAY) * DAY;
  if (more === Number.POSITIVE_INFINITY) return undefined;
  const waitsForService =
    estimates.comparedWith === 'others' && service !== undefined && sittings !== undefined;
  const expected = waitsForService ? sittingFrom(sittings, service.askedAt + more) : now + more;
  return expected - now > FORESEEN ? undefined : expected;
}

/** Of whole types alone: exports ask for no others. */
export function sittingsOf(
  { group }: CardGroup,
  cards: readonly Row[],
  { lastAsked, planned, now, until }: Evidence,
  question: Question,
): Sittings | undefined {
  const { by } = termsOf(question);
  if (group === null || by !== 'type' || !isOfWholeTypes(question)) return undefined;
  if (planned?.has(group)) return sittingsFromNow(planned.get(group), now);
  return nextSitting(group, cards, { last: lastAsked.get(group), now, lastRunAt: until });
}

/** The share of a group's due outcomes that have to be bought to decide in the service's place: they know as much. */
const NEARLY_ALL = 0.9;

/** Milliseconds for which an answer of the service decides. */
const ANSWER_LASTS = 45 * DAY;

/** The share of a group's cards that need other groups' cards on their day, if it is to be compared with these. */
const ENOUGH_WITH_OTHERS = 0.5;

/** What decided until now: it does until the next sitting. */
export interface DecidedBefore {
  readonly source: Source;
  /** Undefined: asked anew. */
  readonly to?: ComparedWith;
}

/** How the groups of a question compare at a horizon. */
export class GroupComparison {
  readonly #horizon: HorizonName;
  readonly #grouped: GroupedCards;
  readonly #evidence: Evidence;
  /** Present settings of types; empty where groups are no types. */
  readonly #settingsSince: ReadonlyMap<string, number>;
  readonly #betas: Betas;
  /** Differences to BTC of all groups, lost ones, too: as they are, and less what betas explain. */
  readonly #plain: readonly Difference[];
  readonly #corrected: readonly Difference[];
  /** Of present settings, by group. */
  readonly #toBtc: ReadonlyMap<string | null, readonly Difference[]>;
  readonly #toOthers: ReadonlyMap<string | null, readonly Difference[]> | undefined;
  /** As `#toOthers`, without the correction. */
  readonly #plainToOthers: () => ReadonlyMap<string | null, readonly Difference[]>;
  readonly #withOthers: ReadonlyMap<string | null, number>;
  readonly #services: ReadonlyMap<string, ServiceEstimate>;
  /** The sample of all groups: its blocks of days are long enough for each. */
  readonly #whole: Sample | undefined;

  constructor(horizon: HorizonName, grouped: GroupedCards, evidence: Evidence, question: Question) {
    const { cards, ofBtc, isPresent, keyOf } = grouped;
    const { by } = termsOf(question);
    this.#horizon = horizon;
    this.#grouped = grouped;
    this.#evidence = evidence;
    this.#settingsSince = by === 'type' ? evidence.settingsSince : new Map();
    this.#betas = betasOf(cards, horizon, ofBtc);
    this.#plain = valuesOf(cards, horizon, differenceOf).filter(({ symbol }) => !ofBtc.has(symbol));
    this.#corrected = withoutBeta(this.#plain, this.#betas);
    const ofPresent = (differences: readonly Difference[]) =>
      differences.filter(({ card }) => isPresent(card));
    const byGroup = (differences: readonly Difference[]) =>
      groupBy(ofPresent(differences), ({ card }) => keyOf(card));
    this.#toBtc = byGroup(this.#plain);
    this.#whole =
      by === undefined
        ? undefined
        : sampleOf(cards.filter(isPresent), horizon, ofBtc, ofPresent(this.#plain));
    // On a single symbol, the others of a day are too few.
    const isCompared = by !== undefined && choiceOf(question).symbol === undefined;
    this.#toOthers = isCompared ? byGroup(differencesToOthers(this.#corrected, keyOf)) : undefined;
    this.#plainToOthers = once(() => byGroup(differencesToOthers(this.#plain, keyOf)));
    this.#withOthers = isCompared ? sharesWithOthers(grouped) : new Map();
    this.#services = by === 'type' ? this.#servicesBy() : new Map();
  }

  /** By type: of the notebook, else reckoned now. */
  #servicesBy(): ReadonlyMap<string, ServiceEstimate> {
    const { findings, answers } = this.#evidence;
    const { cards, ofBtc } = this.#grouped;
    const horizon = this.#horizon;
    const differences = this.#corrected.filter(isKnown);
    const betas = this.#betas;
    const settingsSince = this.#settingsSince;
    const medians =
      findings === undefined
        ? serviceMedians({ answers, cards, differences, betas, horizon, ofBtc, settingsSince })
        : new Map(Object.entries(lastMedians(findings, horizon)?.types ?? {}));
    return new Map([...medians].map(([type, median]) => [type, serviceEstimate(median)]));
  }

  /** @param before what decided until now; undefined: decided by what is known now */
  estimatesOf(group: CardGroup, before: DecidedBefore | undefined): GroupEstimates {
    const name = group.group;
    const toBtc = this.#toBtc.get(name) ?? [];
    const sample = sampleOf(group.cards, this.#horizon, this.#grouped.ofBtc, toBtc, this.#whole);
    const toOthers = this.#toOthers === undefined ? undefined : (this.#toOthers.get(name) ?? []);
    const bought =
      toOthers === undefined ? undefined : clusteredMedian(toOthers, blocksOf(this.#horizon));
    const service = bought === undefined ? undefined : this.#serviceOf(group, before?.source);
    const vsOthers = service ?? bought;
    const comparedWith = before?.to ?? this.#comparedWith(name);
    const isToOthers = comparedWith === 'others' && vsOthers !== undefined && vsOthers.size > 0;
    const values = isToOthers && toOthers !== undefined ? toOthers : toBtc;
    return {
      group,
      sample,
      vsBtc: sample.differences,
      vsOthers,
      othersSample: bought?.size,
      service,
      beta: service === undefined ? this.#betaOfBought(name, bought) : service.beta,
      slope: () =>
        this.#betas.slopeOf(group.cards.filter(({ symbol }) => !this.#grouped.ofBtc.has(symbol))),
      comparedWith: isToOthers ? 'others' : 'btc',
      values,
      lately: once(() => {
        if (isToOthers && service !== undefined) return service.lately;
        return this.#latelyOfBought(group, isToOthers ? undefined : toBtc);
      }),
    };
  }

  /** The service's estimate, if it decides. */
  #serviceOf(group: CardGroup, before: Source | undefined): ServiceEstimate | undefined {
    const { now, dueUntil } = this.#evidence;
    const service = this.#services.get(String(group.group));
    if (service === undefined || now - service.askedAt > ANSWER_LASTS) return undefined;
    if (before !== undefined) return before === 'service' ? service : undefined;
    const due = group.cards.filter((card) => card.at <= dueUntil);
    const bought = due.filter((card) => card.isBought);
    return due.length > 0 && bought.length >= NEARLY_ALL * due.length ? undefined : service;
  }

  #comparedWith(name: string | null): ComparedWith {
    const share = this.#withOthers.get(name) ?? 0;
    return share >= ENOUGH_WITH_OTHERS ? 'others' : 'btc';
  }

  #betaOfBought(name: string | null, bought: Estimate | undefined): number | undefined {
    if (bought === undefined || bought.size === 0) return undefined;
    const plain = (this.#plainToOthers().get(name) ?? []).filter(isKnown);
    return medianOf(plain.map(({ value }) => value)) - bought.value;
  }

  /** @param toBtc the values, if BTC is what decides */
  #latelyOfBought(group: CardGroup, toBtc: readonly Difference[] | undefined): Lately | undefined {
    const first = group.cards[0];
    if (first === undefined) return undefined;
    const lastDay = lastSettledDay(this.#evidence.now);
    const begins = group.settingsSince ?? first.at;
    const differences =
      toBtc ??
      differencesToSameGroups(
        this.#corrected,
        { name: group.group, begins, lastDay },
        { keyOf: this.#grouped.keyOf, settingsSince: this.#settingsSince },
      );
    return latelyOfBought(differences, { horizon: this.#horizon, lastDay });
  }
}

/** The last UTC day, counted from 1970, of which every card's outcome is due. */
export function lastSettledDay(time: number): number {
  return Math.floor((time - horizonOf(MAIN_HORIZON).millis) / DAY) - 1;
}
