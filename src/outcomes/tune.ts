import { HORIZON_NAMES, type HorizonName, horizonOf } from '../api/contract/horizons.ts';
import { formatApiTime } from '../api/time.ts';
import { clusteredMedian, medianInterval } from '../statistics/clustered-median.ts';
import { columnsOf } from '../statistics/clusters.ts';
import { LEVEL } from '../statistics/holm.ts';
import { quantile } from '../statistics/quantile.ts';
import { rankTest } from '../statistics/rank-test.ts';
import { cleanOrNull } from '../statistics/round.ts';
import { twoSidedQuantile } from '../statistics/student-t.ts';
import { differenceOfEstimates, estimateOf, type Judged, judged, UNKNOWN, wouldShow } from '../statistics/verdict.ts';
import { type Difference, differencesOf, differencesToOthers, symbolsOfBtc } from './differences.ts';
import { asPrinted, eachHorizon } from './figure.ts';
import type { FiguresQuestion } from './figures.ts';
import { groupBy } from './group.ts';
import { lastSettledDay, pastLooks, standings } from './past.ts';
import { cardsPerDay } from './rate.ts';
import type { Row } from './row.ts';
import { sinceThen } from './sample.ts';
import type { Cut, Question, Tuning } from './tune-types.ts';

/** Fixed, so that no outcome is looked at to choose them. */
const QUANTILES = [0.3, 0.5, 0.7] as const;

/** A horizon is asked alone. Without the past a key whose test passes no more does not tell. */
interface TuneQuestion extends Pick<FiguresQuestion, 'now' | 'until' | 'horizon' | 'settingsSince' | 'hasPast'> {
  /** Asked alone; its cards are compared with those of the others. */
  readonly type?: string | undefined;
}

/**
 * One family of Holm's for each type and horizon: a reader asks of one screener at a time.
 * @param rows cards of all types
 * @returns the clear ones first, then by p
 */
export function tuningOf(rows: readonly Row[], question: TuneQuestion): Tuning {
  const { now, until = now, type: only, horizon: main, settingsSince, hasPast = true } = question;
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
      const family = keys.map((one) => asking(one, horizon, differences));
      return judgedKeys(family, { now, hasPast, type, horizon }).map((told) => ({
        question: told.question,
        cuts: cutsOf(told, beside[horizon], perDay),
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
  const names = new Set(bought.flatMap(({ context = {} }) => Object.keys(context)));
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
function asking({ key, absolute, isOnHalf }: Key, horizon: HorizonName, all: readonly Difference[]) {
  const cards: Difference[] = [];
  const numbers: number[] = [];
  for (const one of all) {
    const number = numberAt(one.card, key);
    if (number === undefined) continue;
    cards.push(one);
    numbers.push(absolute ? Math.abs(number) : number);
  }
  const columns = columnsOf(cards);
  const keys = new Float64Array(numbers);
  const tests = isOnHalf ? rankTest(columns, keys, horizon) : () => 'rarely_given' as const;
  const test = tests();
  const estimateAt = (time: number | undefined) => {
    const then = time === undefined ? test : tests(lastSettledDay(time, horizonOf(horizon).millis));
    return typeof then === 'string' ? UNKNOWN : then;
  };
  return { key, absolute, columns, cards, keys, test, estimateAt };
}

function judgedKeys(
  family: readonly Asking[],
  { now, hasPast, ...of }: { now: number; hasPast: boolean } & Pick<Question, 'type' | 'horizon'>,
) {
  const estimatesAt = (time: number | undefined) => family.map(({ estimateAt }) => estimateAt(time));
  const present = judged(estimatesAt(undefined), 0);
  const cards = family.reduce((total, one) => total + one.cards.length, 0);
  const first = Math.min(...family.flatMap((one) => one.cards[0]?.card.at ?? []));
  // A word that is not found now is kept only below this level.
  const looks = hasPast && present.some(({ p }) => p !== null && p < LEVEL) ? pastLooks(now, { first, cards }) : [];
  const words = standings(looks, now, estimatesAt, 0);
  return family.map((asked, i) => {
    const estimate = present[i] as Judged;
    const { verdict, since: standsSince } = words[i]?.at(-1) ?? {};
    const since = verdict === 'above' || verdict === 'below' ? standsSince : undefined;
    return { ...asked, estimate, since, question: questionOf(asked, of, estimate, since) };
  });
}

function questionOf(
  { key, absolute, columns, cards, test }: Asking,
  { type, horizon }: Pick<Question, 'type' | 'horizon'>,
  estimate: Judged,
  since: number | undefined,
): Question {
  const { value, p, adjusted, interval } = estimate;
  const range = interval(LEVEL);
  const shows = wouldShow(estimate) ?? 1;
  return {
    type,
    key,
    absolute,
    horizon,
    cards: cards.length,
    days: columns.blocks(1).sizes.length,
    symbols: columns.symbols.sizes.length,
    correlation: cleanOrNull(value),
    correlation_interval_95: range && { low: Math.max(-1, range.low), high: Math.min(1, range.high) },
    p,
    p_holm: adjusted?.p ?? null,
    verdict: verdictOfKey(test, since),
    too_little: typeof test === 'string' && test !== 'constant_within_days' ? test : null,
    verdict_since: since === undefined ? null : formatApiTime(since),
    would_show: shows < 1 ? shows : null,
  };
}

function verdictOfKey(test: Asking['test'], since: number | undefined): Question['verdict'] {
  if (typeof test === 'string') return test === 'constant_within_days' ? test : 'too_little';
  if (since === undefined) return 'unclear';
  return test.value > 0 ? 'higher' : 'lower';
}

/**
 * Cuts compare kept with dropped cards, each beside the other types' cards of its day. A key that passes looks better
 * than it is, so the difference shrinks as the test's quantile does by Holm's adjustment (after Bigdeli et al. 2016).
 */
function cutsOf(
  { question, estimate, since, cards, keys }: ReturnType<typeof judgedKeys>[number],
  beside: ReadonlyMap<Row, Difference>,
  perDay: number,
): Cut[] {
  if (since === undefined) return [];
  const { type, key, absolute, horizon, verdict, verdict_since, p, p_holm } = question;
  const quantileAt = (level: number) => twoSidedQuantile(level, estimate.degreesOfFreedom);
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
      const [ofKept = [], ofDropped = []] = [kept, dropped].map((some) =>
        some.flatMap(({ card }) => (card.at < from ? [] : (beside.get(card) ?? []))),
      );
      const estimateOfSome = (some: readonly Difference[]) => estimateOf(clusteredMedian(some, horizon));
      const difference = differenceOfEstimates(estimateOfSome(ofKept), estimateOfSome(ofDropped));
      return { size: ofKept.length + ofDropped.length, ...difference };
    };
    const vsDropped = keptLessDropped(Number.NEGATIVE_INFINITY);
    const after = keptLessDropped(since);
    const cut: Cut = {
      type,
      key,
      absolute,
      horizon,
      direction: isAtLeast ? 'at_least' : 'at_most',
      value,
      quantile: share,
      cards_per_day: perDay * (kept.length / cards.length),
      kept_vs_btc: cleanOrNull(vsBtc.median),
      kept_vs_btc_interval_95: medianInterval(vsBtc, LEVEL),
      kept_vs_dropped: cleanOrNull(vsDropped.value * shrunk),
      kept_vs_dropped_interval: vsDropped.interval(LEVEL / QUANTILES.length),
      verdict_since,
      since_then: sinceThen(after.size, after.value, after.interval(LEVEL)),
    };
    return [cut];
  });
}

/** Prints the value of a cut in full, because it is typed again. */
export function asWritten({ questions, cuts }: Tuning): Tuning {
  return {
    questions: asPrinted(questions),
    cuts: cuts.map((cut) => ({ ...asPrinted(cut), value: cut.value })),
  };
}
