/**
 * What the service's own medians of 30 days say of each screener type against the others. They are over all outcomes,
 * also those that were never bought: D = M_t − Σ N_g M_g / Σ N_g over the other types g of the same 30 days.
 *
 * Its variance, where a median moves by ψ = sign(x − m) / (2 f) for each value (f their density at the median): the parts
 * that cards of one symbol and day, of one day, of one block of days and of one symbol share, and what is each card's
 * own, are estimated from the bought outcomes as mean products of ψ over pairs (Searle, Casella & McCulloch 1992), and
 * weighed by the days and symbols of all cards, which the list tells. Of 8 types without effect one was called different
 * in 1 to 6 % of simulated histories, on the first day and after 60 days; also where days or symbols have effects that
 * last, where types fire on other days than the rest, and with heavy tails and skew. (The same without the others, against
 * BTC, was wrong in up to 17 %: it is not used.)
 */
import type { Horizon, SignalStats } from '../api/contract/resources.ts';
import { DAY, dayNumber, HOUR } from '../runtime/units.ts';
import { LEAST_CLUSTERS, LEAST_SYMBOLS } from './clustered-median.ts';
import type { Difference } from './differences.ts';
import { groupBy } from './group.ts';
import { LEVEL } from './holm.ts';
import { medianOf, quantile, sortedOf } from './quantile.ts';
import type { Row } from './row.ts';
import { twoSidedTail } from './student-t.ts';
import type { HorizonName } from './types.ts';
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
  /** Whether in each window enough of the type was bought to contradict the answer, and it did not. */
  readonly isChecked: boolean;
}

/** What the service said of a type in one window, and the cards that it was said of. */
interface Answered {
  readonly type: string;
  readonly median: number;
  readonly sample: number;
  readonly cards: readonly Row[];
  readonly isChecked: boolean;
}

type Window = readonly Answered[];

/**
 * By screener type; none for a type without an answer that can be trusted.
 * @param rows all cards of the history in the time of the windows, bought or not
 * @param bought their differences to BTC
 * @param clusterDays how many days make a cluster of these
 * @param ofBtc the symbols that are BTC itself: the service counts their differences of zero with the others
 */
export function estimatesOfService(
  answers: readonly ServiceAnswer[],
  rows: readonly Row[],
  bought: readonly Difference[],
  horizon: HorizonName,
  clusterDays: number,
  ofBtc: ReadonlySet<string>,
): ReadonlyMap<string, ServiceEstimate> {
  const estimates = new Map<string, ServiceEstimate>();
  // Around the medians of what was bought, so that a wrong answer does not hide itself.
  const ofBought = partsOf(bought, [], clusterDays);
  if (ofBought === undefined) return estimates;
  const windows = sittings(answers).map((sitting) =>
    answeredOf(sitting, rows, horizon, ofBtc).flatMap((one) => checked(one, bought, ofBought)),
  );
  const parts = partsOf(bought, windows, clusterDays) ?? ofBought;
  for (const type of new Set(windows.flatMap((window) => window.map((one) => one.type)))) {
    const estimate = estimateOfType(type, windows, parts);
    if (estimate !== undefined) estimates.set(type, estimate);
  }
  return estimates;
}

/** Answers so close together are of one window. */
const TOGETHER = DAY;

/** The window of `/signal-stats` (part 8 of the API document), milliseconds. */
export const STATS_WINDOW = 30 * DAY;

/** A daily run does not begin at the same second every day: so much of two windows may be the same. */
const SAME = HOUR;

/** Whether the windows of two answers follow each other without overlap; epoch milliseconds UTC. */
export function areApart(one: number, other: number): boolean {
  return Math.abs(one - other) >= STATS_WINDOW - SAME;
}

/** The answers of windows that do not overlap, those with the most answers first. */
function sittings(answers: readonly ServiceAnswer[]): readonly (readonly ServiceAnswer[])[] {
  const all: ServiceAnswer[][] = [];
  for (const answer of [...answers].sort((a, b) => a.at - b.at)) {
    const last = all.at(-1);
    if (last?.[0] !== undefined && answer.at - last[0].at <= TOGETHER) last.push(answer);
    else all.push([answer]);
  }
  const chosen: ServiceAnswer[][] = [];
  for (const sitting of all.toSorted((a, b) => b.length - a.length)) {
    const isApart = ([other]: readonly ServiceAnswer[]) => areApart(other?.at ?? 0, sitting[0]?.at ?? 0);
    if (chosen.every(isApart)) chosen.push(sitting);
  }
  return chosen.map((sitting) => [...new Map(sitting.map((answer) => [answer.type, answer])).values()]);
}

/** Outcomes that a median needs. */
const LEAST_SAMPLE = 20;

/** Share of BTC's own cards with which a median still says something of the others. */
const MOST_OF_BTC = 0.05;

/** The answers of one window that are of the cards that the history knows. */
function answeredOf(
  sitting: readonly ServiceAnswer[],
  rows: readonly Row[],
  horizon: HorizonName,
  ofBtc: ReadonlySet<string>,
): Window {
  return sitting.flatMap(({ at, type, stats }) => {
    // A service may leave an optional horizon out.
    const figures: Horizon | undefined = stats.horizons[horizon];
    if (figures === undefined) return [];
    const { sample, pending, missing, btc_sample, median_vs_btc_percentage_points: median } = figures;
    const listed = rows.filter((card) => card.type === type && card.at > at - STATS_WINDOW && card.at <= at);
    const newestFirst = listed.toSorted((a, b) => b.at - a.at);
    const cards = stats.sample_limited ? newestFirst.slice(0, stats.sampled_rows) : listed;
    const counted = sample + pending + missing;
    if (stats.stale || median === null || btc_sample < LEAST_SAMPLE || cards.length === 0) return [];
    if (Math.abs(counted - cards.length) > cards.length / 10) return [];
    if (cards.filter(({ symbol }) => ofBtc.has(symbol)).length > MOST_OF_BTC * cards.length) return [];
    return [{ type, median, sample: btc_sample, cards, isChecked: false }];
  });
}

/** Fewer bought outcomes of a window say nothing of its median. */
const LEAST_TO_CHECK = 5;

/**
 * An answer unless the bought outcomes of its window contradict it, at 99.9 %; what both have in common cancels. Where
 * moves spread by 5.6 points after 24 h, a median that is 6 points wrong is found with 10, 20 or 40 of the type in .31, .72
 * and .98 of simulated histories, one that is 3 points wrong in .05, .09 and .3 to .6; right ones were refused in .000 to
 * .014.
 */
function checked(one: Answered, bought: readonly Difference[], { shared, ofSymbols, own }: Parts): Answered[] {
  const { type, median, sample, cards } = one;
  const listed = new Set(cards);
  const known = bought.filter(({ card }) => listed.has(card));
  if (known.length < LEAST_TO_CHECK) return [one];
  const weighed = [...equalWeights(known.map(({ card }) => card)), ...equalWeights(cards, -1)];
  // A tenth for the service's rounding, where all was bought.
  const ofOwn = own(type) * Math.max(1 / known.length - 1 / sample, 0.1 / sample);
  const error = Math.sqrt(
    ofOwn + sharedVariance(weighed, shared) + ofSymbols * squares(weightsBy(weighed, ({ symbol }) => symbol)),
  );
  const difference = Math.abs(medianOf(known.map(({ value }) => value)) - median);
  return twoSidedTail(difference / error, bought.length / 5) < 0.001 ? [] : [{ ...one, isChecked: true }];
}

interface Weighed {
  readonly card: Row;
  readonly weight: number;
}

function equalWeights(cards: readonly Row[], total = 1): Weighed[] {
  return cards.map((card) => ({ card, weight: total / cards.length }));
}

function weightsBy<K>(weighed: readonly Weighed[], keyOf: (card: Row) => K): ReadonlyMap<K, number> {
  const groups = groupBy(weighed, ({ card }) => keyOf(card));
  return new Map([...groups].map(([key, some]) => [key, sum(some, ({ weight }) => weight)]));
}

function squares(weights: ReadonlyMap<unknown, number>): number {
  return sum([...weights.values()], (weight) => weight ** 2);
}

/** Of a weighted sum of medians: what its cards share but their symbols. */
function sharedVariance(weighed: readonly Weighed[], shared: Parts['shared']): number {
  return sum(shared, ({ variance, keyOf }) => variance * squares(weightsBy(weighed, keyOf)));
}

/** What the variance of a median is made of, percentage points squared. */
interface Parts {
  /** What cards have in common, and how to tell which do. */
  readonly shared: readonly { readonly variance: number; readonly keyOf: (card: Row) => string | number }[];
  readonly ofSymbols: number;
  /** What is a card's own, by screener type. */
  readonly own: (type: string) => number;
  readonly degreesOfFreedom: number;
}

/** Bought outcomes from which the parts can be estimated. */
const LEAST_BOUGHT = 30;

/** Of so many outcomes is as much believed of a type's own spread as of that of all types. */
const PRIOR = 10;

function partsOf(bought: readonly Difference[], windows: readonly Window[], clusterDays: number): Parts | undefined {
  const blockOf = (day: number) => Math.floor(day / clusterDays);
  const blocks = new Set(bought.map(({ day }) => blockOf(day))).size;
  const symbols = new Set(bought.map(({ symbol }) => symbol)).size;
  if (bought.length < LEAST_BOUGHT || blocks < LEAST_CLUSTERS) return undefined;
  const centres = centresOf(bought, windows);
  const residuals = bought.map(({ value, card }) => value - (centres.get(card.type) ?? 0));
  const spread = medianOf(residuals.map(Math.abs));
  if (spread === 0) return undefined;
  const ofType = groupBy([...bought.keys()], (i) => bought[i]?.card.type);
  const spreads = new Map<string | undefined, number>();
  for (const [type, places] of ofType) {
    const own = places.length < 2 ? 0 : medianOf(places.map((i) => Math.abs(residuals[i] ?? 0)));
    const weight = own === 0 ? 0 : places.length;
    const logs = weight * Math.log(own === 0 ? 1 : own) + PRIOR * Math.log(spread);
    spreads.set(type, Math.exp(logs / (weight + PRIOR)));
  }
  const spreadOf = (type: string) => spreads.get(type) ?? spread;
  const scaled = residuals.map((residual, i) => residual / spreadOf(bought[i]?.card.type ?? ''));
  const atMedian = densityAtZero(scaled);
  const densityOf = (type: string) => atMedian / spreadOf(type);
  const moved = bought.map(({ card }, i) => Math.sign(residuals[i] ?? 0) / (2 * densityOf(card.type)));
  const pairs = (keyOf: (one: Difference) => string | number) => pairsOf(bought.map(keyOf), moved);
  const ofCells = pairs(({ day, symbol }) => `${day} ${symbol}`);
  const ofDays = pairs(({ day }) => day);
  const ofBlocks = pairs(({ day }) => blockOf(day));
  const ofBlocksAndSymbols = pairs(({ day, symbol }) => `${blockOf(day)} ${symbol}`);
  const ofSymbols = pairs(({ symbol }) => symbol);
  // What pairs have in common that share a block, a day, a symbol, or both, and nothing else.
  const block = Math.max(0, mean([ofBlocks, 1], [ofDays, -1], [ofBlocksAndSymbols, -1], [ofCells, 1]));
  // Half of its standard error where days share nothing: of 60 outcomes it would else be zero where they do too often.
  const ofOneDay = ofDays.count - ofCells.count;
  const margin = ofOneDay === 0 ? 0 : (sum(moved, (one) => one ** 2) / moved.length) * Math.sqrt(0.5 / ofOneDay);
  const day = Math.max(0, mean([ofDays, 1], [ofCells, -1]) + margin - block);
  const symbol = symbols < LEAST_SYMBOLS ? 0 : Math.max(0, mean([ofSymbols, 1], [ofBlocksAndSymbols, -1]));
  const cell = Math.max(0, mean([ofCells, 1]) - day - block - symbol);
  return {
    shared: [
      { variance: cell, keyOf: (card) => `${dayNumber(card.at)} ${card.symbol}` },
      { variance: day, keyOf: (card) => dayNumber(card.at) },
      { variance: block, keyOf: (card) => blockOf(dayNumber(card.at)) },
    ],
    ofSymbols: symbol,
    own: (type) => {
      const square = densityOf(type) ** -2;
      return Math.max(square / 4 - cell - day - block - symbol, square / 10);
    },
    degreesOfFreedom: Math.min(bought.length / 5, blocks - 1, symbol > 0 ? symbols - 1 : Number.POSITIVE_INFINITY),
  };
}

/** Of each type: what the service says over all windows; where it says nothing, the median of what was bought. */
function centresOf(bought: readonly Difference[], windows: readonly Window[]): Map<string, number> {
  const centres = new Map<string, number>();
  for (const [type, own] of groupBy(bought, ({ card }) => card.type)) {
    centres.set(type, medianOf(own.map(({ value }) => value)));
  }
  for (const [type, said] of groupBy(windows.flat(), (one) => one.type)) {
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

function pairsOf(keys: readonly (string | number)[], values: readonly number[]): Pairs {
  let products = 0;
  let count = 0;
  for (const own of groupBy([...keys.keys()], (i) => keys[i]).values()) {
    const total = sum(own, (i) => values[i] ?? 0);
    products += total ** 2 - sum(own, (i) => (values[i] ?? 0) ** 2);
    count += own.length * (own.length - 1);
  }
  return { products, count };
}

/** Mean product of the pairs that are added and not taken away; 0 where there are none. */
function mean(...signed: readonly (readonly [Pairs, sign: 1 | -1])[]): number {
  const count = sum(signed, ([pairs, sign]) => sign * pairs.count);
  return count === 0 ? 0 : sum(signed, ([pairs, sign]) => sign * pairs.products) / count;
}

function estimateOfType(type: string, windows: readonly Window[], parts: Parts): ServiceEstimate | undefined {
  const looks = windows.flatMap((window) => lookOf(type, window, parts) ?? []);
  if (looks.length === 0) return undefined;
  const total = sum(looks, ({ variance }) => 1 / variance);
  const shareOf = ({ variance }: Look) => 1 / variance / total;
  const value = sum(looks, (look) => shareOf(look) * look.difference);
  // A symbol's effect lasts from one window to the next.
  const symbols = new Map<string, number>();
  for (const look of looks) {
    for (const [symbol, weight] of look.symbols) {
      symbols.set(symbol, (symbols.get(symbol) ?? 0) + shareOf(look) * weight);
    }
  }
  const ofWindows = sum(looks, (look) => shareOf(look) ** 2 * look.withoutSymbols);
  const error = Math.sqrt(ofWindows + parts.ofSymbols * squares(symbols));
  return {
    ...estimateByT(value, error, parts.degreesOfFreedom, 30 * looks.length),
    windows: looks.length,
    sample: sum(looks, ({ sample }) => sample),
    isChecked: looks.every(({ isChecked }) => isChecked),
  };
}

/** What the service said, where its 95 % interval is narrower than that of the bought outcomes. */
export function ifNarrower(service: ServiceEstimate | undefined, bought: Estimate): ServiceEstimate | undefined {
  const widthOf = ({ interval }: Estimate) => {
    const known = interval(LEVEL);
    return known === null ? Number.POSITIVE_INFINITY : known.high - known.low;
  };
  return service !== undefined && widthOf(service) < widthOf(bought) ? service : undefined;
}

/** A type against the others in one window. */
interface Look {
  readonly difference: number;
  readonly variance: number;
  readonly withoutSymbols: number;
  /** What each symbol weighs in the difference. */
  readonly symbols: ReadonlyMap<string, number>;
  readonly sample: number;
  readonly isChecked: boolean;
}

function lookOf(type: string, window: Window, { shared, ofSymbols, own }: Parts): Look | undefined {
  const self = window.find((one) => one.type === type);
  const others = window.filter((one) => one.type !== type);
  if (self === undefined || others.length === 0) return undefined;
  const sampleOfOthers = sum(others, ({ sample }) => sample);
  const cardsOfOthers = others.flatMap(({ cards }) => cards);
  const weighed = [...equalWeights(self.cards), ...equalWeights(cardsOfOthers, -1)];
  const ofOwn = own(type) / self.sample + sum(others, (one) => own(one.type) * one.sample) / sampleOfOthers ** 2;
  const withoutSymbols = ofOwn + sharedVariance(weighed, shared);
  const symbols = weightsBy(weighed, ({ symbol }) => symbol);
  return {
    difference: self.median - sum(others, (one) => one.sample * one.median) / sampleOfOthers,
    variance: withoutSymbols + ofSymbols * squares(symbols),
    withoutSymbols,
    symbols,
    sample: self.sample,
    isChecked: self.isChecked,
  };
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
