/** Which numbers known at the trigger go with what came after, and what stricter settings would have kept. Pure. */

import { type ClusteredMedian, clusteredMedian, medianInterval } from './clustered-median.ts';
import { clean, type Difference, differencesOf, differencesToOthers, symbolsOfBtc } from './differences.ts';
import { groupBy } from './group.ts';
import { type Adjusted, holm, LEVEL } from './holm.ts';
import { quantile, sortedOf } from './quantile.ts';
import { correlationInterval, correlationThatShows, type RankTest, rankTest } from './rank-test.ts';
import { cardsPerDay } from './rate.ts';
import type { Row } from './row.ts';
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
      return adjusted(keys.map((key) => asking(type, key, horizon, differences))).map((one) => ({ ...one, ofType }));
    });
  });
  const inOrder = asked.toSorted((a, b) => placeOf(a.question) - placeOf(b.question));
  return {
    questions: inOrder.map(({ question }) => question),
    cuts: inOrder.flatMap(({ question, cards, ofType }) => cutsOf(question, cards, cardsPerDay(ofType, newest))),
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
  /** Whether at least half of the bought cards have it. */
  readonly isGiven: boolean;
}

interface WithKey extends Difference {
  readonly key: number;
}

interface Asking {
  readonly question: Question;
  /** As `rankTest` gives it; a word where the key could not be asked. */
  readonly test: RankTest | string;
  readonly cards: readonly WithKey[];
}

/** The keys of the bought cards, each with a fifth or more of its values on both sides of zero also by its size. */
function keysOf(rows: readonly Row[]): Key[] {
  const found = new Map<string, { cards: number; above: number; below: number }>();
  let bought = 0;
  for (const { isBought, context = {} } of rows) {
    if (isBought) bought += 1;
    for (const [key, value] of Object.entries(context)) {
      if (!isNumber(value)) continue;
      const seen = found.get(key) ?? { cards: 0, above: 0, below: 0 };
      seen.cards += 1;
      if (value > 0) seen.above += 1;
      if (value < 0) seen.below += 1;
      found.set(key, seen);
    }
  }
  return [...found].flatMap(([key, { cards, above, below }]) => {
    const plain = { key, absolute: false, isGiven: cards >= bought / 2 };
    return Math.min(above, below) >= cards / 5 ? [plain, { ...plain, absolute: true }] : [plain];
  });
}

function asking(
  type: string,
  { key, absolute, isGiven }: Key,
  horizon: HorizonName,
  all: readonly Difference[],
): Asking {
  const cards: WithKey[] = [];
  for (const { card, value, day, symbol } of all) {
    const known = card.context !== undefined && Object.hasOwn(card.context, key) ? card.context[key] : null;
    if (isNumber(known)) cards.push({ card, value, day, symbol, key: absolute ? Math.abs(known) : known });
  }
  const test = isGiven ? rankTest(cards, horizon) : 'rarely_given';
  const isConstant = test === 'constant_within_days';
  return {
    test,
    cards,
    question: {
      type,
      key,
      absolute,
      horizon,
      cards: cards.length,
      days: new Set(cards.map(({ day }) => day)).size,
      symbols: new Set(cards.map(({ symbol }) => symbol)).size,
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
  const tested = all.flatMap(({ test }) => (typeof test === 'string' ? [] : [test]));
  const levels = new Map<unknown, Adjusted | undefined>(
    holm(tested.map(({ p }) => p)).map((one, i) => [tested[i], one]),
  );
  return all.map((one) => {
    const { test, question } = one;
    const level = levels.get(test);
    if (typeof test === 'string' || level === undefined) return one;
    const isClear = level.p < LEVEL;
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
 * day. Simulated with a step of 1.2 percentage points at the median of a key (60 days of 15 cards, only keys that passed
 * their test): the median is .04 to .08 points too large, and the interval holds in 99 %. With half as many cards it is
 * .3 too large, because a key passes more easily where it looks better than it is.
 */
function cutsOf({ type, key, absolute, horizon, verdict }: Question, cards: readonly WithKey[], perDay: number): Cut[] {
  if (verdict !== 'higher' && verdict !== 'lower') return [];
  const sorted = sortedOf(cards.map((card) => card.key));
  const isAtLeast = verdict === 'higher';
  // The mildest first: it keeps most.
  const quantiles = isAtLeast ? QUANTILES : QUANTILES.toReversed();
  const values = new Map(quantiles.map((share) => [quantile(sorted, share), share]));
  return [...values].flatMap(([value, share]): Cut[] => {
    const isKept = (one: WithKey) => (isAtLeast ? one.key >= value : one.key <= value);
    const kept = new Set(cards.filter(isKept).map(({ card }) => card));
    if (kept.size === cards.length) return [];
    const vsBtc = clusteredMedian(cards.filter(isKept), horizon);
    const compared = differencesToOthers(cards, (card) => Number(kept.has(card)));
    const vsDropped = clusteredMedian(
      compared.filter(({ card }) => kept.has(card)),
      horizon,
    );
    return [
      {
        type,
        key,
        absolute,
        horizon,
        direction: isAtLeast ? 'at_least' : 'at_most',
        value,
        quantile: share,
        cards_per_day: perDay * (kept.size / cards.length),
        kept_vs_btc: medianOf(vsBtc),
        kept_vs_btc_interval_95: medianInterval(vsBtc, LEVEL),
        kept_vs_dropped: medianOf(vsDropped),
        kept_vs_dropped_interval: medianInterval(vsDropped, LEVEL / QUANTILES.length),
      },
    ];
  });
}

function medianOf({ median }: ClusteredMedian): number | null {
  return Number.isNaN(median) ? null : clean(median);
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
