/**
 * Service medians of 30 days of each screener type against the others, over all outcomes, bought or not:
 * D = M_t − Σ N_g M_g / Σ N_g over the other types g, each with its nearest answer.
 *
 * The estimate is a sum of answers' medians, its variance from `variance-parts.ts`, its degrees of freedom by parts
 * (Satterthwaite 1946). Against BTC it was wrong in up to 17 % of simulated histories, so it has no interval there.
 */

import { bisector, least, sum } from 'd3-array';
import { blocksOf, type HorizonName } from '../api/contract/horizons.ts';
import { formatApiTime, at as timeAt } from '../api/time.ts';
import { groupBy } from '../base/collections.ts';
import { DAY } from '../runtime/units.ts';
import { clusteredMedian, quantileWithMissing } from '../statistics/clustered-median.ts';
import { type Estimate, estimateByT, LEVEL } from '../statistics/estimate.ts';
import { clean } from '../statistics/quantile.ts';
import type { Difference } from './differences.ts';
import type { MediansFinding } from './findings.ts';
import type { Row } from './row.ts';
import { inSuccession, KNOWN_WINDOW, type ServiceAnswer, STATS_WINDOW } from './service-answers.ts';
import { partsOf, sharesOfCards, type VarianceParts } from './variance-parts.ts';

/** As the notebook has it. */
type ServiceMedian = MediansFinding['types'][string];

export type ServiceEstimate = ReturnType<typeof serviceEstimate>;

export function serviceEstimate(median: ServiceMedian) {
  const {
    windows,
    clusters,
    missing_percentage_points: own,
    missing_beyond_others_percentage_points: beyond,
  } = median;
  const of = { size: median.sample, span: (STATS_WINDOW / DAY) * windows, clusters };
  const {
    difference_percentage_points: value,
    standard_error: error,
    degrees_of_freedom: df,
  } = median;
  const estimate = estimateByT(value, error, df, of);
  const halfOf = (moved: number, level: number) =>
    moved + quantileWithMissing((2 * moved) / error, df, level) * error;
  // Own lost outcomes at Holm's level would hide one in five right words where 5 % are lost.
  const widened = (level: number) => {
    const half = Math.max(halfOf(own, Math.max(level, LEVEL)), halfOf(beyond, level));
    return { low: value - half, high: value + half };
  };
  return {
    ...estimate,
    bounds: own + beyond === 0 ? undefined : widened,
    /** Of 30 days. */
    windows,
    vsBtc: median.median_vs_btc_percentage_points,
    /** Epoch milliseconds UTC. */
    askedAt: timeAt(median.asked_at),
  };
}

interface MediansQuestion {
  readonly answers: readonly ServiceAnswer[];
  /** All cards, bought or not, oldest first. */
  readonly rows: readonly Row[];
  /** Differences to BTC of the bought ones, oldest first. */
  readonly differences: readonly Difference[];
  readonly horizon: HorizonName;
  /** The service counts their differences of zero, too. */
  readonly ofBtc: ReadonlySet<string>;
  /** Present settings of a type since then, epoch milliseconds UTC: answers on older windows do not count. */
  readonly settingsSince?: ReadonlyMap<string, number> | undefined;
}

/** @returns medians by type, of all that is known; none for a type without an answer */
export function serviceMedians(question: MediansQuestion): ReadonlyMap<string, ServiceMedian> {
  const { differences, horizon } = question;
  const answered = answeredOf(question);
  const last = differences.at(-1)?.day ?? 0;
  const latest = differences.filter(({ day }) => day > last - KNOWN_WINDOW / DAY);
  const parts = partsOf(latest, answered, clusteredMedian(latest, blocksOf(horizon)).clusterDays);
  if (parts === undefined) return new Map();
  const byType = groupBy(answered, ({ type }) => type);
  return new Map(
    [...inSuccession(answered)].flatMap(([type, windows]) => {
      const others = [...byType].flatMap(([other, ofOther]) => (other === type ? [] : [ofOther]));
      const median = medianOfType(windows, others, parts);
      return median === undefined ? [] : [[type, median] as const];
    }),
  );
}

const LEAST_SAMPLE = 8;

type Answered = ReturnType<typeof answeredOf>[number];

/** Answers under present settings on the cards that the history knows, oldest first. */
function answeredOf({ answers, rows, horizon, ofBtc, settingsSince }: MediansQuestion) {
  const sharesOf = sharesOfCards(rows);
  const rowsOf = groupBy(rows, ({ type }) => type);
  const { right: firstAfter } = bisector(({ at }: Row) => at);
  return answers
    .toSorted((one, other) => one.at - other.at)
    .flatMap(({ at, type, stats }) => {
      const figures = stats.horizons[horizon];
      const ofType = rowsOf.get(type) ?? [];
      const begin = at - STATS_WINDOW;
      const listed = ofType.slice(firstAfter(ofType, begin), firstAfter(ofType, at));
      const cards = stats.sample_limited ? listed.slice(-stats.sampled_rows) : listed;
      if (stats.stale || begin < (settingsSince?.get(type) ?? begin)) return [];
      const {
        sample,
        pending,
        missing,
        btc_sample,
        median_vs_btc_percentage_points: median,
      } = figures;
      if (median === null || btc_sample < LEAST_SAMPLE || cards.length === 0) return [];
      // The root is for small answers: a tenth alone left out one in twenty by chance.
      const few = Math.max(cards.length / 10, Math.sqrt(cards.length));
      if (Math.abs(sample + pending + missing - cards.length) > few) return [];
      const alike = cards.filter(({ symbol }) => ofBtc.has(symbol)).length;
      if (alike > few / 2) return [];
      // The service lists cards without an outcome, but counts them nowhere.
      const lost = Math.max(sample + missing, cards.length - pending) / btc_sample - 1;
      return [
        {
          at,
          type,
          median,
          sample: btc_sample,
          lost,
          alike: alike / cards.length,
          shares: sharesOf(cards),
        },
      ];
    });
}

/** A weighted sum of answers' medians. */
type Coefficients = readonly (readonly [of: Answered, weight: number])[];

function medianOfType(
  windows: readonly Answered[],
  others: readonly (readonly Answered[])[],
  parts: VarianceParts,
): ServiceMedian | undefined {
  const looks = windows
    .map((own) => againstNearest(own, others))
    .filter(({ length }) => length > 0);
  if (looks.length === 0) return undefined;
  const precisions = looks.map((look) => 1 / varianceOf(look, parts).all);
  const weights = new Map<Answered, number>();
  for (const [i, look] of looks.entries()) {
    const share = (precisions[i] ?? 0) / sum(precisions);
    for (const [answer, weight] of look)
      weights.set(answer, (weights.get(answer) ?? 0) + weight * share);
  }
  const coefficients = [...weights];
  const ofOwn = coefficients.filter(([{ type }]) => type === windows[0]?.type);
  // A median moves by at most 1 / (2 f) for each lost outcome beside a measured one.
  const movedBy = ([{ type, lost }, weight]: Coefficients[number]) =>
    weight * lost * parts.slope(type);
  const { own, shared, ofSymbols, all } = varianceOf(coefficients, parts);
  const { size, blocks, symbols } = parts;
  const doubt =
    own ** 2 / (0.64 * size ** 0.8) +
    shared ** 2 / (blocks - 1) +
    (symbols > 1 ? ofSymbols ** 2 / (symbols - 1) : 0);
  return {
    asked_at: formatApiTime(Math.max(...ofOwn.map(([{ at }]) => at))),
    difference_percentage_points: clean(
      sum(coefficients, ([answer, weight]) => weight * withoutBtc(answer, parts)),
    ),
    standard_error: clean(Math.sqrt(all)),
    degrees_of_freedom: clean(all ** 2 / doubt),
    sample: sum(ofOwn, ([{ sample }]) => sample),
    windows: ofOwn.length,
    clusters: blocks,
    missing_percentage_points: clean(sum(ofOwn, movedBy)),
    missing_beyond_others_percentage_points: clean(Math.abs(sum(coefficients, movedBy))),
    median_vs_btc_percentage_points: clean(sum(ofOwn, ([{ median }, weight]) => weight * median)),
  };
}

/** BTC's own cards differ from BTC by 0: one in 66 of them made 1.18 of a difference of 1.27. */
function withoutBtc({ type, median, alike }: Answered, parts: VarianceParts): number {
  return median + ((Math.sign(median) * alike) / (1 - alike)) * parts.slope(type);
}

/** @returns empty if no window of another type overlaps */
function againstNearest(own: Answered, others: readonly (readonly Answered[])[]): Coefficients {
  const distance = ({ at }: Answered) => Math.abs(at - own.at);
  const nearest = others
    .flatMap((ofType) => least(ofType, distance) ?? [])
    .filter((one) => distance(one) < STATS_WINDOW);
  if (nearest.length === 0) return [];
  const total = sum(nearest, ({ sample }) => sample);
  return [[own, 1], ...nearest.map((one) => [one, -one.sample / total] as const)];
}

function varianceOf(coefficients: Coefficients, parts: VarianceParts) {
  const contrast = coefficients.map(([{ shares }, weight]) => [shares, weight] as const);
  const own = sum(
    coefficients,
    ([{ type, sample }, weight]) => (weight ** 2 * parts.own(type)) / sample,
  );
  const [shared, ofSymbols] = [parts.ofShared(contrast), parts.ofSymbols(contrast)];
  return { own, shared, ofSymbols, all: own + shared + ofSymbols };
}

/** Share of the service's width; with 1 the sources alternate, and .074 of right verdicts go for a time. */
const CLEARLY_NARROWER = 0.7;

/** @param source what decided until now, if anything did @returns undefined if what was bought says clearly more */
export function ifNarrower(
  service: ServiceEstimate | undefined,
  bought: Estimate,
  source?: 'service' | 'bought',
) {
  if (source !== undefined) return source === 'service' ? service : undefined;
  const widthOf = ({ interval }: Estimate) => {
    const { low, high } = interval(LEVEL) ?? { low: Number.NEGATIVE_INFINITY, high: 0 };
    return high - low;
  };
  return service !== undefined && CLEARLY_NARROWER * widthOf(service) < widthOf(bought)
    ? service
    : undefined;
}
