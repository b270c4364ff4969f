/**
 * Service medians of 30 days of each screener type against the others, over all outcomes, bought or not:
 * D = M_t − Σ N_g M_g / Σ N_g over the other types g, each with its nearest answer, less what betas explain.
 *
 * The estimate is a sum of answers' medians, its variance from `variance-parts.ts`, its degrees of freedom by parts
 * (Satterthwaite 1946). Against BTC it was wrong in up to 17 % of simulated histories, so it has no interval there.
 */
import { bisector, least, sum } from 'd3-array';
import { blocksOf, type HorizonName } from '../api/contract/horizons.ts';
import { formatApiTime, at as timeAt } from '../api/time.ts';
import { groupBy } from '../base/collections.ts';
import { DAY } from '../base/units.ts';
import { clusteredMedian, quantileWithMissing } from '../statistics/clustered-median.ts';
import { type Estimate, estimateByT, LEVEL } from '../statistics/estimate.ts';
import { clean } from '../statistics/quantile.ts';
import type { Betas } from './beta.ts';
import { type Difference, symbolsOfBtc } from './differences.ts';
import type { MediansFinding } from './findings.ts';
import { type Lately, latelyFrom, latelyNoted } from './lately.ts';
import type { Row } from './row.ts';
import { chainOf, KNOWN_WINDOW, type ServiceAnswer, STATS_WINDOW } from './service-answers.ts';
import { partsOf, type Shares, sharesOfCards, type VarianceParts } from './variance-parts.ts';

/** As the notebook has it. */
export type ServiceMedian = MediansFinding['types'][string];

export interface ServiceEstimate extends Estimate {
  /** Windows of 30 days. */
  readonly windows: number;
  /** The service's own medians of the difference to BTC, percentage points. */
  readonly vsBtc: number;
  /** What betas took off, percentage points. */
  readonly beta: number;
  /** When the newest window ended, epoch milliseconds UTC. */
  readonly askedAt: number;
  /** The newest window beside the earlier ones; undefined without two. */
  readonly lately: Lately | undefined;
}

export function serviceEstimate(median: ServiceMedian): ServiceEstimate {
  const {
    difference_percentage_points: value,
    standard_error: error,
    degrees_of_freedom: df,
    missing_percentage_points: moved,
    missing_beyond_others_percentage_points: movedBeyondOthers,
  } = median;
  const span = (STATS_WINDOW / DAY) * median.windows;
  const of = { size: median.sample, span, clusters: median.clusters };
  const halfOf = (points: number, level: number) =>
    points + quantileWithMissing((2 * points) / error, df, level) * error;
  // The type's lost outcomes at the level of three errors would hide one in five right words where 5 % are lost.
  const widened = (level: number) => {
    const half = Math.max(halfOf(moved, Math.max(level, LEVEL)), halfOf(movedBeyondOthers, level));
    return { low: value - half, high: value + half };
  };
  return {
    ...estimateByT(value, error, df, of),
    bounds: moved + movedBeyondOthers === 0 ? undefined : widened,
    windows: median.windows,
    vsBtc: median.median_vs_btc_percentage_points,
    beta: median.beta_percentage_points ?? 0,
    askedAt: timeAt(median.asked_at),
    lately: median.lately && latelyFrom(median.lately),
  };
}

export interface MediansQuestion {
  readonly answers: readonly ServiceAnswer[];
  /** All cards, bought or not, oldest first. */
  readonly cards: readonly Row[];
  /** Differences to BTC of the bought ones, less what betas explain, oldest first. */
  readonly differences: readonly Difference[];
  readonly betas: Betas;
  readonly horizon: HorizonName;
  /** The symbols that are BTC itself: the service counts their differences of zero, too. */
  readonly ofBtc: ReadonlySet<string>;
  /** Present settings of a type since then, epoch milliseconds UTC: answers on older windows do not count. */
  readonly settingsSince: ReadonlyMap<string, number>;
}

/** @returns medians by type, of all that is known; none for a type without an answer that can be trusted */
export function serviceMedians(question: MediansQuestion): ReadonlyMap<string, ServiceMedian> {
  const { differences, horizon } = question;
  const answered = trustedAnswers(question);
  const last = differences.at(-1)?.day ?? 0;
  const latest = differences.filter(({ day }) => day > last - KNOWN_WINDOW / DAY);
  const { clusterDays } = clusteredMedian(latest, blocksOf(horizon));
  const centres = answered.map((one) => ({ ...one, median: one.median - one.explained }));
  const parts = partsOf(latest, centres, clusterDays);
  if (parts === undefined) return new Map();
  const medians = new Map<string, ServiceMedian>();
  for (const [type, answersOfType] of groupBy(answered, (one) => one.type)) {
    const others = groupBy(
      answered.filter((one) => one.type !== type),
      (one) => one.type,
    );
    const median = medianOfType(chainOf(answersOfType), [...others.values()], parts);
    if (median !== undefined) medians.set(type, median);
  }
  return medians;
}

/** Of the cards of a window that are BTC's own, the largest share that can be corrected. */
const MOST_OF_BTC = 0.2;

const LEAST_SAMPLE = 8;

/** An answer that is of the history's cards, under present settings. */
interface Answered {
  /** Epoch milliseconds UTC; the window is the 30 days before. */
  readonly at: number;
  readonly type: string;
  /** Of the differences to BTC, as the service said, percentage points. */
  readonly median: number;
  /** Outcomes that the service counted. */
  readonly sample: number;
  /** Lost outcomes beside a measured one. */
  readonly lost: number;
  /** Share of BTC's own cards. */
  readonly ofBtc: number;
  /** What betas explain, percentage points. */
  readonly explained: number;
  /** BTC's mean move on the days of its cards, percent, and the variance of its type's slope. */
  readonly btc: number;
  readonly slopeVariance: number;
  /** Of its cards by day and symbol. */
  readonly shares: Shares;
}

/** Why an answer is left out; `few`: its window has too few outcomes for a median. */
export type AnswerFault = 'stale' | 'does_not_fit' | 'counts_btc' | 'few';

/** The cards of an answer's window, of one type; as many of the latest as the service sampled. @param cards oldest first */
function cardsWithin(cards: readonly Row[], { at, stats }: ServiceAnswer): readonly Row[] {
  const { right: firstAfter } = bisector((card: Row) => card.at);
  const listed = cards.slice(firstAfter(cards, at - STATS_WINDOW), firstAfter(cards, at));
  return stats.sample_limited ? listed.slice(-stats.sampled_rows) : listed;
}

/**
 * Why an answer cannot be trusted; undefined if it can.
 * @param cards of its type in its window, as the history lists them
 */
export function faultOf(
  { stats }: ServiceAnswer,
  cards: readonly Row[],
  horizon: HorizonName,
  ofBtc: ReadonlySet<string>,
): AnswerFault | undefined {
  const figures = stats.horizons[horizon];
  if (stats.stale) return 'stale';
  if (figures.median_vs_btc_percentage_points === null || figures.btc_sample < LEAST_SAMPLE)
    return 'few';
  if (cards.length === 0) return 'does_not_fit';
  // The root is for small answers: a tenth alone left out one in twenty by chance.
  const tolerance = Math.max(cards.length / 10, Math.sqrt(cards.length));
  const counted = figures.sample + figures.pending + figures.missing;
  if (Math.abs(counted - cards.length) > tolerance) return 'does_not_fit';
  const cardsOfBtc = cards.filter(({ symbol }) => ofBtc.has(symbol)).length;
  return cardsOfBtc > MOST_OF_BTC * cards.length ? 'counts_btc' : undefined;
}

/** The newest answer of each type that is left out, and why. @param cards oldest first */
export function answersLeftOut(
  answers: readonly ServiceAnswer[],
  cards: readonly Row[],
  horizon: HorizonName,
): ReadonlyMap<string, AnswerFault> {
  const ofBtc = symbolsOfBtc(cards);
  const cardsOf = groupBy(cards, ({ type }) => type);
  const newest = new Map(answers.map((answer) => [answer.type, answer]));
  const faults = new Map<string, AnswerFault>();
  for (const [type, answer] of newest) {
    const listed = cardsWithin(cardsOf.get(type) ?? [], answer);
    const fault = faultOf(answer, listed, horizon, ofBtc);
    if (fault !== undefined) faults.set(type, fault);
  }
  return faults;
}

/** Oldest first. */
function trustedAnswers({
  answers,
  cards,
  betas,
  horizon,
  ofBtc,
  settingsSince,
}: MediansQuestion): Answered[] {
  const sharesOf = sharesOfCards(cards);
  const cardsOf = groupBy(cards, ({ type }) => type);
  const trusted: Answered[] = [];
  for (const answer of answers.toSorted((one, other) => one.at - other.at)) {
    const { at, type, stats } = answer;
    const begins = at - STATS_WINDOW;
    if (begins < (settingsSince.get(type) ?? begins)) continue;
    const listed = cardsWithin(cardsOf.get(type) ?? [], answer);
    if (faultOf(answer, listed, horizon, ofBtc) !== undefined) continue;
    const figures = stats.horizons[horizon];
    const compared = listed.filter(({ symbol }) => !ofBtc.has(symbol));
    // The service lists cards without an outcome, but counts them nowhere.
    const measurable = Math.max(figures.sample + figures.missing, listed.length - figures.pending);
    trusted.push({
      at,
      type,
      median: figures.median_vs_btc_percentage_points ?? Number.NaN,
      sample: figures.btc_sample,
      lost: measurable / figures.btc_sample - 1,
      ofBtc: 1 - compared.length / listed.length,
      explained: betas.explainedOf(compared),
      btc: betas.btcOf(compared),
      slopeVariance: betas.slopeVariance(type),
      shares: sharesOf(listed),
    });
  }
  return trusted;
}

/** An answer, and how much of it is in a sum of answers. */
interface Term {
  readonly answer: Answered;
  readonly weight: number;
}

/** An answer of a type, and those of other types that are nearest to it in time. */
interface Look {
  readonly own: Answered;
  readonly nearest: readonly Answered[];
}

/**
 * @param chain answers of the type on windows that follow each other, oldest first
 * @param others all answers of each other type @returns undefined if no window of another type overlaps
 */
function medianOfType(
  chain: readonly Answered[],
  others: readonly (readonly Answered[])[],
  parts: VarianceParts,
): ServiceMedian | undefined {
  const looks = chain
    .map((own): Look => ({ own, nearest: nearestTo(own, others) }))
    .filter(({ nearest }) => nearest.length > 0);
  if (looks.length === 0) return undefined;
  const terms = weighed(looks.map(termsOfLook), parts);
  const owns = new Set(looks.map(({ own }) => own));
  const ownTerms = terms.filter(({ answer }) => owns.has(answer));
  // A median moves by at most 1 / (2 f) for each lost outcome beside a measured one.
  const movedBy = ({ answer, weight }: Term) => weight * answer.lost * parts.slope(answer.type);
  const estimate = estimateOf(terms, parts);
  const lately = latelyOf(looks, parts);
  return {
    asked_at: formatApiTime(Math.max(...looks.map(({ own }) => own.at))),
    difference_percentage_points: clean(estimate.value),
    standard_error: clean(estimate.error),
    degrees_of_freedom: clean(estimate.degreesOfFreedom),
    sample: sum(looks, ({ own }) => own.sample),
    windows: looks.length,
    clusters: parts.blocks,
    missing_percentage_points: clean(sum(ownTerms, movedBy)),
    missing_beyond_others_percentage_points: clean(Math.abs(sum(terms, movedBy))),
    median_vs_btc_percentage_points: clean(
      sum(ownTerms, ({ answer, weight }) => weight * answer.median),
    ),
    beta_percentage_points: clean(sum(terms, ({ answer, weight }) => weight * answer.explained)),
    ...(lately === undefined ? {} : { lately }),
  };
}

/** Of each other type the answer that is nearest in time, if its window overlaps. */
function nearestTo(own: Answered, others: readonly (readonly Answered[])[]): Answered[] {
  const distance = ({ at }: Answered) => Math.abs(at - own.at);
  const nearest: Answered[] = [];
  for (const answers of others) {
    const answer = least(answers, distance);
    if (answer !== undefined && distance(answer) < STATS_WINDOW) nearest.push(answer);
  }
  return nearest;
}

/** An answer less the mean of the others. */
function termsOfLook({ own, nearest }: Look): Term[] {
  const total = sum(nearest, ({ sample }) => sample);
  return [
    { answer: own, weight: 1 },
    ...nearest.map((answer) => ({ answer, weight: -answer.sample / total })),
  ];
}

/** The mean of several looks by their precision, as one sum. */
function weighed(looks: readonly (readonly Term[])[], parts: VarianceParts): Term[] {
  const precisions = looks.map((terms) => 1 / varianceOf(terms, parts).all);
  const total = sum(precisions);
  return merged(
    looks.flatMap((terms, i) => {
      const share = (precisions[i] ?? 0) / total;
      return terms.map(({ answer, weight }) => ({ answer, weight: weight * share }));
    }),
  );
}

/** Each answer once. */
function merged(terms: readonly Term[]): Term[] {
  const weights = new Map<Answered, number>();
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
  const { own, shared, ofSymbols, all } = varianceOf(terms, parts);
  const { size, blocks, symbols } = parts;
  // Satterthwaite (1946): the square of each part of the variance, over the degrees of freedom of that part.
  const squaresOverFreedom =
    own ** 2 / freedomOfDensity(size) +
    shared ** 2 / (blocks - 1) +
    (ofSymbols > 0 ? ofSymbols ** 2 / (symbols - 1) : 0);
  return {
    value: sum(terms, ({ answer, weight }) => weight * corrected(answer, parts)),
    error: Math.sqrt(all),
    degreesOfFreedom: all ** 2 / squaresOverFreedom,
  };
}

/**
 * Degrees of freedom of a median's own variance, which is 1 / (4 n f²): f is the density at the median, by a Gaussian kernel
 * of width h over n bought outcomes. The relative variance of 1 / f² is 2 / (√π n h f), and 2 / d where d are degrees of
 * freedom. With Silverman's h = 0.9 σ n^-0.2, and normal outcomes, d = √π n h f = 0.9 / √2 n^0.8.
 */
function freedomOfDensity(outcomes: number): number {
  return 0.64 * outcomes ** 0.8;
}

/** What BTC's own cards move a median by at most: they differ from BTC by 0. */
function movedByBtc({ type, ofBtc }: Answered, parts: VarianceParts): number {
  return (ofBtc / (1 - ofBtc)) * parts.slope(type);
}

/**
 * A median without BTC's own cards, and less what betas explain. Where one card in 66 was BTC's own, simulated differences
 * of 1.27 pp were shown as 1.18.
 */
function corrected(answer: Answered, parts: VarianceParts): number {
  return answer.median - answer.explained + Math.sign(answer.median) * movedByBtc(answer, parts);
}

/** The variance of a sum of answers, in parts. */
interface Variance {
  /** Of each card for itself. */
  readonly own: number;
  /** Of what cards of one day or block of days share. */
  readonly shared: number;
  readonly ofSymbols: number;
  readonly all: number;
}

function varianceOf(terms: readonly Term[], parts: VarianceParts): Variance {
  const contrast = terms.map(({ answer, weight }) => [answer.shares, weight] as const);
  // BTC's own cards tell nothing, and on which side of 0 the median of the others lies may be wrong.
  const varianceOfAnswer = (answer: Answered) =>
    parts.own(answer.type) / (answer.sample * (1 - answer.ofBtc)) +
    movedByBtc(answer, parts) ** 2 / 3;
  const ofAnswers = sum(terms, ({ answer, weight }) => weight ** 2 * varianceOfAnswer(answer));
  const own = ofAnswers + varianceOfBetas(terms);
  const shared = parts.ofShared(contrast);
  const ofSymbols = parts.ofSymbols(contrast);
  return { own, shared, ofSymbols, all: own + shared + ofSymbols };
}

/** What betas take off is as wrong as a type's slope, in all answers of the type alike. */
function varianceOfBetas(terms: readonly Term[]): number {
  let variance = 0;
  for (const ofType of groupBy(terms, ({ answer }) => answer.type).values()) {
    const moved = sum(ofType, ({ answer, weight }) => weight * answer.btc);
    variance += moved ** 2 * (ofType[0]?.answer.slopeVariance ?? 0);
  }
  return variance;
}

/** The newest look beside the earlier ones, with the same other types in both. */
function latelyOf(
  looks: readonly Look[],
  parts: VarianceParts,
): ServiceMedian['lately'] | undefined {
  const newest = looks.at(-1);
  const earlier = looks.slice(0, -1);
  if (newest === undefined || earlier.length === 0) return undefined;
  const typesIn = (all: readonly Look[]) =>
    new Set(all.flatMap(({ nearest }) => nearest.map(({ type }) => type)));
  const inNewest = typesIn([newest]);
  const inEarlier = typesIn(earlier);
  const isInBoth = ({ type }: Answered) => inNewest.has(type) && inEarlier.has(type);
  const restricted = (all: readonly Look[]) =>
    all
      .map(({ own, nearest }): Look => ({ own, nearest: nearest.filter(isInBoth) }))
      .filter(({ nearest }) => nearest.length > 0)
      .map(termsOfLook);
  const last = restricted([newest])[0];
  const looksBefore = restricted(earlier);
  if (last === undefined || looksBefore.length === 0) return undefined;
  const before = weighed(looksBefore, parts);
  const lessBefore = before.map(({ answer, weight }) => ({ answer, weight: -weight }));
  return latelyNoted(
    byT(estimateOf(last, parts)),
    byT(estimateOf(before, parts)),
    estimateOf(merged([...last, ...lessBefore]), parts),
  );
}

const byT = ({ value, error, degreesOfFreedom }: AnswersEstimate): Estimate =>
  estimateByT(value, error, degreesOfFreedom, { size: 0, span: 0, clusters: 0 });
