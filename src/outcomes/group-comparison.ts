/**
 * What each group is compared with after one horizon, and the estimates of these comparisons. For each group three questions are
 * answered, in this order:
 *
 * 1. The source: does the difference to the others come from the service's medians, or from the bought outcomes?
 * 2. The estimates: what are the differences to BTC and to the others?
 * 3. The comparison that decides the verdict: is it the one with the others, or the one with BTC?
 *
 * The verdict itself is in `group-verdicts.ts`.
 */
import { blockLengthsOf, type HorizonName } from '../api/contract/horizons.ts';
import { groupBy, once } from '../base/collections.ts';
import { DAY } from '../base/units.ts';
import { clusteredMedian } from '../statistics/clustered-median.ts';
import { isKnown } from '../statistics/clusters.ts';
import type { Estimate } from '../statistics/estimate.ts';
import { medianOf } from '../statistics/quantile.ts';
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
import { lastMedians } from './findings.ts';
import { type CardGroup, fractionsWithOthers, type GroupedCards } from './groups.ts';
import { lastDueDay } from './history-card.ts';
import {
  compareTimesOfBought,
  differencesToSameGroups,
  type TimesCompared,
} from './last-30-days.ts';
import { choiceOf, type Evidence, type Question, termsOf } from './question.ts';
import { NEARLY_ALL } from './service-answers.ts';
import {
  type ServiceEstimate,
  type ServiceMedian,
  serviceEstimate,
  serviceMedians,
} from './service-medians.ts';
import type { ComparedWith, Source } from './types.ts';

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
   * What was subtracted from `vsOthers` because the slopes of its symbols against BTC explain it (`Betas`), percentage points;
   * undefined without such a difference.
   */
  readonly explainedByBeta: number | undefined;
  /** BTC's mean move over its cards, percent. */
  readonly btcMove: () => number;
  /** What the group is compared with in the comparison that decides. */
  readonly comparedWith: ComparedWith;
  /** The differences of the bought cards in the comparison that decides; NaN for lost outcomes. */
  readonly values: readonly Difference[];
  /** The estimate that decides, in the last 30 days and in the time before; undefined if either time has too few days. */
  readonly timesCompared: () => TimesCompared | undefined;
}

/** The estimate of the comparison that decides. */
export function decidingEstimate({
  comparedWith,
  vsOthers,
  vsBtc,
}: Pick<GroupEstimates, 'comparedWith' | 'vsOthers' | 'vsBtc'>): Estimate {
  return comparedWith === 'others' && vsOthers !== undefined ? vsOthers : vsBtc;
}

/** What decided until now, and stays. */
export interface DecidedBefore {
  readonly source: Source;
  /** What the group was compared with; undefined if that is to be decided again. */
  readonly to?: ComparedWith;
}

/** How a group compares with the other groups. */
interface OthersComparison {
  /** The service's estimate if that is the source, otherwise the one from the bought outcomes. */
  readonly estimate: Estimate;
  /** The service's estimate; undefined if the bought outcomes are the source. */
  readonly service: ServiceEstimate | undefined;
  /** How many bought outcomes are compared, whatever the source is. */
  readonly boughtSample: number;
  /** The differences of the bought cards; NaN for lost outcomes. */
  readonly values: readonly Difference[];
  /** What was subtracted from `estimate` because slopes explain it, percentage points; undefined if nothing is measured. */
  readonly explainedByBeta: number | undefined;
}

/** Milliseconds for which an answer of the service decides. */
const ANSWER_LASTS = 45 * DAY;

/**
 * A group is compared with the others if at least this fraction of its cards has enough cards of other groups on its day.
 */
const ENOUGH_WITH_OTHERS = 0.5;

/** The groups of a question, compared after one horizon. */
export class GroupComparison {
  readonly #horizon: HorizonName;
  readonly #grouped: GroupedCards;
  readonly #evidence: Evidence;
  /** When each type's present settings began; empty if groups are not types. */
  readonly #settingsSince: ReadonlyMap<string, number>;
  readonly #betas: Betas;
  readonly #differences: BoughtDifferences;
  /**
   * The fraction of each group's cards that have enough cards of other groups on their day; empty if groups are not compared.
   */
  readonly #fractionWithOthers: ReadonlyMap<string | null, number>;
  /** By type; empty if groups are not types. */
  readonly #serviceEstimates: ReadonlyMap<string, ServiceEstimate>;
  /**
   * The sample of all groups together; undefined if there are no groups. The length of its blocks of days is used for each
   * group, too.
   */
  readonly #sampleOfAll: Sample | undefined;

  constructor(horizon: HorizonName, grouped: GroupedCards, evidence: Evidence, question: Question) {
    const { cards, btcSymbols, isUnderPresentSettings } = grouped;
    const { by } = termsOf(question);
    // A single symbol has too few cards of other groups on a day.
    const isCompared = by !== undefined && choiceOf(question).symbol === undefined;
    // The order counts: what is worked out further down reads the fields above it.
    this.#horizon = horizon;
    this.#grouped = grouped;
    this.#evidence = evidence;
    this.#settingsSince = by === 'type' ? evidence.settingsSince : new Map();
    this.#betas = betasOf(cards, horizon, btcSymbols);
    this.#differences = boughtDifferences(horizon, grouped, this.#betas, isCompared);
    this.#fractionWithOthers = isCompared ? fractionsWithOthers(grouped) : new Map();
    this.#serviceEstimates = by === 'type' ? this.#estimatesOfService() : new Map();
    if (by !== undefined)
      this.#sampleOfAll = sampleOf(
        cards.filter(isUnderPresentSettings),
        horizon,
        btcSymbols,
        this.#differences.toBtc,
      );
  }

  /**
   * Three examples for `before`. The judge gives `{ source: 'service' }`: the source stays, and `to` is decided again. A screen
   * gives the notebook's line, which has `source` and `to`: both stay. For a type that the notebook does not know, both are
   * decided now.
   * @param before what decided until now; undefined if all is decided now
   */
  estimatesOf(group: CardGroup, before: DecidedBefore | undefined): GroupEstimates {
    const service = this.#serviceIfSource(group, before?.source);
    const toBtc = this.#differences.toBtcByGroup.get(group.group) ?? [];
    const sample = this.#sampleOf(group, toBtc);
    const others = this.#compareWithOthers(group, service);
    const comparedWith = this.#decidingComparison(group, others, before?.to);
    // Undefined: the comparison with BTC decides.
    const deciding = comparedWith === 'others' ? others : undefined;
    return {
      group,
      sample,
      vsBtc: sample.differences,
      vsOthers: others?.estimate,
      othersSample: others?.boughtSample,
      service: others?.service,
      explainedByBeta: others?.explainedByBeta,
      btcMove: () => this.#btcMoveOf(group),
      comparedWith,
      values: deciding?.values ?? toBtc,
      timesCompared: once(() => this.#compareTimes(group, toBtc, deciding)),
    };
  }

  // The source.

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
   * The service's estimate of a group, if it is the source. An answer that is older than 45 days never is.
   * @param before the source until now: it stays. If there is none, the service is the source unless nine in ten due outcomes
   *   are bought.
   */
  #serviceIfSource(group: CardGroup, before: Source | undefined): ServiceEstimate | undefined {
    const { now, dueUntil } = this.#evidence;
    const service = this.#serviceEstimates.get(String(group.group));
    if (service === undefined || now - service.askedAt > ANSWER_LASTS) return undefined;
    if (before !== undefined) return before === 'service' ? service : undefined;
    const due = group.cards.filter((card) => card.at <= dueUntil);
    const bought = due.filter((card) => card.isBought);
    const areNearlyAllBought = due.length > 0 && bought.length >= NEARLY_ALL * due.length;
    return areNearlyAllBought ? undefined : service;
  }

  // The estimates.

  #sampleOf(group: CardGroup, toBtc: readonly Difference[]): Sample {
    const { btcSymbols } = this.#grouped;
    return sampleOf(group.cards, this.#horizon, btcSymbols, toBtc, this.#sampleOfAll);
  }

  /**
   * @param service the service's estimate; undefined if the bought outcomes are the source
   * @returns undefined if groups are not compared with each other
   */
  #compareWithOthers(
    group: CardGroup,
    service: ServiceEstimate | undefined,
  ): OthersComparison | undefined {
    const { toOthersByGroup } = this.#differences;
    if (toOthersByGroup === undefined) return undefined;
    const values = toOthersByGroup.get(group.group) ?? [];
    const bought = clusteredMedian(values, blockLengthsOf(this.#horizon));
    if (service !== undefined) {
      const { explainedByBeta } = service;
      return { estimate: service, service, boughtSample: bought.size, values, explainedByBeta };
    }
    const explainedByBeta = this.#explainedInBought(group.group, bought);
    return {
      estimate: bought,
      service: undefined,
      boughtSample: bought.size,
      values,
      explainedByBeta,
    };
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

  #btcMoveOf({ cards }: CardGroup): number {
    const { btcSymbols } = this.#grouped;
    return this.#betas.btcOf(cards.filter(({ symbol }) => !btcSymbols.has(symbol)));
  }

  // The comparison that decides.

  /**
   * @param before what decided until now. Where groups are compared it stays, even if there is no estimate today: otherwise a
   *   screen would show the notebook's verdict against the others as one against BTC.
   */
  #decidingComparison(
    group: CardGroup,
    others: OthersComparison | undefined,
    before: ComparedWith | undefined,
  ): ComparedWith {
    if (others === undefined) return 'btc';
    if (before !== undefined) return before;
    if (others.estimate.size === 0) return 'btc';
    const fraction = this.#fractionWithOthers.get(group.group) ?? 0;
    return fraction >= ENOUGH_WITH_OTHERS ? 'others' : 'btc';
  }

  // The last 30 days and the time before, in the comparison that decides.

  /** @param deciding the comparison with the others; undefined if the one with BTC decides */
  #compareTimes(
    group: CardGroup,
    toBtc: readonly Difference[],
    deciding: OthersComparison | undefined,
  ): TimesCompared | undefined {
    if (deciding?.service !== undefined) return deciding.service.timesCompared;
    const differences = deciding === undefined ? toBtc : this.#toSameOthers(group);
    const lastDay = lastDueDay(this.#evidence.now);
    return compareTimesOfBought(differences, { horizon: this.#horizon, lastDay });
  }

  /** The differences of a group's bought cards to the other groups that have outcomes both in the last 30 days and before. */
  #toSameOthers(group: CardGroup): readonly Difference[] {
    // If the beginning of the settings is not known, the group begins with its first card.
    const begins = group.settingsSince ?? group.cards[0]?.at;
    if (begins === undefined) return [];
    const lastDay = lastDueDay(this.#evidence.now);
    return differencesToSameGroups(
      this.#differences.withoutBeta,
      { name: group.group, begins, lastDay },
      { groupNameOf: this.#grouped.groupNameOf, settingsSince: this.#settingsSince },
    );
  }
}

type DifferencesByGroup = ReadonlyMap<string | null, readonly Difference[]>;

/** The differences of the bought cards of all groups; NaN for lost outcomes. */
interface BoughtDifferences {
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

/** @param isCompared whether groups are compared with each other */
function boughtDifferences(
  horizon: HorizonName,
  { cards, btcSymbols, isUnderPresentSettings, groupNameOf }: GroupedCards,
  betas: Betas,
  isCompared: boolean,
): BoughtDifferences {
  const isOfOtherSymbol = ({ symbol }: Difference) => !btcSymbols.has(symbol);
  const ofAnySettings = outcomeValues(cards, horizon, differenceOf).filter(isOfOtherSymbol);
  const ofAnySettingsWithoutBeta = withoutBeta(ofAnySettings, betas);
  const ofPresent = (differences: readonly Difference[]) =>
    differences.filter(({ card }) => isUnderPresentSettings(card));
  const byGroup = (differences: readonly Difference[]) =>
    groupBy(differences, ({ card }) => groupNameOf(card));
  const othersByGroup = (differences: readonly Difference[]) =>
    byGroup(ofPresent(differencesToOthers(differences, groupNameOf)));
  const toBtc = ofPresent(ofAnySettings);
  return {
    withoutBeta: ofAnySettingsWithoutBeta,
    toBtc,
    toBtcByGroup: byGroup(toBtc),
    toOthersByGroup: isCompared ? othersByGroup(ofAnySettingsWithoutBeta) : undefined,
    toOthersWithBeta: once(() => othersByGroup(ofAnySettings)),
  };
}
