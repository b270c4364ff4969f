/** What `tune` answers: each number at the trigger, and the cuts of those that tell. */
import { HORIZON_NAMES, type HorizonName, MAIN_HORIZON } from '../api/contract/horizons.ts';
import { formatApiTime, at as timeAt } from '../api/time.ts';
import { matches } from '../base/collections.ts';
import { LEVEL } from '../statistics/estimate.ts';
import { showsInFamily } from '../statistics/holm.ts';
import { cleanOrNull, type Interval } from '../statistics/quantile.ts';
import { adviceOf, cutsAround, cutsOf } from './cuts.ts';
import { focusBringsBy, purchasesByType, type TypePurchases } from './focus.ts';
import {
  isFound,
  type NumbersEvidence,
  type NumberTest,
  numberTests,
  passes,
  stillTells,
  type Telling,
} from './numbers.ts';
import { type Cut, isClear, type Question, type Tuning } from './tune-types.ts';

/** What is asked of the numbers. */
export interface TuneTerms {
  /** Undefined: each of them. */
  readonly horizon?: HorizonName | undefined;
  /** The only type that is answered; cards and numbers of the others count, too. Undefined: each of them. */
  readonly type?: string | undefined;
}

/** What the numbers of an account are told from. Times are epoch milliseconds UTC. */
export interface TuneEvidence extends Omit<NumbersEvidence, 'settled' | 'findings'> {
  /** The notebook, oldest first: it has words, dates and advice after 24 h. Undefined: one look, without memory. */
  readonly findings: NumbersEvidence['findings'] | undefined;
  readonly now: number;
  /** Outcomes of cards until then are due. */
  readonly dueUntil: number;
}

/** @returns the numbers that tell first, then by p */
export function tuningOf(evidence: TuneEvidence, { horizon, type }: TuneTerms): Tuning {
  const { cards, findings = [] } = evidence;
  const purchases = purchasesByType(evidence);
  const answers: Answer[] = [];
  for (const name of HORIZON_NAMES) {
    if (!matches(name, horizon)) continue;
    const isNoted = evidence.findings !== undefined && name === MAIN_HORIZON;
    for (const test of numberTests({ ...evidence, settled: cards, findings }, name)) {
      if (!matches(test.type, type)) continue;
      const answer = isNoted ? answerOfNotebook(test) : answerOfLook(test);
      answers.push(withDate(answer, purchases.get(test.type), evidence.now));
    }
  }
  const inOrder = answers.toSorted((one, other) => placeOf(one.question) - placeOf(other.question));
  return {
    questions: inOrder.map(({ question }) => question),
    cuts: inOrder.flatMap(({ cuts }) => cuts),
  };
}

/** A question and, if its number tells, the cuts of it. */
interface Answer {
  readonly question: Question;
  readonly cuts: readonly Cut[];
}

/** What the notebook says: as long as the number's own test passes, because a page never heads with one that does not. */
function answerOfNotebook(test: NumberTest): Answer {
  const line = test.found?.last;
  if (!isFound(line) || !stillTells(test, line)) return { question: questionOf(test), cuts: [] };
  const question = questionOf(test, line.verdict, timeAt(line.at));
  return { question, cuts: cutsAround(test, line) };
}

/** What one look says: a number tells only with a cut that uses it. */
function answerOfLook(test: NumberTest): Answer {
  const telling = passes(test);
  const cuts = telling === undefined ? [] : cutsOf(test, telling);
  if (telling === undefined || adviceOf(cuts) === undefined)
    return { question: questionOf(test), cuts: [] };
  return { question: questionOf(test, telling), cuts };
}

/** @param telling undefined: it does not tell @param since when it was found, epoch milliseconds UTC */
function questionOf(test: NumberTest, telling?: Telling, since?: number): Question {
  const { type, key, absolute, horizon, cards, columns, noTest, estimate } = test;
  const shows = showsInFamily(estimate);
  return {
    type,
    key,
    absolute,
    horizon,
    cards: cards.length,
    days: columns.blocks(1).sizes.length,
    symbols: columns.symbols.sizes.length,
    correlation: cleanOrNull(estimate.value),
    correlation_interval_95: correlationsWithin(estimate.interval(LEVEL)),
    p: estimate.p,
    p_holm: estimate.adjusted?.p ?? null,
    verdict: telling ?? verdictWithout(noTest),
    too_little: noTest === undefined || noTest === 'constant_within_days' ? null : noTest,
    verdict_since: since === undefined ? null : formatApiTime(since),
    would_show: shows !== null && shows < 1 ? shows : null,
    focus_brings_by: null,
  };
}

/** No correlation of 1 or more is ever said: an interval that reaches it bounds nothing. */
function correlationsWithin(interval: Interval | null): Interval | null {
  if (interval === null || interval.low <= -1 || interval.high >= 1) return null;
  return interval;
}

function verdictWithout(noTest: NumberTest['noTest']): Question['verdict'] {
  if (noTest === undefined) return 'unclear';
  return noTest === 'constant_within_days' ? noTest : 'too_little';
}

/** Says when the outcomes come that are missing. */
function withDate(
  { question, cuts }: Answer,
  purchases: TypePurchases | undefined,
  now: number,
): Answer {
  if (question.too_little !== 'few_cards' || purchases === undefined) return { question, cuts };
  const by = focusBringsBy(question.cards, purchases, now);
  return {
    question: { ...question, focus_brings_by: by === undefined ? null : formatApiTime(by) },
    cuts,
  };
}

/** Numbers that tell, then those that were tested by p, then the others. */
function placeOf(question: Question): number {
  if (question.p === null) return 3;
  return isClear(question) ? question.p : 1 + question.p;
}
