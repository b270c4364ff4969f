/** What `tune` answers: what is known of each number at the trigger, and stricter settings (cuts) by the telling numbers. */
import { HORIZON_NAMES, type HorizonName, MAIN_HORIZON } from '../api/contract/horizons.ts';
import { apiTimeOrNull, at as timeAt } from '../api/time.ts';
import { matches } from '../base/collections.ts';
import { LEVEL } from '../statistics/estimate.ts';
import { halvesApart } from '../statistics/halves.ts';
import { smallestShown } from '../statistics/holm.ts';
import { cleanOrNull, type Interval } from '../statistics/quantile.ts';
import { LEAST_FOR_TEST } from '../statistics/rank-test.ts';
import { cutsWithAdvised, cutToTry, freshCuts } from './cuts.ts';
import {
  type BetterSide,
  betterSideOf,
  isTelling,
  NUMBERS_LEVEL,
  type NumbersEvidence,
  type NumberTest,
  numberTests,
} from './numbers.ts';
import { purchasesByType, type TypePurchases } from './purchases.ts';
import { type EnoughForTest, enoughForTest, testNeedOf } from './test-needs.ts';
import { type Cut, hasBetterSide, type NumberQuestion, type Tuning } from './tune-types.ts';

/** Which numbers are answered, and after which horizon. */
export interface TuneTerms {
  /** The only horizon that is answered; undefined for all horizons. */
  readonly horizon?: HorizonName | undefined;
  /** The only type that is answered; undefined for all types. Tests are adjusted for the numbers of all types either way. */
  readonly type?: string | undefined;
}

/** What `tune` answers from. Times are epoch milliseconds UTC. */
export interface TuneEvidence extends Omit<NumbersEvidence, 'settled' | 'findings'> {
  /**
   * The notebook, oldest first. Verdicts, dates and advice after 24 h are taken from it. Undefined for a question of the
   * user's own: then this look alone decides.
   */
  readonly findings: NumbersEvidence['findings'] | undefined;
  /** The types whose outcomes exports buy before all others; undefined if there are none. */
  readonly inFocus?: ReadonlySet<string> | undefined;
  /**
   * When the credits will have covered all due outcomes, as exports foresee it; undefined if they will not, or if that
   * is not known.
   */
  readonly allBoughtBy?: number | undefined;
  /** Outcomes that exports buy a day; undefined if that is not known. */
  readonly boughtPerDay?: number | undefined;
  readonly now: number;
  /** The outcomes of the cards up to this time are due. */
  readonly dueUntil: number;
}

/** @returns the telling numbers first, then the others by p */
export function tuningOf(evidence: TuneEvidence, { horizon, type }: TuneTerms): Tuning {
  const { cards, findings = [] } = evidence;
  const purchases = purchasesByType(evidence);
  const answers: NumberAnswer[] = [];
  for (const name of HORIZON_NAMES) {
    if (!matches(name, horizon)) continue;
    const isDecidedByNotebook = evidence.findings !== undefined && name === MAIN_HORIZON;
    // Every measured outcome counts, also those of days on which some are not due yet.
    const tests = numberTests({ ...evidence, settled: cards, findings }, name);
    const enough = enoughForTest(tests.length, NUMBERS_LEVEL, name);
    for (const test of tests) {
      if (!matches(test.type, type)) continue;
      const answer = isDecidedByNotebook ? answerOfNotebook(test) : answerOfLook(test);
      answers.push(withNeed(answer, purchases.get(test.type), { enough, now: evidence.now }));
    }
  }
  const inOrder = answers.toSorted((a, b) => placeOf(a.question) - placeOf(b.question));
  return {
    questions: inOrder.map(({ question }) => question),
    cuts: inOrder.flatMap(({ cuts }) => cuts),
  };
}

/** What is known of one number. */
interface NumberAnswer {
  readonly question: NumberQuestion;
  /** Empty unless the number is telling. */
  readonly cuts: readonly Cut[];
}

/** What the notebook says of a number. An advice stays until the notebook withdraws it: exports alone judge. */
function answerOfNotebook(test: NumberTest): NumberAnswer {
  const line = test.inNotebook?.line;
  if (!isTelling(line)) return { question: numberQuestionOf(test), cuts: [] };
  const question = numberQuestionOf(test, line.verdict, timeAt(line.at));
  return { question, cuts: cutsWithAdvised(test, line) };
}

/** What one look says of a number: it is telling only if a cut by it clearly helps. */
function answerOfLook(test: NumberTest): NumberAnswer {
  const betterSide = betterSideOf(test);
  if (betterSide === undefined) return { question: numberQuestionOf(test), cuts: [] };
  const cuts = freshCuts(test, betterSide);
  if (cutToTry(cuts) === undefined) return { question: numberQuestionOf(test), cuts: [] };
  return { question: numberQuestionOf(test, betterSide), cuts };
}

/**
 * @param betterSide undefined if the number is not telling
 * @param since when the notebook's line that calls it telling was written, epoch milliseconds UTC
 */
function numberQuestionOf(
  test: NumberTest,
  betterSide?: BetterSide,
  since?: number,
): NumberQuestion {
  const { type, key, absolute, horizon, cards, columns, noTest, estimate } = test;
  const smallest = smallestShown(estimate);
  // No correlation is 1 or more.
  const detectable = smallest !== null && smallest < 1 ? smallest : null;
  const days = columns.blocks(1).sizes.length;
  return {
    type,
    key,
    absolute,
    horizon,
    cards: cards.length,
    days,
    symbols: columns.symbols.sizes.length,
    correlation: cleanOrNull(estimate.value),
    correlation_interval_95: correlationInterval(estimate.interval(LEVEL)),
    p: estimate.p,
    p_holm: estimate.adjusted?.p ?? null,
    verdict: betterSide ?? verdictWithoutSide(noTest),
    too_little: noTest === undefined || noTest === 'constant_within_days' ? null : noTest,
    verdict_since: apiTimeOrNull(since),
    would_show: detectable,
    would_show_percentage_points: apartAt(detectable, test, days),
    ...NOTHING_NEEDED,
  };
}

/**
 * How far apart, at a correlation, the half of the cards with the larger numbers and the other half are, percentage points.
 * @param days the UTC days of the cards
 */
function apartAt(correlation: number | null, { cards }: NumberTest, days: number): number | null {
  if (correlation === null) return null;
  const moves = cards.map(({ value }) => value);
  return cleanOrNull(halvesApart(correlation, moves, days));
}

/** @returns null if the interval reaches -1 or 1: then it bounds nothing */
function correlationInterval(interval: Interval | null): Interval | null {
  if (interval === null || interval.low <= -1 || interval.high >= 1) return null;
  return interval;
}

/** The verdict on a number that is not telling. */
function verdictWithoutSide(noTest: NumberTest['noTest']): NumberQuestion['verdict'] {
  if (noTest === undefined) return 'unclear';
  return noTest === 'constant_within_days' ? noTest : 'too_little';
}

/** The fields of a number that lacks nothing, or that more outcomes would not help. */
const NOTHING_NEEDED = {
  needs: null,
  needed: null,
  enough_by: null,
  focus_brings_by: null,
} as const;

/** What a need is computed from, besides the number and the purchases. */
interface NeedTerms {
  readonly enough: EnoughForTest;
  /** Epoch milliseconds UTC. */
  readonly now: number;
}

/** For a number that is not tested well enough: adds what is lacking, and when it comes. */
function withNeed(
  { question, cuts }: NumberAnswer,
  purchases: TypePurchases | undefined,
  { enough, now }: NeedTerms,
): NumberAnswer {
  if (purchases === undefined || !canMoreOutcomesHelp(question)) return { question, cuts };
  const { cards: outcomes, days } = question;
  const need = testNeedOf({ outcomes, days }, purchases, enough, now);
  if (need === undefined) return { question, cuts };
  if (need.lacks === 'cards_a_day') return { question: { ...question, needs: need.lacks }, cuts };
  const { lacks: needs, needed, by, byFocus } = need;
  const dates = { enough_by: apiTimeOrNull(by), focus_brings_by: apiTimeOrNull(byFocus) };
  return { question: { ...question, needs, needed, ...dates }, cuts };
}

/** Whether more outcomes can lead to a test, or to one that shows more. */
function canMoreOutcomesHelp(question: NumberQuestion): boolean {
  if (hasBetterSide(question)) return false;
  switch (question.too_little) {
    case 'few_symbols':
    case 'one_outweighs':
    case 'rarely_given':
      return false;
    case 'few_cards':
    case 'few_days':
      return true;
    case null:
      return question.verdict === 'unclear' || !hasManyPairs(question);
  }
}

/**
 * Whether there are many pairs of outcomes of one day (see `test-needs.ts`). A number that is the same for all cards of each
 * day so far will then be so on later days, too.
 */
function hasManyPairs({ cards, days }: NumberQuestion): boolean {
  return cards - days >= LEAST_FOR_TEST.blocks;
}

/**
 * The place in the order: 0 to 1 for telling numbers, 1 to 2 for other tested numbers, each by p; 3 for numbers without a
 * test.
 */
function placeOf(question: NumberQuestion): number {
  if (question.p === null) return 3;
  return hasBetterSide(question) ? question.p : 1 + question.p;
}
