/**
 * How each screener type compares with the other types by the service's medians of 30 days, which are over all outcomes,
 * bought or not. For one window:
 *
 *     D = M_t − Σ_g N_g M_g / Σ_g N_g
 *
 * t: the type. g: each other type, by its answer that is nearest in time. M: the median of an answer, minus what the slopes
 * of symbols explain (`Betas`); `median` in the code. N: its outcomes; `sample` in the code. An example: M_t is 1.5, and two
 * other types have 0.2 over 300 outcomes and −0.4 over 100. Then D = 1.5 − (60 − 40) / 400 = 1.45 percentage points.
 *
 * The D of several windows are averaged, each weighted by its precision (1 / variance). Each D, and their average, is a sum of
 * answers with weights: a list of `Term`s.
 *
 * The variance of D comes from `variance-parts.ts`, its degrees of freedom from the parts of that variance (Satterthwaite
 * 1946). A difference to BTC has no interval: in up to 17 % of simulated histories such an interval missed the true value.
 */
import { bisector, least, sum } from 'd3-array';
import { blockLengthsOf, type HorizonName } from '../api/contract/horizons.ts';
import { formatApiTime, at as timeAt } from '../api/time.ts';
import { groupBy, oncePerKey } from '../base/collections.ts';
import { DAY } from '../base/units.ts';
import { clusteredMedian, quantileWithMissing } from '../statistics/clustered-median.ts';
import { type Estimate, estimateByT, LEVEL } from '../statistics/estimate.ts';
import { clean } from '../statistics/quantile.ts';
import type { Betas } from './beta.ts';
import { type Difference, symbolsOfBtc } from './differences.ts';
import type { MediansFinding } from './findings.ts';
import type { HistoryCard } from './history-card.ts';
import {
  LEAST_FRACTION_OF_OTHERS,
  type TimesCompared,
  timesForNotebook,
  timesFromNotebook,
} from './last-30-days.ts';
import {
  chainOf,
  LEAST_FOR_MEDIANS,
  type ServiceAnswer,
  STATS_WINDOW,
  VARIANCE_WINDOW,
} from './service-answers.ts';
import {
  type Composition,
  compositionsOf,
  type VarianceParts,
  variancePartsOf,
} from './variance-parts.ts';

/** The difference of a type to the other types, as the notebook has it. */
export type ServiceMedian = MediansFinding['types'][string];

export interface ServiceEstimate extends Estimate {
  /** How many windows of 30 days it is made from. */
  readonly windows: number;
  /** The mean of the service's own medians of the difference to BTC, percentage points. */
  readonly vsBtc: number;
  /** What was subtracted because slopes explain it, percentage points. */
  readonly explainedByBeta: number;
  /** When the newest window ended, epoch milliseconds UTC. */
  readonly askedAt: number;
  /** The newest window beside the earlier ones; undefined without two. */
  readonly timesCompared: TimesCompared | undefined;
}

export function serviceEstimate(median: ServiceMedian): ServiceEstimate {
  const {
    difference_percentage_points: value,
    standard_error: error,
    degrees_of_freedom: df,
    // How far missing outcomes may have moved the difference. `movedByOwn`: by all that the type lacks. `movedByOwnLessOthers`:
    // if outcomes are missing in the same way in all types, only by what the type lacks more than the others, or less.
    missing_percentage_points: movedByOwn,
    missing_beyond_others_percentage_points: movedByOwnLessOthers,
  } = median;
  const span = (STATS_WINDOW / DAY) * median.windows;
  const basis = { size: median.sample, span, clusters: median.clusters };
  const halfWidth = (points: number, level: number) => {
    // The missing outcomes may move the value by `points` up or down: between the two lies twice as much.
    const widthInErrors = (2 * points) / error;
    const t = quantileWithMissing(widthInErrors, df, level);
    return points + t * error;
  };
  const boundsAt = oncePerKey((level: number) => {
    // A level is the chance to miss the true value, so the larger one makes the narrower interval. For the type's own lost
    // outcomes the 95 % interval is widened, even if the 99.7 % one is asked for. Otherwise, with 5 % of the outcomes lost, one
    // right verdict in five would be hidden.
    const halfByOwn = halfWidth(movedByOwn, Math.max(level, LEVEL));
    const halfByOwnLessOthers = halfWidth(movedByOwnLessOthers, level);
    const half = Math.max(halfByOwn, halfByOwnLessOthers);
    return { low: value - half, high: value + half };
  });
  const isNothingMissing = movedByOwn === 0 && movedByOwnLessOthers === 0;
  return {
    ...estimateByT(value, error, df, basis),
    bounds: isNothingMissing ? undefined : boundsAt,
    windows: median.windows,
    vsBtc: median.median_vs_btc_percentage_points,
    explainedByBeta: median.beta_percentage_points,
    askedAt: timeAt(median.asked_at),
    timesCompared: median.lately === undefined ? undefined : timesFromNotebook(median.lately),
  };
}

/** What the differences are worked out from. */
export interface MediansQuestion {
  readonly answers: readonly ServiceAnswer[];
  /** All cards, bought or not, oldest first. */
  readonly cards: readonly HistoryCard[];
  /** The differences to BTC of the bought cards, minus what slopes explain, oldest first. */
  readonly differences: readonly Difference[];
  readonly betas: Betas;
  readonly horizon: HorizonName;
  /** The symbols that are BTC itself: the service counts their differences, which are 0, too. */
  readonly btcSymbols: ReadonlySet<string>;
  /**
   * When the present settings of a type began, epoch milliseconds UTC: an answer does not count if its window began earlier.
   */
  readonly settingsSince: ReadonlyMap<string, number>;
}

/** @returns the median of each type; a type without an answer that can be trusted has no entry */
export function serviceMedians(question: MediansQuestion): ReadonlyMap<string, ServiceMedian> {
  const { differences, horizon } = question;
  const answers = trustedAnswers(question);
  const lastDay = differences.at(-1)?.day ?? 0;
  const latest = differences.filter(({ day }) => day > lastDay - VARIANCE_WINDOW / DAY);
  const { clusterDays } = clusteredMedian(latest, blockLengthsOf(horizon));
  // These medians are not corrected for BTC's own cards: the correction needs the parts, which are worked out from them.
  const withoutSlopes = answers.map((answer) => ({
    ...answer,
    median: answer.median - answer.explained,
  }));
  const parts = variancePartsOf(latest, withoutSlopes, clusterDays);
  if (parts === undefined) return new Map();
  const medians = new Map<string, ServiceMedian>();
  for (const [type, answersOfType] of groupBy(answers, (answer) => answer.type)) {
    const answersOfOthers = groupBy(
      answers.filter((answer) => answer.type !== type),
      (answer) => answer.type,
    );
    const median = medianOfType(chainOf(answersOfType), [...answersOfOthers.values()], parts);
    if (median !== undefined) medians.set(type, median);
  }
  return medians;
}

/**
 * A window is corrected for BTC's own cards if at most this share of its cards is BTC's, a fraction. `movedByBtc` says how far so
 * many cards move a median.
 */
const MOST_OF_BTC = 0.2;

/** An answer that counts the same cards as the history lists, all of them under present settings. */
interface TrustedAnswer {
  /** Epoch milliseconds UTC; the window is the 30 days before. */
  readonly at: number;
  readonly type: string;
  /** The service's median of the differences to BTC, percentage points. */
  readonly median: number;
  /** Outcomes that the service counted. */
  readonly sample: number;
  /** Lost outcomes for each measured outcome: 0.05 for 5 lost and 100 measured ones. */
  readonly lost: number;
  /** The share of the window's cards whose symbol is BTC, a fraction. */
  readonly btcShare: number;
  /** What slopes explain of the median, percentage points. */
  readonly explained: number;
  /** BTC's mean move on the days of the window's cards, percent. */
  readonly btcMove: number;
  /** The variance of the error of the type's slope (see `Betas`). */
  readonly slopeVariance: number;
  /** Where the window's cards lie: on which days and symbols. */
  readonly composition: Composition;
}

/** Why an answer is left out. */
export type AnswerFault =
  /** The service marked it as stale. */
  | 'stale'
  /** Its window has too few outcomes for a median. */
  | 'few'
  /** It counts other cards than the history lists. */
  | 'does_not_fit'
  /** More of its cards are BTC's own than can be corrected for. */
  | 'counts_btc';

/**
 * The cards of an answer's window. If the service counted only some of them (`sample_limited`), it counted the latest.
 * @param cards the cards of the answer's type, oldest first
 */
function cardsWithin(
  cards: readonly HistoryCard[],
  { at, stats }: ServiceAnswer,
): readonly HistoryCard[] {
  const { right: firstAfter } = bisector((card: HistoryCard) => card.at);
  const listed = cards.slice(firstAfter(cards, at - STATS_WINDOW), firstAfter(cards, at));
  return stats.sample_limited ? listed.slice(-stats.sampled_rows) : listed;
}

/**
 * Why an answer cannot be trusted; undefined if it can.
 * @param cards the cards of the answer's type and window, as the history lists them
 */
function answerFault(
  { stats }: ServiceAnswer,
  cards: readonly HistoryCard[],
  horizon: HorizonName,
  btcSymbols: ReadonlySet<string>,
): AnswerFault | undefined {
  const figures = stats.horizons[horizon];
  if (stats.stale) return 'stale';
  if (figures.median_vs_btc_percentage_points === null || figures.btc_sample < LEAST_FOR_MEDIANS)
    return 'few';
  if (cards.length === 0) return 'does_not_fit';
  // With few cards, chance alone makes a difference of a tenth: one of 20 sound answers would be left out. Then the square root
  // is the tolerance.
  const tolerance = Math.max(cards.length / 10, Math.sqrt(cards.length));
  const counted = figures.sample + figures.pending + figures.missing;
  if (Math.abs(counted - cards.length) > tolerance) return 'does_not_fit';
  const cardsOfBtc = cards.filter(({ symbol }) => btcSymbols.has(symbol)).length;
  return cardsOfBtc > MOST_OF_BTC * cards.length ? 'counts_btc' : undefined;
}

/**
 * Why the newest answer of a type is left out, by type; a type whose newest answer counts has no entry.
 * @param answers oldest first
 * @param cards oldest first
 */
export function answersLeftOut(
  answers: readonly ServiceAnswer[],
  cards: readonly HistoryCard[],
  horizon: HorizonName,
): ReadonlyMap<string, AnswerFault> {
  const btcSymbols = symbolsOfBtc(cards);
  const cardsOf = groupBy(cards, ({ type }) => type);
  // A later answer takes the place of an earlier one of its type.
  const newest = new Map(answers.map((answer) => [answer.type, answer]));
  const faults = new Map<string, AnswerFault>();
  for (const [type, answer] of newest) {
    const listed = cardsWithin(cardsOf.get(type) ?? [], answer);
    const fault = answerFault(answer, listed, horizon, btcSymbols);
    if (fault !== undefined) faults.set(type, fault);
  }
  return faults;
}

/** @returns the answers that can be trusted, oldest first */
function trustedAnswers({
  answers,
  cards,
  betas,
  horizon,
  btcSymbols,
  settingsSince,
}: MediansQuestion): TrustedAnswer[] {
  const compositionOf = compositionsOf(cards);
  const cardsOf = groupBy(cards, ({ type }) => type);
  const trusted: TrustedAnswer[] = [];
  for (const answer of answers.toSorted((one, other) => one.at - other.at)) {
    const { at, type, stats } = answer;
    const windowBegins = at - STATS_WINDOW;
    const settingsBegan = settingsSince.get(type);
    if (settingsBegan !== undefined && windowBegins < settingsBegan) continue;
    const listed = cardsWithin(cardsOf.get(type) ?? [], answer);
    if (answerFault(answer, listed, horizon, btcSymbols) !== undefined) continue;
    const figures = stats.horizons[horizon];
    const compared = listed.filter(({ symbol }) => !btcSymbols.has(symbol));
    // Some cards without an outcome are in the list, but in no count of the service. So the larger number is taken: the outcomes
    // that it counts, or the listed cards that are not pending.
    const counted = figures.sample + figures.missing;
    const listedAndDue = listed.length - figures.pending;
    const measurable = Math.max(counted, listedAndDue);
    trusted.push({
      at,
      type,
      // `answerFault` left out an answer without a median.
      median: figures.median_vs_btc_percentage_points ?? Number.NaN,
      sample: figures.btc_sample,
      lost: measurable / figures.btc_sample - 1,
      btcShare: 1 - compared.length / listed.length,
      explained: betas.explainedOf(compared),
      btcMove: betas.btcOf(compared),
      slopeVariance: betas.slopeVariance(type),
      composition: compositionOf(listed),
    });
  }
  return trusted;
}

/** An answer, and its weight in a sum of answers. */
interface Term {
  readonly answer: TrustedAnswer;
  readonly weight: number;
}

/** An answer of a type, beside the answers of other types. */
interface AnswerComparison {
  readonly answer: TrustedAnswer;
  /** For each other type: the answer that is nearest in time. */
  readonly nearest: readonly TrustedAnswer[];
}

/**
 * @param chain answers of the type on windows that follow each other, oldest first
 * @param answersOfOthers all answers of each other type
 * @returns undefined if no window of another type overlaps
 */
function medianOfType(
  chain: readonly TrustedAnswer[],
  answersOfOthers: readonly (readonly TrustedAnswer[])[],
  parts: VarianceParts,
): ServiceMedian | undefined {
  const comparisons = chain
    .map((answer): AnswerComparison => ({ answer, nearest: nearestTo(answer, answersOfOthers) }))
    .filter(({ nearest }) => nearest.length > 0);
  if (comparisons.length === 0) return undefined;
  const terms = weightedMean(comparisons.map(termsOfComparison), parts);
  const answersOfType = new Set(comparisons.map(({ answer }) => answer));
  const termsOfType = terms.filter(({ answer }) => answersOfType.has(answer));
  // If as many outcomes are lost as are measured, a median moves by at most `slope`.
  const missingOf = ({ answer, weight }: Term) => weight * answer.lost * parts.slope(answer.type);
  const estimate = estimateOf(terms, parts);
  const times = compareTimes(comparisons, parts);
  return {
    asked_at: formatApiTime(Math.max(...comparisons.map(({ answer }) => answer.at))),
    difference_percentage_points: clean(estimate.value),
    standard_error: clean(estimate.error),
    degrees_of_freedom: clean(estimate.degreesOfFreedom),
    sample: sum(comparisons, ({ answer }) => answer.sample),
    windows: comparisons.length,
    clusters: parts.blocks,
    missing_percentage_points: clean(sum(termsOfType, missingOf)),
    // The weights of the other types are negative: what they lack is subtracted.
    missing_beyond_others_percentage_points: clean(Math.abs(sum(terms, missingOf))),
    median_vs_btc_percentage_points: clean(
      sum(termsOfType, ({ answer, weight }) => weight * answer.median),
    ),
    beta_percentage_points: clean(sum(terms, ({ answer, weight }) => weight * answer.explained)),
    ...(times === undefined ? {} : { lately: times }),
  };
}

/** For each other type: the answer that is nearest in time, if its window overlaps. */
function nearestTo(
  answer: TrustedAnswer,
  answersOfOthers: readonly (readonly TrustedAnswer[])[],
): TrustedAnswer[] {
  const distance = ({ at }: TrustedAnswer) => Math.abs(at - answer.at);
  const allNearest: TrustedAnswer[] = [];
  for (const answersOfType of answersOfOthers) {
    const nearest = least(answersOfType, distance);
    if (nearest !== undefined && distance(nearest) < STATS_WINDOW) allNearest.push(nearest);
  }
  return allNearest;
}

/** The answer minus the mean of the other types' answers, weighted by their samples. */
function termsOfComparison({ answer, nearest }: AnswerComparison): Term[] {
  const total = sum(nearest, ({ sample }) => sample);
  const others = nearest.map((other): Term => ({ answer: other, weight: -other.sample / total }));
  return [{ answer, weight: 1 }, ...others];
}

/** The mean of several sums of answers, each weighted by its precision (1 / variance), as one sum. */
function weightedMean(sums: readonly (readonly Term[])[], parts: VarianceParts): Term[] {
  const precisions = sums.map((terms) => 1 / varianceOf(terms, parts).all);
  const total = sum(precisions);
  const weighted = sums.flatMap((terms, i) => {
    const share = (precisions[i] ?? 0) / total;
    return scaled(terms, share);
  });
  return merged(weighted);
}

/** The sum of answers, times a factor. */
function scaled(terms: readonly Term[], factor: number): Term[] {
  return terms.map(({ answer, weight }) => ({ answer, weight: weight * factor }));
}

/** The same sum, with each answer in it once. */
function merged(terms: readonly Term[]): Term[] {
  const weights = new Map<TrustedAnswer, number>();
  for (const { answer, weight } of terms) weights.set(answer, (weights.get(answer) ?? 0) + weight);
  return [...weights].map(([answer, weight]) => ({ answer, weight }));
}

/** A sum of answers: its value, error and degrees of freedom. Percentage points. */
interface AnswersEstimate {
  readonly value: number;
  readonly error: number;
  readonly degreesOfFreedom: number;
}

function estimateOf(terms: readonly Term[], parts: VarianceParts): AnswersEstimate {
  const variance = varianceOf(terms, parts);
  return {
    value: sum(terms, ({ answer, weight }) => weight * corrected(answer, parts)),
    error: Math.sqrt(variance.all),
    degreesOfFreedom: degreesOfFreedomOf(variance, parts),
  };
}

/** Satterthwaite (1946): V² / Σ (V_k² / d_k) over the parts V_k of the variance V, d_k the degrees of freedom of each. */
function degreesOfFreedomOf(variance: Variance, parts: VarianceParts): number {
  const { outcomes, blocks, symbols } = parts;
  const cardsTerm = variance.ofCards ** 2 / freedomOfDensity(outcomes);
  const daysTerm = variance.ofDays ** 2 / (blocks - 1);
  const symbolsTerm = variance.ofSymbols > 0 ? variance.ofSymbols ** 2 / (symbols - 1) : 0;
  return variance.all ** 2 / (cardsTerm + daysTerm + symbolsTerm);
}

/**
 * Degrees of freedom of the estimate of a median's own variance: 25.5 for 100 bought outcomes. That variance is 1 / (4 n f²). n:
 * the bought outcomes. f: the density at the median, estimated by a Gaussian kernel of width h.
 *
 * The relative variance of 1 / f² is 2 / (√π n h f). An estimate of a variance with d degrees of freedom has the relative
 * variance 2 / d: so d = √π n h f. With Silverman's width, h = 0.9 σ n^-0.2, and normal outcomes, d = 0.9 / √2 · n^0.8.
 */
function freedomOfDensity(outcomes: number): number {
  return 0.64 * outcomes ** 0.8;
}

/**
 * By how much BTC's own cards move a median at most, percentage points: their difference is 0, so all of them lie on one side of
 * it. If they are a fifth of the cards, that is 0.2 / 0.8, a quarter, of `VarianceParts.slope`.
 */
function movedByBtc({ type, btcShare }: TrustedAnswer, parts: VarianceParts): number {
  return (btcShare / (1 - btcShare)) * parts.slope(type);
}

/**
 * A median without BTC's own cards, which draw it towards 0, and minus what slopes explain. With one card in 66 that was BTC's
 * own, a simulated difference of 1.27 pp came out as 1.18 without the correction for BTC's cards.
 */
function corrected(answer: TrustedAnswer, parts: VarianceParts): number {
  return answer.median - answer.explained + Math.sign(answer.median) * movedByBtc(answer, parts);
}

/** The variance of a sum of answers, in parts that add up to `all`. Percentage points squared. */
interface Variance {
  /** What is each card's alone, and the error of what slopes explain. */
  readonly ofCards: number;
  /** What cards of one day or block of days share. */
  readonly ofDays: number;
  /** What cards of one symbol share. */
  readonly ofSymbols: number;
  readonly all: number;
}

function varianceOf(terms: readonly Term[], parts: VarianceParts): Variance {
  const contrast = terms.map(({ answer, weight }) => ({ composition: answer.composition, weight }));
  const ofAnswers = sum(
    terms,
    ({ answer, weight }) => weight ** 2 * varianceOfAnswer(answer, parts),
  );
  const ofCards = ofAnswers + varianceOfBetas(terms);
  const ofDays = parts.ofShared(contrast);
  const ofSymbols = parts.ofSymbols(contrast);
  return { ofCards, ofDays, ofSymbols, all: ofCards + ofDays + ofSymbols };
}

/**
 * The part of the variance of one corrected answer that is each card's alone. BTC's own cards do not count, because their
 * difference is always 0.
 */
function varianceOfAnswer(answer: TrustedAnswer, parts: VarianceParts): number {
  const sampleWithoutBtc = answer.sample * (1 - answer.btcShare);
  // The correction may be wrong in size and in sign: its error is taken to be anywhere from −movedByBtc to +movedByBtc. A
  // uniform distribution from −a to a has the variance a² / 3.
  const ofCorrection = movedByBtc(answer, parts) ** 2 / 3;
  return parts.ofOneCard(answer.type) / sampleWithoutBtc + ofCorrection;
}

/**
 * The variance of what slopes explain. The error of a type's slope is the same in all answers of the type: so BTC's moves in
 * these answers are added up before they are squared.
 */
function varianceOfBetas(terms: readonly Term[]): number {
  let variance = 0;
  for (const termsOfType of groupBy(terms, ({ answer }) => answer.type).values()) {
    const btcMove = sum(termsOfType, ({ answer, weight }) => weight * answer.btcMove);
    variance += btcMove ** 2 * (termsOfType[0]?.answer.slopeVariance ?? 0);
  }
  return variance;
}

/**
 * The newest window compared with the earlier ones, each beside the same other types; undefined if there are no earlier ones.
 */
function compareTimes(
  comparisons: readonly AnswerComparison[],
  parts: VarianceParts,
): ServiceMedian['lately'] | undefined {
  const newest = comparisons.slice(-1);
  const earlier = comparisons.slice(0, -1);
  const typesInNewest = otherTypesOf(newest);
  const typesInEarlier = otherTypesOf(earlier);
  const inBoth = new Set([...typesInNewest].filter((type) => typesInEarlier.has(type)));
  const [newestTerms] = restricted(newest, inBoth).map(termsOfComparison);
  const earlierSums = restricted(earlier, inBoth).map(termsOfComparison);
  if (newestTerms === undefined || earlierSums.length === 0) return undefined;
  const othersInNewest = newest.flatMap(({ nearest }) => nearest);
  const othersInBoth = othersInNewest.filter(({ type }) => inBoth.has(type));
  const sampleInNewest = sum(othersInNewest, ({ sample }) => sample);
  const sampleInBoth = sum(othersInBoth, ({ sample }) => sample);
  if (sampleInBoth < LEAST_FRACTION_OF_OTHERS * sampleInNewest) return undefined;
  const earlierTerms = weightedMean(earlierSums, parts);
  const difference = merged([...newestTerms, ...scaled(earlierTerms, -1)]);
  return timesForNotebook(
    estimateWithoutCounts(estimateOf(newestTerms, parts)),
    estimateWithoutCounts(estimateOf(earlierTerms, parts)),
    estimateOf(difference, parts),
  );
}

function otherTypesOf(comparisons: readonly AnswerComparison[]): ReadonlySet<string> {
  const types = new Set<string>();
  for (const { nearest } of comparisons) for (const { type } of nearest) types.add(type);
  return types;
}

/** The comparisons with these other types alone. A comparison with none of them is left out. */
function restricted(
  comparisons: readonly AnswerComparison[],
  otherTypes: ReadonlySet<string>,
): AnswerComparison[] {
  return comparisons
    .map(({ answer, nearest }): AnswerComparison => {
      return { answer, nearest: nearest.filter(({ type }) => otherTypes.has(type)) };
    })
    .filter(({ nearest }) => nearest.length > 0);
}

/** An estimate of which only the value and the interval are read: its counts are 0. */
function estimateWithoutCounts({ value, error, degreesOfFreedom }: AnswersEstimate): Estimate {
  return estimateByT(value, error, degreesOfFreedom, { size: 0, span: 0, clusters: 0 });
}
