/**
 * Service medians of 30 days of each screener type against the others, over all outcomes, bought or not:
 * D = M_t − Σ N_g M_g / Σ N_g over the other types g, each with its nearest answer.
 *
 * The estimate is a sum of answers' medians, its variance from `variance-parts.ts`, its degrees of freedom by parts
 * (Satterthwaite 1946). Against BTC it was wrong in up to 17 % of simulated histories, so it is not used.
 */
import type { HorizonName } from '../api/contract/horizons.ts';
import type { Horizon } from '../api/contract/resources.ts';
import { DAY } from '../runtime/units.ts';
import { clusteredMedian } from './clustered-median.ts';
import { type Contrast, type Shares, sharesOfCards } from './contrast.ts';
import type { Difference } from './differences.ts';
import { groupBy, sumOf } from './group.ts';
import { LEVEL } from './holm.ts';
import { medianOf } from './quantile.ts';
import type { Row } from './row.ts';
import { inSuccession, KNOWN_WINDOW, type ServiceAnswer, STATS_WINDOW } from './service-answers.ts';
import { twoSidedTail } from './student-t.ts';
import type { Interval } from './types.ts';
import { type Parts, partsOf } from './variance-parts.ts';
import { type Estimate, estimateByT } from './verdict.ts';

export interface ServiceEstimate extends Estimate {
  /** Windows of 30 days, and the outcomes counted in them. */
  readonly windows: number;
  readonly sample: number;
}

interface Answered {
  readonly at: number;
  readonly type: string;
  readonly median: number;
  readonly sample: number;
  /** Share of due outcomes without a difference to BTC. */
  readonly missing: number;
  /** Oldest card, epoch milliseconds UTC. */
  readonly first: number;
  readonly shares: Shares;
}

interface Question {
  readonly answers: readonly ServiceAnswer[];
  /** All cards, bought or not, oldest first. */
  readonly rows: readonly Row[];
  readonly horizon: HorizonName;
  /** The service counts their differences of zero, too. */
  readonly ofBtc: ReadonlySet<string>;
  /** Present settings of a type since then, epoch milliseconds UTC: answers on older windows do not count. */
  readonly settingsSince?: ReadonlyMap<string, number> | undefined;
}

/**
 * Estimates by type; none for a type without a plausible answer.
 * @param bought differences to BTC that were known, oldest first
 * @param until of answers, epoch milliseconds UTC
 */
type ServiceEstimates = (bought: readonly Difference[], until?: number) => ReadonlyMap<string, ServiceEstimate>;

export function serviceEstimates({ answers, rows, horizon, ofBtc, settingsSince }: Question): ServiceEstimates {
  const sharesOf = sharesOfCards(rows);
  const byType = groupBy(rows, ({ type }) => type);
  const all = answers
    .toSorted((one, other) => one.at - other.at)
    .flatMap((answer) => answeredOf(answer, byType.get(answer.type) ?? [], horizon, ofBtc, sharesOf) ?? []);
  return (bought, until = Number.POSITIVE_INFINITY) => {
    const last = bought.at(-1)?.day ?? 0;
    const latest = bought.filter(({ day }) => day > last - KNOWN_WINDOW / DAY);
    const { clusterDays } = clusteredMedian(latest, horizon);
    // Medians of the bought, so that a wrong answer does not hide itself.
    const ofBought = partsOf(latest, [], clusterDays);
    if (ofBought === undefined) return new Map();
    const boughtOf = groupBy(bought, ({ card }) => card.type);
    const trusted = all.filter(
      (one) => one.at <= until && isPlausible(one, boughtOf.get(one.type) ?? [], sharesOf, ofBought),
    );
    const parts = partsOf(latest, trusted, clusterDays) ?? ofBought;
    const types = [...groupBy(trusted, ({ type }) => type)];
    const sinceOf = (type: string) => settingsSince?.get(type) ?? Number.NEGATIVE_INFINITY;
    const present = trusted.filter(({ at, type }) => at - STATS_WINDOW >= sinceOf(type));
    return new Map(
      [...inSuccession(present)].flatMap(([type, windows]) => {
        const others = types.flatMap(([other, ofOther]) => (other === type ? [] : [ofOther]));
        const estimate = estimateOfType(type, windows, others, parts);
        return estimate === undefined ? [] : [[type, estimate] as const];
      }),
    );
  };
}

/** Bounds are (after, until]. @param items oldest first */
function within<T>(items: readonly T[], timeOf: (item: T) => number, after: number, until: number): readonly T[] {
  const firstBeyond = (time: number) => {
    let low = 0;
    let high = items.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (timeOf(items[middle] as T) > time) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  return items.slice(firstBeyond(after), firstBeyond(until));
}

const LEAST_SAMPLE = 20;

const MOST_OF_BTC = 0.05;

/** Undefined if the answer is not on the cards that the history knows. @param ofType oldest first */
function answeredOf(
  { at, type, stats }: ServiceAnswer,
  ofType: readonly Row[],
  horizon: HorizonName,
  ofBtc: ReadonlySet<string>,
  sharesOf: (cards: readonly Row[]) => Shares,
): Answered | undefined {
  const figures: Horizon | undefined = stats.horizons[horizon];
  if (figures === undefined) return undefined;
  const { sample, pending, missing, btc_sample, median_vs_btc_percentage_points: median } = figures;
  const listed = within(ofType, (card) => card.at, at - STATS_WINDOW, at);
  const cards = stats.sample_limited ? listed.slice(-stats.sampled_rows) : listed;
  const [oldest] = cards;
  if (stats.stale || median === null || btc_sample < LEAST_SAMPLE || oldest === undefined) return undefined;
  if (Math.abs(sample + pending + missing - cards.length) > cards.length / 10) return undefined;
  if (cards.filter(({ symbol }) => ofBtc.has(symbol)).length > MOST_OF_BTC * cards.length) return undefined;
  return {
    at,
    type,
    median,
    sample: btc_sample,
    missing: Math.max(0, 1 - btc_sample / (sample + missing)),
    first: oldest.at,
    shares: sharesOf(cards),
  };
}

const LEAST_TO_CHECK = 5;

/**
 * Whether bought outcomes agree with an answer at 99.9 %: finds .72 of errors of 6 points from 20 outcomes.
 * @param bought of its type, oldest first
 */
function isPlausible(
  { type, median, sample, first, at, shares }: Answered,
  bought: readonly Difference[],
  sharesOf: (cards: readonly Row[]) => Shares,
  { ofShared, ofSymbols, own, size }: Parts,
): boolean {
  const known = within(bought, ({ card }) => card.at, first - 1, at);
  if (known.length < LEAST_TO_CHECK) return true;
  const contrast: Contrast = [
    [sharesOf(known.map(({ card }) => card)), 1],
    [shares, -1],
  ];
  // A tenth covers the service's rounding if all was bought.
  const ofOwn = own(type) * Math.max(1 / known.length - 1 / sample, 0.1 / sample);
  const error = Math.sqrt(ofOwn + ofShared(contrast) + ofSymbols(contrast));
  const difference = Math.abs(medianOf(known.map(({ value }) => value)) - median);
  return twoSidedTail(difference / error, size / 5) >= 0.001;
}

type Coefficients = ReadonlyMap<Answered, number>;

function estimateOfType(
  type: string,
  windows: readonly Answered[],
  others: readonly (readonly Answered[])[],
  parts: Parts,
): ServiceEstimate | undefined {
  const looks = windows.flatMap((own) => {
    const coefficients = againstNearest(own, others);
    return coefficients === undefined
      ? []
      : [{ own, coefficients, precision: 1 / varianceOf(coefficients, parts).all }];
  });
  if (looks.length === 0) return undefined;
  const total = sumOf(looks, ({ precision }) => precision);
  const coefficients = new Map<Answered, number>();
  for (const look of looks) {
    for (const [answer, weight] of look.coefficients) {
      coefficients.set(answer, (coefficients.get(answer) ?? 0) + (weight * look.precision) / total);
    }
  }
  const { own, shared, ofSymbols, all } = varianceOf(coefficients, parts);
  const { size, blocks, symbols } = parts;
  const doubt =
    own ** 2 / (0.64 * size ** 0.8) + shared ** 2 / (blocks - 1) + (symbols > 1 ? ofSymbols ** 2 / (symbols - 1) : 0);
  const value = sumOf([...coefficients], ([answer, weight]) => weight * answer.median);
  const missing = sumOf(looks, (look) => (look.precision / total) * look.own.missing);
  const estimate = estimateByT(value, Math.sqrt(all), all ** 2 / doubt, {
    days: 30 * looks.length,
    clusters: blocks,
  });
  return {
    ...estimate,
    // A median moves by at most 1 / (2 f) for each missing share.
    bounds: missing === 0 ? undefined : (level) => widened(estimate.interval(level), missing * parts.slope(type)),
    windows: looks.length,
    sample: sumOf(looks, (look) => look.own.sample),
  };
}

function widened(range: Interval | null, by: number): Interval | null {
  return range === null ? null : { low: range.low - by, high: range.high + by };
}

/** Undefined if no window of another type overlaps. */
function againstNearest(own: Answered, others: readonly (readonly Answered[])[]): Coefficients | undefined {
  const distance = ({ at }: Answered) => Math.abs(at - own.at);
  const nearest = others
    .map((ofType) => ofType.reduce((best, one) => (distance(one) < distance(best) ? one : best)))
    .filter((one) => distance(one) < STATS_WINDOW);
  if (nearest.length === 0) return undefined;
  const total = sumOf(nearest, ({ sample }) => sample);
  return new Map([[own, 1], ...nearest.map((one) => [one, -one.sample / total] as const)]);
}

function varianceOf(coefficients: Coefficients, parts: Parts) {
  const contrast = [...coefficients].map(([{ shares }, weight]) => [shares, weight] as const);
  const own = sumOf([...coefficients], ([{ type, sample }, weight]) => (weight ** 2 * parts.own(type)) / sample);
  const [shared, ofSymbols] = [parts.ofShared(contrast), parts.ofSymbols(contrast)];
  return { own, shared, ofSymbols, all: own + shared + ofSymbols };
}

export function ifNarrower(service: ServiceEstimate | undefined, bought: Estimate): ServiceEstimate | undefined {
  const widthOf = ({ interval }: Estimate) => {
    const known = interval(LEVEL);
    return known === null ? Number.POSITIVE_INFINITY : known.high - known.low;
  };
  return service !== undefined && widthOf(service) < widthOf(bought) ? service : undefined;
}
