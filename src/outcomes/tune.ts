import { byHorizon, HORIZON_NAMES, type HorizonName, horizonOf } from '../api/contract/horizons.ts';
import { formatApiTime } from '../api/time.ts';
import { clusteredMedian, medianInterval } from './clustered-median.ts';
import { blocksOf, type Columns, columnsOf, untilDay } from './clusters.ts';
import { clean, type Difference, differencesOf, differencesToOthers, symbolsOfBtc } from './differences.ts';
import { asPrinted, lazily } from './figure.ts';
import { groupBy } from './group.ts';
import { LEVEL } from './holm.ts';
import { lastSettledDay, pastLooks, standings } from './past.ts';
import { quantile } from './quantile.ts';
import { rankTest } from './rank-test.ts';
import { cardsPerDay } from './rate.ts';
import type { Row } from './row.ts';
import { twoSidedQuantile } from './student-t.ts';
import type { Cut, Question, Tuning } from './tune-types.ts';
import { differenceOfEstimates, type Estimate, estimateOf, type Judged, judged, wouldShow } from './verdict.ts';

/** Fixed, so that no outcome is looked at to choose them. */
const QUANTILES = [0.3, 0.5, 0.7] as const;

interface TuneQuestion {
  /** Epoch milliseconds UTC. */
  readonly now: number;
  /** End of the history; unless given, `now`. */
  readonly until?: number | undefined;
  /** Asked alone; its cards are compared with those of the others. */
  readonly type?: string | undefined;
  /** Asked alone. */
  readonly horizon?: HorizonName | undefined;
  /** Present settings of a type since then, epoch milliseconds UTC: older cards are left out. */
  readonly settingsSince?: ReadonlyMap<string, number> | undefined;
}

/**
 * One family of Holm's for each type and horizon: a reader asks of one screener at a time.
 * @param rows cards of all types
 * @returns the clear ones first, then by p
 */
export function tuningOf(rows: readonly Row[], question: TuneQuestion): Tuning {
  const { now, until = now, type: only, horizon: main, settingsSince } = question;
  const ofBtc = symbolsOfBtc(rows);
  const first = rows.reduce((oldest, { at }) => Math.min(oldest, at), until);
  const beside = lazily(byHorizon((horizon) => () => besideOthers(differencesOf(rows, horizon, ofBtc))));
  const asked = [...groupBy(rows, ({ type }) => type)].flatMap(([type, whole]) => {
    if (only !== undefined && type !== only) return [];
    const since = settingsSince?.get(type) ?? Number.NEGATIVE_INFINITY;
    const ofType = whole.filter(({ at }) => at >= since);
    const perDay = cardsPerDay(ofType, until, { since: Math.max(since, first) });
    const keys = keysOf(ofType);
    return HORIZON_NAMES.filter((name) => name === (main ?? name)).flatMap((horizon) => {
      const differences = differencesOf(ofType, horizon, ofBtc).toSorted((one, other) => one.day - other.day);
      const numbers = numbersOf(differences.map(({ card }) => card));
      const columns = columnsOf(differences);
      const family = keys.map((one) => asking(one, horizon, differences, columns, numbers.get(one.key)));
      return judgedKeys(type, family, now).map((one) => ({ ...one, besideOf: () => beside[horizon], perDay }));
    });
  });
  const inOrder = asked.toSorted((a, b) => placeOf(a.question) - placeOf(b.question));
  return { questions: inOrder.map((one) => one.question), cuts: inOrder.flatMap(cutsOf) };
}

/** Differences to BTC alone if there is no other type. */
function besideOthers(differences: readonly Difference[]): ReadonlyMap<Row, Difference> {
  const types = new Set(differences.map(({ card }) => card.type));
  const compared = types.size < 2 ? differences : differencesToOthers(differences, ({ type }) => type);
  return new Map(compared.map((one) => [one.card, one]));
}

function placeOf({ verdict, p_holm, p }: Question): number {
  const isClear = verdict === 'higher' || verdict === 'lower';
  return p_holm === null || p === null ? 3 : isClear ? p : 1 + p;
}

interface Key {
  readonly key: string;
  readonly absolute: boolean;
  /** Asked only if half of the bought cards have it. */
  readonly isOnHalf: boolean;
}

interface Asking extends Key {
  readonly horizon: HorizonName;
  readonly test: ReturnType<typeof rankTest> | 'rarely_given';
  /** As settled at a time, epoch milliseconds UTC. */
  readonly testAt: (time: number) => Asking['test'];
  readonly cards: readonly Difference[];
  readonly columns: Columns;
  readonly keys: Float64Array;
}

interface Told extends Asking {
  readonly question: Question;
  /** Epoch milliseconds UTC; undefined if it does not tell. */
  readonly since: number | undefined;
  readonly besideOf: () => ReadonlyMap<Row, Difference>;
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

/** @param all by day @param numbers the key's, of each */
function asking(
  key: Key,
  horizon: HorizonName,
  all: readonly Difference[],
  ofAll: Columns,
  numbers: Float64Array = new Float64Array(all.length).fill(Number.NaN),
): Asking {
  const cards = all.filter((_, i) => isGiven(numbers[i] ?? Number.NaN));
  const given = numbers.filter(isGiven);
  const keys = key.absolute ? given.map(Math.abs) : given;
  const columns = cards.length === all.length ? ofAll : columnsOf(cards);
  const test = key.isOnHalf ? rankTest(columns, keys, horizon) : 'rarely_given';
  const testAt = (time: number) => {
    const then = untilDay(columns, lastSettledDay(time, horizonOf(horizon).millis));
    return typeof test === 'string' ? test : rankTest(then, keys.subarray(0, then.values.length), horizon);
  };
  return { ...key, horizon, test, testAt, cards, columns, keys };
}

const UNTESTED: Estimate = {
  value: Number.NaN,
  p: null,
  degreesOfFreedom: 1,
  days: 0,
  clusters: 0,
  interval: () => null,
};

function judgedKeys(type: string, family: readonly Asking[], now: number) {
  const estimates = (tests: readonly Asking['test'][]) =>
    tests.map((test) => (typeof test === 'string' ? UNTESTED : test));
  const present = estimates(family.map(({ test }) => test));
  const cards = family.reduce((total, one) => total + one.cards.length, 0);
  const first = Math.min(...family.flatMap((one) => one.cards[0]?.card.at ?? []));
  // A word that is not found now is kept only below this level.
  const looks = present.some(({ p }) => p !== null && p < LEVEL) ? pastLooks(now, { first, cards }) : [];
  const estimatesAt = (time: number | undefined) =>
    time === undefined ? present : estimates(family.map(({ testAt }) => testAt(time)));
  const words = standings(looks, now, estimatesAt, 0);
  const tests = judged(present, 0);
  return family.map((one, i) => {
    const { test, key, absolute, horizon, columns } = one;
    const { verdict, since } = words[i]?.at(-1) ?? {};
    const isClear = verdict === 'above' || verdict === 'below';
    const question: Question = {
      type,
      key,
      absolute,
      horizon,
      cards: one.cards.length,
      days: blocksOf(columns.days, 1).count,
      symbols: columns.symbols.count,
      verdict_since: isClear && since !== undefined ? formatApiTime(since) : null,
      ...answerOf(test, tests[i] as Judged, isClear),
    };
    return { ...one, question, since: isClear ? since : undefined };
  });
}

function answerOf(test: Asking['test'], one: Judged, isClear: boolean) {
  if (typeof test === 'string') {
    const isConstant = test === 'constant_within_days';
    return {
      correlation: null,
      correlation_interval_95: null,
      p: null,
      p_holm: null,
      verdict: isConstant ? ('constant_within_days' as const) : ('too_little' as const),
      too_little: isConstant ? null : test,
      would_show: null,
    };
  }
  const { low, high } = test.interval(LEVEL) ?? { low: -1, high: 1 };
  const shows = wouldShow(one) ?? 1;
  const side = test.value > 0 ? ('higher' as const) : ('lower' as const);
  return {
    correlation: clean(test.value),
    correlation_interval_95: { low: Math.max(-1, low), high: Math.min(1, high) },
    p: test.p,
    p_holm: one.adjusted?.p ?? null,
    verdict: isClear ? side : ('unclear' as const),
    too_little: null,
    would_show: shows < 1 ? shows : null,
  };
}

/**
 * Cuts compare kept with dropped cards, each beside the other types' cards of its day. A key that passes looks better
 * than it is, so the difference shrinks as the test's quantile does by Holm's adjustment (after Bigdeli et al. 2016).
 */
function cutsOf({ question, test, cards, keys, since, besideOf, perDay }: Told): Cut[] {
  const { type, key, absolute, horizon, verdict, p, p_holm } = question;
  if (typeof test === 'string' || since === undefined) return [];
  const beside = besideOf();
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
