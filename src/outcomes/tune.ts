/** What `tune` answers: each number at the trigger, and the cuts by those that are telling. */
import { HORIZON_NAMES, type HorizonName, MAIN_HORIZON } from '../api/contract/horizons.ts';
import { formatApiTime, at as timeAt } from '../api/time.ts';
import { matches } from '../base/collections.ts';
import { LEVEL } from '../statistics/estimate.ts';
import { showsInFamily } from '../statistics/holm.ts';
import { cleanOrNull, type Interval } from '../statistics/quantile.ts';
import { adviceOf, cutsWithAdvised, freshCuts } from './cuts.ts';
import { focusHasEnoughAt, purchasesByType, type TypePurchases } from './focus.ts';
import {
  type BetterSide,
  betterSideOf,
  isTelling,
  type NumbersEvidence,
  type NumberTest,
  numberTests,
  stillTells,
} from './numbers.ts';
import { type Cut, isClear, type Question, type Tuning } from './tune-types.ts';

/** Which numbers are answered, and after which horizon. */
export interface TuneTerms {
  /** The only horizon that is answered; undefined for each. */
  readonly horizon?: HorizonName | undefined;
  /** The only type that is answered, undefined for each; the tests count the cards and numbers of all types. */
  readonly type?: string | undefined;
}

/** What `tune` answers from. Times are epoch milliseconds UTC. */
export interface TuneEvidence extends Omit<NumbersEvidence, 'settled' | 'findings'> {
  /**
   * The notebook, oldest first: verdicts, dates and advice after 24 h come from it. Undefined if the question is the user's
   * own: then they come from this look alone.
   */
  readonly findings: NumbersEvidence['findings'] | undefined;
  readonly now: number;
  /** The outcomes of the cards up to this time are due. */
  readonly dueUntil: number;
}

/** @returns the telling numbers first, then the others by p */
export function tuningOf(evidence: TuneEvidence, { horizon, type }: TuneTerms): Tuning {
  const { cards, findings = [] } = evidence;
  const purchases = purchasesByType(evidence);
  const answers: Answer[] = [];
  for (const name of HORIZON_NAMES) {
    if (!matches(name, horizon)) continue;
    const isOfNotebook = evidence.findings !== undefined && name === MAIN_HORIZON;
    for (const test of numberTests({ ...evidence, settled: cards, findings }, name)) {
      if (!matches(test.type, type)) continue;
      const answer = isOfNotebook ? answerOfNotebook(test) : answerOfLook(test);
      answers.push(withFocusDate(answer, purchases.get(test.type), evidence.now));
    }
  }
  const inOrder = answers.toSorted((a, b) => placeOf(a.question) - placeOf(b.question));
  return {
    questions: inOrder.map(({ question }) => question),
    cuts: inOrder.flatMap(({ cuts }) => cuts),
  };
}

interface Answer {
  readonly question: Question;
  /** Empty unless the number is telling. */
  readonly cuts: readonly Cut[];
}

/**
 * What the notebook says of a number. It holds only while the number's own test passes: no page shows a number as telling
 * beside a p that does not pass.
 */
function answerOfNotebook(test: NumberTest): Answer {
  const line = test.inNotebook?.line;
  if (!isTelling(line) || !stillTells(test, line)) return { question: questionOf(test), cuts: [] };
  const question = questionOf(test, line.verdict, timeAt(line.at));
  return { question, cuts: cutsWithAdvised(test, line) };
}

/** What one look says of a number: it is telling only if a cut by it clearly helps. */
function answerOfLook(test: NumberTest): Answer {
  const betterSide = betterSideOf(test);
  if (betterSide === undefined) return { question: questionOf(test), cuts: [] };
  const cuts = freshCuts(test, betterSide);
  if (adviceOf(cuts) === undefined) return { question: questionOf(test), cuts: [] };
  return { question: questionOf(test, betterSide), cuts };
}

/**
 * @param betterSide undefined if the number is not telling
 * @param since when the notebook's line that calls it telling was written, epoch milliseconds UTC
 */
function questionOf(test: NumberTest, betterSide?: BetterSide, since?: number): Question {
  const { type, key, absolute, horizon, cards, columns, noTest, estimate } = test;
  const smallestToShow = showsInFamily(estimate);
  return {
    type,
    key,
    absolute,
    horizon,
    cards: cards.length,
    days: columns.blocks(1).sizes.length,
    symbols: columns.symbols.sizes.length,
    correlation: cleanOrNull(estimate.value),
    correlation_interval_95: correlationInterval(estimate.interval(LEVEL)),
    p: estimate.p,
    p_holm: estimate.adjusted?.p ?? null,
    verdict: betterSide ?? verdictWithoutSide(noTest),
    too_little: noTest === undefined || noTest === 'constant_within_days' ? null : noTest,
    verdict_since: since === undefined ? null : formatApiTime(since),
    would_show: smallestToShow !== null && smallestToShow < 1 ? smallestToShow : null,
    focus_brings_by: null,
  };
}

/** @returns null if the interval reaches -1 or 1: then it bounds nothing */
function correlationInterval(interval: Interval | null): Interval | null {
  if (interval === null || interval.low <= -1 || interval.high >= 1) return null;
  return interval;
}

/** The verdict on a number that is not telling. */
function verdictWithoutSide(noTest: NumberTest['noTest']): Question['verdict'] {
  if (noTest === undefined) return 'unclear';
  return noTest === 'constant_within_days' ? noTest : 'too_little';
}

/** Adds when enough cards for a test come if the type's outcomes are bought first: to an answer that lacks cards. */
function withFocusDate(
  { question, cuts }: Answer,
  purchases: TypePurchases | undefined,
  now: number,
): Answer {
  if (question.too_little !== 'few_cards' || purchases === undefined) return { question, cuts };
  const by = focusHasEnoughAt(question.cards, purchases, now);
  return {
    question: { ...question, focus_brings_by: by === undefined ? null : formatApiTime(by) },
    cuts,
  };
}

/** Telling numbers come first, then the other tested ones, each by p; then those without a test. */
function placeOf(question: Question): number {
  if (question.p === null) return 3;
  return isClear(question) ? question.p : 1 + question.p;
}
