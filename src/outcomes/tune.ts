import { HORIZON_NAMES, type HorizonName, horizonOf } from '../api/contract/horizons.ts';
import { formatApiTime } from '../api/time.ts';
import { clusteredMedian, medianInterval } from './clustered-median.ts';
import { columnsOf } from './clusters.ts';
import { clean, type Difference, differencesOf, differencesToOthers, symbolsOfBtc } from './differences.ts';
import { asPrinted, eachHorizon } from './figure.ts';
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
  const beside = eachHorizon((horizon) => besideOthers(differencesOf(rows, horizon, ofBtc)));
  const asked = [...groupBy(rows, ({ type }) => type)].flatMap(([type, whole]) => {
    if (only !== undefined && type !== only) return [];
    const since = settingsSince?.get(type) ?? Number.NEGATIVE_INFINITY;
    const ofType = whole.filter(({ at }) => at >= since);
    const perDay = cardsPerDay(ofType, until, { since: Math.max(since, first) });
    const keys = keysOf(ofType);
    return HORIZON_NAMES.filter((name) => name === (main ?? name)).flatMap((horizon) => {
      const differences = differencesOf(ofType, horizon, ofBtc).toSorted((one, other) => one.day - other.day);
      const family = keys.map((one) => asking(one, type, horizon, differences));
      return judgedKeys(family, now).map((told) => ({
        question: told.question,
        cuts: told.since === undefined ? [] : cutsOf(told, told.since, beside[horizon], perDay),
      }));
    });
  });
  const inOrder = asked.toSorted((a, b) => placeOf(a.question) - placeOf(b.question));
  return { questions: inOrder.map((one) => one.question), cuts: inOrder.flatMap(({ cuts }) => cuts) };
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

function numberAt({ context }: Row, key: string): number | undefined {
  const value = context?.[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

type Key = ReturnType<typeof keysOf>[number];

/** Keys also by size, if a fifth of the values lie on either side of zero. */
function keysOf(rows: readonly Row[]) {
  const bought = rows.filter(({ isBought }) => isBought);
  const names = new Set<string>();
  for (const { context = {} } of bought) for (const key of Object.keys(context)) names.add(key);
  return [...names].flatMap((key) => {
    const numbers = bought.flatMap((card) => numberAt(card, key) ?? []);
    const above = numbers.filter((one) => one > 0).length;
    const below = numbers.filter((one) => one < 0).length;
    // Asked only if half of the bought cards have it.
    const plain = { key, absolute: false, isOnHalf: numbers.length >= bought.length / 2 };
    if (numbers.length === 0) return [];
    return Math.min(above, below) >= numbers.length / 5 ? [plain, { ...plain, absolute: true }] : [plain];
  });
}

type Asking = ReturnType<typeof asking>;

/** @param all by day */
function asking({ key, absolute, isOnHalf }: Key, type: string, horizon: HorizonName, all: readonly Difference[]) {
  const cards: Difference[] = [];
  const numbers: number[] = [];
  for (const one of all) {
    const number = numberAt(one.card, key);
    if (number === undefined) continue;
    cards.push(one);
    numbers.push(absolute ? Math.abs(number) : number);
  }
  const keys = new Float64Array(numbers);
  const columns = columnsOf(cards);
  const tests = isOnHalf ? rankTest(columns, keys, horizon) : () => 'rarely_given' as const;
  const test = tests();
  const testAt = (time: number | undefined) =>
    time === undefined ? test : tests(lastSettledDay(time, horizonOf(horizon).millis));
  const isConstant = test === 'constant_within_days';
  const question: Question = {
    type,
    key,
    absolute,
    horizon,
    cards: cards.length,
    days: columns.blocks(1).sizes.length,
    symbols: columns.symbols.sizes.length,
    correlation: null,
    correlation_interval_95: null,
    p: null,
    p_holm: null,
    verdict: isConstant ? 'constant_within_days' : 'too_little',
    too_little: typeof test === 'string' && test !== 'constant_within_days' ? test : null,
    verdict_since: null,
    would_show: null,
  };
  return { question, test, testAt, cards, keys };
}

const UNTESTED: Estimate = {
  value: Number.NaN,
  p: null,
  degreesOfFreedom: 1,
  days: 0,
  clusters: 0,
  interval: () => null,
};

function judgedKeys(family: readonly Asking[], now: number) {
  const estimatesAt = (time: number | undefined) =>
    family.map(({ testAt }) => {
      const test = testAt(time);
      return typeof test === 'string' ? UNTESTED : test;
    });
  const present = judged(estimatesAt(undefined), 0);
  const cards = family.reduce((total, one) => total + one.cards.length, 0);
  const first = Math.min(...family.flatMap((one) => one.cards[0]?.card.at ?? []));
  // A word that is not found now is kept only below this level.
  const looks = present.some(({ p }) => p !== null && p < LEVEL) ? pastLooks(now, { first, cards }) : [];
  const words = standings(looks, now, estimatesAt, 0);
  return family.map((one, i) => {
    const { test } = one;
    if (typeof test === 'string') return { ...one, since: undefined };
    const { verdict, since: standsSince } = words[i]?.at(-1) ?? {};
    const since = verdict === 'above' || verdict === 'below' ? standsSince : undefined;
    const { adjusted } = present[i] as Judged;
    const { low, high } = test.interval(LEVEL) ?? { low: -1, high: 1 };
    const shows = wouldShow(present[i] as Judged) ?? 1;
    const question: Question = {
      ...one.question,
      correlation: clean(test.value),
      correlation_interval_95: { low: Math.max(-1, low), high: Math.min(1, high) },
      p: test.p,
      p_holm: adjusted?.p ?? null,
      verdict: since === undefined ? 'unclear' : test.value > 0 ? 'higher' : 'lower',
      verdict_since: since === undefined ? null : formatApiTime(since),
      would_show: shows < 1 ? shows : null,
    };
    return { ...one, question, since };
  });
}

/**
 * Cuts compare kept with dropped cards, each beside the other types' cards of its day. A key that passes looks better
 * than it is, so the difference shrinks as the test's quantile does by Holm's adjustment (after Bigdeli et al. 2016).
 */
function cutsOf(
  { question, test, cards, keys }: Asking,
  since: number,
  beside: ReadonlyMap<Row, Difference>,
  perDay: number,
): Cut[] {
  const { type, key, absolute, horizon, verdict, verdict_since, p, p_holm } = question;
  if (typeof test === 'string') return [];
  const quantileAt = (level: number) => twoSidedQuantile(level, test.degreesOfFreedom);
  const shrunk = p && p_holm ? quantileAt(p_holm) / quantileAt(p) : 1;
  const sorted = keys.toSorted();
  const isAtLeast = verdict === 'higher';
  const quantiles = isAtLeast ? QUANTILES : QUANTILES.toReversed();
  const values = new Map(quantiles.map((share) => [quantile(sorted, share), share]));
  return [...values].flatMap(([value, share]): Cut[] => {
    const passes = (_: Difference, i: number) => (isAtLeast ? (keys[i] ?? 0) >= value : (keys[i] ?? 0) <= value);
    const kept = cards.filter(passes);
    if (kept.length === cards.length) return [];
    const dropped = cards.filter((one, i) => !passes(one, i));
    const vsBtc = clusteredMedian(kept, horizon);
    const keptLessDropped = (from: number) => {
      const compared = [kept, dropped].map((some) =>
        some.flatMap(({ card }) => (card.at < from ? [] : (beside.get(card) ?? []))),
      );
      const [ofKept, ofDropped] = compared.map((some) => estimateOf(clusteredMedian(some, horizon)));
      const size = compared.flat().length;
      return { size, ...differenceOfEstimates(ofKept as Estimate, ofDropped as Estimate) };
    };
    const vsDropped = keptLessDropped(Number.NEGATIVE_INFINITY);
    const after = keptLessDropped(since);
    const sinceThen = {
      cards: after.size,
      difference_percentage_points: medianOrNull(after.value),
      interval_95: after.interval(LEVEL),
    };
    const cut: Cut = {
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
      verdict_since,
      since_then: after.size === 0 ? null : sinceThen,
    };
    return [cut];
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
