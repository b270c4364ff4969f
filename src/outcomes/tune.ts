import { byHorizon, HORIZON_NAMES, type HorizonName, horizonOf } from '../api/contract/horizons.ts';
import { formatApiTime } from '../api/time.ts';
import { clusteredMedian, medianInterval } from './clustered-median.ts';
import { blocksOf, type Columns, columnsOf, untilDay } from './clusters.ts';
import { clean, type Difference, differencesOf, differencesToOthers, symbolsOfBtc } from './differences.ts';
import { asPrinted } from './figure.ts';
import { groupBy } from './group.ts';
import { FAMILY_LEVEL, holm, LEVEL } from './holm.ts';
import { lastSettledDay, pastLooks } from './past.ts';
import { quantile } from './quantile.ts';
import { correlationInterval, correlationThatShows, type RankTest, rankTest } from './rank-test.ts';
import { cardsPerDay } from './rate.ts';
import type { Row } from './row.ts';
import { twoSidedQuantile } from './student-t.ts';
import type { Cut, Question, Tuning } from './tune-types.ts';
import { differenceOfEstimates, estimateOf } from './verdict.ts';

/** Fixed, so that no outcome is looked at to choose them. */
const QUANTILES = [0.3, 0.5, 0.7] as const;

interface TuneQuestion {
  /** Epoch milliseconds UTC. */
  readonly now: number;
  /** End of the history; unless given, `now`. */
  readonly until?: number | undefined;
  /** Asked alone; its cards are compared with those of the others. */
  readonly type?: string | undefined;
  /** Present settings of a type since then, epoch milliseconds UTC: older cards are left out. */
  readonly settingsSince?: ReadonlyMap<string, number> | undefined;
}

/**
 * One family of Holm's for each type and horizon: a reader asks of one screener at a time.
 * @param rows cards of all types
 * @returns the clear ones first, then by p
 */
export function tuningOf(rows: readonly Row[], question: TuneQuestion): Tuning {
  const { now, until = now, type: only, settingsSince } = question;
  const ofBtc = symbolsOfBtc(rows);
  const first = rows.reduce((oldest, { at }) => Math.min(oldest, at), until);
  const beside = byHorizon((horizon) => besideOthers(differencesOf(rows, horizon, ofBtc)));
  const asked = [...groupBy(rows, ({ type }) => type)].flatMap(([type, whole]) => {
    if (only !== undefined && type !== only) return [];
    const since = settingsSince?.get(type) ?? Number.NEGATIVE_INFINITY;
    const ofType = whole.filter(({ at }) => at >= since);
    const perDay = cardsPerDay(ofType, until, { since: Math.max(since, first) });
    const keys = keysOf(ofType);
    return HORIZON_NAMES.flatMap((horizon) => {
      const differences = differencesOf(ofType, horizon, ofBtc).toSorted((one, other) => one.day - other.day);
      const numbers = numbersOf(differences.map(({ card }) => card));
      const none = new Float64Array(differences.length).fill(Number.NaN);
      const columns = columnsOf(differences);
      const family = keys.map((one) =>
        asking(type, one, horizon, { differences, columns, numbers: numbers.get(one.key) ?? none }),
      );
      return judgedKeys(family, now).map((one) => ({ ...one, beside: beside[horizon], perDay }));
    });
  });
  const inOrder = asked.toSorted((a, b) => placeOf(a.question) - placeOf(b.question));
  const told = inOrder.filter(({ question: one }) => isClear(one));
  return {
    questions: inOrder.map((one) => one.question),
    cuts: told.flatMap(cutsOf),
  };
}

/** Differences to BTC alone if there is no other type. */
function besideOthers(differences: readonly Difference[]): ReadonlyMap<Row, Difference> {
  const types = new Set(differences.map(({ card }) => card.type));
  const compared = types.size < 2 ? differences : differencesToOthers(differences, ({ type }) => type);
  return new Map(compared.map((one) => [one.card, one]));
}

function isClear({ verdict }: Question): boolean {
  return verdict === 'higher' || verdict === 'lower';
}

function placeOf(question: Question): number {
  const { p_holm, p } = question;
  return p_holm === null || p === null ? 3 : isClear(question) ? p : 1 + p;
}

interface Key {
  readonly key: string;
  readonly absolute: boolean;
  /** Asked only if half of the bought cards have it. */
  readonly isOnHalf: boolean;
}

interface Asking {
  readonly question: Question;
  readonly test: RankTest | string;
  readonly cards: readonly Difference[];
  readonly columns: Columns;
  readonly keys: Float64Array;
  /** Epoch milliseconds UTC; undefined if it does not tell. */
  readonly since?: number | undefined;
}

interface Told extends Asking {
  readonly beside: ReadonlyMap<Row, Difference>;
  readonly perDay: number;
}

/** Numbers of each card by key; NaN if it has none. */
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

/** Keys also by size, if a fifth of the values lie on either side of zero. */
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
    columns,
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
      verdict_since: null,
      would_show: null,
    },
  };
}

function judgedKeys(family: readonly Asking[], now: number): Asking[] {
  const levels = levelsOf(family.map(({ test }) => test));
  return family.map((one, i) => {
    const { test, question } = one;
    const level = levels[i];
    if (typeof test === 'string' || level === undefined) return one;
    const since = toldSince(family, i, now, level.p < FAMILY_LEVEL ? now : undefined);
    const shows = correlationThatShows(test, level.level);
    return {
      ...one,
      since,
      question: {
        ...question,
        correlation: clean(test.correlation),
        correlation_interval_95: correlationInterval(test, LEVEL),
        p: test.p,
        p_holm: level.p,
        verdict: since === undefined ? 'unclear' : test.correlation > 0 ? 'higher' : 'lower',
        verdict_since: since === undefined ? null : formatApiTime(since),
        would_show: shows < 1 ? shows : null,
      },
    };
  });
}

function levelsOf(tests: readonly Asking['test'][]) {
  return holm(
    tests.map((test) => (typeof test === 'string' ? null : test.p)),
    FAMILY_LEVEL,
  );
}

/**
 * Walks back from now: a verdict stays while the key's own p is below `LEVEL` with the same sign.
 * @param found now, if Holm's adjustment gives it now
 */
function toldSince(family: readonly Asking[], i: number, now: number, found: number | undefined): number | undefined {
  const own = family[i];
  if (own === undefined || typeof own.test === 'string') return undefined;
  const { correlation } = own.test;
  const cards = family.reduce((sum, one) => sum + one.cards.length, 0);
  let since = found;
  for (const time of pastLooks(now, { first: own.cards[0]?.card.at ?? now, cards }).toReversed()) {
    const then = testAt(own, time);
    if (typeof then === 'string' || then.p >= LEVEL || then.correlation * correlation <= 0) break;
    if (then.p >= FAMILY_LEVEL) continue;
    const level = levelsOf(family.map((one) => testAt(one, time)))[i];
    if (level !== undefined && level.p < FAMILY_LEVEL) since = time;
  }
  return own.test.p < LEVEL ? since : undefined;
}

function testAt({ test, columns, keys, question: { horizon } }: Asking, time: number): Asking['test'] {
  if (typeof test === 'string') return test;
  const then = untilDay(columns, lastSettledDay(time, horizonOf(horizon).millis));
  return rankTest(then, keys.subarray(0, then.values.length), horizon);
}

/**
 * Cuts compare kept with dropped cards, each beside the other types' cards of its day. A key that passes looks better
 * than it is, so the difference shrinks as the test's quantile does by Holm's adjustment (after Bigdeli et al. 2016).
 */
function cutsOf({ question, test, cards, keys, since, beside, perDay }: Told): Cut[] {
  const { type, key, absolute, horizon, verdict, p, p_holm } = question;
  if (typeof test === 'string' || since === undefined) return [];
  const quantileAt = (level: number) => twoSidedQuantile(level, test.degreesOfFreedom);
  const shrunk = p && p_holm ? quantileAt(p_holm) / quantileAt(p) : 1;
  const sorted = keys.toSorted();
  const isAtLeast = verdict === 'higher';
  const quantiles = isAtLeast ? QUANTILES : QUANTILES.toReversed();
  const values = new Map(quantiles.map((share) => [quantile(sorted, share), share]));
  return [...values].flatMap(([value, share]): Cut[] => {
    const passes = (own: number) => (isAtLeast ? own >= value : own <= value);
    const kept = cards.filter((_, i) => passes(keys[i] ?? Number.NaN));
    if (kept.length === cards.length) return [];
    const dropped = cards.filter((_, i) => !passes(keys[i] ?? Number.NaN));
    const vsBtc = clusteredMedian(kept, horizon);
    const compared = (some: readonly Difference[], from: number) =>
      some.flatMap(({ card }) => (card.at < from ? [] : (beside.get(card) ?? [])));
    const keptLessDropped = (from: number) => {
      const [one, other] = [compared(kept, from), compared(dropped, from)];
      const median = (some: readonly Difference[]) => estimateOf(clusteredMedian(some, horizon));
      return { size: one.length + other.length, ...differenceOfEstimates(median(one), median(other)) };
    };
    const vsDropped = keptLessDropped(Number.NEGATIVE_INFINITY);
    const after = keptLessDropped(since);
    return [
      {
        type,
        key,
        absolute,
        horizon,
        direction: isAtLeast ? 'at_least' : 'at_most',
        value,
        quantile: share,
        cards_per_day: perDay * (kept.length / cards.length),
        kept_vs_btc: medianOrNull(vsBtc.median),
        kept_vs_btc_interval_95: medianInterval(vsBtc, LEVEL),
        kept_vs_dropped: medianOrNull(vsDropped.value * shrunk),
        kept_vs_dropped_interval: vsDropped.interval(LEVEL / QUANTILES.length),
        verdict_since: formatApiTime(since),
        since_then:
          after.size === 0
            ? null
            : {
                cards: after.size,
                difference_percentage_points: medianOrNull(after.value),
                interval_95: after.interval(LEVEL),
              },
      },
    ];
  });
}

function medianOrNull(median: number): number | null {
  return Number.isNaN(median) ? null : clean(median);
}

/** Prints the value of a cut in full, because it is typed again. */
export function asWritten({ questions, cuts }: Tuning): Tuning {
  return {
    questions: asPrinted(questions),
    cuts: cuts.map((cut) => ({ ...asPrinted(cut), value: cut.value })),
  };
}
