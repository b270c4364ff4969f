/** Which numbers known at the trigger go with what came after, and what stricter settings would have kept. Pure. */

import { type ClusteredMedian, clusteredMedian, medianInterval } from './clustered-median.ts';
import { blocksOf, type Columns, columnsOf } from './clusters.ts';
import { clean, type Difference, differencesOf, differencesToOthers, symbolsOfBtc } from './differences.ts';
import { asPrinted } from './figure.ts';
import { groupBy } from './group.ts';
import { FAMILY_LEVEL, holm, LEVEL } from './holm.ts';
import { quantile } from './quantile.ts';
import { correlationInterval, correlationThatShows, type RankTest, rankTest } from './rank-test.ts';
import { cardsPerDay } from './rate.ts';
import type { Row } from './row.ts';
import { twoSidedQuantile } from './student-t.ts';
import type { Cut, Question, Tuning } from './tune-types.ts';
import { HORIZON_NAMES, type HorizonName } from './types.ts';

/** Cuts tried for a key that tells: fixed, so that no outcome is looked at to choose them. */
const QUANTILES = [0.3, 0.5, 0.7] as const;

/**
 * Every key of every type at both horizons. The keys of a type and horizon are one family of Holm's: a reader asks of
 * one screener at a time.
 * @returns the clear ones first, then by p; types and keys in the order of their first card
 */
export function tuningOf(rows: readonly Row[]): Tuning {
  const newest = rows.reduce((last, { at }) => Math.max(last, at), 0);
  const ofBtc = symbolsOfBtc(rows);
  const asked = [...groupBy(rows, ({ type }) => type)].flatMap(([type, ofType]) => {
    const keys = keysOf(ofType);
    return HORIZON_NAMES.flatMap((horizon) => {
      // Once for all keys: their tests go through them by day.
      const differences = differencesOf(ofType, horizon, ofBtc).toSorted((one, other) => one.day - other.day);
      const numbers = numbersOf(differences.map(({ card }) => card));
      const none = new Float64Array(differences.length).fill(Number.NaN);
      const columns = columnsOf(differences);
      const askings = keys.map((one) =>
        asking(type, one, horizon, { differences, columns, numbers: numbers.get(one.key) ?? none }),
      );
      return adjusted(askings).map((one) => ({ ...one, ofType }));
    });
  });
  const inOrder = asked.toSorted((a, b) => placeOf(a.question) - placeOf(b.question));
  return {
    questions: inOrder.map(({ question }) => question),
    cuts: inOrder.flatMap((one) => cutsOf(one, () => cardsPerDay(one.ofType, newest))),
  };
}

/** Clear ones, then by how near they came, then what could not be asked. */
function placeOf({ verdict, p_holm, p }: Question): number {
  const isClear = verdict === 'higher' || verdict === 'lower';
  return p_holm === null || p === null ? 3 : isClear ? p : 1 + p;
}

interface Key {
  readonly key: string;
  readonly absolute: boolean;
  /** Whether at least half of the bought cards have it: with fewer it is not asked. */
  readonly isOnHalf: boolean;
}

interface Asking {
  readonly question: Question;
  /** As `rankTest` gives it; a word where the key could not be asked. */
  readonly test: RankTest | string;
  readonly cards: readonly Difference[];
  /** Of each card. */
  readonly keys: Float64Array;
}

/** By key, in the order of the first card that has it: the number of each card, NaN where it has none. */
function numbersOf(cards: readonly Row[]): Map<string, Float64Array> {
  const numbers = new Map<string, Float64Array>();
  for (const [i, { context = {} }] of cards.entries()) {
    for (const [key, value] of Object.entries(context)) {
      if (typeof value !== 'number' || !Number.isFinite(value)) continue;
      const column = numbers.get(key) ?? new Float64Array(cards.length).fill(Number.NaN);
      if (!numbers.has(key)) numbers.set(key, column);
      column[i] = value;
    }
  }
  return numbers;
}

/** The keys of the bought cards, each with a fifth or more of its values on both sides of zero also by its size. */
function keysOf(rows: readonly Row[]): Key[] {
  const bought = rows.filter(({ isBought }) => isBought);
  return [...numbersOf(bought)].flatMap(([key, numbers]) => {
    const size = numbers.filter(isGiven).length;
    const above = numbers.filter((one) => one > 0).length;
    const below = numbers.filter((one) => one < 0).length;
    const plain = { key, absolute: false, isOnHalf: size >= bought.length / 2 };
    return Math.min(above, below) >= size / 5 ? [plain, { ...plain, absolute: true }] : [plain];
  });
}

const isGiven = (one: number) => !Number.isNaN(one);

/** @param all by day, with the number of the key of each */
function asking(
  type: string,
  { key, absolute, isOnHalf }: Key,
  horizon: HorizonName,
  all: { differences: readonly Difference[]; columns: Columns; numbers: Float64Array },
): Asking {
  const { differences, numbers } = all;
  const cards = differences.filter((_, i) => isGiven(numbers[i] ?? Number.NaN));
  const given = numbers.filter(isGiven);
  const keys = absolute ? given.map(Math.abs) : given;
  const columns = cards.length === differences.length ? all.columns : columnsOf(cards);
  const test = isOnHalf ? rankTest(columns, keys, horizon) : 'rarely_given';
  const isConstant = test === 'constant_within_days';
  return {
    test,
    cards,
    keys,
    question: {
      type,
      key,
      absolute,
      horizon,
      cards: cards.length,
      days: blocksOf(columns.days, 1).count,
      symbols: columns.symbols.count,
      correlation: null,
      correlation_interval_95: null,
      p: null,
      p_holm: null,
      verdict: isConstant ? 'constant_within_days' : 'too_little',
      too_little: typeof test === 'string' && test !== 'constant_within_days' ? test : null,
      would_show: null,
    },
  };
}

/** With what the tests found, after Holm's adjustment over those that were made. */
function adjusted(all: readonly Asking[]): Asking[] {
  const levels = holm(
    all.map(({ test }) => (typeof test === 'string' ? null : test.p)),
    FAMILY_LEVEL,
  );
  return all.map((one, i) => {
    const { test, question } = one;
    const level = levels[i];
    if (typeof test === 'string' || level === undefined) return one;
    const isClear = level.p < FAMILY_LEVEL;
    return {
      ...one,
      question: {
        ...question,
        correlation: clean(test.correlation),
        correlation_interval_95: correlationInterval(test, LEVEL),
        p: test.p,
        p_holm: level.p,
        verdict: !isClear ? 'unclear' : test.correlation > 0 ? 'higher' : 'lower',
        would_show: correlationThatShows(test, level.level),
      },
    };
  });
}

/**
 * Stricter settings of a key that tells: what they would have kept, and how that did beside what they drop on the same
 * day. A key passes its test more easily where it looks better than it is, so the median beside the dropped ones is made
 * smaller as the test's own quantile is by Holm's adjustment (Bigdeli et al. 2016, who adjust by false discoveries). In 500
 * simulated histories of each kind with a step of 1.2 percentage points at the median of a key, one of five, 30 or 60 days
 * of 8 or 15 cards, it is .17 points too small to .05 too large, otherwise .08 to .31 too large; the interval, which is left
 * as it is, holds in 96 to 99 %.
 */
function cutsOf({ question, test, cards, keys }: Asking, perDay: () => number): Cut[] {
  const { type, key, absolute, horizon, verdict, p, p_holm } = question;
  if (typeof test === 'string' || (verdict !== 'higher' && verdict !== 'lower')) return [];
  const quantileAt = (level: number) => twoSidedQuantile(level, test.degreesOfFreedom);
  const shrunk = p && p_holm ? quantileAt(p_holm) / quantileAt(p) : 1;
  const sorted = keys.toSorted();
  const isAtLeast = verdict === 'higher';
  // The mildest first: it keeps most.
  const quantiles = isAtLeast ? QUANTILES : QUANTILES.toReversed();
  const values = new Map(quantiles.map((share) => [quantile(sorted, share), share]));
  return [...values].flatMap(([value, share]): Cut[] => {
    const kept = cards.filter((_, i) => {
      const own = keys[i] ?? Number.NaN;
      return isAtLeast ? own >= value : own <= value;
    });
    if (kept.length === cards.length) return [];
    const isKept = new Set(kept.map(({ card }) => card));
    const vsBtc = clusteredMedian(kept, horizon);
    const compared = differencesToOthers(cards, (card) => Number(isKept.has(card)));
    const keptOfThem = compared.filter(({ card }) => isKept.has(card));
    const vsDropped = clusteredMedian(keptOfThem, horizon);
    return [
      {
        type,
        key,
        absolute,
        horizon,
        direction: isAtLeast ? 'at_least' : 'at_most',
        value,
        quantile: share,
        cards_per_day: perDay() * (kept.length / cards.length),
        kept_vs_btc: medianOrNull(vsBtc),
        kept_vs_btc_interval_95: medianInterval(vsBtc, LEVEL),
        kept_vs_dropped: medianOrNull(vsDropped, shrunk),
        kept_vs_dropped_interval: medianInterval(vsDropped, LEVEL / QUANTILES.length),
      },
    ];
  });
}

function medianOrNull({ median }: ClusteredMedian, factor = 1): number | null {
  return Number.isNaN(median) ? null : clean(median * factor);
}

/** As it is written: the value of a cut to the digit, because it is typed again. */
export function asWritten({ questions, cuts }: Tuning): Tuning {
  return { questions: asPrinted(questions), cuts: cuts.map((cut) => ({ ...asPrinted(cut), value: cut.value })) };
}
