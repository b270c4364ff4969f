/**
 * What the service's own medians of 30 days say of each screener type against the others. They are over all outcomes,
 * also those that were never bought: D = M_t − Σ N_g M_g / Σ N_g over the other types g, each with its nearest answer.
 *
 * The estimate is a sum of answers' medians. Its variance, where a median moves by ψ = sign(x − m) / (2 f) for each value
 * (f their density at the median): the parts that cards of one symbol and day, of one day, of one block of days and of one
 * symbol share, and what is each card's own, are estimated from the bought outcomes as mean products of ψ over pairs
 * (Searle, Casella & McCulloch 1992), and weighed by the days and symbols of all cards, which the list tells. Degrees of
 * freedom by parts (Satterthwaite 1946). (The same without the others, against BTC, was wrong in up to 17 % of simulated
 * histories: it is not used.)
 */
import type { HorizonName } from '../api/contract/horizons.ts';
import type { Horizon, SignalStats } from '../api/contract/resources.ts';
import { DAY, dayNumber, HOUR } from '../runtime/units.ts';
import { clusteredMedian, LEAST_CLUSTERS, LEAST_SYMBOLS } from './clustered-median.ts';
import { blocksOf, type Clusters, cellsOf, columnsOf, productSum, sumsBy } from './clusters.ts';
import type { Difference } from './differences.ts';
import { groupBy } from './group.ts';
import { LEVEL } from './holm.ts';
import { medianOf, quantile, sortedOf } from './quantile.ts';
import type { Row } from './row.ts';
import { twoSidedTail } from './student-t.ts';
import type { Interval } from './types.ts';
import { type Estimate, estimateByT } from './verdict.ts';

/** One answer of `/signal-stats?screener_type=TYPE`. */
export interface ServiceAnswer {
  /** When it was asked for, epoch milliseconds UTC: its window are the 30 days before. */
  readonly at: number;
  readonly type: string;
  readonly stats: SignalStats;
}

export interface ServiceEstimate extends Estimate {
  /** Windows of 30 days, and the outcomes of the type that the service counted in them. */
  readonly windows: number;
  readonly sample: number;
}

/** The window of `/signal-stats` (part 8 of the API document), milliseconds. */
export const STATS_WINDOW = 30 * DAY;

/** A daily run does not begin at the same second every day: so much of two windows may be the same. */
const SAME = HOUR;

/** Whether the windows of two answers follow each other without overlap; epoch milliseconds UTC. */
export function areApart(one: number, other: number): boolean {
  return Math.abs(one - other) >= STATS_WINDOW - SAME;
}

/** What an answer said, and where its cards lie. */
interface Answered {
  readonly at: number;
  readonly type: string;
  readonly median: number;
  readonly sample: number;
  /** Of the outcomes that came due, those without a difference to BTC. */
  readonly missing: number;
  /** The time of its oldest card, epoch milliseconds UTC. */
  readonly first: number;
  readonly shares: Shares;
}

/** What share of some cards lies on each day, symbol, symbol of a day, and type of a day. */
type Shares = Readonly<Record<'days' | 'symbols' | 'cells' | 'typeDays', Share>>;

interface Share {
  /** UTC days, or numbers of the others, those of one time near each other. */
  readonly keys: Int32Array;
  readonly values: Float64Array;
}

/** Shares and what they are multiplied by: a contrast is a sum of these. */
type Contrast = readonly (readonly [of: Shares, weight: number])[];

interface Question {
  readonly answers: readonly ServiceAnswer[];
  /** All cards, bought or not, oldest first. */
  readonly rows: readonly Row[];
  readonly horizon: HorizonName;
  /** The symbols that are BTC itself: the service counts their differences of zero with the others. */
  readonly ofBtc: ReadonlySet<string>;
  /** Since when the present settings of a type hold, epoch milliseconds UTC: of older windows its answers do not count. */
  readonly settingsSince?: ReadonlyMap<string, number> | undefined;
}

/**
 * By screener type, of what was known at a time; none for a type without an answer that can be trusted.
 * @param bought differences to BTC that were known, oldest first
 * @param until answers up to then, epoch milliseconds UTC
 */
export type ServiceEstimates = (bought: readonly Difference[], until?: number) => ReadonlyMap<string, ServiceEstimate>;

/** Of so many days before the last bought outcome the parts of the variance are estimated. */
const PARTS_DAYS = 365;

export function serviceEstimates({ answers, rows, horizon, ofBtc, settingsSince }: Question): ServiceEstimates {
  const sharesOf = sharesOfCards(rows);
  const byType = groupBy(rows, ({ type }) => type);
  const all = answers
    .toSorted((one, other) => one.at - other.at)
    .flatMap((answer) => answeredOf(answer, byType.get(answer.type) ?? [], horizon, ofBtc, sharesOf) ?? []);
  return (bought, until = Number.POSITIVE_INFINITY) => {
    const last = bought.at(-1)?.day ?? 0;
    const latest = bought.filter(({ day }) => day > last - PARTS_DAYS);
    const { clusterDays } = clusteredMedian(latest, horizon);
    // Around the medians of what was bought, so that a wrong answer does not hide itself.
    const ofBought = partsOf(latest, [], clusterDays);
    if (ofBought === undefined) return new Map();
    const boughtOf = groupBy(bought, ({ card }) => card.type);
    const trusted = all.filter(
      (one) => one.at <= until && isPlausible(one, boughtOf.get(one.type) ?? [], sharesOf, ofBought),
    );
    const parts = partsOf(latest, trusted, clusterDays) ?? ofBought;
    const types = [...groupBy(trusted, ({ type }) => type)];
    return new Map(
      types.flatMap(([type, own]) => {
        const since = settingsSince?.get(type) ?? Number.NEGATIVE_INFINITY;
        const windows = inSuccession(own.filter(({ at }) => at - STATS_WINDOW >= since));
        const others = types.flatMap(([other, ofOther]) => (other === type ? [] : [ofOther]));
        const estimate = estimateOfType(type, windows, others, parts);
        return estimate === undefined ? [] : [[type, estimate] as const];
      }),
    );
  };
}

/** Those whose windows follow each other without overlap, from the oldest on. @param answers oldest first */
export function inSuccession<One extends { readonly at: number }>(answers: readonly One[]): One[] {
  const chosen: One[] = [];
  for (const answer of answers) {
    const last = chosen.at(-1);
    if (last === undefined || areApart(last.at, answer.at)) chosen.push(answer);
  }
  return chosen;
}

/** Numbers symbols and cells once for all cards. @param rows oldest first */
function sharesOfCards(rows: readonly Row[]): (cards: readonly Row[]) => Shares {
  const symbols = new Map<string, number>();
  const cells = new Map<number, number>();
  const types = new Map<string, number>();
  for (const { symbol, type } of rows) {
    numberOf(symbols, symbol);
    numberOf(types, type);
  }
  const cellOf = ({ at, symbol }: Row) => numberOf(cells, dayNumber(at) * symbols.size + numberOf(symbols, symbol));
  for (const row of rows) cellOf(row);
  return (cards) => ({
    days: shareOf(cards.map(({ at }) => dayNumber(at))),
    symbols: shareOf(cards.map(({ symbol }) => numberOf(symbols, symbol))),
    cells: shareOf(cards.map(cellOf)),
    typeDays: shareOf(cards.map(({ at, type }) => dayNumber(at) * types.size + numberOf(types, type))),
  });
}

function numberOf<K>(numbers: Map<K, number>, key: K): number {
  const number = numbers.get(key) ?? numbers.size;
  if (number === numbers.size) numbers.set(key, number);
  return number;
}

function shareOf(keys: readonly number[]): Share {
  const counts = new Map<number, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return { keys: Int32Array.from(counts.keys()), values: Float64Array.from(counts.values(), (n) => n / keys.length) };
}

/** The items whose times lie in (after, until]. @param items oldest first */
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

/** Outcomes that a median needs. */
const LEAST_SAMPLE = 20;

/** Share of BTC's own cards with which a median still says something of the others. */
const MOST_OF_BTC = 0.05;

/** An answer that is of the cards that the history knows. @param ofType its type's, oldest first */
function answeredOf(
  { at, type, stats }: ServiceAnswer,
  ofType: readonly Row[],
  horizon: HorizonName,
  ofBtc: ReadonlySet<string>,
  sharesOf: (cards: readonly Row[]) => Shares,
): Answered | undefined {
  // A service may leave an optional horizon out.
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

/** Fewer bought outcomes of a window say nothing of its median. */
const LEAST_TO_CHECK = 5;

/**
 * Whether the bought outcomes of its window do not contradict an answer, at 99.9 %; what both have in common cancels. If
 * moves spread by 5.6 points, it finds a median 6 points wrong with 20 of the type in .72 of simulated histories.
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
  // A tenth for the service's rounding, where all was bought.
  const ofOwn = own(type) * Math.max(1 / known.length - 1 / sample, 0.1 / sample);
  const error = Math.sqrt(ofOwn + ofShared(contrast) + ofSymbols(contrast));
  const difference = Math.abs(medianOf(known.map(({ value }) => value)) - median);
  return twoSidedTail(difference / error, size / 5) >= 0.001;
}

/** Σ over keys of (Σ weight · share)². @param together so many keys in a row count as one */
function squaresOf(contrast: Contrast, kind: keyof Shares, together = 1): number {
  let first = Number.POSITIVE_INFINITY;
  let last = 0;
  for (const [{ [kind]: share }] of contrast) {
    for (const key of share.keys) {
      if (key < first) first = key;
      if (key > last) last = key;
    }
  }
  const begin = Math.floor(first / together);
  const sums = new Float64Array(Math.floor(last / together) - begin + 1);
  for (const [{ [kind]: share }, weight] of contrast) {
    for (let i = 0; i < share.keys.length; i += 1) {
      const at = Math.floor((share.keys[i] ?? 0) / together) - begin;
      sums[at] = (sums[at] ?? 0) + weight * (share.values[i] ?? 0);
    }
  }
  return productSum(sums, sums);
}

/** What the variance of a median is made of, percentage points squared. */
interface Parts {
  /** Of a contrast: what its cards share but their symbols, and what cards of one symbol share. */
  readonly ofShared: (contrast: Contrast) => number;
  readonly ofSymbols: (contrast: Contrast) => number;
  /** What is a card's own, by screener type. */
  readonly own: (type: string) => number;
  /** By how many points a median moves where a share of the values is added at one end: 1 / (2 f). */
  readonly slope: (type: string) => number;
  /** Bought outcomes, blocks of days and symbols from which they are estimated. */
  readonly size: number;
  readonly blocks: number;
  readonly symbols: number;
}

/** Bought outcomes from which the parts can be estimated. */
const LEAST_BOUGHT = 30;

/** Of so many outcomes is as much believed of a type's own spread as of that of all types. */
const PRIOR = 10;

/** @param bought oldest first */
function partsOf(bought: readonly Difference[], answered: readonly Answered[], clusterDays: number): Parts | undefined {
  const { days: dayOf, symbols } = columnsOf(bought);
  const [days, blocks] = [blocksOf(dayOf, 1), blocksOf(dayOf, clusterDays)];
  if (bought.length < LEAST_BOUGHT || blocks.count < LEAST_CLUSTERS) return undefined;
  const centres = centresOf(bought, answered);
  const residuals = bought.map(({ value, card }) => value - (centres.get(card.type) ?? 0));
  const spread = medianOf(residuals.map(Math.abs));
  if (spread === 0) return undefined;
  const spreads = spreadsOf(bought, residuals, spread);
  const spreadOf = (type: string) => spreads.get(type) ?? spread;
  const atMedian = densityAtZero(residuals.map((residual, i) => residual / spreadOf(bought[i]?.card.type ?? '')));
  const slope = (type: string) => spreadOf(type) / (2 * atMedian);
  const moved = Float64Array.from(bought, ({ card }, i) => Math.sign(residuals[i] ?? 0) * slope(card.type));
  const pairs = (clusters: Clusters) => pairsOf(clusters, moved);
  const ofCells = pairs(cellsOf(days, symbols));
  const ofDays = pairs(days);
  const ofBlocksAndSymbols = pairs(cellsOf(blocks, symbols));
  // What pairs have in common that share a block, a day, a symbol, or both, and nothing else.
  const block = Math.max(0, mean([pairs(blocks), 1], [ofDays, -1], [ofBlocksAndSymbols, -1], [ofCells, 1]));
  // Half of its standard error: with 60 outcomes it would else be zero too often.
  const ofOneDay = ofDays.count - ofCells.count;
  const square = productSum(moved, moved) / moved.length;
  const margin = ofOneDay === 0 ? 0 : square * Math.sqrt(0.5 / ofOneDay);
  // Days on which cards of one type go together more than those of different types, where that is clear.
  const ofTypeDays = pairs(clustersBy(bought, ({ card, day: onDay }) => `${onDay} ${card.type}`));
  const ofTypeCells = pairs(clustersBy(bought, ({ card, day: onDay, symbol: of }) => `${onDay} ${of} ${card.type}`));
  const otherTypes = mean([ofDays, 1], [ofTypeDays, -1], [ofCells, -1], [ofTypeCells, 1]);
  const more = mean([ofTypeDays, 1], [ofTypeCells, -1]) - Math.max(0, otherTypes);
  const unlikely = 1.64 * square * Math.sqrt(2 / (ofTypeDays.count - ofTypeCells.count));
  const typeDay = more > unlikely ? more : 0;
  const day = Math.max(0, (typeDay > 0 ? otherTypes : mean([ofDays, 1], [ofCells, -1])) + margin - block);
  const hasSymbols = symbols.count >= LEAST_SYMBOLS;
  const symbol = hasSymbols ? Math.max(0, mean([pairs(symbols), 1], [ofBlocksAndSymbols, -1])) : 0;
  const cell = Math.max(0, mean([ofCells, 1]) - day - block - symbol);
  return {
    ofShared: (contrast) =>
      cell * squaresOf(contrast, 'cells') +
      day * squaresOf(contrast, 'days') +
      (typeDay === 0 ? 0 : typeDay * squaresOf(contrast, 'typeDays')) +
      block * squaresOf(contrast, 'days', clusterDays),
    ofSymbols: (contrast) => symbol * squaresOf(contrast, 'symbols'),
    own: (type) => {
      const all = slope(type) ** 2;
      return Math.max(all - cell - day - typeDay - block - symbol, 0.4 * all);
    },
    slope,
    size: bought.length,
    blocks: blocks.count,
    symbols: symbols.count,
  };
}

function clustersBy(bought: readonly Difference[], keyOf: (one: Difference) => string): Clusters {
  const numbers = new Map<string, number>();
  const of = Int32Array.from(bought, (one) => numberOf(numbers, keyOf(one)));
  return { of, count: numbers.size };
}

/** Of each type the median size of its residuals, drawn towards that of all. */
function spreadsOf(bought: readonly Difference[], residuals: readonly number[], spread: number) {
  const spreads = new Map<string, number>();
  for (const [type, places] of groupBy([...bought.keys()], (i) => bought[i]?.card.type ?? '')) {
    const own = places.length < 2 ? 0 : medianOf(places.map((i) => Math.abs(residuals[i] ?? 0)));
    const weight = own === 0 ? 0 : places.length;
    const logs = weight * Math.log(own === 0 ? 1 : own) + PRIOR * Math.log(spread);
    spreads.set(type, Math.exp(logs / (weight + PRIOR)));
  }
  return spreads;
}

/** Of each type: what the service says over all windows; where it says nothing, the median of what was bought. */
function centresOf(bought: readonly Difference[], answered: readonly Answered[]): Map<string, number> {
  const centres = new Map<string, number>();
  for (const [type, own] of groupBy(bought, ({ card }) => card.type)) {
    centres.set(type, medianOf(own.map(({ value }) => value)));
  }
  for (const [type, said] of groupBy(answered, (one) => one.type)) {
    const sample = sum(said, (one) => one.sample);
    centres.set(type, sum(said, (one) => one.sample * one.median) / sample);
  }
  return centres;
}

/** By a Gaussian kernel (Silverman 1986, 3.31). */
function densityAtZero(values: readonly number[]): number {
  const sorted = sortedOf(values);
  const middle = sum(values, (value) => value) / values.length;
  const deviation = Math.sqrt(sum(values, (value) => (value - middle) ** 2) / values.length);
  const range = (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / 1.349;
  const width = 0.9 * (range > 0 ? Math.min(deviation, range) : deviation) * values.length ** -0.2;
  return (
    sum(values, (value) => Math.exp(-((value / width) ** 2) / 2)) / (values.length * width * Math.sqrt(2 * Math.PI))
  );
}

/** The products of all ordered pairs that have a key in common: their sum, and how many there are. */
interface Pairs {
  readonly products: number;
  readonly count: number;
}

function pairsOf(clusters: Clusters, values: Float64Array): Pairs {
  const sums = sumsBy(clusters, values);
  const sizes = sumsBy(clusters, new Float64Array(values.length).fill(1));
  return {
    products: productSum(sums, sums) - productSum(values, values),
    count: productSum(sizes, sizes) - values.length,
  };
}

/** Mean product of the pairs that are added and not taken away; 0 where there are none. */
function mean(...signed: readonly (readonly [Pairs, sign: 1 | -1])[]): number {
  const count = sum(signed, ([pairs, sign]) => sign * pairs.count);
  return count === 0 ? 0 : sum(signed, ([pairs, sign]) => sign * pairs.products) / count;
}

/** How much each answer counts in an estimate. */
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
  const total = sum(looks, ({ precision }) => precision);
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
  const value = sum([...coefficients], ([answer, weight]) => weight * answer.median);
  const missing = sum(looks, (look) => (look.precision / total) * look.own.missing);
  const estimate = estimateByT(value, Math.sqrt(all), all ** 2 / doubt, {
    days: 30 * looks.length,
    clusters: blocks,
  });
  return {
    ...estimate,
    // Missing outcomes move a median by a share of 1 / (2 f) at most.
    bounds: missing === 0 ? undefined : (level) => widened(estimate.interval(level), missing * parts.slope(type)),
    windows: looks.length,
    sample: sum(looks, (look) => look.own.sample),
  };
}

function widened(range: Interval | null, by: number): Interval | null {
  return range === null ? null : { low: range.low - by, high: range.high + by };
}

/** An answer less the nearest ones of the others, weighed by their samples; none where no window of them overlaps. */
function againstNearest(own: Answered, others: readonly (readonly Answered[])[]): Coefficients | undefined {
  const distance = ({ at }: Answered) => Math.abs(at - own.at);
  const nearest = others
    .map((ofType) => ofType.reduce((best, one) => (distance(one) < distance(best) ? one : best)))
    .filter((one) => distance(one) < STATS_WINDOW);
  if (nearest.length === 0) return undefined;
  const total = sum(nearest, ({ sample }) => sample);
  return new Map([[own, 1], ...nearest.map((one) => [one, -one.sample / total] as const)]);
}

/** Of a sum of answers' medians. */
function varianceOf(coefficients: Coefficients, parts: Parts) {
  const contrast = [...coefficients].map(([{ shares }, weight]) => [shares, weight] as const);
  const own = sum([...coefficients], ([{ type, sample }, weight]) => (weight ** 2 * parts.own(type)) / sample);
  const [shared, ofSymbols] = [parts.ofShared(contrast), parts.ofSymbols(contrast)];
  return { own, shared, ofSymbols, all: own + shared + ofSymbols };
}

/** What the service said, where its 95 % interval is narrower than that of the bought outcomes. */
export function ifNarrower(service: ServiceEstimate | undefined, bought: Estimate): ServiceEstimate | undefined {
  const widthOf = ({ interval }: Estimate) => {
    const known = interval(LEVEL);
    return known === null ? Number.POSITIVE_INFINITY : known.high - known.low;
  };
  return service !== undefined && widthOf(service) < widthOf(bought) ? service : undefined;
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
