/** What was looked for and not found: a line a type, and for one type a line a result with its numbers. */
import { blocksOf } from '../../api/contract/horizons.ts';
import { groupBy } from '../../base/collections.ts';
import { pluralize } from '../../base/units.ts';
import type { GroupFigures } from '../../outcomes/figure-table.ts';
import { isClear, type Question } from '../../outcomes/tune-types.ts';
import { shortDaysOf } from '../../statistics/clusters.ts';
import { LEAST } from '../../statistics/rank-test.ts';
import { dayAndMonth } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Pair } from '../types.ts';
import { isTested, numberName } from './tune-words.ts';

/** A correlation of this size is hardly ever there: where only such a one would show, nothing can be told yet. */
const LARGEST_PLAUSIBLE = 0.5;

/** Whether a correlation that is plausible at all would have been found. */
export function couldShow({ would_show: size }: Question): boolean {
  return size !== null && size < LARGEST_PLAUSIBLE;
}

/** Result of one number: `nothing found`, `30 of 60 bought`. */
export function resultOfNumber(question: Question): string {
  if (isClear(question)) return `${question.verdict} is better`;
  if (isTested(question)) return couldShow(question) ? 'nothing found' : 'cannot tell yet';
  return question.too_little === null ? 'same all day' : TOO_LITTLE[question.too_little](question);
}

/**
 * A line for each type without a finding.
 * @param silenceOf `no card for 21 days`; undefined for a type that sends cards
 * @param withoutNumbers types of which no number is known: figures of each
 */
export function resultsByType(
  questions: readonly Question[],
  silenceOf: (type: string) => string | undefined,
  withoutNumbers: readonly GroupFigures[],
): Pair[] {
  const pairs: Pair[] = [];
  for (const [type, questionsOfType] of groupBy(questions, (question) => question.type)) {
    if (questionsOfType.some(isClear)) continue;
    const parts = [resultOfType(questionsOfType), silenceOf(type) ?? ''];
    pairs.push([safeText(type), parts.filter(Boolean).join('; ')]);
  }
  return [...pairs, ...resultsWithoutNumbers(withoutNumbers)];
}

/** A line for each type of which no number is known. */
export function resultsWithoutNumbers(figures: readonly GroupFigures[]): Pair[] {
  return figures.map(({ group, bought }) => [
    safeText(String(group)),
    bought === 0 ? 'no outcome bought yet' : 'its cards have no numbers',
  ]);
}

/** `nothing found yet (3 of 5 numbers tested)`: of the numbers that can be tested at all. */
function resultOfType(questions: readonly Question[]): string {
  const tested = questions.filter(isTested);
  const shown = tested.filter(couldShow).length;
  if (shown > 0 && shown === tested.length) {
    return `nothing found (${pluralize(shown, 'number')} tested)`;
  }
  if (shown > 0) return `nothing found yet (${shown} of ${tested.length} numbers tested)`;
  if (tested.length > 0) return 'too few outcomes to tell';
  const [largest] = questions.toSorted((one, other) => other.cards - one.cards);
  if (largest === undefined) return '';
  if (isSameOnMostDays(largest)) return 'its numbers are the same on most days';
  const missing = resultOfNumber(largest);
  return largest.too_little === 'few_cards' ? `too few outcomes: ${missing}` : missing;
}

/** Whether `resultsByNumber` names the numbers: where all have too few cards it does not. */
export function areNumbersNamed(questions: readonly Question[]): boolean {
  return questions.some(({ too_little }) => too_little !== 'few_cards');
}

/** For one type a line a result, with the numbers that have it. */
export function resultsByNumber(questions: readonly Question[]): Pair[] {
  const [largest] = questions.toSorted((one, other) => other.cards - one.cards);
  if (largest !== undefined && !areNumbersNamed(questions)) {
    return [['Too few outcomes', resultOfNumber(largest)]];
  }
  const inOrder = questions.toSorted(
    (one, other) =>
      one.key.localeCompare(other.key) || Number(one.absolute) - Number(other.absolute),
  );
  const pairs: Pair[] = [];
  for (const [result, sameResult] of groupBy(inOrder, resultOfNumber)) {
    const label = result.charAt(0).toUpperCase() + result.slice(1);
    pairs.push([label, sameResult.map(numberName).join(', ')]);
  }
  return pairs;
}

/** `; --focus TYPE brings them by 20 Dec`; empty if that is of no use. */
function focusText({ type, focus_brings_by: by }: Question): string {
  if (by === null) return '';
  return `; \`--focus ${safeText(type)}\` brings them by ${dayAndMonth(Date.parse(by))}`;
}

/** Days with outcomes that a test needs. */
function daysNeeded({ days, horizon }: Question): number {
  return LEAST.clusters * shortDaysOf(blocksOf(horizon), days);
}

/** Whether there are days enough, but too few on which it differs between cards. */
function isSameOnMostDays(question: Question): boolean {
  return question.too_little === 'few_days' && question.days >= daysNeeded(question);
}

type Missing = NonNullable<Question['too_little']>;

const TOO_LITTLE: Readonly<Record<Missing, (question: Question) => string>> = {
  few_cards: (question) => `${question.cards} of ${LEAST.cards} bought${focusText(question)}`,
  few_days: (question) =>
    isSameOnMostDays(question)
      ? 'the same on most days'
      : `${question.days} of ${daysNeeded(question)} days with outcomes`,
  few_symbols: () => 'too few symbols',
  one_outweighs: () => 'one day or symbol outweighs',
  rarely_given: () => 'known of too few cards',
};
