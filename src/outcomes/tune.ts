import {
  blocksOf,
  HORIZON_NAMES,
  type HorizonName,
  MAIN_HORIZON,
} from '../api/contract/horizons.ts';
import { formatApiTime, at as timeAt } from '../api/time.ts';
import { groupBy } from '../base/collections.ts';
import { clusteredMedian } from '../statistics/clustered-median.ts';
import { columnsOf } from '../statistics/clusters.ts';
import { differenceOfEstimates, LEVEL, UNKNOWN } from '../statistics/estimate.ts';
import { clean, cleanOrNull, medianOf, quantile } from '../statistics/quantile.ts';
import { rankTest } from '../statistics/rank-test.ts';
import { twoSidedQuantile } from '../statistics/student-t.ts';
import {
  type Judged,
  judged,
  NUMBERS_LEVEL,
  verdictAfter,
  wouldShow,
} from '../statistics/verdict.ts';
import {
  type Difference,
  differencesOf,
  differencesToOthers,
  symbolsOfBtc,
} from './differences.ts';
import { eachHorizon, sinceThenOf } from './figure.ts';
import { type Found, foundOf, linesOfNumbers, type NumberFinding, numberId } from './findings.ts';
import type { FiguresQuestion } from './groups.ts';
import { cardsPerDay } from './rate.ts';
import { numberAt, type Row } from './row.ts';
import { type Cut, isClear, type Question, type Tuning } from './tune-types.ts';

/** Quantiles are fixed, so that no outcome is looked at to choose them. */
const QUANTILES = [0.3, 0.5, 0.7] as const;

/** `findings`: the notebook has words, dates and advice after 24 h; undefined for a question of one's own: one look. */
export interface TuneQuestion
  extends Pick<FiguresQuestion, 'now' | 'until' | 'horizon' | 'settingsSince' | 'findings'> {
  /** The only type that is answered; cards and numbers of the others count, too. */
  readonly type?: string | undefined;
}

/** A number at the trigger of a type, and how it goes with what came after. */
export type Member = ReturnType<typeof familyOf>[number];

/** @param rows cards of all types @returns the clear ones first, then by p */
export function tuningOf(rows: readonly Row[], question: TuneQuestion): Tuning {
  const isNoted = question.findings !== undefined;
  const asked = familyOf(rows, question)
    .filter(({ type }) => type === (question.type ?? type))
    .map((one) => answerOf(one, isNoted && one.horizon === MAIN_HORIZON));
  const inOrder = asked.toSorted((a, b) => placeOf(a.question) - placeOf(b.question));
  return {
    questions: inOrder.map((one) => one.question),
    cuts: inOrder.flatMap(({ cuts }) => cuts),
  };
}

const placeOf = (one: Question) => (one.p === null ? 3 : isClear(one) ? one.p : 1 + one.p);

/**
 * The numbers of all types: one family of Holm's at each horizon.
 * @param rows cards of all types, for the rates @param settled those of them whose outcomes count
 */
export function familyOf(rows: readonly Row[], question: TuneQuestion, settled = rows) {
  const { now, until = now, horizon: main, settingsSince, findings = [] } = question;
  const ofBtc = symbolsOfBtc(settled);
  const first = rows.reduce((oldest, { at }) => Math.min(oldest, at), until);
  const beside = eachHorizon((horizon) => besideOthers(differencesOf(settled, horizon, ofBtc)));
  const settledOf = groupBy(settled, ({ type }) => type);
  const lines = linesOfNumbers(findings);
  const types = [...groupBy(rows, ({ type }) => type)].map(([type, whole]) => {
    const since = settingsSince?.get(type);
    const present = (cards: readonly Row[] = []) => cards.filter(({ at }) => at >= (since ?? at));
    const perDay = cardsPerDay(present(whole), until, { since: Math.max(since ?? first, first) });
    const own = present(settledOf.get(type));
    const foundAs = (number: string, absolute: boolean) =>
      foundOf(lines.get(numberId({ type, number, absolute })), since);
    return { of: { type, perDay, beside }, own, keys: keysOf(own, foundAs) };
  });
  return HORIZON_NAMES.filter((name) => name === (main ?? name)).flatMap((horizon) => {
    const asked = types.flatMap(({ of, own, keys }) => {
      const byDay = differencesOf(own, horizon, ofBtc).toSorted(
        (one, other) => one.day - other.day,
      );
      return keys.map((key) => ({ ...of, horizon, ...key, ...asking(key, horizon, byDay) }));
    });
    const tests = asked.map(({ test }) => (typeof test === 'string' ? UNKNOWN : test));
    const estimates = judged(tests, 0, NUMBERS_LEVEL);
    return asked.map((one, i) => ({ ...one, estimate: estimates[i] as Judged }));
  });
}

/** Differences to other types' cards; to BTC if there is no other type. */
function besideOthers(differences: readonly Difference[]): ReadonlyMap<Row, Difference> {
  const types = new Set(differences.map(({ card }) => card.type));
  const compared =
    types.size < 2 ? differences : differencesToOthers(differences, ({ type }) => type);
  return new Map(compared.map((one) => [one.card, one]));
}

type Key = ReturnType<typeof keysOf>[number];

/** Keys; also by size, if that was found or a fifth of the values lie on either side of zero. */
function keysOf(
  rows: readonly Row[],
  foundAs: (key: string, absolute: boolean) => Found<NumberFinding> | undefined,
) {
  const bought = rows.filter(({ isBought }) => isBought);
  const names = new Set(bought.flatMap(({ context = {} }) => Object.keys(context)));
  return [...names].flatMap((key) => {
    const numbers = bought.flatMap((card) => numberAt(card, key) ?? []);
    if (numbers.length === 0) return [];
    const above = numbers.filter((one) => one > 0).length;
    const below = numbers.filter((one) => one < 0).length;
    // A number is asked of if half of the bought cards have it.
    const isOnHalf = numbers.length >= bought.length / 2;
    const plain = { key, absolute: false, isOnHalf, found: foundAs(key, false) };
    const sized = { key, absolute: true, isOnHalf, found: foundAs(key, true) };
    const isSized = Math.min(above, below) >= numbers.length / 5 || isClear(sized.found?.last);
    return isSized ? [plain, sized] : [plain];
  });
}

/** @param all by day */
function asking(
  { key, absolute, isOnHalf }: Key,
  horizon: HorizonName,
  all: readonly Difference[],
) {
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
  const test = isOnHalf ? rankTest(columns, keys, blocksOf(horizon)) : ('rarely_given' as const);
  return { columns, cards, keys, test };
}

/** A word that was found is kept while its own p is below `LEVEL`. */
export function wordOf({ estimate, found }: Member): NumberFinding['verdict'] {
  const words = { higher: 'above', lower: 'below', unclear: undefined } as const;
  const verdict = verdictAfter(words[found?.last.verdict ?? 'unclear'], estimate);
  return verdict === 'above' ? 'higher' : verdict === 'below' ? 'lower' : 'unclear';
}

const whichOf = ({ type, key, absolute, horizon }: Member) => ({ type, key, absolute, horizon });

/** @param isNoted whether the notebook has the word */
function answerOf(member: Member, isNoted: boolean): { question: Question; cuts: readonly Cut[] } {
  const { columns, cards, test, estimate } = member;
  const found = isNoted ? member.found : undefined;
  const word = isNoted ? (found?.last.verdict ?? 'unclear') : wordOf({ ...member, found });
  const range = estimate.interval(LEVEL);
  const shows = wouldShow(estimate) ?? 1;
  const isTested = typeof test !== 'string';
  const untested = test === 'constant_within_days' ? test : 'too_little';
  const question: Question = {
    ...whichOf(member),
    cards: cards.length,
    days: columns.blocks(1).sizes.length,
    symbols: columns.symbols.sizes.length,
    correlation: cleanOrNull(estimate.value),
    correlation_interval_95: range && {
      low: Math.max(-1, range.low),
      high: Math.min(1, range.high),
    },
    p: estimate.p,
    p_holm: estimate.adjusted?.p ?? null,
    verdict: word === 'unclear' && !isTested ? untested : word,
    too_little: isTested || test === 'constant_within_days' ? null : test,
    verdict_since: word === 'unclear' || found === undefined ? null : formatApiTime(found.since),
    would_show: shows < 1 ? shows : null,
  };
  return { question, cuts: word === 'unclear' ? [] : cutsOf(member, word, found?.last) };
}

/**
 * The fixed cuts, the loosest first, one of which is the advice: the noted one, which replaces the cut nearest to it, or
 * the loosest that is clear of zero.
 * @param noted the word of the notebook; undefined: not asked of it
 */
export function cutsOf(member: Member, word: 'higher' | 'lower', noted?: NumberFinding): Cut[] {
  const isAtLeast = word === 'higher';
  const sorted = member.keys.toSorted();
  const shares: readonly number[] = isAtLeast ? QUANTILES : QUANTILES.toReversed();
  const values = new Map(shares.map((share) => [rounded(quantile(sorted, share)), share]));
  const given = noted?.cut?.at_least ?? noted?.cut?.at_most;
  if (given !== undefined && !values.has(given)) {
    const share = sorted.filter((one) => one < given).length / sorted.length;
    const [nearest] = [...values].sort(
      ([, one], [, other]) => Math.abs(one - share) - Math.abs(other - share),
    );
    if (nearest !== undefined) values.delete(nearest[0]);
    values.set(given, Number(share.toFixed(2)));
  }
  const inOrder = [...values].sort(([one], [other]) => (isAtLeast ? one - other : other - one));
  const cuts = inOrder.flatMap(([value, share]) => {
    const keeps = (number: number) => (isAtLeast ? number >= value : number <= value);
    const size = sorted.filter(keeps).length;
    if (value !== given && (size === 0 || size === sorted.length)) return [];
    const since = value === given && noted !== undefined ? timeAt(noted.at) : undefined;
    return [
      cutAt(
        { value, quantile: share, direction: isAtLeast ? 'at_least' : 'at_most' },
        member,
        keeps,
        since,
      ),
    ];
  });
  const helps = ({ kept_vs_dropped_interval: interval }: Cut) =>
    interval !== null && interval.low > 0;
  const best = noted === undefined ? cuts.find(helps)?.value : given;
  return cuts.map((cut) => ({ ...cut, is_advice: cut.value === best }));
}

/** A cut in the two digits in which it is typed. */
const rounded = (value: number) => Number(clean(value).toPrecision(2));

/**
 * Compares kept with dropped cards, each beside the other types' cards of its day. A key that passes looks better than it
 * is, so what to expect shrinks as the test's quantile does by Holm's adjustment (after Bigdeli et al. 2016).
 * @param since when it was advised, epoch milliseconds UTC
 */
function cutAt(
  cut: Pick<Cut, 'value' | 'quantile' | 'direction'>,
  member: Member,
  keeps: (number: number) => boolean,
  since: number | undefined,
): Cut {
  const { horizon, perDay, beside, cards, keys, estimate } = member;
  const { p, adjusted, degreesOfFreedom } = estimate;
  const quantileAt = (level: number) => twoSidedQuantile(level, degreesOfFreedom);
  const shrunk = p && adjusted ? quantileAt(adjusted.p) / quantileAt(p) : 1;
  const kept = cards.filter((_, i) => keeps(keys[i] ?? 0));
  const dropped = cards.filter((_, i) => !keeps(keys[i] ?? 0));
  const vsDroppedFrom = (from: number) => {
    const medianBeside = (some: readonly Difference[]) =>
      clusteredMedian(
        some.flatMap(({ card }) => (card.at < from ? [] : (beside[horizon].get(card) ?? []))),
        blocksOf(horizon),
      );
    return differenceOfEstimates(medianBeside(kept), medianBeside(dropped));
  };
  const vsBtc = clusteredMedian(kept, blocksOf(horizon));
  const all = medianOf(cards.map(({ value }) => value));
  const vsDropped = vsDroppedFrom(Number.NEGATIVE_INFINITY);
  return {
    ...whichOf(member),
    ...cut,
    is_advice: false,
    cards_per_day: perDay * (kept.length / cards.length),
    kept_vs_btc: cleanOrNull(vsBtc.value),
    kept_vs_btc_interval_95: vsBtc.interval(LEVEL),
    kept_vs_btc_lowered: cleanOrNull(all + (vsBtc.value - all) * shrunk),
    kept_vs_dropped: cleanOrNull(vsDropped.value),
    kept_vs_dropped_interval: vsDropped.interval(LEVEL / QUANTILES.length),
    verdict_since: since === undefined ? null : formatApiTime(since),
    since_then: since === undefined ? null : sinceThenOf(vsDroppedFrom(since)),
  };
}
